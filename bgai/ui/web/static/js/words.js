// What the table says in words: events, results, whose decision it is, what is played for.

import { prefs } from "./prefs.js";

export const ME = 0;
export const LEVELS = ["", "single game", "gammon", "backgammon"];
const RESULTS = { single: "a single game", gammon: "a gammon", backgammon: "a backgammon" };

export function eventText(event) {
  const words = {
    opening: () => `opening ${[...event.dice].join("-")}`,
    double: () => `doubles to ${event.value}`,
    beaver: () => `beavers to ${event.value}`,
    raccoon: () => `raccoons to ${event.value}`,
    take: () => "takes",
    pass: () => "passes",
    resign: () => `offers to lose a ${LEVELS[event.level]}`,
    accept: () => "accepts",
    refuse: () => "refuses",
  };
  return words[event.act]?.() ?? event.act;
}

export function outcomeText(game) {
  const { winner, points, result, ending } = game.outcome;
  const who = winner === ME ? "You win" : `${game.seats[1].name} wins`;
  const how = ending === "passed" ? " by a pass" : ending === "resigned" ? " by resignation" : "";
  const won = `${who} ${RESULTS[result]}${how}, ${points} point${points === 1 ? "" : "s"}.`;
  if (!game.session_over) return won;
  const { length, points: total } = game.standing;
  if (length) return `${won} ${winner === ME ? "You win" : `${game.seats[1].name} wins`} the match ${Math.max(...total)} to ${Math.min(...total)}.`;
  return `${won} The session ends at ${total[ME] > 0 ? "+" : ""}${total[ME]}.`;
}

// The two sides of a position, for its numbers: `of` is the name the API has for them. The colours
// are those of the seats, so that a player keeps theirs whoever is on roll.
export function playersOf(situation) {
  const tones = prefs.colour === "light" ? ["light", "dark"] : ["dark", "light"];
  if (situation.seat === "top") tones.reverse();
  return [
    { of: "on_roll", name: "On roll", tone: tones[0] },
    { of: "opponent", name: "Opponent", tone: tones[1] },
  ];
}

// The name of an act of the API, such as "no redouble".
export const actWords = (act, redouble) =>
  (redouble ? act.replace("double", "redouble") : act).replace("_", " ");

// How many rolls lose the market, unless it is lost already.
export function marketText({ double_take, market_losers }) {
  if (double_take <= 1) return `${market_losers} of 36 rolls lose the market.`;
  return `The market is lost already: the opponent should pass now, and still after ${market_losers} of 36 rolls.`;
}

// A probability that chance alone never makes certain.
export const sureText = (chance) => (chance < 0.9995 ? `${(100 * chance).toFixed(1)}%` : "more than 99.9%");

export const pipsOf = (counts) => counts.reduce((sum, count, slot) => sum + count * slot, 0);

export function statusText(game, entry, paused) {
  const other = game.seats[1].name;
  if (paused) return "The tutor would have done something else.";
  if (game.must_pass) return `You rolled ${[...game.dice].join("-")}: no legal move.`;
  if (game.phase === "over") return outcomeText(game);
  if (game.actor === null) return "Opening roll";
  if (game.actor !== ME) return `${other} is thinking …`;
  if (entry) {
    if (entry.complete) return "Confirm your play, or undo.";
    return `You rolled ${[...game.dice].join("-")}: your move.`;
  }
  if (game.phase === "doubled") {
    const again = game.redoubles % 2 ? "beavers" : game.redoubles ? "raccoons" : "doubles";
    return `${other} ${again} to ${game.offered_value}. Your answer?`;
  }
  if (game.phase === "resigned") return `${other} offers to lose ${RESULTS[["", "single", "gammon", "backgammon"][game.offer]]}.`;
  if (game.phase === "play") return `You rolled ${[...game.dice].join("-")}.`;
  if (game.legal.includes("double")) return "Your turn: roll or double.";
  return game.why_no_double ? `Your turn: roll (${game.why_no_double}).` : "Your turn: roll.";
}

export const gameName = (game) =>
  `${game.terms.length ? `match to ${game.terms.length}` : "money game"} against ${game.seats[1].level ?? game.seats[1].name}`;

// The score, for those who hear it.
export function scoreText({ seats, standing: { length, points } }) {
  const score = seats.map((seat, index) => `${seat.name} ${points[index]}`).join(", ");
  return length === null ? `Money game: ${score}` : `Match to ${length}: ${score}`;
}

export function matchFacts(game) {
  const { terms, standing } = game;
  const facts = [`Game ${game.game_number}`];
  if (terms.length) {
    const away = standing.points.map((points) => Math.max(terms.length - points, 0));
    facts.push(`${away[ME]} away against ${away[1 - ME]} away`);
    if (standing.crawford && terms.length > 1) facts.push("Crawford game");
    else if (Math.min(...away) === 1 && terms.length > 1) facts.push("after Crawford");
  } else {
    facts.push(terms.rules.jacoby ? "Jacoby" : "no Jacoby");
    if (terms.rules.beaver_turns) facts.push(terms.rules.beaver_turns > 1 ? "beavers, raccoons" : "beavers");
    if (terms.rules.automatic_doubles) facts.push("automatic doubles");
  }
  if (terms.rules.max_cube) facts.push(`cube to ${terms.rules.max_cube}`);
  return facts;
}
