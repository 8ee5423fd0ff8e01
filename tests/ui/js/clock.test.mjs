// Clocks: what a turn costs, what it gives back, and what reloading keeps.
import assert from "node:assert/strict";
import { test } from "node:test";

const store = new Map();
globalThis.localStorage = {
  getItem: (name) => store.get(name) ?? null,
  setItem: (name, value) => store.set(name, value),
  removeItem: (name) => store.delete(name),
};
const { Clock, clockOf, keepClock, timeText } = await import("../../../bgai/ui/web/static/js/clock.js");

const clock = (kind) => new Clock({ kind, increment: 12_000, left: [60_000, 60_000] });

test("Bronstein gives back what a turn took, up to the increment", () => {
  for (const [used, left] of [[5_000, 60_000], [12_000, 60_000], [20_000, 52_000]]) {
    const mine = clock("bronstein");
    mine.turn(0, 1000);
    assert.equal(mine.remaining(0, 1000 + used), 60_000 - used);
    mine.turn(1, 1000 + used);
    assert.equal(mine.remaining(0, 99_999), left);
  }
});

test("Fischer adds the increment after each turn", () => {
  const mine = clock("fischer");
  mine.turn(0, 0);
  mine.turn(1, 5_000);
  assert.equal(mine.remaining(0, 5_000), 67_000);
  mine.turn(0, 8_000);
  assert.equal(mine.remaining(1, 8_000), 69_000);
});

test("a halt ends no turn: rolling and playing are one", () => {
  for (const kind of ["fischer", "bronstein"]) {
    const mine = clock(kind);
    mine.turn(0, 0);
    mine.halt(4_000);
    assert.equal(mine.remaining(0, 50_000), 56_000);
    mine.turn(0, 50_000);
    mine.turn(1, 60_000);
    assert.equal(mine.left[0], kind === "fischer" ? 58_000 : 58_000);
    assert.equal(mine.left[1], 60_000);
  }
});

test("over many turns no time is made or lost but the increments", () => {
  const mine = clock("fischer");
  let now = 0;
  for (let turn = 0; turn < 200; turn++) {
    mine.turn(turn % 2, now);
    now += (turn * 7919) % 9_000;
  }
  mine.halt(now);
  assert.equal(mine.left[0] + mine.left[1], 120_000 + 199 * 12_000 - now);
});

test("a clock is kept over a reload, for its game alone", () => {
  const wish = { clock: "fischer", minutes: 2, seconds: 8 };
  const mine = clockOf("a", "match", 5, wish, true);
  assert.deepEqual(mine.left, [600_000, 600_000]);
  mine.turn(0, 0);
  keepClock("a", "match", mine, 30_000);
  assert.deepEqual(clockOf("a", "match", 5, { clock: "none" }, false).left, [570_000, 600_000]);
  assert.equal(clockOf("b", "match", 5, wish, false), null);
  assert.equal(clockOf("b", "match", 5, { clock: "none" }, true), null);
});

test("what a clock shows", () => {
  assert.equal(timeText(125_000), "2:05");
  assert.equal(timeText(900), "0:01");
  assert.equal(timeText(-5_000), "0:00");
});
