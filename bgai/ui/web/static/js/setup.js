// Setting up a position by clicking: checkers, cube, score, house rules.

import { h, replace } from "./dom.js";
import { slotOf } from "./geometry.js";

const EMPTY_SIDE = () => [15, ...new Array(25).fill(0)];
const START_SIDE = () => {
  const side = new Array(26).fill(0);
  Object.assign(side, { 6: 5, 8: 3, 13: 5, 24: 2 });
  return side;
};

export class SetUp {
  // `changed(fields)` asks the server about a position; `redraw()` shows one that is not complete.
  constructor(root, changed, redraw) {
    this.root = root;
    this.changed = changed;
    this.redraw = redraw;
    this.isOpen = false;
    this.brush = "bottom";
    this.fields = null;
    this.edits = 0; // an answer about an older position must not undo newer clicks
  }

  take(situation) {
    const { position, cube, offer, seat, match, jacoby, beavers, max_cube } = situation;
    this.fields = {
      position: position.map((side) => [...side]), cube: { ...cube }, dice: situation.dice, offer, seat,
      match: match && { ...match }, jacoby, beavers, max_cube,
    };
    if (this.isOpen) this.render();
  }

  // The fields as the server wants them.
  asked() {
    const { match } = this.fields;
    return { ...this.fields, match: match && { ...match } };
  }

  open() {
    this.isOpen = true;
    this.root.hidden = false;
    this.fields.offer = "none";
    this.render();
  }

  close() {
    this.isOpen = false;
    this.root.hidden = true;
  }

  pick(place, event) {
    if (!this.isOpen) return;
    this.edit(place, event?.shiftKey ? this.other() : this.brush);
  }

  alternate(place) {
    if (this.isOpen) this.edit(place, this.other());
  }

  other() {
    return this.brush === "bottom" ? "top" : "bottom";
  }

  // Adds a checker of a side from its tray; takes one away with the eraser.
  edit(place, brush) {
    const [mine, theirs] = [0, 1];
    const taken = (side, slot) => {
      if (slot === null || slot === 0 || !this.fields.position[side][slot]) return false;
      this.fields.position[side][slot]--;
      this.fields.position[side][0]++;
      return true;
    };
    if (brush === "erase") {
      if (!taken(mine, slotOf("bottom", place))) taken(theirs, slotOf("top", place));
    } else {
      const side = brush === "bottom" ? mine : theirs;
      const slot = slotOf(brush, place);
      if (slot === null || slot === 0) return;
      const other = 1 - side;
      const facing = slot === 25 ? null : 25 - slot;
      while (facing !== null && this.fields.position[other][facing]) taken(other, facing);
      if (!this.fields.position[side][0]) return;
      this.fields.position[side][0]--;
      this.fields.position[side][slot]++;
    }
    this.commit();
  }

  commit() {
    this.edits++;
    this.redraw();
    this.render();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.changed(this.asked()), 250);
  }

  change(changes) {
    Object.assign(this.fields, changes);
    this.commit();
  }

  render() {
    const { fields } = this;
    const radio = (value, text) =>
      h("label", { class: "inline" }, h("input", { type: "radio", name: "brush", value, checked: this.brush === value, onchange: () => (this.brush = value) }), ` ${text}`);
    const number = (label, value, change, min, max) =>
      h("label", { class: "inline" }, `${label} `, h("input", { type: "number", min, max, value, class: "small", onchange: (event) => change(Number(event.target.value)) }));
    const check = (label, value, change) =>
      h("label", { class: "inline" }, h("input", { type: "checkbox", checked: value, onchange: (event) => change(event.target.checked) }), ` ${label}`);
    const left = fields.position.map((side) => side[0]);
    const { match } = fields;
    replace(
      this.root,
      h(
        "fieldset",
        { class: "setup" },
        h("legend", {}, "Set up: click where a checker goes"),
        h("div", { class: "row wrap" }, radio("bottom", `On roll (${left[0]} off)`), radio("top", `Opponent (${left[1]} off)`), radio("erase", "Take away")),
        h(
          "div",
          { class: "row wrap" },
          h("button", { type: "button", onclick: () => this.change({ position: [START_SIDE(), START_SIDE()], dice: null }) }, "Start position"),
          h("button", { type: "button", id: "clear-board", onclick: () => this.change({ position: [EMPTY_SIDE(), EMPTY_SIDE()], dice: null }) }, "Clear"),
        ),
        h(
          "div",
          { class: "row wrap" },
          h(
            "label",
            { class: "inline" },
            "Cube ",
            h("select", { onchange: (event) => this.change({ cube: { ...fields.cube, value: Number(event.target.value) } }) },
              [1, 2, 4, 8, 16, 32, 64].map((value) => h("option", { value: String(value), selected: fields.cube.value === value }, String(value)))),
          ),
          h(
            "label",
            { class: "inline" },
            "owner ",
            h("select", { onchange: (event) => this.change({ cube: { ...fields.cube, owner: event.target.value } }) },
              [["centred", "centred"], ["on_roll", "on roll"], ["opponent", "opponent"]].map(([value, text]) => h("option", { value, selected: fields.cube.owner === value }, text))),
          ),
          number("Match to (0 = money)", match?.length ?? 0, (length) => this.setLength(length), 0, 99),
          match ? number("on roll has", match.on_roll, (points) => this.change({ match: { ...match, on_roll: points } }), 0, match.length - 1) : null,
          match ? number("opponent has", match.opponent, (points) => this.change({ match: { ...match, opponent: points } }), 0, match.length - 1) : null,
          match ? check("Crawford game", match.crawford, (crawford) => this.change({ match: { ...match, crawford } })) : null,
          match ? null : check("Jacoby", fields.jacoby, (jacoby) => this.change({ jacoby })),
          match ? null : check("Beavers", fields.beavers, (beavers) => this.change({ beavers })),
        ),
      ),
    );
  }

  setLength(length) {
    const match = length > 0 ? { length, on_roll: 0, opponent: 0, crawford: false } : null;
    this.change({ match });
  }
}
