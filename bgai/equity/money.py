"""Money equity without the model of a live cube, and the arithmetic behind it.

Everything is batch-first: ``chances`` are ``(..., 5)`` for the player on roll (order of
:class:`bgai.evaluation.evaluator.Chance`), results have the shape of the leading axes and are
in units of the current cube.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bgai.evaluation.evaluator import Chances, cubeless_equity
from bgai.rules.cube import Cube, CubeOwner, HouseRules

Equities = NDArray[np.float64]


def jacoby_applies(cube: Cube, rules: HouseRules) -> bool:
    """Whether gammons count single now: Jacoby is agreed and the cube is still centred."""
    return rules.jacoby and cube.owner == CubeOwner.CENTRED


def money_equity(chances: Chances, *, jacoby: bool = False) -> Equities:
    """Cubeless equity in points; with ``jacoby`` every win and loss counts single."""
    if jacoby:
        return np.asarray(2.0 * chances[..., 0] - 1.0, dtype=np.float64)
    return np.asarray(cubeless_equity(chances), dtype=np.float64)


def win_and_loss_values(chances: Chances) -> tuple[Equities, Equities]:
    """Points of an average win and of an average loss, 1 to 3 each.

    These are Janowski's W and L. A side that never wins has the value 1.
    """
    wide = np.asarray(chances, dtype=np.float64)
    return (
        _value(wide[..., 0], wide[..., 1] + wide[..., 2]),
        _value(1.0 - wide[..., 0], wide[..., 3] + wide[..., 4]),
    )


def _value(wins: Equities, extra: Equities) -> Equities:
    return np.asarray(1.0 + extra / np.where(wins > 0, wins, 1.0))


@dataclass(frozen=True, slots=True)
class MoneyTakePoints:
    """Winning chances at which a money cube turns, as arrays of one shape.

    ``dead_take`` and ``live_take`` are the taker's least winning chances if the cube is never
    turned again, or always turned at the perfect moment. ``dead_cash`` and ``live_cash`` are
    1 minus those, seen by the doubler.
    """

    dead_take: Equities
    live_take: Equities

    @property
    def dead_cash(self) -> Equities:
        return 1.0 - self.dead_take

    @property
    def live_cash(self) -> Equities:
        return 1.0 - self.live_take


def money_take_points(
    wins: Equities | float = 1.0, losses: Equities | float = 1.0
) -> MoneyTakePoints:
    """Take points of a player doubled who wins ``wins`` and loses ``losses`` points on average.

    Rick Janowski, "Take-Points in Money Games" (1993): dead (L - 1/2) / (W + L), live
    (L - 1/2) / (W + L + 1/2). Without gammons 25% and 20%.
    """
    win, loss = np.asarray(wins, dtype=np.float64), np.asarray(losses, dtype=np.float64)
    return MoneyTakePoints((loss - 0.5) / (win + loss), (loss - 0.5) / (win + loss + 0.5))
