"""What chances are worth: the hook by which the score and the cube steer a search.

A *worth* is what the player on roll wants as much of as possible, in points of the current
cube or normalised so that a single win counts +1 and a single loss -1; the move filters'
margins are in that unit. ``other()`` is the same stake seen by the opponent when they are on
roll; what one gains the other loses.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bgai.equity.stakes import Stakes
from bgai.evaluation.evaluator import Chances
from bgai.search.ranking import Worths


class Utility(Protocol):
    """Turns chances into worth. Must be a value: the same chances always give the same worth."""

    def worth(self, chances: Chances) -> Worths:
        """Worth ``(n,)`` to the player on roll of chances ``(n, 5)``."""
        ...

    def other(self) -> "Utility":
        """The same stake for the other player, when they are on roll."""
        ...


@dataclass(frozen=True)
class LinearUtility:
    """Worth of each of the six results, seen by the player on roll."""

    win: float = 1.0
    gammon: float = 2.0
    backgammon: float = 3.0
    lose: float = -1.0
    lose_gammon: float = -2.0
    lose_backgammon: float = -3.0

    def worth(self, chances: Chances) -> Worths:
        """Worth ``(n,)``: the mean over the results."""
        from bgai.search.search_kernels import linear_worths

        return linear_worths(np.ascontiguousarray(chances), self.lose, self.weights)

    @cached_property
    def weights(self) -> NDArray[np.float64]:
        """What each of the five chances adds to the worth of a sure single loss."""
        return np.array(
            [
                self.win - self.lose,
                self.gammon - self.win,
                self.backgammon - self.gammon,
                self.lose_gammon - self.lose,
                self.lose_backgammon - self.lose_gammon,
            ]
        )

    def other(self) -> "LinearUtility":
        """The same stake for the other player, when they are on roll."""
        return self._other

    @cached_property
    def _other(self) -> "LinearUtility":
        return LinearUtility(
            -self.lose,
            -self.lose_gammon,
            -self.lose_backgammon,
            -self.win,
            -self.gammon,
            -self.backgammon,
        )


MONEY = LinearUtility()
"""Cubeless money play."""


@lru_cache(maxsize=512)
def cubeless_utility(stakes: Stakes) -> LinearUtility:
    """What the player on roll plays for while the present cube is never turned again.

    Normalised: a single win at this score is +1, a single loss -1. In money play gammons count,
    with Jacoby too: the cube will be turned before most of them.
    """
    win, gammon, backgammon, lose, lose_gammon, lose_backgammon = (
        float(value) for value in stakes.equity(stakes.payoffs[0, 0])
    )
    return LinearUtility(win, gammon, backgammon, lose, lose_gammon, lose_backgammon)
