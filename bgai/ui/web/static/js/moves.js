// Entering a play checker by checker. The server says which final positions are legal; a step is
// allowed when some legal final position can still be reached after it.

const key = (mine, theirs) => mine.join(",") + "/" + theirs.join(",");

// The position ID after a play, the opponent on roll: for each side, mine first, the points from 1
// and the bar, each as that many 1 bits and a 0, the lowest bit of a byte first; Base64.
export function afterId(mine, theirs) {
  const bytes = new Uint8Array(10);
  let bit = 0;
  for (const side of [mine, theirs]) {
    for (const count of side.slice(1)) {
      for (let n = 0; n < count; n++, bit++) bytes[bit >> 3] |= 1 << (bit & 7);
      bit++;
    }
  }
  return btoa(String.fromCharCode(...bytes)).replace(/=+$/, "");
}

function step(mine, theirs, source, die) {
  if (mine[source] < 1) return null;
  if (mine[25] > 0 && source !== 25) return null;
  let destination = source - die;
  if (destination <= 0) {
    let highest = 25;
    while (highest > 0 && mine[highest] === 0) highest--;
    if (highest > 6) return null;
    if (destination < 0 && source < highest) return null;
    destination = 0;
  } else if (theirs[25 - destination] > 1) return null;
  const me = [...mine];
  const them = theirs;
  me[source]--;
  me[destination]++;
  let hit = false;
  let after = them;
  if (destination > 0 && them[25 - destination] === 1) {
    after = [...them];
    after[25 - destination] = 0;
    after[25]++;
    hit = true;
  }
  return { mine: me, theirs: after, move: [source, destination, hit] };
}

export class PlayEntry {
  // `plays` are the legal plays of the server; `dice` the roll, the die to use first in front.
  constructor(mine, theirs, dice, plays) {
    this.start = { mine, theirs };
    this.doubled = dice[0] === dice[1];
    this.legal = new Map(plays.map((play) => [play.after, play]));
    this.left = this.doubled ? [dice[0], dice[0], dice[0], dice[0]] : [...dice];
    this.dice = [...this.left];
    this.used = [];
    this.memo = new Map();
    this.mine = mine;
    this.theirs = theirs;
    this.history = [];
  }

  get complete() {
    return this.legal.has(afterId(this.mine, this.theirs));
  }

  get play() {
    return this.legal.get(afterId(this.mine, this.theirs)) ?? null;
  }

  // Whether a legal final position can be reached from here.
  reaches(mine, theirs, left) {
    const name = key(mine, theirs) + left.join("");
    const known = this.memo.get(name);
    if (known !== undefined) return known;
    let found = this.legal.has(afterId(mine, theirs));
    if (!found) {
      found = [...new Set(left)].some((die) =>
        mine.some((count, source) => {
          if (!count || source === 0) return false;
          const next = step(mine, theirs, source, die);
          return next !== null && this.reaches(next.mine, next.theirs, without(left, die));
        }),
      );
    }
    this.memo.set(name, found);
    return found;
  }

  // The legal single steps of a checker: [{die, mine, theirs, move}].
  steps(mine, theirs, left, source) {
    const found = [];
    for (const die of new Set(left)) {
      const next = step(mine, theirs, source, die);
      if (next && this.reaches(next.mine, next.theirs, without(left, die))) found.push({ die, ...next });
    }
    return found;
  }

  sources() {
    return this.mine.flatMap((count, source) =>
      source && count && this.steps(this.mine, this.theirs, this.left, source).length ? [source] : [],
    );
  }

  // Slots one checker can reach: destination -> the steps that take it there. The shortest way, and
  // among equally long ones the one that does not hit on its way.
  targets(source) {
    const found = new Map();
    let front = [{ at: source, path: [], mine: this.mine, theirs: this.theirs, left: this.left, hits: 0 }];
    while (front.length) {
      const next = [];
      for (const here of front) {
        for (const each of this.steps(here.mine, here.theirs, here.left, here.at)) {
          const [, at, hit] = each.move;
          const reached = {
            at, path: [...here.path, each], mine: each.mine, theirs: each.theirs,
            left: without(here.left, each.die), hits: here.hits + (hit ? 1 : 0),
          };
          const known = found.get(at);
          const better = !known || (known.path.length === reached.path.length && reached.hits < known.hits);
          if (better) found.set(at, reached);
          if (at > 0 && (better || !known)) next.push(reached);
        }
      }
      front = next;
    }
    return new Map([...found].map(([at, reached]) => [at, reached.path]));
  }

  // Makes the steps of a path; returns the moves.
  go(path) {
    for (const each of path) {
      this.history.push({ mine: this.mine, theirs: this.theirs, left: this.left, used: this.used });
      this.mine = each.mine;
      this.theirs = each.theirs;
      this.left = without(this.left, each.die);
      this.used = [...this.used, each.die];
    }
    return path.map((each) => each.move);
  }

  // The step a second click on a checker makes: with the first die that fits.
  firstStep(source) {
    for (const die of this.left) {
      const next = step(this.mine, this.theirs, source, die);
      if (next && this.reaches(next.mine, next.theirs, without(this.left, die))) return [{ die, ...next }];
    }
    return null;
  }

  undo() {
    const last = this.history.pop();
    if (!last) return false;
    Object.assign(this, last);
    return true;
  }

  reset() {
    while (this.undo());
  }

  swapDice() {
    if (this.doubled || this.used.length) return false;
    this.left = [...this.left].reverse();
    this.dice = [...this.dice].reverse();
    return true;
  }

  // The dice as shown: used ones are dimmed.
  shown(side) {
    const used = [...this.used];
    return this.dice.map((value) => {
      const at = used.indexOf(value);
      if (at >= 0) used.splice(at, 1);
      return { value, side, used: at >= 0 };
    });
  }
}

function without(dice, die) {
  const copy = [...dice];
  copy.splice(copy.indexOf(die), 1);
  return copy;
}
