// The strips, buttons and cards around the board. PlayView, which plays, is built on this.

import * as api from "./api.js";
import { equityChart } from "./charts.js";
import { $, h, replace } from "./dom.js";
import { prefs } from "./prefs.js";
import { LEVELS, ME, eventText, matchFacts, pipsOf, statusText } from "./words.js";

export class PlayPanels {
  renderStrips() {
    const game = this.paused?.verdict.kind === "play" ? this.paused.before : this.game;
    const tones = this.tones();
    const { length, points, crawford } = game.standing;
    for (const [seat, id] of [[1 - ME, "strip-top"], [ME, "strip-bottom"]]) {
      const player = game.seats[seat];
      const score = length === null ? `${points[seat] > 0 ? "+" : ""}${points[seat]}` : `${points[seat]} / ${length}`;
      const pips = this.entry && seat === ME ? pipsOf(this.entry.mine) : this.entry ? pipsOf(this.entry.theirs) : game.pips[seat];
      replace(
        $(`#${id}`, this.root),
        h("i", { class: `chip ${tones[seat]}` }),
        h("b", { class: "strip-name" }, player.name),
        player.level ? h("span", { class: "tag" }, player.level) : null,
        game.turn === seat && game.phase !== "over" && game.phase !== "opening" ? h("span", { class: "tag turn" }, "on roll") : null,
        h("span", { class: "spacer" }),
        prefs.pips ? h("span", { class: "strip-pips" }, h("b", {}, String(pips)), " pips") : null,
        h("span", { class: "strip-score", title: length === null ? "points in this session" : "points in the match" }, score),
        seat === ME && crawford && length > 1 ? h("span", { class: "tag" }, "Crawford") : null,
      );
    }
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
      h("p", { class: "status", id: "status" }, statusText(game, this.entry, this.paused)),
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
    if (this.entry) {
      parts.push(
        button("Confirm", () => this.confirm(), { class: "primary", id: "confirm", disabled: !this.entry.complete, title: "Enter" }),
        button("Undo", () => this.undoStep(), { id: "undo", disabled: !this.entry.used.length, title: "U" }),
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
      if (back) parts.push(button("Take back", () => this.takeBack(), { id: "takeback", class: "quiet-button" }));
      if (game.resignation_levels.length) parts.push(this.resignMenu(game));
    }
    return parts;
  }

  resignMenu(game) {
    return h(
      "details",
      { class: "menu" },
      h("summary", { class: "quiet-button" }, "Resign"),
      h(
        "div",
        { class: "menu-items" },
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
    const text = event.act === "play" ? event.play : eventText(event);
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
