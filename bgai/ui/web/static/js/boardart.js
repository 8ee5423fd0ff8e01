// What the board is made of: wood, felt, checkers, dice, cube and arrows, as SVG shapes. The light
// falls from the upper left. Colours are custom properties of css/board.css.

import { s } from "./dom.js";
import { FIELD, HEIGHT, MIDDLE, RADIUS, UNIT } from "./geometry.js";

export const DIE = 38;
const PIPS = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [-1, 1], [1, -1], [1, 1]],
  5: [[-1, -1], [-1, 1], [0, 0], [1, -1], [1, 1]],
  6: [[-1, -1], [-1, 0], [-1, 1], [1, -1], [1, 0], [1, 1]],
};
const TILTS = [-5, 4, -3, 6]; // degrees; dice that fell lie a little askew

const stops = (list) =>
  list.map(([offset, colour, opacity]) => s("stop", { offset, "stop-color": colour, "stop-opacity": opacity }));
const linear = (id, [x1, y1, x2, y2], list) => s("linearGradient", { id, x1, y1, x2, y2 }, stops(list));
const radial = (id, [cx, cy, r], list) => s("radialGradient", { id, cx, cy, r }, stops(list));
const DIAGONAL = [0, 0, 1, 1];
const SHADE = "#000";

// The paints that `id` names; several boards on a page must not share them, since those of a
// hidden board paint nothing.
export function pieceDefs(id) {
  const tone = (name) => [
    radial(`${id}-${name}`, [0.36, 0.3, 0.78], [
      [0, `var(--${name}-high)`], [0.55, `var(--${name})`], [1, `var(--${name}-low)`],
    ]),
    linear(`${id}-${name}-groove`, DIAGONAL, [[0, `var(--${name}-low)`], [1, `var(--${name}-high)`]]),
    linear(`${id}-${name}-dish`, DIAGONAL, [[0, `var(--${name}-low)`, 0.55], [0.6, `var(--${name})`, 0.2], [1, `var(--${name}-high)`, 0.7]]),
    linear(`${id}-${name}-edge`, [0, 0, 0, 1], [
      [0, `var(--${name}-high)`], [0.45, `var(--${name})`], [1, `var(--${name}-low)`],
    ]),
  ];
  return s(
    "defs",
    {},
    tone("light"),
    tone("dark"),
    radial(`${id}-shadow`, [0.5, 0.5, 0.5], [[0.72, SHADE, 0.5], [0.88, SHADE, 0.24], [1, SHADE, 0]]),
    linear(`${id}-cube`, DIAGONAL, [[0, "#fffaf0"], [0.5, "#efe4cd"], [1, "#c9b893"]]),
    linear(`${id}-cube-face`, DIAGONAL, [[0, "#efe3c9"], [1, "#fdf7e9"]]),
  );
}

// --- the empty board ---------------------------------------------------------------------------

function groundDefs(id) {
  const noise = (name, frequency, octaves, strength, from) =>
    s(
      "filter",
      { id: `${id}-${name}`, x: 0, y: 0, width: "100%", height: "100%" },
      s("feTurbulence", { type: "fractalNoise", baseFrequency: frequency, numOctaves: octaves, seed: 7 }),
      s("feColorMatrix", { values: `0 0 0 0 0  0 0 0 0 0  0 0 0 0 0  ${strength} 0 0 0 ${from}` }),
    );
  return s(
    "defs",
    {},
    noise("grain", "0.55 0.012", 3, 2.6, -1),
    noise("felt", "0.85", 2, 1.5, -0.55),
    linear(`${id}-wood`, DIAGONAL, [[0, "var(--frame-high)"], [0.5, "var(--frame)"], [1, "var(--frame-low)"]]),
    linear(`${id}-beam`, [0, 0, 1, 0], [
      [0, "var(--frame-high)"], [0.28, "var(--frame)"], [0.5, "var(--frame-low)"], [0.56, "var(--frame)"], [1, "var(--frame-low)"],
    ]),
    radial(`${id}-field`, [0.42, 0.36, 0.85], [[0, "var(--field-high)"], [1, "var(--field)"]]),
    ...["odd", "even"].flatMap((name) => [
      linear(`${id}-${name}-up`, [0, 1, 0, 0], [[0, `var(--${name}-low)`], [1, `var(--${name})`]]),
      linear(`${id}-${name}-down`, [0, 0, 0, 1], [[0, `var(--${name}-low)`], [1, `var(--${name})`]]),
    ]),
    linear(`${id}-from-top`, [0, 0, 0, 1], [[0, SHADE, 0.55], [1, SHADE, 0]]),
    linear(`${id}-from-left`, [0, 0, 1, 0], [[0, SHADE, 0.42], [1, SHADE, 0]]),
    linear(`${id}-brass`, DIAGONAL, [[0, "#f3dc9a"], [0.5, "#b88d3c"], [1, "#7a5a22"]]),
  );
}

// Something let into the wood: its floor in the shadow of the upper and the left wall.
function recess(id, { x, y, width, height }, paint, rx = 3) {
  const deep = 13;
  return [
    s("rect", { x: x - 1.2, y: y - 1.2, width: width + 2.4, height: height + 2.4, rx: rx + 1, class: "lip" }),
    s("rect", { x, y, width, height, rx, ...paint }),
    s("rect", { x, y, width, height: deep, rx, fill: `url(#${id}-from-top)` }),
    s("rect", { x, y, width: deep * 0.75, height, rx, fill: `url(#${id}-from-left)` }),
    s("path", { class: "lip-light", d: `M${x + rx},${y + height + 0.8} H${x + width + 0.8} V${y + rx}` }),
  ];
}

function pointShapes(id, g, numbers) {
  const parts = [];
  for (let point = 1; point <= 24; point++) {
    const x = g.column(point);
    const upper = g.isUpper(point);
    const foot = upper ? FIELD.top : FIELD.bottom;
    const tip = upper ? FIELD.top + FIELD.point - 14 : FIELD.bottom - FIELD.point + 14;
    const name = point % 2 ? "odd" : "even";
    const half = UNIT / 2 - 1.4;
    const outline = `M${x - half},${foot} L${x},${tip} L${x + half},${foot}`;
    parts.push(
      s("path", { class: `point ${name}`, d: `${outline} Z`, fill: `url(#${id}-${name}-${upper ? "down" : "up"})` }),
      s("path", { class: "stitch", d: outline }),
    );
    if (numbers === "none") continue;
    const text = String(numbers === "top" ? 25 - point : point);
    parts.push(s("text", { class: "number", x, y: upper ? 17 : HEIGHT - 7.5 }, text));
  }
  return parts;
}

function hinge(id, x, y) {
  return s(
    "g",
    { transform: `translate(${x} ${y})` },
    s("rect", { x: -8, y: -17, width: 16, height: 34, rx: 2.5, fill: `url(#${id}-brass)`, class: "brass" }),
    s("rect", { x: -2.2, y: -19, width: 4.4, height: 38, rx: 2, fill: `url(#${id}-brass)`, class: "brass" }),
    [-10, 10].flatMap((dy) => [-5.2, 5.2].map((cx) => s("circle", { cx, cy: dy, r: 1.2, class: "screw" }))),
  );
}

// The board without anything on it; it changes only with the side of home and the numbers.
export function groundShapes(id, g, numbers) {
  const height = FIELD.bottom - FIELD.top;
  const bar = g.barArea();
  const tray = g.trayArea();
  const deep = height / 2 - 33;
  const wells = [FIELD.top, MIDDLE + 33].map((y) => ({ x: tray.x, y, width: tray.width, height: deep }));
  const middle = bar.x + bar.width / 2;
  return [
    groundDefs(id),
    s("rect", { width: g.width, height: HEIGHT, rx: 9, fill: `url(#${id}-wood)` }),
    s("rect", { width: g.width, height: HEIGHT, rx: 9, filter: `url(#${id}-grain)`, class: "grain" }),
    s("rect", { x: 1, y: 1, width: g.width - 2, height: HEIGHT - 2, rx: 8, class: "bevel" }),
    g.halves().flatMap((x) => {
      const area = { x, y: FIELD.top, width: FIELD.half, height };
      return [
        recess(id, area, { fill: `url(#${id}-field)` }),
        s("rect", { ...area, filter: `url(#${id}-felt)`, class: "felt" }),
      ];
    }),
    pointShapes(id, g, numbers),
    g.halves().map((x) => [
      s("rect", { x, y: FIELD.top, width: FIELD.half, height: 9, fill: `url(#${id}-from-top)` }),
      s("rect", { x, y: FIELD.top, width: 7, height, fill: `url(#${id}-from-left)` }),
    ]),
    s("rect", { x: bar.x, y: 2, width: bar.width, height: HEIGHT - 4, fill: `url(#${id}-beam)`, class: "beam" }),
    s("rect", { x: bar.x, y: 2, width: bar.width, height: HEIGHT - 4, filter: `url(#${id}-grain)`, class: "grain" }),
    s("line", { class: "gap", x1: middle, x2: middle, y1: 2, y2: HEIGHT - 2 }),
    [FIELD.top + 34, FIELD.bottom - 34].map((y) => hinge(id, middle, y)),
    wells.flatMap((well) => recess(id, well, { class: "well" }, 4)),
  ];
}

// --- pieces --------------------------------------------------------------------------------------

export function checkerShape(id, tone, at, label = "") {
  return s(
    "g",
    { class: `checker ${tone}`, transform: `translate(${at.x} ${at.y})` },
    s("circle", { class: "shadow", cx: 1.6, cy: 2.8, r: RADIUS + 3.2, fill: `url(#${id}-shadow)` }),
    s("circle", { class: "disc", r: RADIUS - 0.5, fill: `url(#${id}-${tone})` }),
    s("circle", { class: "dish", r: RADIUS * 0.68, fill: `url(#${id}-${tone}-dish)`, stroke: `url(#${id}-${tone}-groove)` }),
    label ? s("text", { class: "stack", y: 6 }, label) : null,
  );
}

// A checker borne off, seen from its edge.
export function sliceShape(id, tone, slice, y) {
  return s("rect", {
    class: `slice ${tone}`, x: slice.x, y: y - slice.height / 2, width: slice.width, height: slice.height, rx: 2.6,
    fill: `url(#${id}-${tone}-edge)`,
  });
}

export function cubeShape(id, { value, place }, at) {
  const offered = place.startsWith("offer");
  const size = offered ? 54 : 36;
  const text = place === "centre" && value === 1 ? "64" : String(value);
  const font = (text.length > 3 ? 0.3 : text.length > 2 ? 0.36 : 0.5) * size;
  const square = (half, rx, attributes) => s("rect", { x: -half, y: -half, width: 2 * half, height: 2 * half, rx, ...attributes });
  return s(
    "g",
    { class: `cube${offered ? " offered" : ""}`, transform: `translate(${at.x} ${at.y})` },
    s("rect", { class: "drop", x: -size / 2 + 1, y: -size / 2 + 2.5, width: size + 1.5, height: size + 1.5, rx: size / 5 }),
    square(size / 2, size / 5, { class: "block", fill: `url(#${id}-cube)` }),
    square(size * 0.4, size / 4.2, { fill: `url(#${id}-cube-face)` }),
    s("text", { y: font * 0.36, "font-size": font }, text),
  );
}

export const pipShapes = (value) =>
  (PIPS[value] ?? []).flatMap(([dx, dy]) => [
    s("circle", { class: "pip-edge", cx: dx * 10.2 + 0.5, cy: dy * 10.2 + 0.6, r: 3.7 }),
    s("circle", { class: "pip", cx: dx * 10.2, cy: dy * 10.2, r: 3.6 }),
  ]);

export function dieShape(id, die, tone, at, index) {
  const half = DIE / 2;
  return s(
    "g",
    { class: `die ${tone}${die.used ? " used" : ""}`, transform: dieTransform(at, index) },
    s("rect", { class: "drop", x: -half + 1, y: -half + 2.5, width: DIE + 1.5, height: DIE + 1.5, rx: 9 }),
    s("rect", { class: "body", x: -half, y: -half, width: DIE, height: DIE, rx: 8, fill: `url(#${id}-${tone})` }),
    s("rect", { x: -half + 3, y: -half + 3, width: DIE - 6, height: DIE - 6, rx: 9, fill: `url(#${id}-${tone}-dish)` }),
    s("g", { class: "pips" }, pipShapes(die.value)),
  );
}

export const tilt = (index) => TILTS[index % TILTS.length];
const dieTransform = (at, index) => `translate(${at.x} ${at.y}) rotate(${tilt(index)})`;

// An arrow of a kind from one spot to another. Those of one play with an odd `index` bend more, so
// that arrows along one row don't cover each other.
export function arrowShapes({ kind, index }, from, to) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const flat = Math.abs(to.x - from.x) / length > 0.7;
  const made = kind === "made" ? 1.35 : 1; // beside the best play's arrow, not under it
  const bend = Math.min(34, length * 0.16) * (from.y > MIDDLE ? -1 : 1) * (index % 2 ? 1.6 : 1) * made;
  const cx = (from.x + to.x) / 2 + (flat ? 0 : bend);
  const cy = (from.y + to.y) / 2 + (flat ? bend : 0);
  const reach = Math.hypot(to.x - cx, to.y - cy) || 1;
  const end = { x: to.x - ((to.x - cx) / reach) * 9, y: to.y - ((to.y - cy) / reach) * 9 };
  const path = `M${from.x},${from.y} Q${cx},${cy} ${end.x},${end.y}`;
  const angle = (Math.atan2(to.y - cy, to.x - cx) * 180) / Math.PI;
  return [
    s("path", { class: `arrow halo ${kind}`, d: path }),
    s("path", { class: `arrow ${kind}`, d: path }),
    s("circle", { class: `arrow-start ${kind}`, cx: from.x, cy: from.y, r: 5 }),
    s("path", {
      class: `arrow-head ${kind}`, d: "M-13,-9 L4,0 L-13,9 Z", transform: `translate(${to.x} ${to.y}) rotate(${angle})`,
    }),
  ];
}
