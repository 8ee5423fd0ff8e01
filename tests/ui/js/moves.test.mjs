// Entering plays: step by step exactly the legal plays of the rules can be reached.
// $BGAI_PLAYS is a JSON file of positions, dice and the IDs of the positions after legal plays.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { sureBearOff } from "../../../bgai/ui/web/static/js/entering.js";
import { PlayEntry, afterId } from "../../../bgai/ui/web/static/js/moves.js";

const cases = JSON.parse(readFileSync(process.env.BGAI_PLAYS, "utf8"));

const entryOf = ({ mine, theirs, dice, after }) =>
  new PlayEntry(mine, theirs, dice, after.map((text) => ({ after: text })));

function* ends(entry, mine, theirs, left, seen) {
  const name = afterId(mine, theirs) + left.join("");
  if (seen.has(name)) return;
  seen.add(name);
  if (entry.legal.has(afterId(mine, theirs))) yield afterId(mine, theirs);
  for (let source = 1; source <= 25; source++) {
    for (const each of entry.steps(mine, theirs, left, source)) {
      const rest = [...left];
      rest.splice(rest.indexOf(each.die), 1);
      yield* ends(entry, each.mine, each.theirs, rest, seen);
    }
  }
}

test("step by step every legal play is reached", () => {
  assert.ok(cases.length >= 100);
  for (const each of cases) {
    const entry = entryOf(each);
    const found = new Set(ends(entry, each.mine, each.theirs, entry.left, new Set()));
    assert.deepEqual([...found].sort(), [...each.after].sort());
  }
});

test("clicks along paths end in legal plays, and undo goes all the way back", () => {
  for (const each of cases) {
    const entry = entryOf(each);
    for (let guard = 0; guard < 4 && !entry.complete; guard++) {
      const [source] = entry.sources();
      assert.ok(source, "a step is possible until the play is complete");
      const paths = [...entry.targets(source).values()];
      entry.go(paths[paths.length - 1]);
    }
    assert.ok(entry.complete);
    assert.equal(entry.play.after, afterId(entry.mine, entry.theirs));
    assert.equal(entry.shown("bottom").filter((die) => die.used).length, entry.used.length);
    entry.reset();
    assert.deepEqual([entry.mine, entry.theirs], [each.mine, each.theirs]);
    assert.equal(entry.left.length, entry.dice.length);
  }
});

test("dice are swapped only before the first step of a roll that is no double", () => {
  for (const each of cases) {
    const entry = entryOf(each);
    const double = each.dice[0] === each.dice[1];
    assert.equal(entry.swapDice(), !double);
    if (!double) assert.deepEqual(entry.left, [...each.dice].reverse());
    entry.go(entry.firstStep(entry.sources()[0]));
    assert.equal(entry.swapDice(), false);
  }
});

test("a sure bear-off takes a checker off with every die, in a race alone, and is the only such play", () => {
  let sure = 0;
  for (const each of [...cases, ...races()]) {
    const plays = each.plays ?? each.after.map((after) => ({ after, moves: [] }));
    const entry = new PlayEntry(each.mine, each.theirs, each.dice, plays);
    const found = sureBearOff(entry);
    if (!found) continue;
    sure++;
    const off = found.moves.filter(([, to]) => to === 0).length;
    assert.equal(off, Math.min(entry.dice.length, 15 - each.mine[0]));
    const contact = each.mine.findLastIndex(Boolean) + each.theirs.findLastIndex(Boolean) >= 25;
    assert.ok(!contact && each.mine.slice(7).every((count) => !count));
  }
  assert.ok(sure > 20);
});

// Bear-offs with every legal play and its moves, found step by step.
function* races() {
  for (let seed = 1; seed <= 60; seed++) {
    const mine = new Array(26).fill(0);
    for (let n = 0; n < 1 + (seed % 7); n++) mine[1 + ((seed * (n + 3) * 5) % 6)]++;
    mine[0] = 15 - mine.reduce((sum, count) => sum + count, 0);
    const theirs = new Array(26).fill(0);
    theirs[seed % 5 ? 3 : 22] = 2; // behind us in every fifth
    theirs[0] = 13;
    const dice = [1 + (seed % 6), 1 + ((seed * 7) % 6)];
    yield { mine, theirs, dice, plays: plays(mine, theirs, dice) };
  }
}

function plays(mine, theirs, dice) {
  const found = new Map();
  const walk = (me, left, moves) => {
    const deeper = [...new Set(left)].flatMap((die) =>
      me.flatMap((count, from) => {
        if (!from || !count) return [];
        const to = from - die;
        if (to < 0 && me.slice(from + 1).some(Boolean)) return [];
        const after = [...me];
        after[from]--;
        after[Math.max(to, 0)]++;
        return [[after, die, [from, Math.max(to, 0), false]]];
      }),
    );
    for (const [after, die, move] of deeper) {
      const rest = [...left];
      rest.splice(rest.indexOf(die), 1);
      walk(after, rest, [...moves, move]);
    }
    if (!deeper.length || !left.length) found.set(afterId(me, theirs), { after: afterId(me, theirs), moves });
  };
  walk(mine, dice[0] === dice[1] ? [...dice, ...dice] : dice, []);
  return [...found.values()];
}
