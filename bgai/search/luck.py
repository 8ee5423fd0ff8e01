"""Luck: what a throw was worth compared with the average throw.

Luck is the worth of the position after the best play of the throw, less the mean of that
over all 21 throws, both for the player who throws. Its mean over throws is exactly 0, which
is why a rollout may subtract it (see :mod:`bgai.search.rollout`).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bgai.evaluation.evaluator import Chances, swap_chances
from bgai.rules.dice import THROW_CHANCES, THROWS, Throw
from bgai.rules.position import Positions
from bgai.search.lookahead import Lookahead
from bgai.search.utility import Utility

_ROLLER_INDEX = {throw: index for index, throw in enumerate(THROWS)}


class ThrowLuck(NamedTuple):
    """Luck of one throw in the unit of the utility, and the two worths it compares."""

    luck: float
    worth: float
    """Worth to the thrower after the best play of this throw."""
    average: float
    """Mean worth over all throws: the position's value one ply deeper."""


def throw_index(throws: NDArray[np.int8]) -> NDArray[np.int64]:
    """Index in ``THROWS`` of each throw ``(n, 2)``, the dice in any order."""
    high = throws.max(axis=1).astype(np.int64)
    low = throws.min(axis=1).astype(np.int64)
    return np.asarray(high * (high - 1) // 2 + low - 1)


def best_of_throws(
    lookahead: Lookahead, positions: Positions, utility: Utility | None = None
) -> tuple[Positions, Chances]:
    """For each position and throw the position after the best play, and its value.

    Returns positions after ``(n, 21, 2, 26)``, the opponent on roll, and chances
    ``(n, 21, 5)`` of the player who threw. Plays are chosen at 0-ply and judged at the depth
    of ``lookahead``. The positions must not be over.
    """
    after, chances = lookahead.best_by_throw(positions, utility)
    if lookahead.plies:
        other = (lookahead.utility if utility is None else utility).other()
        chances = lookahead.evaluate_at(after, lookahead.plies, other)
    shape = (len(positions), len(THROWS))
    return after.reshape(*shape, 2, 26), swap_chances(chances).reshape(*shape, 5)


def throw_luck(
    lookahead: Lookahead, position: Positions, throw: Throw, utility: Utility | None = None
) -> ThrowLuck:
    """Luck of one throw of a ``(2, 26)`` position that is not over."""
    utility = lookahead.utility if utility is None else utility
    _, chances = best_of_throws(lookahead, position[None], utility)
    worths = utility.worth(np.ascontiguousarray(chances[0])).astype(np.float64)
    average = float(worths @ THROW_CHANCES)
    worth = float(worths[_ROLLER_INDEX[throw]])
    return ThrowLuck(worth - average, worth, average)


def luck_of_chances(chances: Chances, thrown: NDArray[np.int64]) -> NDArray[np.float64]:
    """Luck of each of the five chances ``(n, 5)`` from values by throw ``(n, 21, 5)``."""
    wide = chances.astype(np.float64)
    mean = np.einsum("ntc,t->nc", wide, THROW_CHANCES)
    return np.asarray(wide[np.arange(len(wide)), thrown] - mean)
