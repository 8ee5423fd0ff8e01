"""What a game can still end in: results no dice and no legal plays can bring, or all must.

A result is the points it gives the player on roll, -3 (loses a backgammon) to 3. Whatever the
dice and however badly both sides play, it lies between the lowest and the highest given here.
Where those decide a chance it is exactly 0 or 1, and no estimate may say otherwise: a
:class:`~bgai.evaluation.composite.Composite` and the compiled replies hold every network to
it (``possible_kernels``), and so everything that searches or rolls out with them.

The rules, for a winner and a loser of the game:

1. A loser with a checker off loses a single game: a checker borne off never comes back, while
   one that is hit only has to come home again.
2. Without contact a loser none of whose checkers is in the winner's home loses no backgammon:
   checkers move forward, and none can be hit any more. In contact one can still be.
3. In contact a side on roll whose last one or two checkers stand on its ace point wins now; the
   opponent, then on the bar, has had no turn, so a gammon is a backgammon.

Without contact the sides only race, and every die can be played. What counts is when each side
is off (its last checker), safe from a gammon (its first checker off) and safe from a
backgammon (its last checker out of the other's home), in its own rolls. Nobody is sooner than
in

* off: all its moves of six at four a roll, a checker on point p needing p / 6, rounded up;
* first checker off: those moves that bring the others home and one more, at four a roll;
* out of the other's home: a move for each checker there, at four a roll;

and nobody later than in

* off: (2 pips + checkers + 4) / 6 rolls, rounded down, or (3 checkers + 3) / 6 when all stand on
  the ace point. Take 2 (pips - checkers) + 3 checkers: a move of d points lowers that by 2 d, a
  checker borne off from point h by 2 h + 1. So every roll lowers it by 6 or more, but for the
  one that puts the last checker on the ace point, which may lower it by 5; and while a
  checker is left it is 3 or more;
* first checker off: the roll after (pips - 15) / 3, rounded down: a roll that bears nothing off
  moves 3 pips or more, and 15 checkers on the ace point hold 15;
* out of the other's home: the roll after (pips - 33) / 3, rounded down: one checker back on 19
  and 14 on the ace point hold 33.

4. The player on roll can't win if even the soonest is later than the other's latest, and can't
   lose if even the latest is no later than the other's soonest.
5. A side can't lose a gammon if it is safe for certain in the rolls it has before the other can
   be off; it must, if it loses for certain and can't be safe by then. The same for a backgammon.
"""

import numpy as np
from numpy.typing import NDArray

from bgai.evaluation.evaluator import Chances
from bgai.rules.position import Positions

_WON_BY = np.array([1, 2, 3], dtype=np.int8)
_LOST_BY = np.array([-2, -3], dtype=np.int8)


def possible_results(positions: Positions) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """The lowest and highest result, int8 ``(n,)`` each.

    Points to the player on roll of positions ``(n, 2, 26)`` or ``(n, 52)``, -3 to 3. Where the
    game is over both are its result.
    """
    from bgai.evaluation.possible_kernels import possible_rows

    rows = np.ascontiguousarray(positions, dtype=np.int8).reshape(len(positions), 52)
    lowest, highest = np.empty((2, len(rows)), dtype=np.int8)
    possible_rows(rows, lowest, highest)
    return lowest, highest


def certain_chances(positions: Positions) -> Chances:
    """Chances ``(n, 5)`` that the rules above decide, 0 or 1; NaN where they leave them open.

    For the player on roll in positions ``(n, 2, 26)`` or ``(n, 52)``.
    """
    lowest, highest = possible_results(positions)
    low, high = lowest[:, None], highest[:, None]
    chances = np.full((len(lowest), 5), np.nan, dtype=np.float32)
    chances[:, :3] = np.where(high < _WON_BY, 0, np.where(low >= _WON_BY, 1, chances[:, :3]))
    chances[:, 3:] = np.where(low > _LOST_BY, 0, np.where(high <= _LOST_BY, 1, chances[:, 3:]))
    return chances


def held_to_rules(chances: Chances, positions: Positions) -> Chances:
    """Chances ``(n, 5)``, exact where the rules decide them; positions as above."""
    certain = certain_chances(positions)
    return np.where(np.isnan(certain), chances, certain)
