// What the board shows of a table: the game, the play being entered, what the tutor explains.

import { placeOf } from "./geometry.js";
import { prefs } from "./prefs.js";
import { ME, matchFacts, scoreText, statusText } from "./words.js";

const digits = (dice) => [...dice].map(Number);

// The state for Board.set; a table has game, entering, paused, arrows, last and log.
export function tableState(table) {
  const { game, entering, paused } = table;
  const explaining = paused?.verdict.kind === "play" ? paused.before : null;
  const shown = explaining ?? game;
  const entry = explaining ? null : entering.entry;
  return {
    bottom: entry ? entry.mine : shown.checkers[ME],
    top: entry ? entry.theirs : shown.checkers[1 - ME],
    colour: prefs.colour,
    homeLeft: prefs.homeLeft,
    numbers: numbersOf(shown),
    names: { bottom: game.seats[ME].name, top: game.seats[1 - ME].name },
    caption: captionOf(table),
    cube: cubeOf(game, shown),
    dice: diceOf(table, shown, entry),
    sources: entering.sources,
    targets: entering.targets,
    selected: entering.selected === null ? null : placeOf("bottom", entering.selected),
    arrows: table.arrows,
    last: entry?.used.length ? [] : table.last,
  };
}

function numbersOf(game) {
  if (prefs.numbers === "turn") return game.turn === ME ? "bottom" : "top";
  return prefs.numbers === "none" ? "none" : "bottom";
}

function cubeOf(game, shown) {
  if (game.terms.length === 1) return { value: 0, place: "centre" }; // nobody can turn it
  if (game.phase === "doubled") {
    return { value: game.offered_value, place: game.actor === ME ? "offer-bottom" : "offer-top" };
  }
  const { owner, value } = shown.cube;
  return { value, place: owner === null ? "centre" : owner === ME ? "bottom" : "top" };
}

// The dice of the turn, and beside the person's those of the program's turn before.
function diceOf(table, shown, entry) {
  const side = shown.turn === ME ? "bottom" : "top";
  const dice = entry ? entry.shown("bottom") : shown.dice ? digits(shown.dice).map((value) => ({ value, side })) : [];
  const before = table.lastOf(1 - ME);
  if (shown.phase === "over" || shown.turn !== ME || !before) return dice;
  return [...dice, ...digits(before.dice).map((value) => ({ value, side: "top", used: true, past: true }))];
}

function captionOf({ game, entering, paused, verdict }) {
  const facts = [scoreText(game), ...matchFacts(game)].join(", ");
  return `${facts}. ${statusText(game, entering.entry, paused)} ${verdict ?? ""}`;
}
