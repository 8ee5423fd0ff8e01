// What the table says in words.
import assert from "node:assert/strict";
import { test } from "node:test";

import { eventText, matchFacts, outcomeText, pipsOf } from "../../../bgai/ui/web/static/js/words.js";

const game = (fields) => ({
  seats: [{ name: "You" }, { name: "Bot" }],
  standing: { points: [0, 0], length: 0 },
  session_over: false,
  ...fields,
});

test("events", () => {
  assert.match(eventText({ act: "opening", dice: "52" }), /5.*2/);
  assert.equal(eventText({ act: "double", value: 4 }), "doubles to 4");
  assert.equal(eventText({ act: "resign", level: 2 }), "offers to lose a gammon");
});

test("results", () => {
  const outcome = { winner: 1, points: 4, result: "gammon", ending: "borne off" };
  assert.equal(outcomeText(game({ outcome })), "Bot wins a gammon, 4 points.");
  const passed = { winner: 0, points: 1, result: "single", ending: "passed" };
  assert.equal(outcomeText(game({ outcome: passed })), "You win a single game by a pass, 1 point.");
  const match = { outcome: passed, session_over: true, standing: { points: [3, 1], length: 3 } };
  assert.match(outcomeText(game(match)), /You win the match 3 to 1\.$/);
});

test("pips and the score", () => {
  const start = Array(26).fill(0);
  Object.assign(start, { 24: 2, 13: 5, 8: 3, 6: 5 });
  assert.equal(pipsOf(start), 167);
  const terms = { length: 5, rules: {} };
  const facts = matchFacts({ ...game({ standing: { points: [4, 2], crawford: true } }), terms, game_number: 3 });
  assert.deepEqual(facts, ["Game 3", "1 away against 3 away", "Crawford game"]);
});
