"""How a position becomes the inputs of a network.

The encoding ``points-2`` is sparse and binary. For each side, seen from its own numbering:

* each point 1-24: one column each for exactly 1, 2, 3, 4, 5, 6 checkers, one for 7 or more,
* the bar: one column each for 1, 2, 3 checkers, one for 4 or more,
* borne off: one column each for 1 to 15 checkers,
* shots: of the 36 rolls, those with which the side could hit a blot if it were on roll now
  (see ``shots_kernels``), counted apart for blots in its home, in the outfields and in the
  opponent's home: one column each for 1-3, 4-6, ..., 34-36.

The player on roll's columns come first, the shots' last. An empty slot switches nothing on,
so a position has at most 40 active columns, about 18 in play.

The kernels take a position as a row of ``INPUT_SLOTS`` numbers: the 52 slots, the shots in
threes, and zeros up to whole words of memory.
"""

import numpy as np
from numpy.typing import NDArray

from bgai.evaluation.input_slots import FIRST_SHOTS, INPUT_SLOTS, ROLLS_A_COLUMN, ZONES
from bgai.rules.position import BAR, CHECKERS, OFF, SLOTS

ENCODING = "points-2"

_POINT_COLUMNS = 7
_BAR_COLUMNS = 4
_SIDE_COLUMNS = 24 * _POINT_COLUMNS + _BAR_COLUMNS + CHECKERS

_SHOT_COLUMNS = 36 // ROLLS_A_COLUMN

COLUMNS = 2 * (_SIDE_COLUMNS + ZONES * _SHOT_COLUMNS)
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


def _shot_column(slot: int, threes: int) -> int:
    if threes == 0:
        return COLUMNS
    return 2 * _SIDE_COLUMNS + slot * _SHOT_COLUMNS + min(threes, _SHOT_COLUMNS) - 1


COLUMN_OF: NDArray[np.int64] = np.array(
    [
        *(
            [_column(side, slot, count) for count in range(COUNTS)]
            for side in range(2)
            for slot in range(SLOTS)
        ),
        *([_shot_column(slot, threes) for threes in range(COUNTS)] for slot in range(2 * ZONES)),
        *([COLUMNS] * COUNTS for _ in range(INPUT_SLOTS - FIRST_SHOTS - 2 * ZONES)),
    ]
)
"""Active column for each input slot and the number in it, shape ``(INPUT_SLOTS, 16)``."""


def input_rows(positions: NDArray[np.int8]) -> NDArray[np.int8]:
    """Rows ``(n, INPUT_SLOTS)`` of positions ``(n, 2, 26)`` or ``(n, 52)``."""
    from bgai.evaluation.shots_kernels import fill_inputs

    rows = np.ascontiguousarray(positions, dtype=np.int8).reshape(len(positions), 2 * SLOTS)
    inputs = np.zeros((len(rows), INPUT_SLOTS), dtype=np.int8)
    fill_inputs(rows, 0, len(rows), inputs, 0)
    return inputs


def encode(positions: NDArray[np.int8]) -> NDArray[np.float32]:
    """Dense inputs ``(n, COLUMNS)`` of ``(n, 2, 26)`` positions, for inspection and tests."""
    rows = input_rows(positions)
    columns = COLUMN_OF[np.arange(INPUT_SLOTS), rows]
    dense = np.zeros((len(rows), COLUMNS + 1), dtype=np.float32)
    np.put_along_axis(dense, columns, 1.0, axis=1)
    return dense[:, :COLUMNS]
