// The board as SVG: draws a state, slides checkers, reports clicks and drags.

import { calm, s } from "./dom.js";
import { FIELD, Geometry, HEIGHT, MIDDLE, PLACES, RADIUS, UNIT, WIDTH, placeOf } from "./geometry.js";

const DIE_DOTS = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [-1, 1], [1, -1], [1, 1]],
  5: [[-1, -1], [-1, 1], [0, 0], [1, -1], [1, 1]],
  6: [[-1, -1], [-1, 0], [-1, 1], [1, -1], [1, 0], [1, 1]],
};
const DIE = 38;
const DRAG_FROM = 6; // pixels the pointer moves before a click becomes a drag

const EMPTY = {
  bottom: new Array(26).fill(0),
  top: new Array(26).fill(0),
  colour: "light", // of the bottom player
  numbers: "bottom",
  pips: null,
  cube: { value: 1, place: "centre" },
  dice: [], // {value, side, used}
  sources: [], // places whose checker can be moved
  targets: [], // places the selected checker can go to
  selected: null,
  arrows: [], // {side, source, destination, kind}
  last: [], // places the opponent's last play went to
  editable: false,
};

export class Board {
  // handlers: pick(place), drop(source, place), grab(place) -> bool, dice(), cube(), alternate(place)
  constructor(root, handlers = {}) {
    this.handlers = handlers;
    this.geometry = new Geometry(false);
    this.state = { ...EMPTY };
    this.focus = null;
    this.layers = Object.fromEntries(
      ["frame", "marks", "checkers", "cube", "dice", "arrows", "spots", "ghost"].map((name) => [
        name,
        s("g", { class: `layer-${name}` }),
      ]),
    );
    this.svg = s(
      "svg",
      { class: "board", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "group", "aria-label": "Backgammon board" },
      Object.values(this.layers),
    );
    root.replaceChildren(this.svg);
    this.buildSpots();
    this.listen();
    this.draw();
  }

  set(state) {
    this.state = { ...EMPTY, ...state };
    if (this.geometry.homeLeft !== Boolean(state.homeLeft)) {
      this.geometry = new Geometry(Boolean(state.homeLeft));
      this.buildSpots();
    }
    this.draw();
  }

  update(changes) {
    this.set({ ...this.state, ...changes, homeLeft: this.geometry.homeLeft });
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
    this.drawFrame();
    this.layers.checkers.replaceChildren(...this.checkers());
    this.layers.cube.replaceChildren(...this.cube());
    this.layers.dice.replaceChildren(...this.dice());
    this.layers.arrows.replaceChildren(...this.state.arrows.flatMap((arrow) => this.arrow(arrow)));
    this.layers.marks.replaceChildren(...this.marks());
    this.labelSpots();
  }

  drawFrame() {
    const g = this.geometry;
    const key = `${g.homeLeft} ${this.state.numbers}`;
    if (this.frameKey === key) return;
    this.frameKey = key;
    const height = FIELD.bottom - FIELD.top;
    const bar = g.bar();
    const tray = g.tray();
    const parts = [
      s("rect", { class: "frame", width: WIDTH, height: HEIGHT, rx: 10 }),
      ...g.halves().map((x) => s("rect", { class: "field", x, y: FIELD.top, width: FIELD.half, height })),
      s("rect", { class: "bar", x: bar.x, y: 1, width: bar.width, height: HEIGHT - 2 }),
      s("line", { class: "hinge", x1: bar.x + bar.width / 2, x2: bar.x + bar.width / 2, y1: 0, y2: HEIGHT }),
      s("rect", { class: "tray", x: tray.x, y: FIELD.top, width: tray.width, height: height / 2 - 66, rx: 4 }),
      s("rect", {
        class: "tray", x: tray.x, y: MIDDLE + 66, width: tray.width, height: height / 2 - 66, rx: 4,
      }),
    ];
    for (let point = 1; point <= 24; point++) {
      const x = g.column(point);
      const upper = g.isUpper(point);
      const foot = upper ? FIELD.top : FIELD.bottom;
      const tip = upper ? FIELD.top + FIELD.point - 14 : FIELD.bottom - FIELD.point + 14;
      parts.push(
        s("polygon", {
          class: `point ${point % 2 ? "odd" : "even"}`,
          points: `${x - UNIT / 2 + 1},${foot} ${x + UNIT / 2 - 1},${foot} ${x},${tip}`,
        }),
        s(
          "text",
          { class: "number", x, y: upper ? 16.5 : HEIGHT - 8 },
          String(this.state.numbers === "bottom" ? point : 25 - point),
        ),
      );
    }
    this.layers.frame.replaceChildren(...parts);
  }

  checkers() {
    const parts = [];
    for (const side of ["top", "bottom"]) {
      const tone = this.colourOf(side);
      for (let slot = 0; slot <= 25; slot++) {
        const count = this.state[side][slot];
        const place = placeOf(side, slot);
        for (let index = 0; index < count; index++) {
          const at = this.geometry.checker(place, index, count);
          if (slot === 0) {
            const slice = this.geometry.slice();
            parts.push(
              s("rect", {
                class: `slice ${tone}`, x: slice.x, y: at.y - slice.height / 2,
                width: slice.width, height: slice.height, rx: 2.5,
              }),
            );
            continue;
          }
          const many = count > 5 && index === count - 1;
          parts.push(this.checker(tone, at, many ? String(count) : ""));
        }
        if (slot === 0 && count) {
          const at = this.geometry.checker(place, count, count);
          parts.push(s("text", { class: "off-count", x: at.x, y: at.y + (side === "top" ? 12 : -2) }, String(count)));
        }
      }
    }
    return parts;
  }

  checker(tone, at, label = "") {
    return s(
      "g",
      { class: `checker ${tone}`, transform: `translate(${at.x} ${at.y})` },
      s("circle", { class: "disc", r: RADIUS }),
      s("circle", { class: "groove", r: RADIUS * 0.66 }),
      label ? s("text", { class: "stack", y: 5.6 }, label) : null,
    );
  }

  cube() {
    const { value, place } = this.state.cube;
    if (!value) return [];
    const at = this.geometry.cube(place);
    const offered = place.startsWith("offer");
    const size = offered ? 52 : 38;
    const text = place === "centre" && value === 1 ? "64" : String(value);
    const font = (text.length > 3 ? 0.32 : text.length > 2 ? 0.38 : 0.52) * size;
    const cube = s(
      "g",
      { class: `cube${offered ? " offered" : ""}`, transform: `translate(${at.x} ${at.y})` },
      s("rect", { x: -size / 2, y: -size / 2, width: size, height: size, rx: size / 6 }),
      s("text", { y: font * 0.36, "font-size": font }, text),
    );
    if (this.handlers.cube) cube.addEventListener("click", () => this.handlers.cube());
    return [cube];
  }

  dice() {
    const parts = [];
    for (const side of ["bottom", "top"]) {
      const mine = this.state.dice.filter((die) => die.side === side);
      const step = mine.length > 2 ? DIE + 8 : DIE + 12;
      mine.forEach((die, index) => {
        const x = this.geometry.dice(side) + (index - (mine.length - 1) / 2) * step;
        parts.push(this.die(die, x, this.colourOf(side)));
      });
    }
    return parts;
  }

  die(die, x, tone) {
    const dots = DIE_DOTS[die.value] ?? [];
    return s(
      "g",
      { class: `die ${tone}${die.used ? " used" : ""}`, transform: `translate(${x} ${MIDDLE})` },
      s("rect", { x: -DIE / 2, y: -DIE / 2, width: DIE, height: DIE, rx: 7 }),
      dots.map(([dx, dy]) => s("circle", { cx: dx * 10.2, cy: dy * 10.2, r: 3.6 })),
    );
  }

  // An arrow along a move: {side, source, destination, kind: "best" | "chosen", index, of}
  arrow(arrow) {
    const from = this.tip(arrow.side, arrow.source);
    const to = this.landing(arrow.side, arrow.destination);
    const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
    const ux = (to.x - from.x) / length;
    const uy = (to.y - from.y) / length;
    // Bent a little, so that arrows along one row don't cover each other.
    const bend = Math.min(34, length * 0.16) * (from.y > MIDDLE ? -1 : 1) * (arrow.index % 2 ? 1.6 : 1);
    const cx = (from.x + to.x) / 2 + (Math.abs(ux) > 0.7 ? 0 : bend);
    const cy = (from.y + to.y) / 2 + (Math.abs(ux) > 0.7 ? bend : 0);
    const reach = Math.hypot(to.x - cx, to.y - cy) || 1;
    const end = { x: to.x - ((to.x - cx) / reach) * 9, y: to.y - ((to.y - cy) / reach) * 9 };
    const path = `M${from.x},${from.y} Q${cx},${cy} ${end.x},${end.y}`;
    const angle = (Math.atan2(to.y - cy, to.x - cx) * 180) / Math.PI;
    return [
      s("path", { class: `arrow halo ${arrow.kind}`, d: path }),
      s("path", { class: `arrow ${arrow.kind}`, d: path }),
      s("circle", { class: `arrow-start ${arrow.kind}`, cx: from.x, cy: from.y, r: 5 }),
      s("path", {
        class: `arrow-head ${arrow.kind}`,
        d: "M-13,-9 L4,0 L-13,9 Z",
        transform: `translate(${to.x} ${to.y}) rotate(${angle})`,
      }),
    ];
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
    const parts = [];
    const ring = (place, kind, side) => {
      const count = this.count(place).count;
      const at = this.geometry.checker(place, Math.max(count - 1, 0), Math.max(count, 1));
      if (place.startsWith("off")) {
        const area = this.geometry.area(place);
        const y = side === "bottom" ? MIDDLE + 66 : FIELD.top;
        return s("rect", { class: `mark ${kind}`, x: area.x + 1, y, width: area.width - 2, height: area.height - 66, rx: 4 });
      }
      return s("circle", { class: `mark ${kind}`, cx: at.x, cy: at.y, r: RADIUS + 2.5 });
    };
    for (const place of this.state.last) parts.push(ring(place, "last", "top"));
    for (const place of this.state.sources) {
      if (place !== this.state.selected) parts.push(ring(place, "source", "bottom"));
    }
    if (this.state.selected) parts.push(ring(this.state.selected, "selected", "bottom"));
    return [...this.state.targets.flatMap((place) => this.targetMarks(place)), ...parts];
  }

  targetMarks(place) {
    if (place.startsWith("off")) {
      const area = this.geometry.area(place);
      return [s("rect", { class: "mark target", x: area.x + 1, y: MIDDLE + 66, width: area.width - 2, height: area.height - 66, rx: 4 })];
    }
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
    this.spots = new Map();
    for (const place of PLACES) {
      const area = this.geometry.area(place);
      const spot = s(
        "g",
        { class: "spot", "data-place": place },
        s("rect", { x: area.x, y: area.y, width: area.width, height: area.height }),
      );
      spot.addEventListener("keydown", (event) => this.key(event, place));
      spot.addEventListener("focus", () => (this.focus = place));
      this.spots.set(place, spot);
    }
    // In the order the checkers travel, so that Tab goes round the board.
    const order = ["bar-bottom", ...Array.from({ length: 24 }, (_, i) => String(24 - i)), "off-bottom", "bar-top", "off-top"];
    this.layers.spots.replaceChildren(...order.map((place) => this.spots.get(place)));
  }

  labelSpots() {
    const { sources, targets, selected, editable } = this.state;
    for (const [place, spot] of this.spots) {
      const source = sources.includes(place);
      const target = targets.includes(place);
      const active = editable || source || target;
      spot.classList.toggle("source", source);
      spot.classList.toggle("target", target);
      spot.classList.toggle("editable", editable);
      toggle(spot, "tabindex", active ? "0" : null);
      toggle(spot, "role", active ? "button" : null);
      toggle(spot, "aria-pressed", source ? String(place === selected) : null);
      toggle(spot, "aria-label", active ? this.describe(place, source, target) : null);
      toggle(spot, "aria-hidden", active ? null : "true");
    }
  }

  describe(place, source, target) {
    const { side, count } = this.count(place);
    const name = place.startsWith("bar") ? "bar" : place.startsWith("off") ? "borne off" : `point ${place}`;
    const held = count ? `${count} ${this.colourOf(side)} checker${count > 1 ? "s" : ""}` : "empty";
    const what = target ? ", move here" : source ? ", can move" : "";
    return `${name}, ${held}${what}`;
  }

  key(event, place) {
    if (!this.spots.get(place).hasAttribute("tabindex")) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.stopPropagation();
      this.handlers.pick?.(place, event);
      return;
    }
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const active = [...this.layers.spots.children].filter((spot) => spot.hasAttribute("tabindex"));
    const at = active.findIndex((spot) => spot.dataset.place === place);
    active[(at + step + active.length) % active.length]?.focus();
  }

  focusOn(place) {
    this.spots.get(place)?.focus({ preventScroll: true });
  }

  listen() {
    let start = null;
    const at = (event) => {
      const matrix = this.svg.getScreenCTM();
      return matrix ? new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse()) : { x: -1, y: -1 };
    };
    const end = () => {
      start = null;
      this.layers.ghost.replaceChildren();
      this.svg.classList.remove("dragging");
    };
    // A click takes no focus, so that Enter after it confirms the play.
    this.svg.addEventListener("mousedown", (event) => event.preventDefault());
    this.svg.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      const point = at(event);
      const place = this.geometry.placeAt(point.x, point.y);
      start = { place, x: event.clientX, y: event.clientY, dragging: false };
      if (place && this.state.sources.includes(place)) event.preventDefault();
    });
    this.svg.addEventListener("pointermove", (event) => {
      if (!start?.place) return;
      const far = Math.hypot(event.clientX - start.x, event.clientY - start.y) > DRAG_FROM;
      if (!start.dragging && far && this.handlers.grab?.(start.place)) {
        start.dragging = true;
        this.svg.setPointerCapture(event.pointerId);
        this.svg.classList.add("dragging");
        this.layers.ghost.replaceChildren(this.checker(this.colourOf("bottom"), { x: 0, y: 0 }));
      }
      if (start.dragging) {
        const point = at(event);
        this.layers.ghost.firstChild.setAttribute("transform", `translate(${point.x} ${point.y})`);
      }
    });
    this.svg.addEventListener("pointerup", (event) => {
      if (!start) return;
      const { place, dragging } = start;
      const point = at(event);
      const over = this.geometry.placeAt(point.x, point.y);
      end();
      if (dragging) this.handlers.drop?.(place, over);
      else if (this.overDice(point)) this.handlers.dice?.();
      else if (place && place === over) this.handlers.pick?.(place, event);
    });
    this.svg.addEventListener("pointercancel", () => {
      if (start?.dragging) this.handlers.drop?.(start.place, null);
      end();
    });
    this.svg.addEventListener("contextmenu", (event) => {
      if (!this.state.editable) return;
      event.preventDefault();
      const point = at(event);
      const place = this.geometry.placeAt(point.x, point.y);
      if (place) this.handlers.alternate?.(place);
    });
  }

  overDice(point) {
    const mine = this.state.dice.filter((die) => die.side === "bottom").length;
    if (!mine || Math.abs(point.y - MIDDLE) > 24) return false;
    return Math.abs(point.x - this.geometry.dice("bottom")) < (mine * (DIE + 12)) / 2;
  }

  // --- motion -----------------------------------------------------------------------------------

  // Moves checkers one after another and leaves the board as it is after them.
  async slide(side, moves, duration) {
    const other = side === "bottom" ? "top" : "bottom";
    for (const [source, destination, hit] of moves) {
      const from = this.tip(side, source);
      const lifted = { ...this.state, [side]: changed(this.state[side], { [source]: -1 }) };
      this.set({ ...lifted, homeLeft: this.geometry.homeLeft });
      const to = this.landing(side, destination);
      await this.glide(this.colourOf(side), from, to, duration);
      const moved = { ...this.state, [side]: changed(this.state[side], { [destination]: 1 }) };
      if (hit) moved[other] = changed(moved[other], { [25 - destination]: -1, 25: 1 });
      this.set({ ...moved, homeLeft: this.geometry.homeLeft });
    }
  }

  async glide(tone, from, to, duration) {
    if (!duration || calm()) return;
    const ghost = this.checker(tone, from);
    this.layers.ghost.append(ghost);
    const frames = [from, to].map((at) => ({ transform: `translate(${at.x}px, ${at.y}px)` }));
    await ghost.animate(frames, { duration, easing: "cubic-bezier(.3,.1,.3,1)" }).finished.catch(() => {});
    ghost.remove();
  }

  // A short tumble before the dice show what they are.
  async tumble(dice, duration) {
    if (duration && !calm()) {
      const until = performance.now() + duration;
      while (performance.now() < until) {
        this.update({ dice: dice.map((die) => ({ ...die, value: 1 + Math.floor(Math.random() * 6) })) });
        await new Promise((resolve) => setTimeout(resolve, 55));
      }
    }
    this.update({ dice });
  }
}

function changed(counts, steps) {
  const copy = [...counts];
  for (const [slot, step] of Object.entries(steps)) copy[slot] += step;
  return copy;
}

function toggle(element, name, value) {
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}
