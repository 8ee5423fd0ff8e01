// The board in words, for those who hear it. Points are numbered by the player at the bottom.

import { placeOf } from "./geometry.js";

const many = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

export const placeName = (place) =>
  place.startsWith("bar") ? "bar" : place.startsWith("off") ? "borne off" : `point ${place}`;

// One place and what can be done there.
export function placeText(place, tone, count, { source = false, target = false, selected = false } = {}) {
  const held = count ? `${many(count, `${tone} checker`)}` : "empty";
  const what = selected ? ", selected" : target ? ", move here" : source ? ", can move" : "";
  return `${placeName(place)}, ${held}${what}`;
}

function sideText(state, side, name, tone) {
  const counts = state[side];
  const held = [];
  for (let slot = 25; slot >= 1; slot--) {
    if (!counts[slot]) continue;
    held.push(slot === 25 ? `${counts[slot]} on the bar` : `${counts[slot]} on point ${placeOf(side, slot)}`);
  }
  if (counts[0]) held.push(`${counts[0]} off`);
  const pips = counts.reduce((sum, count, slot) => sum + count * slot, 0);
  return `${name}, ${tone}: ${held.join(", ")}; ${many(pips, "pip")}.`;
}

function cubeText({ value, place }, names) {
  if (!value) return "";
  if (place.startsWith("offer")) return `The cube is offered at ${value}.`;
  if (place === "centre") return `The cube is in the middle at ${value}.`;
  return `The cube is at ${value}, owned by ${names[place]}.`;
}

// Everything on the board; `names` are those of the players at the bottom and at the top.
export function boardText(state, names, tones) {
  const dice = ["bottom", "top"].flatMap((side) => {
    const rolled = state.dice.filter((die) => die.side === side && !die.past).map((die) => die.value);
    return rolled.length ? [`Dice of ${names[side]}: ${rolled.join(" and ")}.`] : [];
  });
  return [
    sideText(state, "bottom", names.bottom, tones.bottom),
    sideText(state, "top", names.top, tones.top),
    cubeText(state.cube, names),
    ...dice,
  ].filter(Boolean).join(" ");
}
