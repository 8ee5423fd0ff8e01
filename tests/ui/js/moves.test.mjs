// Entering plays: step by step exactly the legal plays of the rules can be reached.
// $BGAI_PLAYS is a JSON file of positions, dice and the IDs of the positions after legal plays.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

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
