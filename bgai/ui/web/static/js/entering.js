// The person's play being entered on the board: by clicks, drags or keys.

import { announce } from "./dom.js";
import { placeOf, slotOf } from "./geometry.js";
import { PlayEntry } from "./moves.js";
import { prefs } from "./prefs.js";
import { sound } from "./sound.js";

const slotName = (slot) => (slot === 25 ? "bar" : slot || "off");

export class Entering {
  // `table` is the view: its board, whether it is busy, how to draw it again.
  constructor(table) {
    this.table = table;
    this.entry = null;
    this.selected = null; // slot
  }

  begin(view, me) {
    this.selected = null;
    this.entry = null;
    if (!view.legal.includes("play") || view.must_pass) return;
    const dice = [...view.dice].map(Number).sort((a, b) => b - a); // a double click plays the high die
    this.entry = new PlayEntry(view.checkers[me], view.checkers[1 - me], dice, view.plays);
  }

  get open() {
    return Boolean(this.entry) && !this.table.busy && !this.table.paused;
  }

  get sources() {
    return this.open ? this.entry.sources().map((slot) => placeOf("bottom", slot)) : [];
  }

  get targets() {
    if (!this.open || this.selected === null) return [];
    return [...this.entry.targets(this.selected).keys()].map((slot) => placeOf("bottom", slot));
  }

  pick(place) {
    if (!this.open) return;
    this.table.arrows = [];
    const slot = slotOf("bottom", place);
    if (this.selected !== null) {
      const path = slot === null ? null : this.entry.targets(this.selected).get(slot);
      if (path) return this.go(path);
      if (slot === this.selected) return this.step(slot) ?? this.select(null);
    }
    const movable = slot !== null && this.entry.sources().includes(slot);
    if (movable && prefs.oneClick) return this.step(slot);
    this.select(movable ? slot : null);
  }

  // Moves a checker by the first die that fits.
  step(slot) {
    const first = this.entry.firstStep(slot);
    return first ? this.go(first) : null;
  }

  select(slot) {
    this.selected = slot;
    this.table.render();
    if (slot === null || !this.entry) return;
    const targets = [...this.entry.targets(slot).keys()];
    announce(`Selected ${slotName(slot)}. Can go to ${targets.map(slotName).join(", ")}.`);
    if (this.table.byKeyboard) this.table.board.focusOn(placeOf("bottom", slot));
  }

  grab(place) {
    if (!this.open) return false;
    const slot = slotOf("bottom", place);
    if (slot === null || !this.entry.sources().includes(slot)) return false;
    this.selected = slot;
    this.table.arrows = [];
    this.table.render();
    const counts = [...this.table.board.state.bottom];
    counts[slot]--;
    this.table.board.update({ bottom: counts, selected: null });
    return true;
  }

  drop(from, to) {
    const slot = to === null ? null : slotOf("bottom", to);
    const path = slot === null || !this.entry || this.selected === null ? null : this.entry.targets(this.selected).get(slot);
    if (path) return this.go(path, false);
    if (to !== from) this.selected = null;
    this.table.render();
  }

  async go(path, sliding = true) {
    const { table } = this;
    const moves = this.entry.go(path);
    this.selected = null;
    const landed = (hit) => sound(hit ? "hit" : "checker");
    if (sliding && table.duration) {
      table.busy = true;
      await table.board.slide("bottom", moves, 220 * table.duration, landed);
      table.busy = false;
    } else landed(moves.some(([, , hit]) => hit));
    table.render();
    announce(moves.map(([from, to, hit]) => `${slotName(from)} to ${slotName(to)}${hit ? ", hitting" : ""}`).join(", "));
    if (!table.byKeyboard) return;
    if (this.entry.complete) table.focusOn("#confirm");
    else table.board.focusOn(placeOf("bottom", this.entry.sources()[0]));
  }

  undo() {
    this.entry?.undo();
    this.selected = null;
    this.table.render();
  }

  reset() {
    this.entry?.reset();
    this.selected = null;
  }

  // The only play worth making in a race where every die bears a checker off; null elsewhere.
  get bearOff() {
    return this.entry ? sureBearOff(this.entry) : null;
  }
}

// With no contact and everybody home, the play that takes off as many checkers as there are dice,
// where exactly one does.
export function sureBearOff({ mine, theirs, dice, legal }) {
  const mineBehind = mine.findLastIndex((count) => count > 0);
  const theirsBehind = theirs.findLastIndex((count) => count > 0);
  if (mineBehind > 6 || mineBehind + theirsBehind >= 25) return null;
  const most = Math.min(dice.length, 15 - mine[0]);
  const found = [...legal.values()].filter((play) => play.moves.filter(([, to]) => to === 0).length === most);
  return found.length === 1 ? found[0] : null;
}
