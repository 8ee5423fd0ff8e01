// Playing: getting a game, acting in it, and what goes on by itself.

import * as api from "./api.js";
import { Board } from "./board.js";
import { $, announce, calm, h, replace, toast, wait } from "./dom.js";
import { Entering } from "./entering.js";
import { PlayHelp } from "./help.js";
import { perform } from "./performing.js";
import { onPref, prefs, saveGame, savedGame } from "./prefs.js";
import { sound } from "./sound.js";
import { tableState } from "./tablestate.js";
import { Timing } from "./timing.js";
import { ME, outcomeText } from "./words.js";

const START = Array.from({ length: 26 }, (_, slot) => ({ 6: 5, 8: 3, 13: 5, 24: 2 })[slot] ?? 0);
const SPEEDS = { slow: 1.7, normal: 1, fast: 0.5 };
const READ = 2500; // milliseconds "no legal move" stays at least, unless waved away

export class PlayView extends PlayHelp {
  constructor(root, { openAnalysis, newGame }) {
    super();
    this.root = root;
    this.openAnalysis = openAnalysis;
    this.openNewGame = newGame;
    this.game = null;
    this.busy = false;
    this.paused = null; // {verdict, before} while the tutor explains
    this.arrows = [];
    this.last = []; // places the program's last play went to
    this.log = [];
    this.entering = new Entering(this);
    this.timing = new Timing(() => this.renderClocks());
    this.build();
    this.board = new Board($(".board-place", root), {
      pick: (place) => this.entering.pick(place),
      grab: (place) => this.entering.grab(place),
      drop: (from, to) => this.entering.drop(from, to),
      dice: () => this.onDice(),
      cube: () => this.can("double") && this.act({ act: "double" }),
    });
    this.board.set({ bottom: START, top: START, colour: prefs.colour, homeLeft: prefs.homeLeft });
    onPref(() => this.game && this.render());
    document.addEventListener("keydown", (event) => this.key(event));
  }

  build() {
    const card = (id, label, hidden) => h("section", { class: "card", id, hidden, "aria-label": label });
    this.root.dataset.phase = "none";
    replace(
      this.root,
      h(
        "div",
        { class: "table" },
        h("h1", { class: "offscreen" }, "Play"),
        h("div", { class: "strip", id: "strip-top" }),
        h("div", { class: "board-place" }),
        h("div", { class: "strip", id: "strip-bottom" }),
        h("div", { class: "actions", id: "actions", role: "group", "aria-label": "Your turn" }),
      ),
      h(
        "div",
        { class: "side" },
        card("tutor-card", "Tutor", true),
        card("summary-card", "Summary", true),
        card("start-card", "Begin", true),
        card("match-card", "The match"),
        card("curve-card", "Winning chances", true),
        card("log-card", "Moves"),
      ),
    );
  }

  // How long motion takes: 0 without it.
  get duration() {
    return prefs.animate && !calm() ? SPEEDS[prefs.speed] ?? 1 : 0;
  }

  get unfinished() {
    return Boolean(this.game) && !this.game.session_over;
  }

  // --- getting a game ---------------------------------------------------------------------------

  async resume() {
    const id = savedGame();
    if (!id) return false;
    try {
      await this.open(id);
      return true;
    } catch (error) {
      if (error.status === 404) saveGame(null);
      else toast(error.message, "error");
      return false;
    }
  }

  async open(id) {
    const view = await api.get(`games/${encodeURIComponent(id)}`);
    this.begin(view, false);
    this.takeWhole(view);
    if (!view.session_over) toast("Your game goes on");
    await this.goOn();
  }

  // `settings` as POST /api/games has them; with `position` the game goes on from there.
  async start(settings) {
    const view = await api.post("games", { ...settings, advance: false });
    this.begin(view, true);
    this.log = [];
    this.take(view);
    announce("A new game begins.");
    await this.goOn();
  }

  // The game on the table is gone: an empty table again.
  async forget() {
    saveGame(null);
    this.game = null;
    this.log = [];
    this.clearSide();
    this.root.dataset.phase = "none";
    this.board.set({ bottom: START, top: START, colour: prefs.colour, homeLeft: prefs.homeLeft });
    for (const id of ["strip-top", "strip-bottom"]) replace($(`#${id}`, this.root));
  }

  begin(view, fresh) {
    saveGame(view.id);
    this.clearSide();
    this.last = [];
    this.timing.begin(view, fresh);
  }

  // Takes a view with all events of the game: the list of moves begins anew.
  takeWhole(view) {
    this.log = [];
    view.events.forEach((event) => this.note(event, view));
    this.take(view);
  }

  take(view) {
    this.game = view;
    this.entering.begin(view, ME);
    this.render();
  }

  can(kind) {
    return !this.busy && !this.paused && Boolean(this.game?.legal.includes(kind));
  }

  // --- acting -----------------------------------------------------------------------------------

  async guarded(work) {
    if (this.busy) return;
    this.busy = true;
    this.renderActions();
    let failed = null;
    try {
      await work();
    } catch (error) {
      failed = error;
    }
    this.busy = false;
    if (failed?.status === 409 && failed.field === "at") {
      await this.catchUp();
    } else if (failed) {
      toast(failed.message, "error");
      if (failed.status === 409 || failed.status === 0) await this.reload();
    }
    this.render();
  }

  async reload() {
    try {
      this.takeWhole(await api.get(`games/${this.game.id}`));
    } catch {
      // said already
    }
  }

  // Another tab has played on: show the game as it is now, with every move of it.
  async catchUp() {
    this.clearSide();
    this.last = [];
    await this.reload();
    toast("This game went on in another tab; here is how it stands.");
  }

  async act(act, quiet = false) {
    await this.guarded(async () => {
      this.arrows = [];
      if (act.act !== "roll") this.last = [];
      if (!quiet) this.hideCard("tutor-card");
      const before = this.game;
      this.timing.halt();
      const view = await api.post(`games/${before.id}/acts`, {
        ...act, at: before.acts, tutor: prefs.tutor && !quiet, advance: false,
      });
      await this.show(view);
      if (view.verdict) this.explain(view.verdict, before);
    });
    if (!this.paused) await this.goOn();
  }

  // What happens by itself: the program's turn, forced plays, rolls without a choice.
  async goOn() {
    while (this.game && !this.busy && !this.paused) {
      const game = this.game;
      if (game.phase === "over") return this.finished();
      if (game.actor === ME) return this.myTurn(game);
      await this.guarded(async () => {
        this.status(game.actor === null ? "Opening roll" : `${game.seats[1].name} is thinking …`);
        if (game.actor !== null) this.timing.turn(game.actor);
        const view = await api.post(`games/${game.id}/advance`);
        this.timing.halt();
        await this.show(view);
      });
      if (this.game === game) return;
    }
  }

  async myTurn(game) {
    if (game.must_pass) return this.pass(game);
    this.timing.turn(ME);
    const forced = prefs.autoPlay && game.plays.length === 1 ? game.plays[0] : null;
    const play = forced ?? (prefs.autoOff ? this.entering.bearOff : null);
    if (play) return this.playItself(game, play, forced ? "Forced" : "Bearing off");
    const rolls = game.legal.includes("roll") && !game.legal.includes("double");
    if (rolls && prefs.autoRoll) await this.act({ act: "roll" }, true);
  }

  // Without a legal move there is time to see it, however fast the rest goes.
  async pass(game) {
    announce(`You rolled ${[...game.dice].join("-")}: no legal move.`);
    this.render();
    await wait(READ);
    if (this.game === game) await this.confirm();
  }

  async playItself(game, play, word) {
    await this.guarded(async () => {
      this.status(`${word}: ${play.play}`);
      await this.pause(450);
      await this.board.slide("bottom", play.moves, 300 * this.duration, (hit) => sound(hit ? "hit" : "checker"));
    });
    if (this.game === game) await this.act({ act: "play", after: play.after }, true);
  }

  pause(milliseconds) {
    return wait(this.duration ? milliseconds * this.duration : Math.min(60, milliseconds / 10));
  }

  // Shows the events of an answer one by one, then the state it ends in.
  async show(view) {
    const seen = view.acts - view.events.length;
    if (view.game_number !== this.game.game_number || seen !== this.game.acts) return this.catchUp();
    await perform(this, view);
  }

  async takeBack() {
    this.paused = null;
    await this.guarded(async () => {
      this.clearSide();
      this.last = [];
      this.takeWhole(await api.post(`games/${this.game.id}/undo`));
      announce("Your last decision is taken back.");
    });
    if (this.game.actor === ME) this.timing.turn(ME);
  }

  async finished() {
    this.timing.halt();
    this.render();
    const { game } = this;
    announce(outcomeText(game));
    if (!this.over) sound(game.outcome.winner === ME ? "won" : "lost");
    this.over = true;
    if (prefs.tutor && $("#summary-card", this.root).hidden) await this.summary();
  }

  async next() {
    await this.guarded(async () => {
      const view = await api.post(`games/${this.game.id}/next`);
      this.begin(view, true);
      this.log = [];
      this.take(view);
    });
    await this.goOn();
  }

  async endSession() {
    await this.guarded(async () => this.take(await api.post(`games/${this.game.id}/close`)));
  }

  // --- buttons and keys ---------------------------------------------------------------------------

  async confirm() {
    if (this.busy) return;
    if (this.game.must_pass) return this.act({ act: "play", play: "" }, true);
    const play = this.entering.entry?.play;
    if (play) await this.act({ act: "play", after: play.after });
  }

  onDice() {
    const { entry } = this.entering;
    if (!entry || this.busy) return;
    if (entry.complete) this.confirm();
    else if (entry.swapDice()) this.render();
  }

  key(event) {
    this.byKeyboard = !["Shift", "Control", "Alt", "Meta"].includes(event.key);
    if (!this.root.isConnected || !this.game || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest?.("input, select, textarea, dialog")) return;
    // A place of the board that has nothing to do leaves Enter to the turn.
    const button = event.target.closest?.("button, summary, a, [role=button]:not([aria-disabled])");
    if (button && ["Enter", " "].includes(event.key)) return;
    const keys = {
      Enter: () => this.primary(),
      " ": () => this.primary(),
      u: () => this.entering.undo(),
      d: () => this.can("double") && this.act({ act: "double" }),
      h: () => this.game.actor === ME && !this.game.must_pass && this.hint(),
      b: () => announce(this.board.text),
      Escape: () => this.entering.select(null),
    };
    if (keys[event.key]) {
      event.preventDefault();
      keys[event.key]();
    }
  }

  primary() {
    $("#actions .primary:not(:disabled)", this.root)?.click();
  }

  focusOn(selector) {
    $(selector, this.root)?.focus();
  }

  // --- drawing ----------------------------------------------------------------------------------

  status(text) {
    const place = $("#status", this.root);
    if (place) place.textContent = text;
    announce(text);
  }

  render() {
    const { game } = this;
    if (!game) return;
    this.board.set(tableState(this));
    this.renderStrips();
    this.renderActions();
    this.renderMatch();
    this.renderLog();
    this.renderCurve();
    this.hideCard("start-card");
    this.root.dataset.phase = game.phase;
    this.root.dataset.actor = game.actor ?? "";
    this.root.dataset.busy = String(this.busy);
  }
}
