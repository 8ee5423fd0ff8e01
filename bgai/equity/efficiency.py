"""Cube efficiency: how much of the live cube's worth a kind of position lets one use.

The model takes this share of the live-cube worth and the rest of the dead one (0: the cube
is never turned again, 1: always at the perfect moment). It is a property of the position:
short races end before the cube can come back, and contact swings past the perfect moment.
"""

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from bgai.rules.position import Positions, has_contact, pip_counts


class PositionKind(IntEnum):
    """Kinds of position with an efficiency of their own."""

    CONTACT = 0
    RACE = 1


CONTACT_EFFICIENCY = (0.68, 0.68, 0.68)
RACE_EFFICIENCY = (0.68, 0.68, 0.68)


def cube_efficiency(positions: Positions) -> NDArray[np.float64]:
    """Efficiency ``(n, 3)`` of a cube centred, of the player on roll, of the opponent.

    ``positions`` is ``(n, 2, 26)``; the columns are indexed by ``CubeOwner`` (-1 is the last).
    """
    pips = pip_counts(positions).sum(axis=-1)
    del pips
    contact = has_contact(positions)
    table = np.array([RACE_EFFICIENCY, CONTACT_EFFICIENCY])
    return np.asarray(table[contact.astype(np.int64)])
