"""Cubeful values of self-play, the material the cube network learns from.

Every contact position of a game is valued one roll deeper for a cube centred, of the player on
roll and of the opponent (money play without Jacoby and beavers), with the cube turned where
that search says so. A label goes on along its own game: what the next position turned out to
be worth, against what the search took it for, is added with the weight ``decay`` for each
step. With ``decay`` 1 a label is the result of the game with the luck of every roll subtracted,
with 0 the bare search. The cube follows its own acts on the way: after a double and a take the
opponent owns it and everything counts twice, after a pass the game has ended.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bgai.compiled import compiled
from bgai.equity.stakes import Stakes, money_stakes
from bgai.rules.cube import CubeOwner, HouseRules
from bgai.rules.dice import ROLL_CHANCES
from bgai.rules.position import Positions, has_contact, is_over
from bgai.search.cubeful_lookahead import CubefulLookahead
from bgai_training.starts import ROW, mixed_starts

Floats = NDArray[np.float64]

PLAIN = HouseRules(jacoby=False, beaver_turns=0)
OWNERS = (CubeOwner.CENTRED, CubeOwner.ON_ROLL, CubeOwner.OPPONENT)
CENTRED, MINE, THEIRS = 0, 1, 2
"""Columns of all values ``(n, 3)``: the cube centred, of the player on roll, of the opponent."""
PASSED = 1.0
VARIED, RARE, RANDOM_PLIES = 0.1, 0.05, 30
"""Shares of games from after so many random plies at most, and from rare positions."""
END = -1


class CubeSteps(NamedTuple):
    """Positions of games in the order they were met.

    ``rows`` ``(n, 2, 26)``; ``chances`` ``(n, 5)`` at 0-ply; ``worths`` ``(n, 3)`` a roll
    deeper, the cube not turned now; ``next`` ``(n,)`` the following position of the game or
    ``END``; ``taken_for`` ``(n, 3)`` what the search took that position for, seen by the player
    of this one; ``same`` ``(n, 3)`` whether the play made was the best with the cube there.
    """

    rows: Positions
    chances: NDArray[np.float32]
    worths: Floats
    next: NDArray[np.int64]
    taken_for: Floats
    same: NDArray[np.bool_]


def columns_of(stakes: Stakes) -> list[int]:
    """The state of the cube for each column, in the view of the player on roll."""
    owners = list(stakes.owner[0])
    return [owners.index(int(owner)) for owner in OWNERS]


def play_steps(search: CubefulLookahead, games: int, turns: int, seed: int) -> CubeSteps:
    """So many turns of so many games side by side; a game that leaves contact starts anew."""
    rng = np.random.default_rng(seed)
    columns = columns_of(search.stakes)
    positions = _starts(rng, games)
    last = np.full(games, END)
    parts: list[CubeSteps] = []
    for turn in range(turns):
        outlook = search.outlook(positions, 1)
        rolled = rng.choice(len(ROLL_CHANCES), size=games, p=ROLL_CHANCES)
        best = outlook.best[np.arange(games), rolled][:, columns]
        first = turn * games
        if turn:
            parts[-1].next[:] = np.where(last >= 0, first + np.arange(games), END)
        parts.append(
            CubeSteps(
                positions,
                search.lookahead.evaluator.evaluate(positions),
                outlook.valued.worths[:, columns],
                np.full(games, END),
                outlook.worths[np.arange(games), rolled][:, columns],
                best == best[:, :1],
            )
        )
        positions = np.ascontiguousarray(outlook.after[best[:, 0]])
        ended = is_over(positions) | ~has_contact(positions)
        last = np.where(ended, END, 0)
        if ended.any():
            positions[ended] = _starts(rng, int(ended.sum()))
    return CubeSteps(*(np.concatenate(part) for part in zip(*parts, strict=True)))


def _starts(rng: np.random.Generator, count: int) -> Positions:
    rows = mixed_starts(rng, count, VARIED, RARE, RANDOM_PLIES)
    return rows.reshape(count, 2, ROW // 2)


def labels(steps: CubeSteps, decay: float) -> Floats:
    """Labels ``(n, 3)`` of the positions, corrected along their games."""
    found = steps.worths.copy()
    _correct(found, steps.worths, steps.next, steps.taken_for, steps.same, decay)
    return found


@compiled()
def _correct(
    found: Any, worths: Any, following: Any, taken_for: Any, same: Any, decay: float
) -> None:
    for row in range(len(found) - 1, -1, -1):
        after = following[row]
        if after == END:
            continue
        for column, theirs in ((CENTRED, CENTRED), (MINE, THEIRS), (THEIRS, MINE)):
            if same[row, column]:
                seen = -_acted(found[after], worths[after], theirs)
                found[row, column] += decay * (seen - taken_for[row, column])


@compiled()
def _acted(values: Any, worths: Any, column: int) -> float:
    """Value ``(3,)`` after the cube act of the player on roll, which the worths decide."""
    if column != THEIRS and min(2 * worths[THEIRS], PASSED) > worths[column]:
        return PASSED if 2 * worths[THEIRS] > PASSED else 2 * values[THEIRS]
    return values[column]


def plain_stakes() -> Stakes:
    """Money play with a centred cube, without Jacoby and beavers."""
    return money_stakes(rules=PLAIN)


def joined(parts: list[CubeSteps]) -> CubeSteps:
    """Several runs one after the other."""
    first = np.cumsum([0, *(len(part.rows) for part in parts[:-1])])
    moved = [
        part._replace(next=np.where(part.next == END, END, part.next + start))
        for part, start in zip(parts, first, strict=True)
    ]
    return CubeSteps(*(np.concatenate(each) for each in zip(*moved, strict=True)))
