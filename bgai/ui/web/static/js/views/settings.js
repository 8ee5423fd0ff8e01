// Settings, with a board that shows what they look like.

import { Board } from "../board.js";
import { h, replace } from "../dom.js";
import { onPref, prefs } from "../prefs.js";
import { settingsForm } from "../settings.js";

const MINE = { 6: 4, 8: 3, 13: 4, 24: 2, 7: 1, 5: 1 };
const THEIRS = { 6: 5, 8: 3, 13: 5, 24: 2 };
const counts = (held) => Array.from({ length: 26 }, (_, slot) => held[slot] ?? 0);

let board = null;
onPref(() => board && show());

export function mount(root) {
  const place = h("div", { class: "board-place" });
  const card = h("section", { class: "card" });
  replace(root, h("div", { class: "table" }, h("h1", {}, "Settings"), card), h("div", { class: "side preview" }, place));
  const fill = () => replace(card, settingsForm(fill));
  fill();
  board = new Board(place);
  show();
}

export function unmount() {
  board = null;
}

function show() {
  const dice = [["bottom", 3], ["bottom", 1], ["top", 6], ["top", 4]].map(([side, value]) => ({ side, value, used: side === "top" }));
  board.set({
    bottom: counts(MINE), top: counts(THEIRS), colour: prefs.colour, homeLeft: prefs.homeLeft,
    numbers: prefs.numbers === "none" ? "none" : "bottom", dice, cube: { value: 2, place: "bottom" },
  });
}
