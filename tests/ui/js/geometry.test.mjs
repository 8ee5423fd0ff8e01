// Places on the board: what is drawn in a place is clicked in that place, whichever side is home.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Geometry, HEIGHT, PLACES, WIDTH, placeOf, slotOf } from "../../../bgai/ui/web/static/js/geometry.js";

for (const homeLeft of [false, true]) {
  const geometry = new Geometry(homeLeft);

  test(`checkers lie in their places (home ${homeLeft ? "left" : "right"})`, () => {
    for (const place of PLACES) {
      for (let count = 1; count <= 15; count++) {
        for (let index = 0; index < count; index++) {
          const { x, y } = geometry.checker(place, index, count);
          assert.ok(x > 0 && x < WIDTH && y > 0 && y < HEIGHT, `${place}: ${index} of ${count}`);
          assert.equal(geometry.placeAt(x, y), place, `${place}: ${index} of ${count}`);
        }
      }
    }
  });

  test(`no two places share a spot (home ${homeLeft ? "left" : "right"})`, () => {
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
    assert.ok(Math.abs(right.checker(place, 0, 1).x + left.checker(place, 0, 1).x - WIDTH) < 1e-9, place);
  }
});

test("a slot's place is that slot's again", () => {
  for (const side of ["bottom", "top"]) {
    for (let slot = 0; slot <= 25; slot++) assert.equal(slotOf(side, placeOf(side, slot)), slot);
  }
  assert.equal(placeOf("top", 6), "19");
  assert.equal(slotOf("bottom", "bar-top"), null);
});
