// Playing on from a position of another view: playFrom(id) goes to the table, which asks against
// whom and which side, and begins a game there.

import { go } from "./router.js";

let wanted = null;

export function playFrom(id) {
  wanted = id;
  go("play");
}

// The position asked for, once.
export function takeWanted() {
  const id = wanted;
  wanted = null;
  return id;
}
