// Where things are on the board. Units: a point is 40 wide. Points are numbered by the player at
// the bottom; "bar-bottom", "off-top" and so on name the other places.

export const UNIT = 40;
export const RADIUS = 18.6;
const EDGE = 15;
const RIM = 24; // above and below, with the numbers
const HALF = 6 * UNIT;
const BAR = 50;
const TRAY = 62;
const POINT = 212;
const GAP = 44;

export const WIDTH = 2 * EDGE + 2 * HALF + BAR + TRAY;
export const HEIGHT = 2 * RIM + 2 * POINT + GAP;
export const MIDDLE = HEIGHT / 2;
export const FIELD = { top: RIM, bottom: HEIGHT - RIM, half: HALF, point: POINT };

const FITS = 5; // checkers that fit on a point at full size
const SLICE = 9.5;

export class Geometry {
  constructor(homeLeft) {
    this.homeLeft = homeLeft;
  }

  // The left edge of something `width` wide that is at `x` on a board with home at the right.
  x(x, width = 0) {
    return this.homeLeft ? WIDTH - x - width : x;
  }

  halves() {
    return [this.x(EDGE, HALF), this.x(EDGE + HALF + BAR, HALF)];
  }

  bar() {
    return { x: this.x(EDGE + HALF, BAR), width: BAR };
  }

  tray() {
    return { x: this.x(EDGE + 2 * HALF + BAR + 8, TRAY - 8), width: TRAY - 8 };
  }

  column(point) {
    const place = point <= 12 ? 12 - point : point - 13;
    return this.x(EDGE + (place + 0.5) * UNIT + (place >= 6 ? BAR : 0));
  }

  isUpper(point) {
    return point > 12;
  }

  // The centre of checker `index` of `count` on a place.
  checker(place, index, count) {
    if (place.startsWith("bar")) {
      const step = Math.min(2 * RADIUS, (POINT - 2 * RADIUS) / Math.max(count - 1, 1));
      const away = 42 + index * step;
      return { x: this.bar().x + BAR / 2, y: place === "bar-bottom" ? MIDDLE - away : MIDDLE + away };
    }
    if (place.startsWith("off")) {
      const tray = this.tray();
      const away = RIM + 7 + (index + 0.5) * SLICE;
      return { x: tray.x + tray.width / 2, y: place === "off-bottom" ? HEIGHT - away : away };
    }
    const point = Number(place);
    const span = 2 * RADIUS * (FITS - 1);
    const step = count > FITS ? span / (count - 1) : 2 * RADIUS;
    const away = RIM + RADIUS + 1 + index * step;
    return { x: this.column(point), y: this.isUpper(point) ? away : HEIGHT - away };
  }

  slice() {
    const tray = this.tray();
    return { x: tray.x + 6, width: tray.width - 12, height: SLICE - 1.6 };
  }

  // The rectangle that answers to clicks.
  area(place) {
    if (place.startsWith("bar")) {
      const bar = this.bar();
      return { x: bar.x, y: place === "bar-bottom" ? RIM : MIDDLE, width: BAR, height: HEIGHT / 2 - RIM };
    }
    if (place.startsWith("off")) {
      const tray = this.tray();
      const y = place === "off-bottom" ? MIDDLE : RIM;
      return { x: tray.x, y, width: tray.width, height: HEIGHT / 2 - RIM };
    }
    const point = Number(place);
    const x = this.column(point) - UNIT / 2;
    return { x, y: this.isUpper(point) ? RIM : HEIGHT - RIM - POINT, width: UNIT, height: POINT };
  }

  placeAt(x, y) {
    return PLACES.find((place) => {
      const area = this.area(place);
      return x >= area.x && x < area.x + area.width && y >= area.y && y < area.y + area.height;
    }) ?? null;
  }

  // The middle of the half of the board where a player's dice lie.
  dice(side) {
    const right = side === "bottom" ? EDGE + HALF + BAR : EDGE;
    return this.x(right + HALF / 2);
  }

  cube(place) {
    const tray = this.tray();
    const x = tray.x + tray.width / 2;
    if (place === "offer-bottom") return { x: this.dice("bottom"), y: MIDDLE };
    if (place === "offer-top") return { x: this.dice("top"), y: MIDDLE };
    if (place === "bottom") return { x, y: MIDDLE + 46 };
    if (place === "top") return { x, y: MIDDLE - 46 };
    return { x, y: MIDDLE };
  }
}

export const PLACES = [
  ...Array.from({ length: 24 }, (_, index) => String(index + 1)),
  "bar-bottom",
  "bar-top",
  "off-bottom",
  "off-top",
];

// The place of a slot (0 off, 1-24, 25 bar) in the numbering of a side.
export function placeOf(side, slot) {
  if (slot === 0) return `off-${side}`;
  if (slot === 25) return `bar-${side}`;
  return String(side === "bottom" ? slot : 25 - slot);
}

// The slot of a place for a side, or null where its checkers can't be.
export function slotOf(side, place) {
  if (place === `off-${side}`) return 0;
  if (place === `bar-${side}`) return 25;
  if (place.startsWith("off") || place.startsWith("bar")) return null;
  return side === "bottom" ? Number(place) : 25 - Number(place);
}
