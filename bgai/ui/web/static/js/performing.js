// Shows at the table, one after another, what an answer of the server says has happened.

import { toast } from "./dom.js";
import { placeOf } from "./geometry.js";
import { sound } from "./sound.js";
import { ME, eventText } from "./words.js";

const digits = (dice) => [...dice].map(Number);
const CUBE = ["double", "beaver", "raccoon", "take", "pass"];

// The events of a view, each shown on the board of the table; then the table takes the view.
export async function perform(table, view) {
  for (const event of view.events) {
    table.note(event, view);
    const shown = { opening, roll: rolled, play: played }[event.act] ?? said;
    await shown(table, event, view);
  }
  table.take(view);
}

async function opening(table, event) {
  sound("dice");
  const dice = digits(event.dice).map((value, seat) => ({ value, side: sideOf(seat) }));
  await table.board.tumble(dice, 520 * table.duration);
  await table.pause(650);
}

async function rolled(table, event) {
  sound("dice");
  const dice = digits(event.dice).map((value) => ({ value, side: sideOf(event.seat) }));
  await table.board.tumble(dice, 460 * table.duration);
  if (event.seat !== ME) await table.pause(300);
}

async function played(table, event, view) {
  if (event.seat === ME) return;
  const { board } = table;
  const { name } = view.seats[1];
  if (!board.state.dice.some((die) => die.side === "top")) {
    board.update({ dice: digits(event.dice).map((value) => ({ value, side: "top" })) });
  }
  table.status(`${name}: ${[...event.dice].join("-")}, ${event.moves.length ? event.play : "no legal move"}`);
  await board.slide("top", event.moves, 360 * table.duration, (hit) => sound(hit ? "hit" : "checker"));
  table.last = [...new Set(event.moves.filter(([, to]) => to).map(([, to]) => placeOf("top", to)))];
  if (!event.moves.length) await table.pause(900);
}

async function said(table, event, view) {
  if (CUBE.includes(event.act)) sound("cube");
  if (event.seat === ME || event.act === "double") return;
  const text = `${view.seats[1].name}: ${eventText(event)}`;
  table.status(text);
  toast(text);
  await table.pause(900);
}

const sideOf = (seat) => (seat === ME ? "bottom" : "top");
