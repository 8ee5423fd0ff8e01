"""Luck: what a roll was worth compared with the average roll.

Luck is the worth of the position after the best play of the roll, less the mean of that
over all 21 rolls, both for the player who rolls. Its mean over rolls is exactly 0, which
is why a rollout may subtract it (see :mod:`bgai.search.rollout`).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bgai.evaluation.evaluator import Chances, swap_chances
from bgai.rules.dice import ROLL_CHANCES, ROLLS, Roll
from bgai.rules.position import Positions
from bgai.search.lookahead import Lookahead
from bgai.search.utility import Utility

_ROLLER_INDEX = {roll: index for index, roll in enumerate(ROLLS)}


class RollLuck(NamedTuple):
    """Luck of one roll in the unit of the utility, and the two worths it compares."""

    luck: float
    worth: float
    """Worth to the roller after the best play of this roll."""
    average: float
    """Mean worth over all rolls: the position's value one ply deeper."""


def roll_index(rolls: NDArray[np.int8]) -> NDArray[np.int64]:
    """Index in ``ROLLS`` of each roll ``(n, 2)``, the dice in any order."""
    high = rolls.max(axis=1).astype(np.int64)
    low = rolls.min(axis=1).astype(np.int64)
    return np.asarray(high * (high - 1) // 2 + low - 1)


def best_of_rolls(
    lookahead: Lookahead, positions: Positions, utility: Utility | None = None
) -> tuple[Positions, Chances]:
    """For each position and roll the position after the best play, and its value.

    Returns positions after ``(n, 21, 2, 26)``, the opponent on roll, and chances
    ``(n, 21, 5)`` of the player who rolled. Plays are chosen at 0-ply and judged at the depth
    of ``lookahead``. The positions must not be over.
    """
    after, chances = lookahead.best_by_roll(positions, utility)
    if lookahead.plies:
        other = (lookahead.utility if utility is None else utility).other()
        chances = lookahead.evaluate_at(after, lookahead.plies, other)
    shape = (len(positions), len(ROLLS))
    return after.reshape(*shape, 2, 26), swap_chances(chances).reshape(*shape, 5)


def roll_luck(
    lookahead: Lookahead, position: Positions, roll: Roll, utility: Utility | None = None
) -> RollLuck:
    """Luck of one roll of a ``(2, 26)`` position that is not over."""
    utility = lookahead.utility if utility is None else utility
    _, chances = best_of_rolls(lookahead, position[None], utility)
    worths = utility.worth(np.ascontiguousarray(chances[0])).astype(np.float64)
    average = float(worths @ ROLL_CHANCES)
    worth = float(worths[_ROLLER_INDEX[roll]])
    return RollLuck(worth - average, worth, average)


def luck_of_chances(chances: Chances, rolled: NDArray[np.int64]) -> NDArray[np.float64]:
    """Luck of each of the five chances ``(n, 5)`` from values by roll ``(n, 21, 5)``."""
    wide = chances.astype(np.float64)
    mean = np.einsum("ntc,t->nc", wide, ROLL_CHANCES)
    return np.asarray(wide[np.arange(len(wide)), rolled] - mean)
