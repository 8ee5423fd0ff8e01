"""Bear-offs solved exactly with the cube, for money and at a match score.

A *closed* set of home positions holds all that can follow from any of its own. For two such
sets every pair is solved backwards from the end: best plays for each state of the cube, right
doubles, takes and passes. No gammons: the positions must have a checker off.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgai.compiled import compiled
from bgai.equity.cubeful_kernels import decide
from bgai.equity.stakes import Stakes
from bgai.evaluation.bearoff import HOME_POSITIONS
from bgai.evaluation.bearoff_kernels import home_plays, home_rank, home_unrank
from bgai.rules.dice import ROLLS
from bgai.rules.position import CHECKERS, Positions

Rows = NDArray[np.int64]
Plays = tuple[Rows, Rows]
"""As ``bearoff_kernels.play_lists``: where the plays of each side and roll start, and they."""

_NEVER = 1e9


@compiled()
def home_sides() -> Any:
    """All home positions ``(54264, 26)`` by rank."""
    sides = np.zeros((HOME_POSITIONS, 26), dtype=np.int64)
    for rank in range(HOME_POSITIONS):
        home_unrank(rank, CHECKERS, sides[rank])
    return sides


def low_sides(checkers: int, points: int) -> Rows:
    """Ranks of the sides with at most so many checkers, all on the lowest ``points``: closed."""
    sides = home_sides()
    few = CHECKERS - sides[:, 0] <= checkers
    return np.nonzero(few & (sides[:, points + 1 :].sum(axis=1) == 0))[0]


def sides_below(side: NDArray[np.integer[Any]]) -> Rows:
    """Ranks of all that can follow from one home side ``(26,)``, itself the last."""
    found = np.empty(512, dtype=np.int64)
    scratch = np.zeros(26, dtype=np.int64)
    seen, waiting = {0}, [int(home_rank(side.astype(np.int64), CHECKERS))]
    while waiting:
        rank = waiting.pop()
        if rank in seen:
            continue
        seen.add(rank)
        home_unrank(rank, CHECKERS, scratch)
        for high in range(1, 7):
            for low in range(1, high + 1):
                waiting += found[: home_plays(scratch, high, low, CHECKERS, found)].tolist()
    return np.array(sorted(seen))


def solve(mine: Rows, theirs: Rows, stakes: Stakes) -> NDArray[np.float64]:
    """Worths ``(2, len(mine), len(theirs), S)`` of every pair of two closed sets of ranks.

    First axis: who is about to roll, without doubling, the player on roll of the stakes or
    the other; each worth is that player's.
    """
    return solve_plays(plays_of(mine), plays_of(theirs), stakes)


def solve_plays(mine: Plays, theirs: Plays, stakes: Stakes) -> NDArray[np.float64]:
    """The same from the plays of either side, the position with nothing left being the first."""
    return _solve(*mine, *theirs, (stakes.view(0), stakes.view(1)))


def solve_position(position: Positions, stakes: Stakes) -> NDArray[np.float64]:
    """Worths ``(1, S)`` of one bear-off ``(2, 26)`` to the player on roll."""
    return solve(sides_below(position[0]), sides_below(position[1]), stakes)[0, -1:, -1]


def plays_of(ranks: Rows) -> Plays:
    """Plays of a closed set of ranks."""
    index = np.full(HOME_POSITIONS, -1)
    index[ranks] = np.arange(len(ranks))
    return _play_lists(ranks, index)


def plays_of_a_runner(longest: int) -> Plays:
    """Plays of one checker that moves by the full count of every roll, by its pips to go."""
    count = np.array([(high + low) * (2 if high == low else 1) for high, low in ROLLS])
    plays = np.maximum(np.arange(longest)[:, None] - count, 0)
    starts = np.arange(longest)[:, None] * len(count) + np.arange(len(count) + 1)
    return starts, plays.ravel()


@compiled()
def _play_lists(ranks: Any, index: Any) -> Any:
    """As ``bearoff_kernels.play_lists``, for the sides of a closed set by their place in it."""
    side = np.zeros(26, dtype=np.int64)
    found = np.empty(512, dtype=np.int64)
    starts = np.zeros((ranks.shape[0], 22), dtype=np.int64)
    plays = np.empty(ranks.shape[0] * 21 * 40, dtype=np.int64)
    used = 0
    for row in range(1, ranks.shape[0]):
        home_unrank(ranks[row], CHECKERS, side)
        roll = 0
        for high in range(1, 7):
            for low in range(1, high + 1):
                starts[row, roll] = used
                for i in range(home_plays(side, high, low, CHECKERS, found)):
                    known = False
                    for j in range(starts[row, roll], used):
                        known = known or plays[j] == index[found[i]]
                    if not known:
                        plays[used] = index[found[i]]
                        used += 1
                roll += 1
        starts[row, 21] = used
    return starts, plays[:used].copy()


@compiled()
def _solve(starts_a: Any, plays_a: Any, starts_b: Any, plays_b: Any, views: Any) -> Any:
    shape = (2, starts_a.shape[0], starts_b.shape[0], views[0].level.shape[0])
    waiting = np.zeros(shape)
    decided = np.zeros(shape)
    for a in range(shape[1]):
        for b in range(shape[2]):
            for view in range(2):
                here = waiting[view, a, b]
                if a == 0 or b == 0:
                    won = 0 if (a == 0) == (view == 0) else 3
                    for s in range(shape[3]):
                        here[s] = views[view].payoffs[views[view].level[s], won]
                    decided[view, a, b] = here
                    continue
                if view == 0:
                    _roll(decided[1, :, b], starts_a[a], plays_a, here)
                else:
                    _roll(decided[0, a], starts_b[b], plays_b, here)
                decide(here, views[view], decided[view, a, b])
    return waiting


@compiled()
def _roll(after: Any, starts: Any, plays: Any, out: Any) -> None:
    """Mean over the rolls of the best play for each state; ``after`` ``(sides, S)``."""
    roll = 0
    for high in range(1, 7):
        for low in range(1, high + 1):
            weight = (1.0 if high == low else 2.0) / 36
            for s in range(out.shape[0]):
                least = _NEVER
                for i in range(starts[roll], starts[roll + 1]):
                    least = min(least, after[plays[i], s])
                out[s] -= weight * least
            roll += 1
