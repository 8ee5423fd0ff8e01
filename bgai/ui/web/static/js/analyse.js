// Analysis: an ID in, the board, ranked plays or the cube decision, rollouts, setting up.

import * as api from "./api.js";
import { Board, arrowsOf } from "./board.js";
import { chancesChart } from "./charts.js";
import { $, announce, copy, h, percent, replace, signed } from "./dom.js";
import { onPref, prefs } from "./prefs.js";
import { RolloutPanel } from "./rollout.js";
import { SetUp } from "./setup.js";
import { cubeTable, playsTable } from "./tutor.js";
import { actWords, marketText, playersOf } from "./words.js";

export const START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:3:0:10";
const SHOWN = 12;

export class AnalysisView {
  constructor(root, { setLink, plies }) {
    this.root = root;
    this.setLink = setLink;
    this.situation = null;
    this.arrows = [];
    this.asked = 0; // answers to older questions are discarded
    this.plies = plies;
    this.build();
    this.board = new Board($(".board-place", root), {
      pick: (place, event) => this.setup.pick(place, event),
      alternate: (place) => this.setup.alternate(place),
    });
    this.setup = new SetUp($("#setup", root), (fields) => this.fromFields(fields), () => this.render());
    this.rollout = new RolloutPanel($("#rollout-card", root), (moves) => this.showMoves(moves));
    onPref(() => this.situation && this.render());
  }

  build() {
    this.input = h("input", {
      id: "id-input", type: "text", autocomplete: "off", spellcheck: "false", maxlength: "20000",
      placeholder: "XGID=… or 4HPwATDgc/ABMA:cAkAAAAAAAAE",
    });
    this.depth = h(
      "select",
      { id: "depth", onchange: () => this.judge() },
      [0, 1, 2, 3].map((plies) =>
        h("option", { value: String(plies), selected: plies === this.plies }, `${plies}-ply (XG ${plies + 1}-ply)`),
      ),
    );
    const form = h(
      "form",
      { class: "id-form", onsubmit: (event) => { event.preventDefault(); this.open(this.input.value); } },
      h("label", { for: "id-input" }, "Position"),
      h("div", { class: "row" }, this.input, h("button", { class: "primary", type: "submit", id: "open-id" }, "Open")),
      h("p", { class: "problem", id: "id-problem", role: "alert", hidden: true }),
    );
    replace(
      this.root,
      h(
        "div",
        { class: "table" },
        h("h1", { class: "offscreen" }, "Analyse"),
        form,
        h("div", { class: "strip", id: "caption" }),
        h("div", { class: "board-place" }),
        h("div", { class: "tools", id: "tools" }),
      ),
      h(
        "aside",
        { class: "side" },
        h("div", { id: "setup", hidden: true }), // beside the board, where there is room
        h(
          "section",
          { class: "card", id: "judgement-card", "aria-label": "Judgement" },
          h("div", { class: "row spread" }, h("h2", { id: "judgement-title" }, "Judgement"), h("label", { class: "inline" }, "Depth ", this.depth)),
          h("div", { id: "judgement", "aria-live": "polite" }),
        ),
        h("section", { class: "card", id: "rollout-card", "aria-label": "Rollout" }),
        h("section", { class: "card", id: "text-card", "aria-label": "As text" }),
      ),
    );
  }

  async open(id) {
    const text = id.trim();
    this.input.value = text;
    await this.load(() => api.position(text));
  }

  fromFields(fields) {
    return this.load(() => api.post("position", { situation: fields }), true);
  }

  // `complaint` about an ID that could not be opened stays beside the position shown instead.
  async load(fetching, keepSetup = false, complaint = "") {
    const problem = $("#id-problem", this.root);
    const edits = this.setup.edits;
    try {
      const situation = await fetching();
      if (keepSetup && edits !== this.setup.edits) return;
      this.situation = situation;
      if (!complaint) {
        problem.hidden = true;
        this.input.removeAttribute("aria-invalid");
        this.input.value = situation.xgid;
      }
      this.arrows = [];
      if (!keepSetup) this.setup.close();
      this.setup.take(situation);
      this.setLink(situation.xgid);
      this.rollout.reset(situation);
      this.render();
      await this.judge();
    } catch (error) {
      problem.textContent = error.message;
      problem.hidden = false;
      if (!keepSetup) this.input.setAttribute("aria-invalid", "true");
      announce(error.message);
      if (!this.situation) await this.load(() => api.position(START), false, error.message);
    }
  }

  async judge() {
    if (!this.situation) return; // the depth may be changed before the first position is there
    const place = $("#judgement", this.root);
    const title = $("#judgement-title", this.root);
    const mine = ++this.asked;
    const { xgid, dice: rolled } = this.situation;
    const plies = Number(this.depth.value);
    title.textContent = rolled ? `Plays of ${rolled[0]}-${rolled[1]}` : "Cube decision";
    replace(place, h("p", { class: "quiet" }, "Thinking …"));
    try {
      const path = rolled ? "best" : "cube";
      const found = await api.post(path, { id: xgid, plies });
      if (mine !== this.asked) return;
      if (rolled) this.showPlays(place, found);
      else this.showCube(place, found);
    } catch (error) {
      if (mine === this.asked) replace(place, h("p", { class: "problem" }, error.message));
    }
  }

  players() {
    return playersOf(this.situation);
  }

  showPlays(place, found) {
    if (!found.plays.length) {
      replace(place, h("p", {}, "No legal play: the turn passes."), chancesChart(found.chances, this.players()));
      return;
    }
    const detail = h("div", { class: "detail" });
    const select = (index) => {
      const play = found.plays[index];
      this.showMoves(play.moves);
      replace(
        detail,
        h("p", {}, h("b", {}, play.play), ` ${signed(play.equity)}`, index ? ` (${signed(play.difference)})` : ""),
        chancesChart(play.chances, this.players()),
      );
      replace(list, playsTable(found.plays.slice(0, this.all ? undefined : SHOWN), (_, at) => select(at), index));
    };
    const list = h("div", { class: "scroll" });
    const more = found.plays.length - SHOWN;
    replace(
      place,
      list,
      more > 0 && !this.all
        ? h("button", { type: "button", class: "link", onclick: () => { this.all = true; this.showPlays(place, found); } }, `Show ${more} more`)
        : null,
      detail,
      h("p", { class: "quiet" }, `${found.engine}; equity to the player on roll.`),
    );
    this.all = false;
    select(0);
  }

  showCube(place, found) {
    this.showMoves([]);
    const points = found.points;
    const facts = [
      points.take === null ? null : `take point ${percent(points.take)}%`,
      points.double === null ? null : `double from ${percent(points.double)}%`,
      points.cash === null ? null : `cash from ${percent(points.cash)}%`,
      points.too_good === null ? null : `too good from ${percent(points.too_good)}%`,
    ].filter(Boolean);
    const costs = Object.entries(found.costs)
      .filter(([, cost]) => cost >= 0.0005)
      .map(([act, cost]) => `${actWords(act, found.redouble)} costs ${cost.toFixed(3)}`);
    replace(
      place,
      h("p", { class: "verdict-title", id: "verdict" }, found.verdict),
      cubeTable(found, this.players()),
      found.market_losers ? h("p", {}, marketText(found)) : null,
      costs.length ? h("p", {}, costs.join("; ") + ".") : null,
      chancesChart(found.chances, this.players()),
      facts.length ? h("p", { class: "quiet" }, `Winning chances: ${facts.join(", ")}.`) : null,
      h("p", { class: "quiet" }, `${found.exact ? "Exact, from the bear-off table" : found.engine}; cubeless ${signed(found.cubeless)}.`),
    );
  }

  showMoves(moves) {
    this.arrows = arrowsOf("bottom", moves, "best");
    this.board.update({ arrows: this.arrows });
  }

  render() {
    const situation = this.situation;
    const editing = this.setup.isOpen;
    const shown = editing ? this.setup.fields : situation;
    const offered = !editing && situation.offer !== "none";
    const turns = { none: 0, doubled: 1, beavered: 2, raccooned: 3 }[situation.offer];
    // The player to decide sits at the bottom: the one on roll, or the one who was doubled.
    const answering = offered && situation.offer !== "beavered";
    const [onRoll, opponent] = answering ? ["top", "bottom"] : ["bottom", "top"];
    this.board.set({
      [onRoll]: shown.position[0],
      [opponent]: shown.position[1],
      colour: this.players()[answering ? 1 : 0].tone,
      homeLeft: prefs.homeLeft,
      cube: offered
        ? { value: situation.cube.value * 2 ** turns, place: "offer-bottom" }
        : { value: shown.cube.value, place: { centred: "centre", on_roll: onRoll, opponent }[shown.cube.owner] },
      dice: shown.dice ? [...shown.dice].map((value) => ({ value: Number(value), side: "bottom" })) : [],
      arrows: editing ? [] : this.arrows,
      editable: editing,
    });
    this.renderCaption(situation);
    this.renderTools(situation);
    replace(
      $("#text-card", this.root),
      h("h2", {}, "As text"),
      h("pre", { tabindex: "0", "aria-label": "The position as a diagram in text" }, situation.text),
    );
  }

  renderCaption(situation) {
    replace(
      $("#caption", this.root),
      h("i", { class: `chip ${this.players()[0].tone}` }),
      h("b", {}, captionOf(situation)),
      h("span", { class: "spacer" }),
      h("span", {}, situation.score_text),
      h("span", { class: "strip-pips" }, `pips: on roll ${situation.pips[0]}, opponent ${situation.pips[1]}`),
    );
  }

  renderTools(situation) {
    const button = (text, work, id) => h("button", { type: "button", id, onclick: work }, text);
    const die = (index) =>
      h(
        "select",
        { "aria-label": `Die ${index + 1}`, onchange: (event) => this.setDie(index, event.target.value) },
        h("option", { value: "" }, "–"),
        [1, 2, 3, 4, 5, 6].map((value) =>
          h("option", { value: String(value), selected: (situation.dice ?? this.half)?.[index] === String(value) }, String(value)),
        ),
      );
    replace(
      $("#tools", this.root),
      h("span", { class: "dice-select" }, "Dice ", die(0), die(1)),
      button(this.setup.isOpen ? "Done" : "Set up", () => this.toggleSetup(), "setup-toggle"),
      button("Swap sides", () => this.swap()),
      button("Copy XGID", () => copy(situation.xgid, "XGID"), "copy-xgid"),
      button("Copy GNU ID", () => copy(situation.gnu_id, "GNU ID")),
      button("Copy text", () => copy(situation.text, "Diagram")),
      button("Copy SVG", () => this.copySvg()),
      button("Copy link", () => copy(location.href, "Link")),
    );
  }

  // Both dice must be chosen before there is a roll.
  async setDie(index, value) {
    const dice = [...(this.situation.dice ?? this.half ?? "  ")];
    dice[index] = value || " ";
    const text = dice.join("");
    this.half = text;
    const fields = this.setup.asked();
    if (text.includes(" ") && this.situation.dice === null) return;
    if (text.includes(" ")) this.half = null;
    await this.fromFields({ ...fields, dice: text.includes(" ") ? null : text, offer: "none" });
    this.half = null;
  }

  toggleSetup() {
    if (this.setup.isOpen) this.setup.close();
    else this.setup.open();
    this.arrows = [];
    this.render();
  }

  swap() {
    const fields = this.setup.asked();
    const owner = { centred: "centred", on_roll: "opponent", opponent: "on_roll" }[fields.cube.owner];
    const match = fields.match && { ...fields.match, on_roll: fields.match.opponent, opponent: fields.match.on_roll };
    return this.fromFields({
      ...fields, match, position: [...fields.position].reverse(), cube: { ...fields.cube, owner },
      dice: null, offer: "none",
    });
  }

  async copySvg() {
    const response = await fetch(api.svgLink(this.situation.xgid));
    await copy(await response.text(), "SVG");
  }
}

function captionOf(situation) {
  if (situation.dice) return `To play ${situation.dice[0]}-${situation.dice[1]}`;
  if (situation.offer === "none") return "To roll, or double";
  const verbs = { doubled: "Doubles", beavered: "Beavered", raccooned: "Raccoons" };
  return `${verbs[situation.offer]}, to be answered`;
}
