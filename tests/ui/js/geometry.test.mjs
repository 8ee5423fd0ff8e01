// Places on the board: what is drawn in a place is clicked in that place, whichever side is home.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Geometry, HEIGHT, MIDDLE, PLACES, placeOf, slotOf } from "../../../bgai/ui/web/static/js/geometry.js";

for (const [homeLeft, compact] of [[false, false], [true, false], [false, true], [true, true]]) {
  const geometry = new Geometry(homeLeft, compact);
  const name = `home ${homeLeft ? "left" : "right"}, ${compact ? "compact" : "wide"}`;

  test(`checkers lie in their places (${name})`, () => {
    for (const place of PLACES) {
      for (let count = 1; count <= 15; count++) {
        for (let index = 0; index < count; index++) {
          const { x, y } = geometry.checker(place, index, count);
          assert.ok(x > 0 && x < geometry.width && y > 0 && y < HEIGHT, `${place}: ${index} of ${count}`);
          assert.equal(geometry.placeAt(x, y), place, `${place}: ${index} of ${count}`);
        }
      }
    }
  });

  test(`what is dropped near a point, beyond its tip or foot, is meant for it (${name})`, () => {
    for (let point = 1; point <= 24; point++) {
      const x = geometry.column(point);
      for (const y of geometry.isUpper(point) ? [1, 100, MIDDLE - 1] : [MIDDLE, MIDDLE + 100, HEIGHT - 1]) {
        assert.equal(geometry.placeNear(x, y), String(point), `${point} at ${y}`);
      }
    }
  });

  test(`the rows hold every place once, from left to right (${name})`, () => {
    const rows = geometry.rows();
    assert.deepEqual(rows.flat().sort(), [...PLACES].sort());
    for (const [index, row] of rows.entries()) {
      const areas = row.map((place) => geometry.area(place));
      for (const [at, area] of areas.entries()) {
        if (at) assert.ok(area.x > areas[at - 1].x, row[at]);
        assert.equal(area.y + area.height / 2 > MIDDLE, index === 1, row[at]);
      }
    }
  });

  test(`no two places share a spot (${name})`, () => {
    const areas = PLACES.map((place) => geometry.area(place));
    for (let i = 0; i < areas.length; i++) {
      for (let j = 0; j < i; j++) {
        const [a, b] = [areas[i], areas[j]];
        const apart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
        assert.ok(apart, `${PLACES[i]} and ${PLACES[j]}`);
      }
    }
  });
}

test("mirrored boards have the same places mirrored", () => {
  const [right, left] = [new Geometry(false), new Geometry(true)];
  for (const place of PLACES) {
    assert.ok(Math.abs(right.checker(place, 0, 1).x + left.checker(place, 0, 1).x - right.width) < 1e-9, place);
  }
});

test("a slot's place is that slot's again", () => {
  for (const side of ["bottom", "top"]) {
    for (let slot = 0; slot <= 25; slot++) assert.equal(slotOf(side, placeOf(side, slot)), slot);
  }
  assert.equal(placeOf("top", 6), "19");
  assert.equal(slotOf("bottom", "bar-top"), null);
});
