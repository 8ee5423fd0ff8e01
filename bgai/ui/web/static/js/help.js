// The tutor, hints and the summary of a game, beside the table.

import * as api from "./api.js";
import { arrowsOf } from "./board.js";
import { $, announce, h, replace } from "./dom.js";
import { PlayPanels } from "./panels.js";
import { hintCard, summaryCard, verdictCard } from "./tutor.js";
import { ME } from "./words.js";

const PAUSE_AT = 0.03; // the tutor stops the game for a loss of this much

export class PlayHelp extends PlayPanels {
  card(id) {
    return $(`#${id}`, this.root);
  }

  hideCard(id) {
    this.card(id).hidden = true;
    if (id === "tutor-card") this.verdict = null;
  }

  // Shows a card; what it says is part of the board's words.
  showCard(id, title, ...content) {
    const card = this.card(id);
    replace(card, h("h2", {}, title), ...content);
    card.hidden = false;
    return card;
  }

  clearSide() {
    this.arrows = [];
    this.paused = null;
    this.over = false;
    this.hideCard("tutor-card");
    this.hideCard("summary-card");
  }

  explain(verdict, before) {
    const last = this.log.findLast((row) => row.seat === ME);
    if (last) last.verdict = verdict;
    const actions = [];
    if (verdict.cost >= PAUSE_AT) {
      this.paused = { verdict, before };
      this.arrows = arrowsOf("bottom", verdict.moves, "best");
      actions.push(
        h("button", { class: "primary", type: "button", id: "continue", onclick: () => this.continue() }, "Go on"),
        h("button", { type: "button", onclick: () => this.takeBack() }, "Take back"),
      );
    }
    const card = this.showCard("tutor-card", "Tutor", verdictCard(verdict, actions));
    this.verdict = card.textContent;
    announce(card.textContent);
  }

  async continue() {
    this.paused = null;
    this.arrows = [];
    this.render();
    await this.goOn();
  }

  async hint() {
    const { game } = this;
    await this.guarded(async () => {
      this.status("Thinking about a hint …");
      const hint = await api.get(`games/${game.id}/hint`);
      const show = (moves) => {
        this.entering.reset();
        this.arrows = arrowsOf("bottom", moves, "best");
        this.render();
      };
      const card = this.showCard("tutor-card", "Hint", hintCard(hint, show, this.players()));
      if (hint.kind === "play" && hint.plays.length) {
        show(hint.plays[0].moves);
        announce(`Hint: ${hint.plays[0].play}`);
      } else announce(`Hint: ${$(".verdict-title", card)?.textContent ?? ""}`);
      card.scrollIntoView({ block: "nearest" });
    });
  }

  async summary() {
    this.showCard("summary-card", "Summary", h("p", { class: "quiet" }, "Going through the game …"));
    try {
      const summary = await api.get(`games/${this.game.id}/summary`);
      const card = summaryCard(summary, (each) => this.openAnalysis(each.id));
      this.showCard("summary-card", `Summary of game ${summary.game_number}`, card);
    } catch (error) {
      this.showCard("summary-card", "Summary", h("p", { class: "problem" }, error.message));
    }
  }
}
