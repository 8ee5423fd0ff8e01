"""How a finished game counts."""

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from bgai.rules.position import BAR, CHECKERS, OFF, Positions


class Result(IntEnum):
    """Points of a win in units of the cube."""

    SINGLE = 1
    GAMMON = 2
    BACKGAMMON = 3


def game_points(positions: Positions) -> NDArray[np.int8]:
    """Points won by side 0 in units of the cube, shape ``(...)``: -3 to 3, 0 while undecided.

    The loser's checkers count as backgammon on the bar or in the winner's home, which is
    the loser's points 19-24.
    """
    off = positions[..., OFF]
    far_back = positions[..., 19 : BAR + 1].sum(axis=-1) > 0
    points = np.zeros(positions.shape[:-2], dtype=np.int8)
    for side, sign in ((0, 1), (1, -1)):
        loser = 1 - side
        won = off[..., side] == CHECKERS
        level = np.where(off[..., loser] > 0, 1, np.where(far_back[..., loser], 3, 2))
        points = np.where(won, sign * level, points).astype(np.int8)
    return points
