// The board in words.
import assert from "node:assert/strict";
import { test } from "node:test";

import { boardText, placeText } from "../../../bgai/ui/web/static/js/boardwords.js";

const START = Array.from({ length: 26 }, (_, slot) => ({ 6: 5, 8: 3, 13: 5, 24: 2 })[slot] ?? 0);
const names = { bottom: "You", top: "Bot" };
const tones = { bottom: "light", top: "dark" };
const state = (changes) => ({ bottom: START, top: START, cube: { value: 1, place: "centre" }, dice: [], ...changes });

test("the start: both sides by the numbers of the player at the bottom", () => {
  assert.equal(
    boardText(state(), names, tones),
    "You, light: 2 on point 24, 5 on point 13, 3 on point 8, 5 on point 6; 167 pips. " +
      "Bot, dark: 2 on point 1, 5 on point 12, 3 on point 17, 5 on point 19; 167 pips. " +
      "The cube is in the middle at 1.",
  );
});

test("bar, borne off, cube and dice are said; dice of the turn before are not", () => {
  const bottom = new Array(26).fill(0);
  Object.assign(bottom, { 25: 1, 1: 1, 0: 13 });
  const dice = [{ value: 6, side: "bottom" }, { value: 1, side: "bottom" }, { value: 4, side: "top", past: true }];
  const text = boardText(state({ bottom, cube: { value: 4, place: "top" }, dice }), names, tones);
  assert.match(text, /^You, light: 1 on the bar, 1 on point 1, 13 off; 26 pips\./);
  assert.match(text, /The cube is at 4, owned by Bot\. Dice of You: 6 and 1\.$/);
  assert.match(boardText(state({ cube: { value: 2, place: "offer-bottom" } }), names, tones), /offered at 2/);
  assert.doesNotMatch(boardText(state({ cube: { value: 0, place: "centre" } }), names, tones), /cube/);
});

test("a place and what can be done there", () => {
  assert.equal(placeText("13", "light", 5, { source: true }), "point 13, 5 light checkers, can move");
  assert.equal(placeText("bar-bottom", "dark", 1), "bar, 1 dark checker");
  assert.equal(placeText("4", "light", 0, { target: true }), "point 4, empty, move here");
});
