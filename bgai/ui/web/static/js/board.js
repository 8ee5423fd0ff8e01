// The board as SVG: draws a state, moves checkers and dice, reports clicks, drags and keys. What
// never changes while playing lies in a picture of its own below, which is painted once.

import { arrowShapes, checkerShape, cubeShape, dieShape, groundShapes, pieceDefs, sliceShape, DIE } from "./boardart.js";
import { Pointing } from "./boardinput.js";
import { glide, throwDice } from "./boardmotion.js";
import { boardText, placeText } from "./boardwords.js";
import { h, s } from "./dom.js";
import { Geometry, HEIGHT, MIDDLE, PLACES, RADIUS, placeOf } from "./geometry.js";

const NARROW = 460; // pixels; below, the wood beside the points is thinner
const EMPTY = {
  bottom: new Array(26).fill(0),
  top: new Array(26).fill(0),
  colour: "light", // of the bottom player
  numbers: "bottom", // who counts the points: "bottom", "top" or "none"
  names: { bottom: "You", top: "Opponent" },
  caption: "", // score, and whose decision it is, for those who hear the board
  cube: { value: 1, place: "centre" },
  dice: [], // {value, side, used, past}
  sources: [], // places whose checker can be moved
  targets: [], // places the selected checker can go to
  selected: null,
  arrows: [], // {side, source, destination, kind, index}
  last: [], // places the opponent's last play went to
  editable: false,
};
let boards = 0;

// The arrows of a play: `kind` is "best", or "made" for what was played instead.
export const arrowsOf = (side, moves, kind) =>
  (moves ?? []).map(([source, destination], index) => ({ side, source, destination, kind, index }));

export class Board {
  // handlers: pick(place, event), drop(source, place), grab(place) -> bool, dice(), cube(),
  // alternate(place)
  constructor(root, handlers = {}) {
    this.handlers = handlers;
    this.id = `board${++boards}`;
    this.geometry = new Geometry(false);
    this.state = { ...EMPTY };
    this.rover = "24"; // the place that Tab reaches
    this.layers = Object.fromEntries(
      ["marks", "checkers", "cube", "dice", "arrows", "spots", "ghost"].map((name) => [name, s("g", { class: `layer-${name}` })]),
    );
    this.ground = s("svg", { class: "board-ground", "aria-hidden": "true" });
    this.words = h("p", { class: "offscreen board-words", id: `${this.id}-words` });
    this.svg = s(
      "svg",
      { class: "board", role: "group", "aria-label": "Backgammon board", "aria-describedby": this.words.id },
      pieceDefs(this.id),
      Object.values(this.layers),
    );
    this.root = h("div", { class: "board-box" }, this.words, this.ground, this.svg);
    root.replaceChildren(this.root);
    this.shape();
    this.pointing = new Pointing(this);
    new ResizeObserver(([{ contentRect }]) => this.fit(contentRect.width)).observe(this.root);
  }

  // --- the state -------------------------------------------------------------------------------

  set(state) {
    this.state = { ...EMPTY, ...state };
    this.reshape(Boolean(state.homeLeft), this.geometry.compact);
    this.draw();
  }

  update(changes) {
    this.set({ ...this.state, ...changes });
  }

  // Arrows along the moves of a play, beside those of other kinds: see arrowsOf. No moves take
  // away the arrows of that kind.
  arrows(moves, kind = "best", side = "bottom") {
    const others = this.state.arrows.filter((arrow) => arrow.kind !== kind);
    this.update({ arrows: [...others, ...arrowsOf(side, moves, kind)] });
  }

  fit(width) {
    if (!width) return;
    this.reshape(this.geometry.homeLeft, width < NARROW);
  }

  reshape(homeLeft, compact) {
    if (this.geometry.homeLeft === homeLeft && this.geometry.compact === compact) return;
    this.geometry = new Geometry(homeLeft, compact);
    this.shape();
  }

  shape() {
    const box = `0 0 ${this.geometry.width} ${HEIGHT}`;
    for (const picture of [this.ground, this.svg]) picture.setAttribute("viewBox", box);
    this.root.classList.toggle("compact", this.geometry.compact);
    this.groundKey = null;
    this.buildSpots();
    this.draw();
  }

  count(place) {
    for (const side of ["bottom", "top"]) {
      for (let slot = 0; slot <= 25; slot++) {
        const found = this.state[side][slot];
        if (found && placeOf(side, slot) === place) return { side, count: found };
      }
    }
    return { side: null, count: 0 };
  }

  colourOf(side) {
    const other = this.state.colour === "light" ? "dark" : "light";
    return side === "bottom" ? this.state.colour : other;
  }

  // --- drawing ------------------------------------------------------------------------------

  draw() {
    this.drawGround();
    this.layers.checkers.replaceChildren(...this.checkers());
    this.layers.cube.replaceChildren(...this.cube());
    this.layers.dice.replaceChildren(...this.dice());
    this.layers.arrows.replaceChildren(...this.state.arrows.flatMap((arrow) => this.arrow(arrow)));
    this.layers.marks.replaceChildren(...this.marks());
    this.labelSpots();
    this.say();
  }

  drawGround() {
    if (this.groundKey === this.state.numbers) return;
    this.groundKey = this.state.numbers;
    this.ground.replaceChildren(...groundShapes(`${this.id}g`, this.geometry, this.state.numbers).flat(3));
  }

  checkers() {
    const parts = [];
    for (const side of ["top", "bottom"]) {
      for (let slot = 1; slot <= 25; slot++) parts.push(...this.pile(side, slot));
      parts.push(...this.borneOff(side));
    }
    return parts;
  }

  pile(side, slot) {
    const count = this.state[side][slot];
    const place = placeOf(side, slot);
    return Array.from({ length: count }, (_, index) => {
      const label = count > 5 && index === count - 1 ? String(count) : "";
      return this.checker(this.colourOf(side), this.geometry.checker(place, index, count), label);
    });
  }

  borneOff(side) {
    const count = this.state[side][0];
    if (!count) return [];
    const at = (index) => this.geometry.checker(placeOf(side, 0), index, count);
    const slice = this.geometry.slice();
    const slices = Array.from({ length: count }, (_, index) => sliceShape(this.id, this.colourOf(side), slice, at(index).y));
    const y = at(count).y + (side === "top" ? 12 : -2);
    return [...slices, s("text", { class: "off-count", x: at(count).x, y }, String(count))];
  }

  checker(tone, at, label = "") {
    return checkerShape(this.id, tone, at, label);
  }

  cube() {
    if (!this.state.cube.value) return [];
    const cube = cubeShape(this.id, this.state.cube, this.geometry.cube(this.state.cube.place));
    if (this.handlers.cube) cube.addEventListener("click", () => this.handlers.cube());
    return [cube];
  }

  dice() {
    return this.dicePlaces(this.state.dice).map(([die, at, index]) => dieShape(this.id, die, this.colourOf(die.side), at, index));
  }

  // Each die with where it lies and its number among those of its side.
  dicePlaces(dice) {
    return ["bottom", "top"].flatMap((side) => {
      const mine = dice.filter((die) => die.side === side);
      const step = mine.length > 2 ? DIE + 8 : DIE + 12;
      const middle = this.geometry.dice(side);
      return mine.map((die, index) => [die, { x: middle + (index - (mine.length - 1) / 2) * step, y: MIDDLE }, index]);
    });
  }

  arrow(arrow) {
    return arrowShapes(arrow, this.tip(arrow.side, arrow.source), this.landing(arrow.side, arrow.destination));
  }

  // The outermost checker of a place, where a move starts.
  tip(side, slot) {
    const count = Math.max(this.state[side][slot], 1);
    return this.geometry.checker(placeOf(side, slot), count - 1, count);
  }

  // Where the next checker of a side would land on a slot.
  landing(side, slot) {
    const count = this.state[side][slot] + 1;
    return this.geometry.checker(placeOf(side, slot), count - 1, count);
  }

  marks() {
    const ring = (place, kind) => {
      const { count } = this.count(place);
      const at = this.geometry.checker(place, Math.max(count - 1, 0), Math.max(count, 1));
      return place.startsWith("off") ? this.well(place, kind) : s("circle", { class: `mark ${kind}`, cx: at.x, cy: at.y, r: RADIUS + 2.5 });
    };
    const { last, sources, selected, targets } = this.state;
    return [
      ...targets.flatMap((place) => this.targetMarks(place)),
      ...last.map((place) => ring(place, "last")),
      ...sources.filter((place) => place !== selected).map((place) => ring(place, "source")),
      ...(selected ? [ring(selected, "selected")] : []),
    ];
  }

  well(place, kind) {
    const { x, y, width, height } = this.geometry.area(place);
    const bottom = place === "off-bottom";
    return s("rect", { class: `mark ${kind}`, x: x + 1, y: bottom ? MIDDLE + 34 : y + 1, width: width - 2, height: height - 35, rx: 4 });
  }

  targetMarks(place) {
    if (place.startsWith("off")) return [this.well(place, "target")];
    const { side, count } = this.count(place);
    const own = side === "bottom" ? count : 0;
    const at = this.geometry.checker(place, own, own + 1);
    const hit = side === "top" && count === 1;
    return [
      s("rect", { class: "mark reach", ...this.geometry.area(place) }),
      s("circle", { class: `mark target${hit ? " hit" : ""}`, cx: at.x, cy: at.y, r: hit ? RADIUS + 3 : 9 }),
    ];
  }

  // --- places that can be clicked, dragged from and reached by keyboard ---------------------------

  buildSpots() {
    this.spots = new Map(
      PLACES.map((place) => [place, s("g", { class: "spot", "data-place": place, role: "button" }, s("rect", this.geometry.area(place)))]),
    );
    this.layers.spots.replaceChildren(...this.geometry.rows().flat().map((place) => this.spots.get(place)));
  }

  labelSpots() {
    const { sources, targets, selected, editable } = this.state;
    const live = editable || sources.length > 0 || targets.length > 0;
    this.root.classList.toggle("live", live);
    if (document.activeElement !== this.spots.get(this.rover)) this.rover = targets[0] ?? sources[0] ?? this.rover;
    for (const [place, spot] of this.spots) {
      const marks = { source: sources.includes(place), target: targets.includes(place), selected: place === selected };
      const { side, count } = this.count(place);
      for (const kind of ["source", "target"]) spot.classList.toggle(kind, marks[kind]);
      spot.classList.toggle("editable", editable);
      spot.setAttribute("tabindex", place === this.rover ? "0" : "-1");
      spot.setAttribute("aria-label", placeText(place, this.colourOf(side), count, marks));
      if (this.usable(place)) spot.removeAttribute("aria-disabled");
      else spot.setAttribute("aria-disabled", "true");
    }
  }

  usable(place) {
    const { sources, targets, editable } = this.state;
    return editable || sources.includes(place) || targets.includes(place);
  }

  focusOn(place) {
    const spot = this.spots.get(place);
    if (!spot) return;
    this.spots.get(this.rover).setAttribute("tabindex", "-1");
    this.rover = place;
    spot.setAttribute("tabindex", "0");
    spot.focus({ preventScroll: true });
  }

  // The whole position in text, beside the board for those who read it by ear.
  get text() {
    const tones = { bottom: this.colourOf("bottom"), top: this.colourOf("top") };
    return `${boardText(this.state, this.state.names, tones)} ${this.state.caption}`.trim();
  }

  say() {
    const { text } = this;
    if (this.words.textContent !== text) this.words.textContent = text;
  }

  // --- motion -----------------------------------------------------------------------------------

  // Moves checkers one after another and leaves the board as it is after them; `landed(hit)` is
  // told of each. A duration of 0 shows the end at once.
  async slide(side, moves, duration, landed = () => {}) {
    const other = side === "bottom" ? "top" : "bottom";
    for (const [source, destination, hit] of moves) {
      const from = this.tip(side, source);
      this.update({ [side]: changed(this.state[side], { [source]: -1 }) });
      await glide(this, side, from, this.landing(side, destination), duration);
      landed(hit);
      const moved = { [side]: changed(this.state[side], { [destination]: 1 }) };
      if (!hit) {
        this.update(moved);
        continue;
      }
      const struck = this.geometry.checker(placeOf(side, destination), 0, 1);
      this.update({ ...moved, [other]: changed(this.state[other], { [25 - destination]: -1 }) });
      await glide(this, other, struck, this.landing(other, 25), duration * 0.9);
      this.update({ [other]: changed(this.state[other], { 25: 1 }) });
    }
  }

  // Throws the dice, which then show what they are.
  async tumble(dice, duration) {
    this.update({ dice });
    await throwDice(this, dice, duration);
  }
}

function changed(counts, steps) {
  const copy = [...counts];
  for (const [slot, step] of Object.entries(steps)) copy[slot] += step;
  return copy;
}
