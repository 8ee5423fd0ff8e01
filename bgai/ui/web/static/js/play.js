// Playing: the table, its buttons, the program's turns, the tutor.

import * as api from "./api.js";
import { Board, arrowsOf } from "./board.js";
import { $, announce, calm, h, replace, toast, wait } from "./dom.js";
import { placeOf, slotOf } from "./geometry.js";
import { PlayEntry } from "./moves.js";
import { PlayPanels } from "./panels.js";
import { onPref, prefs, saveGame, savedGame } from "./prefs.js";
import { hintCard, summaryCard, verdictCard } from "./tutor.js";
import { ME, eventText, outcomeText } from "./words.js";

const START = Array.from({ length: 26 }, (_, slot) => ({ 6: 5, 8: 3, 13: 5, 24: 2 })[slot] ?? 0);
const digits = (dice) => [...dice].map(Number);
const PAUSE_AT = 0.03; // the tutor stops the game for a loss of this much

export class PlayView extends PlayPanels {
  constructor(root, { openAnalysis, newGame }) {
    super();
    this.root = root;
    this.openAnalysis = openAnalysis;
    this.openNewGame = newGame;
    this.game = null;
    this.entry = null; // the play being entered
    this.selected = null; // slot
    this.busy = false;
    this.paused = null; // {verdict, before} while the tutor explains
    this.arrows = [];
    this.last = [];
    this.log = [];
    this.side = {}; // cards at the side
    this.build();
    this.board = new Board($(".board-place", root), {
      pick: (place) => this.pick(place),
      grab: (place) => this.grab(place),
      drop: (from, to) => this.drop(from, to),
      dice: () => this.onDice(),
      cube: () => this.can("double") && this.act({ act: "double" }),
    });
    this.board.set({ bottom: START, top: START, colour: prefs.colour, homeLeft: prefs.homeLeft });
    onPref(() => this.game && this.render());
    document.addEventListener("keydown", (event) => this.key(event));
  }

  build() {
    this.root.dataset.phase = "none";
    replace(
      this.root,
      h(
        "div",
        { class: "table" },
        h("div", { class: "strip", id: "strip-top" }),
        h("div", { class: "board-place" }),
        h("div", { class: "strip", id: "strip-bottom" }),
        h("div", { class: "actions", id: "actions", role: "toolbar", "aria-label": "Your turn" }),
      ),
      h(
        "aside",
        { class: "side" },
        h("section", { class: "card", id: "match-card", "aria-label": "The match" }),
        h("section", { class: "card", id: "tutor-card", hidden: true, "aria-label": "Tutor" }),
        h("section", { class: "card", id: "summary-card", hidden: true, "aria-label": "Summary" }),
        h("section", { class: "card", id: "curve-card", hidden: true, "aria-label": "Winning chances" }),
        h("section", { class: "card", id: "log-card", "aria-label": "Moves" }),
      ),
    );
  }

  get duration() {
    return prefs.animate && !calm() ? 1 : 0;
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
    saveGame(view.id);
    this.clearSide();
    this.last = [];
    this.takeWhole(view);
    if (!view.session_over) toast("Your game goes on");
    await this.goOn();
  }

  // Takes a view with all events of the game: the list of moves begins anew.
  takeWhole(view) {
    this.log = [];
    view.events.forEach((event) => this.note(event, view));
    this.take(view);
  }

  async start(settings) {
    const view = await api.post("games", { ...settings, advance: false });
    saveGame(view.id);
    this.log = [];
    this.clearSide();
    this.take(view);
    announce("A new game begins.");
    await this.goOn();
  }

  take(view) {
    this.game = view;
    this.selected = null;
    this.entry = null;
    if (view.legal.includes("play") && !view.must_pass) {
      this.entry = new PlayEntry(view.checkers[ME], view.checkers[1 - ME], digits(view.dice), view.plays);
    }
    this.render();
  }

  can(kind) {
    return !this.busy && !this.paused && Boolean(this.game?.legal.includes(kind));
  }

  clearSide() {
    this.arrows = [];
    this.paused = null;
    for (const id of ["tutor-card", "summary-card"]) $(`#${id}`, this.root).hidden = true;
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
      this.last = [];
      if (!quiet) $("#tutor-card", this.root).hidden = true;
      const before = this.game;
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
      if (game.actor !== ME) {
        await this.guarded(async () => {
          this.status(game.actor === null ? "Opening roll" : `${game.seats[1].name} is thinking …`);
          await this.show(await api.post(`games/${game.id}/advance`));
        });
        if (this.game === game) return;
        continue;
      }
      if (game.must_pass) {
        this.status(`You rolled ${[...game.dice].join("-")}: no legal move`);
        await this.pause(1100);
        if (this.game !== game) return;
        return this.act({ act: "play", play: "" }, true);
      }
      if (prefs.autoPlay && game.plays.length === 1) {
        this.status(`Forced: ${game.plays[0].play}`);
        await this.guarded(async () => {
          await this.pause(450);
          await this.board.slide("bottom", game.plays[0].moves, 260 * this.duration);
        });
        if (this.game !== game) return;
        return this.act({ act: "play", after: game.plays[0].after }, true);
      }
      if (prefs.autoRoll && game.legal.includes("roll") && !game.legal.includes("double")) {
        return this.act({ act: "roll" }, true);
      }
      return;
    }
  }

  pause(milliseconds) {
    return wait(this.duration ? milliseconds : Math.min(60, milliseconds / 10));
  }

  // Shows the events of an answer one by one, then the state it ends in.
  async show(view) {
    const seen = view.acts - view.events.length;
    if (view.game_number !== this.game.game_number || seen !== this.game.acts) return this.catchUp();
    for (const event of view.events) {
      this.note(event, view);
      const side = event.seat === ME ? "bottom" : "top";
      if (event.act === "opening") {
        const dice = digits(event.dice).map((value, seat) => ({ value, side: seat === ME ? "bottom" : "top" }));
        await this.board.tumble(dice, 420 * this.duration);
        await this.pause(650);
      } else if (event.act === "roll") {
        await this.board.tumble(digits(event.dice).map((value) => ({ value, side })), 320 * this.duration);
        if (event.seat !== ME) await this.pause(350);
      } else if (event.act === "play") {
        if (event.seat !== ME) {
          if (!this.board.state.dice.some((die) => die.side === "top")) {
            this.board.update({ dice: digits(event.dice).map((value) => ({ value, side })) });
          }
          this.status(`${view.seats[1].name}: ${event.play}`);
          await this.board.slide("top", event.moves, 300 * this.duration);
          this.last = [...new Set(event.moves.filter(([, to]) => to).map(([, to]) => placeOf("top", to)))];
          if (!event.moves.length) await this.pause(900);
        }
      } else if (event.seat !== ME && event.act !== "double") {
        this.status(`${view.seats[1].name}: ${eventText(event)}`);
        toast(`${view.seats[1].name}: ${eventText(event)}`);
        await this.pause(900);
      }
    }
    this.take(view);
  }

  explain(verdict, before) {
    const last = this.log.findLast((row) => row.seat === ME);
    if (last) last.verdict = verdict;
    const stop = verdict.cost >= PAUSE_AT;
    const actions = [];
    if (stop) {
      this.paused = { verdict, before };
      this.arrows = arrowsOf("bottom", verdict.moves, "best");
      actions.push(
        h("button", { class: "primary", type: "button", id: "continue", onclick: () => this.continue() }, "Go on"),
        h("button", { type: "button", onclick: () => this.takeBack() }, "Take back"),
      );
    }
    const card = $("#tutor-card", this.root);
    replace(card, h("h2", {}, "Tutor"), verdictCard(verdict, actions));
    card.hidden = false;
    announce(card.textContent);
  }

  async continue() {
    this.paused = null;
    this.arrows = [];
    this.render();
    await this.goOn();
  }

  async takeBack() {
    this.paused = null;
    await this.guarded(async () => {
      this.clearSide();
      this.last = [];
      this.takeWhole(await api.post(`games/${this.game.id}/undo`));
      announce("Your last decision is taken back.");
    });
  }

  async hint() {
    const game = this.game;
    await this.guarded(async () => {
      this.status("Thinking about a hint …");
      const hint = await api.get(`games/${game.id}/hint`);
      const show = (moves) => {
        this.entry?.reset();
        this.selected = null;
        this.arrows = arrowsOf("bottom", moves, "best");
        this.render();
      };
      const card = $("#tutor-card", this.root);
      replace(card, h("h2", {}, "Hint"), hintCard(hint, show, this.players()));
      card.hidden = false;
      if (hint.kind === "play" && hint.plays.length) show(hint.plays[0].moves);
    });
  }

  async finished() {
    this.render();
    const game = this.game;
    announce(outcomeText(game));
    if (prefs.tutor && $("#summary-card", this.root).hidden) await this.summary();
  }

  async summary() {
    const card = $("#summary-card", this.root);
    replace(card, h("h2", {}, "Summary"), h("p", { class: "quiet" }, "Going through the game …"));
    card.hidden = false;
    try {
      const summary = await api.get(`games/${this.game.id}/summary`);
      replace(card, h("h2", {}, `Summary of game ${summary.game_number}`), summaryCard(summary, (each) => this.openAnalysis(each.id)));
    } catch (error) {
      replace(card, h("h2", {}, "Summary"), h("p", { class: "problem" }, error.message));
    }
  }

  async next() {
    await this.guarded(async () => {
      this.clearSide();
      this.log = [];
      this.last = [];
      this.take(await api.post(`games/${this.game.id}/next`));
    });
    await this.goOn();
  }

  async endSession() {
    await this.guarded(async () => this.take(await api.post(`games/${this.game.id}/close`)));
  }

  // --- entering a play ----------------------------------------------------------------------------

  pick(place) {
    if (!this.entry || this.busy || this.paused) return;
    this.arrows = [];
    const slot = slotOf("bottom", place);
    if (this.selected !== null) {
      const path = slot === null ? null : this.entry.targets(this.selected).get(slot);
      if (path) return this.go(path);
      if (slot === this.selected) {
        const first = this.entry.firstStep(slot);
        return first ? this.go(first) : this.select(null);
      }
    }
    this.select(slot !== null && this.entry.sources().includes(slot) ? slot : null);
  }

  select(slot) {
    this.selected = slot;
    this.render();
    if (slot !== null) {
      const targets = [...this.entry.targets(slot).keys()];
      announce(`Selected ${slot === 25 ? "bar" : slot}. Can go to ${targets.map((to) => (to ? to : "off")).join(", ")}.`);
      if (this.byKeyboard) this.board.focusOn(placeOf("bottom", slot));
    }
  }

  grab(place) {
    if (!this.entry || this.busy || this.paused) return false;
    const slot = slotOf("bottom", place);
    if (slot === null || !this.entry.sources().includes(slot)) return false;
    this.selected = slot;
    this.arrows = [];
    this.render();
    const counts = [...this.board.state.bottom];
    counts[slot]--;
    this.board.update({ bottom: counts, selected: null });
    return true;
  }

  drop(from, to) {
    const slot = to === null ? null : slotOf("bottom", to);
    const path = slot === null || !this.entry ? null : this.entry.targets(this.selected).get(slot);
    if (path) return this.go(path, false);
    if (to !== from) this.selected = null;
    this.render();
  }

  async go(path, sliding = true) {
    const moves = this.entry.go(path);
    this.selected = null;
    if (sliding && this.duration) {
      this.busy = true;
      await this.board.slide("bottom", moves, 170);
      this.busy = false;
    }
    this.render();
    announce(moves.map(([a, b, hit]) => `${a === 25 ? "bar" : a} to ${b || "off"}${hit ? ", hitting" : ""}`).join(", "));
    if (this.byKeyboard) {
      if (this.entry.complete) $("#confirm", this.root)?.focus();
      else this.board.focusOn(placeOf("bottom", this.entry.sources()[0]));
    }
  }

  undoStep() {
    this.entry?.undo();
    this.selected = null;
    this.render();
  }

  async confirm() {
    const play = this.entry?.play;
    if (play && !this.busy) await this.act({ act: "play", after: play.after });
  }

  onDice() {
    if (!this.entry || this.busy) return;
    if (this.entry.complete) this.confirm();
    else if (this.entry.swapDice()) this.render();
  }

  key(event) {
    this.byKeyboard = !["Shift", "Control", "Alt", "Meta"].includes(event.key);
    const typing = event.target.closest?.("input, select, textarea, dialog, [role=button], button");
    if (!this.root.isConnected || !this.game || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest?.("input, select, textarea, dialog")) return;
    if (typing && ["Enter", " "].includes(event.key)) return;
    const keys = {
      Enter: () => this.primary(),
      " ": () => this.primary(),
      u: () => this.undoStep(),
      d: () => this.can("double") && this.act({ act: "double" }),
      h: () => this.game.actor === ME && this.hint(),
      Escape: () => this.select(null),
    };
    if (keys[event.key]) {
      event.preventDefault();
      keys[event.key]();
    }
  }

  primary() {
    $("#actions .primary:not(:disabled)", this.root)?.click();
  }

  // --- drawing ----------------------------------------------------------------------------------

  tones() {
    return prefs.colour === "light" ? ["light", "dark"] : ["dark", "light"];
  }

  // For numbers: whose they are is said by the seat in `of`.
  players() {
    return this.game.seats.map((seat, of) => ({ of, name: of === ME ? "You" : seat.name, tone: this.tones()[of] }));
  }

  status(text) {
    const place = $("#status", this.root);
    if (place) place.textContent = text;
    announce(text);
  }

  render() {
    const game = this.game;
    if (!game) return;
    this.board.set({ ...this.boardState(), homeLeft: prefs.homeLeft });
    this.renderStrips();
    this.renderActions();
    this.renderMatch();
    this.renderLog();
    this.renderCurve();
    this.root.dataset.phase = game.phase;
    this.root.dataset.actor = game.actor ?? "";
    this.root.dataset.busy = String(this.busy);
  }

  boardState() {
    const game = this.game;
    const explaining = this.paused?.verdict.kind === "play" ? this.paused.before : null;
    const shown = explaining ?? game;
    const entry = explaining ? null : this.entry;
    const owner = shown.cube.owner;
    let cube = { value: shown.cube.value, place: owner === null ? "centre" : owner === ME ? "bottom" : "top" };
    if (game.phase === "doubled") {
      cube = { value: game.offered_value, place: game.actor === ME ? "offer-bottom" : "offer-top" };
    }
    if (game.terms.length === 1) cube.value = 0; // nobody can turn it
    let dice = [];
    if (entry) dice = entry.shown("bottom");
    else if (shown.dice) dice = digits(shown.dice).map((value) => ({ value, side: shown.turn === ME ? "bottom" : "top" }));
    const live = entry && !this.busy && !this.paused;
    const sources = live ? entry.sources().map((slot) => placeOf("bottom", slot)) : [];
    const targets =
      live && this.selected !== null
        ? [...entry.targets(this.selected).keys()].map((slot) => placeOf("bottom", slot))
        : [];
    return {
      bottom: entry ? entry.mine : shown.checkers[ME],
      top: entry ? entry.theirs : shown.checkers[1 - ME],
      colour: prefs.colour,
      cube, dice, sources, targets,
      selected: this.selected === null ? null : placeOf("bottom", this.selected),
      arrows: this.arrows,
      last: entry?.used.length ? [] : this.last,
    };
  }
}
