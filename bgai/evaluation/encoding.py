"""How a position becomes the inputs of a network.

The encoding ``points-1`` is sparse and binary. For each side, seen from its own numbering:

* each point 1-24: one column each for exactly 1, 2, 3, 4, 5, 6 checkers, one for 7 or more,
* the bar: one column each for 1, 2, 3 checkers, one for 4 or more,
* borne off: one column each for 1 to 15 checkers.

The player on roll's columns come first. An empty slot switches nothing on, so a position
has at most 34 active columns, about 16 in play.
"""

import numpy as np
from numpy.typing import NDArray

from bgai.rules.position import BAR, CHECKERS, OFF, SLOTS

ENCODING = "points-1"

_POINT_COLUMNS = 7
_BAR_COLUMNS = 4
_SIDE_COLUMNS = 24 * _POINT_COLUMNS + _BAR_COLUMNS + CHECKERS

COLUMNS = 2 * _SIDE_COLUMNS
"""Inputs of a network; ``COLUMNS`` itself stands for "no column"."""

COUNTS = CHECKERS + 1


def _column(side: int, slot: int, count: int) -> int:
    base = side * _SIDE_COLUMNS
    if count == 0:
        return COLUMNS
    if slot == OFF:
        return base + 24 * _POINT_COLUMNS + _BAR_COLUMNS + count - 1
    if slot == BAR:
        return base + 24 * _POINT_COLUMNS + min(count, _BAR_COLUMNS) - 1
    return base + (slot - 1) * _POINT_COLUMNS + min(count, _POINT_COLUMNS) - 1


COLUMN_OF: NDArray[np.int64] = np.array(
    [
        [_column(side, slot, count) for count in range(COUNTS)]
        for side in range(2)
        for slot in range(SLOTS)
    ]
)
"""Active column for each of the 52 slots (side, slot) and count, shape ``(52, 16)``."""


def encode(positions: NDArray[np.int8]) -> NDArray[np.float32]:
    """Dense inputs ``(n, COLUMNS)`` of ``(n, 2, 26)`` positions, for inspection and tests."""
    rows = positions.reshape(len(positions), 2 * SLOTS)
    columns = COLUMN_OF[np.arange(2 * SLOTS), rows]
    dense = np.zeros((len(rows), COLUMNS + 1), dtype=np.float32)
    np.put_along_axis(dense, columns, 1.0, axis=1)
    return dense[:, :COLUMNS]
