// Motion on the board: checkers glide, dice are thrown. Where motion is unwanted, nothing waits.

import { DIE, pipShapes, tilt } from "./boardart.js";
import { calm } from "./dom.js";
import { MIDDLE } from "./geometry.js";

const FULL = 420; // units a glide of the given duration covers; shorter ways take less

// A checker of a side lifted at one spot and put down at another.
export async function glide(board, side, from, to, duration) {
  if (!duration || calm()) return;
  const ghost = board.checker(board.colourOf(side), from);
  board.layers.ghost.append(ghost);
  const way = Math.hypot(to.x - from.x, to.y - from.y);
  const place = (share, scale) => ({
    transform: `translate(${from.x + (to.x - from.x) * share}px, ${from.y + (to.y - from.y) * share}px) scale(${scale})`,
  });
  const timing = { duration: duration * (0.55 + (0.45 * Math.min(way, FULL)) / FULL), easing: "cubic-bezier(.4,.05,.25,1)" };
  await ghost.animate([place(0, 1), place(0.5, 1.13), place(1, 1)], timing).finished.catch(() => {});
  ghost.remove();
}

// The dice of the board roll in from the side of their owner and come to rest where they lie.
export async function throwDice(board, dice, duration) {
  if (!duration || calm()) return;
  const places = board.dicePlaces(dice);
  const shapes = [...board.layers.dice.children];
  const thrown = places.map(([die, at, index], number) => {
    const away = (die.side === "bottom" ? 1 : -1) * (board.geometry.homeLeft ? -1 : 1);
    const frame = (dx, dy, turn, scale) => ({
      transform: `translate(${at.x + dx}px, ${at.y + dy}px) rotate(${tilt(index) + turn}deg) scale(${scale})`,
    });
    const frames = [
      { ...frame(away * (110 + 24 * index), 36 - 60 * (index % 2), -away * 430, 1.35), opacity: 0, offset: 0 },
      { ...frame(away * 60, 14 - 26 * (index % 2), -away * 210, 1.18), opacity: 1, offset: 0.25 },
      { ...frame(-away * 5, 0, away * 9, 1), offset: 0.86 },
      { ...frame(0, 0, 0, 1), offset: 1 },
    ];
    return shapes[number].animate(frames, { duration: duration * (1 + 0.12 * index), easing: "cubic-bezier(.2,.6,.35,1)" }).finished;
  });
  const spinning = setInterval(() => {
    for (const shape of shapes) shape.lastElementChild.replaceChildren(...pipShapes(1 + Math.floor(Math.random() * 6)));
  }, 60);
  setTimeout(() => {
    clearInterval(spinning);
    shapes.forEach((shape, number) => shape.lastElementChild.replaceChildren(...pipShapes(places[number][0].value)));
  }, duration * 0.72);
  await Promise.all(thrown).catch(() => {});
}

// Whether a point lies on the dice of the player at the bottom.
export function overDice(board, point) {
  const mine = board.state.dice.filter((die) => die.side === "bottom" && !die.past).length;
  if (!mine || Math.abs(point.y - MIDDLE) > DIE / 2 + 5) return false;
  return Math.abs(point.x - board.geometry.dice("bottom")) < (mine * (DIE + 12)) / 2;
}
