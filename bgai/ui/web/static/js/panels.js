// The strips, buttons and cards around the board. PlayView, which plays, is built on this.

import * as api from "./api.js";
import { equityChart } from "./charts.js";
import { $, h, replace } from "./dom.js";
import { prefs } from "./prefs.js";
import { LEVELS, ME, eventText, matchFacts, pipsOf, statusText } from "./words.js";

export class PlayPanels {
  tones() {
    return prefs.colour === "light" ? ["light", "dark"] : ["dark", "light"];
  }

  // For numbers: whose they are is said by the seat in `of`.
  players() {
    return this.game.seats.map((seat, of) => ({ of, name: of === ME ? "You" : seat.name, tone: this.tones()[of] }));
  }

  renderStrips() {
    const game = this.paused?.verdict.kind === "play" ? this.paused.before : this.game;
    for (const seat of [1 - ME, ME]) replace($(seat === ME ? "#strip-bottom" : "#strip-top", this.root), ...this.strip(game, seat));
    this.renderClocks();
  }

  strip(game, seat) {
    const player = game.seats[seat];
    const { length, points, crawford } = game.standing;
    const score = length === null ? `${points[seat] > 0 ? "+" : ""}${points[seat]}` : `${points[seat]} / ${length}`;
    const { entry } = this.entering;
    const pips = entry ? pipsOf(seat === ME ? entry.mine : entry.theirs) : game.pips[seat];
    const last = this.lastOf(seat);
    const onRoll = game.turn === seat && game.phase !== "over" && game.phase !== "opening";
    return [
      h("i", { class: `chip ${this.tones()[seat]}` }),
      h("b", { class: "strip-name" }, player.name),
      player.level ? h("span", { class: "tag level" }, player.level) : null,
      onRoll ? h("span", { class: "tag turn" }, "on roll") : null,
      last ? h("span", { class: "last-play" }, h("b", {}, [...last.dice].join("-")), ` ${last.text}`) : null,
      h("span", { class: "spacer" }),
      seat === ME && crawford && length > 1 ? h("span", { class: "tag" }, "Crawford") : null,
      prefs.pips ? h("span", { class: "strip-pips" }, h("b", {}, String(pips)), " pips") : null,
      h("span", { class: "clock", role: "timer", hidden: true }),
      h("span", { class: "strip-score", title: length === null ? "points in this session" : "points in the match" }, score),
    ];
  }

  renderClocks() {
    for (const seat of [0, 1]) {
      const place = $(`${seat === ME ? "#strip-bottom" : "#strip-top"} .clock`, this.root);
      const time = this.timing.of(seat);
      if (!place || (place.hidden = !time)) continue;
      if (place.textContent !== time.text) place.textContent = time.text;
      place.classList.toggle("running", time.running);
      place.classList.toggle("low", time.low);
    }
  }

  // The last play of a seat in this game: a row of the log.
  lastOf(seat) {
    return this.log.findLast((row) => row.seat === seat && row.dice) ?? null;
  }

  renderActions() {
    const game = this.game;
    if (!game) return;
    const button = (text, work, options = {}) =>
      h("button", { type: "button", class: options.class, id: options.id, disabled: options.disabled, title: options.title, onclick: work }, text);
    const parts = [];
    if (this.paused) {
      parts.push(button("Go on", () => this.continue(), { class: "primary" }), button("Take back", () => this.takeBack()));
    } else if (!this.busy) parts.push(...this.buttons(game, button));
    replace(
      $("#actions", this.root),
      h("p", { class: "status", id: "status" }, statusText(game, this.entering.entry, this.paused)),
      h("div", { class: "buttons" }, parts),
    );
  }

  buttons(game, button) {
    const parts = [];
    if (game.phase === "over") {
      if (!game.session_over) parts.push(button("Next game", () => this.next(), { class: "primary", id: "next" }));
      if (!game.session_over && game.terms.length === null) parts.push(button("End session", () => this.endSession()));
      if (game.session_over) parts.push(button("New game", () => this.openNewGame(), { class: "primary", id: "again" }));
      parts.push(button("Summary", () => this.summary(), { id: "summary" }));
      return parts;
    }
    if (game.must_pass) return [button("Go on", () => this.confirm(), { class: "primary", id: "confirm", title: "Enter" })];
    const { entry } = this.entering;
    if (entry) {
      parts.push(
        button("Confirm", () => this.confirm(), { class: "primary", id: "confirm", disabled: !entry.complete, title: "Enter" }),
        button("Undo", () => this.entering.undo(), { id: "undo", disabled: !entry.used.length, title: "U" }),
      );
    }
    const words = {
      roll: ["Roll", "primary"], double: [game.cube.owner === ME ? "Redouble" : "Double", ""], take: ["Take", "primary"],
      pass: ["Pass", ""], beaver: ["Beaver", ""], raccoon: ["Raccoon", ""], accept: ["Accept", "primary"], refuse: ["Refuse", ""],
    };
    for (const kind of game.legal) {
      if (!words[kind]) continue;
      const [text, style] = words[kind];
      parts.push(button(text, () => this.act({ act: kind }), { class: style, id: kind }));
    }
    if (game.actor === ME) {
      parts.push(button("Hint", () => this.hint(), { id: "hint", class: "quiet-button", title: "H" }));
      const back = this.log.some((row) => row.seat === ME && row.decision);
      if (back || game.resignation_levels.length) parts.push(this.moreMenu(game, back));
    }
    return parts;
  }

  moreMenu(game, back) {
    return h(
      "details",
      { class: "menu" },
      h("summary", { class: "quiet-button" }, "More"),
      h(
        "div",
        { class: "menu-items" },
        back ? h("button", { type: "button", id: "takeback", onclick: () => this.takeBack() }, "Take back") : null,
        game.resignation_levels.map((level) =>
          h("button", { type: "button", onclick: () => this.act({ act: "resign", level }, true) }, `Resign a ${LEVELS[level]}`),
        ),
      ),
    );
  }

  renderMatch() {
    const game = this.game;
    const { terms } = game;
    const title = terms.length ? `Match to ${terms.length}` : "Money game";
    const facts = matchFacts(game);
    replace(
      $("#match-card", this.root),
      h("h2", {}, title),
      h("p", { class: "quiet" }, facts.join(" · ")),
      h(
        "div",
        { class: "row" },
        h("button", { type: "button", id: "analyse-this", onclick: () => this.openAnalysis(game.xgid) }, "Analyse position"),
        h("button", { type: "button", id: "new-game", onclick: () => this.openNewGame() }, "New game …"),
      ),
    );
  }

  note(event, view) {
    if (event.act === "roll") return;
    const text = event.act === "play" ? event.play || "no legal move" : eventText(event);
    const dice = event.act === "play" ? event.dice : "";
    const decision = event.seat === ME && event.act !== "play" ? true : event.seat === ME;
    this.log.push({ seat: event.seat, dice, text, decision, name: event.seat === null ? "" : view.seats[event.seat].name });
  }

  renderLog() {
    const tones = this.tones();
    const rows = this.log.map((row) =>
      h(
        "li",
        {},
        row.seat === null ? h("i", { class: "chip none" }) : h("i", { class: `chip ${tones[row.seat]}`, title: row.name }),
        h("span", { class: "dice-text" }, row.dice),
        h("span", {}, row.text),
        row.verdict?.mark ? h("b", { class: `badge ${row.verdict.word}` }, row.verdict.mark) : null,
      ),
    );
    const list = h("ol", { class: "log", tabindex: "0", "aria-label": "Moves of this game" }, rows);
    replace($("#log-card", this.root), h("h2", {}, "Moves"), rows.length ? list : h("p", { class: "quiet" }, "None yet."));
    list.scrollTop = list.scrollHeight;
  }

  async renderCurve() {
    const card = $("#curve-card", this.root);
    card.hidden = !prefs.curve;
    if (!prefs.curve || this.busy) return;
    const key = `${this.game.id} ${this.game.game_number} ${this.game.acts}`;
    if (this.curveKey === key) return;
    this.curveKey = key;
    try {
      const curve = await api.get(`games/${this.game.id}/curve`);
      replace(card, h("h2", {}, "Equity"), equityChart(curve.points), h("p", { class: "quiet" }, curve.engine));
    } catch {
      // a chart is no reason to stop
    }
  }
}
