"""What every judge of positions offers: networks, tables, lookahead, rollouts.

Chances are ``float32 (..., 5)`` for the player on roll: win, win gammon, win backgammon,
lose gammon, lose backgammon. Gammons include backgammons. The player on roll is about to
roll.
"""

from enum import IntEnum
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from bgai.rules.outcome import game_points
from bgai.rules.position import Positions

Chances = NDArray[np.float32]


class Chance(IntEnum):
    """Index of each chance in the last axis."""

    WIN = 0
    WIN_GAMMON = 1
    WIN_BACKGAMMON = 2
    LOSE_GAMMON = 3
    LOSE_BACKGAMMON = 4


class Evaluator(Protocol):
    """Judges positions. One method is required; everything else wraps it."""

    def evaluate(self, positions: Positions) -> Chances:
        """Chances ``(n, 5)`` of the player on roll in each of ``(n, 2, 26)`` positions."""
        ...


def swap_chances(chances: Chances) -> Chances:
    """The same chances seen by the other player."""
    swapped = np.empty_like(chances)
    swapped[..., 0] = 1 - chances[..., 0]
    swapped[..., 1:3] = chances[..., 3:5]
    swapped[..., 3:5] = chances[..., 1:3]
    return swapped


MONEY_WEIGHTS = np.array([2.0, 1.0, 1.0, -1.0, -1.0])
"""What each chance adds to cubeless money equity."""


def cubeless_equity(chances: Chances) -> NDArray[np.float32]:
    """Cubeless money equity in points: 2 win - 1 + wg + wbg - lg - lbg, shape ``(...)``."""
    win, wg, wbg, lg, lbg = np.moveaxis(chances, -1, 0)
    return np.asarray(2 * win - 1 + wg + wbg - lg - lbg, dtype=np.float32)


def finished_chances(positions: Positions) -> Chances:
    """Chances ``(..., 5)`` of positions that are over; NaN where the game goes on."""
    points = game_points(positions)
    chances = np.zeros((*points.shape, 5), dtype=np.float32)
    chances[..., 0] = points > 0
    chances[..., 1] = points >= 2
    chances[..., 2] = points == 3
    chances[..., 3] = points <= -2
    chances[..., 4] = points == -3
    chances[points == 0] = np.nan
    return chances


def consistent_chances(chances: Any) -> Chances:
    """``(n, 5)`` float32 within what can be: a backgammon is a gammon, a gammon a win or loss."""
    held = np.clip(np.asarray(chances, dtype=np.float32), 0, 1)
    held[:, 1] = np.minimum(held[:, 1], held[:, 0])
    held[:, 2] = np.minimum(held[:, 2], held[:, 1])
    held[:, 3] = np.minimum(held[:, 3], 1 - held[:, 0])
    held[:, 4] = np.minimum(held[:, 4], held[:, 3])
    return held


def chances_of_equity(equity: Any) -> Chances:
    """Chances ``(n, 5)`` with that cubeless money equity ``(n,)``, for judges that know no more.

    Up to a point it is wins and losses of single games alone; beyond, gammons, then backgammons.
    """
    points = np.clip(np.asarray(equity, dtype=np.float32), -3, 3)
    chances = np.zeros((len(points), 5), dtype=np.float32)
    chances[:, 0] = np.clip((points + 1) / 2, 0, 1)
    for side, sign in ((1, 1), (3, -1)):
        chances[:, side] = np.clip(sign * points - 1, 0, 1)
        chances[:, side + 1] = np.clip(sign * points - 2, 0, 1)
    return chances
