// Where things are on the board. Units: a point is 40 wide. Points are numbered by the player at
// the bottom; "bar-bottom", "off-top" and so on name the other places.

export const UNIT = 40;
export const RADIUS = 18.6;
const RIM = 24; // above and below, with the numbers
const HALF = 6 * UNIT;
const POINT = 212;
const GAP = 44;

export const HEIGHT = 2 * RIM + 2 * POINT + GAP;
export const MIDDLE = HEIGHT / 2;
export const FIELD = { top: RIM, bottom: HEIGHT - RIM, half: HALF, point: POINT };

// The wood beside the points. On a narrow screen there is less of it, so that checkers are larger.
const WIDE = { edge: 15, bar: 50, tray: 62 };
const COMPACT = { edge: 7, bar: 40, tray: 47 };

const FITS = 5; // checkers that fit on a point at full size
const SLICE = 9.5;

export class Geometry {
  constructor(homeLeft, compact = false) {
    this.homeLeft = homeLeft;
    this.compact = compact;
    Object.assign(this, compact ? COMPACT : WIDE);
    this.width = 2 * this.edge + 2 * HALF + this.bar + this.tray;
  }

  // The left edge of something `width` wide that is at `x` on a board with home at the right.
  x(x, width = 0) {
    return this.homeLeft ? this.width - x - width : x;
  }

  halves() {
    return [this.x(this.edge, HALF), this.x(this.edge + HALF + this.bar, HALF)];
  }

  barArea() {
    return { x: this.x(this.edge + HALF, this.bar), width: this.bar };
  }

  trayArea() {
    const width = this.tray - 7;
    return { x: this.x(this.edge + 2 * HALF + this.bar + 7, width), width };
  }

  column(point) {
    const place = point <= 12 ? 12 - point : point - 13;
    return this.x(this.edge + (place + 0.5) * UNIT + (place >= 6 ? this.bar : 0));
  }

  isUpper(point) {
    return point > 12;
  }

  // The centre of checker `index` of `count` on a place.
  checker(place, index, count) {
    if (place.startsWith("bar")) {
      const step = Math.min(2 * RADIUS, (POINT - 2 * RADIUS) / Math.max(count - 1, 1));
      const away = 42 + index * step;
      return { x: this.barArea().x + this.bar / 2, y: place === "bar-bottom" ? MIDDLE - away : MIDDLE + away };
    }
    if (place.startsWith("off")) {
      const tray = this.trayArea();
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
    const tray = this.trayArea();
    const rim = this.compact ? 3 : 6;
    return { x: tray.x + rim, width: tray.width - 2 * rim, height: SLICE - 1.2 };
  }

  // The rectangle that answers to clicks.
  area(place) {
    if (place.startsWith("bar")) {
      const bar = this.barArea();
      return { x: bar.x, y: place === "bar-bottom" ? RIM : MIDDLE, width: this.bar, height: HEIGHT / 2 - RIM };
    }
    if (place.startsWith("off")) {
      const tray = this.trayArea();
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

  // The place something dropped at (x, y) was meant for: beyond the tip or the foot of a point
  // it is still that point.
  placeNear(x, y) {
    const foot = y < MIDDLE ? RIM : HEIGHT - RIM - POINT;
    return this.placeAt(x, y) ?? this.placeAt(x, Math.min(Math.max(y, foot + 1), foot + POINT - 1));
  }

  // The places as they lie: the upper row and the lower one, from left to right.
  rows() {
    const points = (from, step) => Array.from({ length: 6 }, (_, i) => String(from + step * i));
    const upper = [...points(13, 1), "bar-bottom", ...points(19, 1), "off-top"];
    const lower = [...points(12, -1), "bar-top", ...points(6, -1), "off-bottom"];
    return this.homeLeft ? [upper.reverse(), lower.reverse()] : [upper, lower];
  }

  // The middle of the half of the board where a player's dice lie.
  dice(side) {
    const right = side === "bottom" ? this.edge + HALF + this.bar : this.edge;
    return this.x(right + HALF / 2);
  }

  cube(place) {
    const tray = this.trayArea();
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
