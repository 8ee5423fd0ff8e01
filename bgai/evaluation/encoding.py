"""How a position becomes the inputs of a network.

The encoding ``points-3`` is sparse and binary. For each side, seen from its own numbering:

* each point 1-24: one column each for exactly 1, 2, 3, 4, 5, 6 checkers, one for 7 or more,
* the bar: one column each for 1, 2, 3 checkers, one for 4 or more,
* borne off: one column each for 1 to 15 checkers,
* shots: of the 36 rolls, those with which the side could hit a blot if it were on roll now
  (see ``shots_kernels``), counted apart for blots in its home, in the outfields and in the
  opponent's home: one column each for 1-3, 4-6, ..., 34-36,
* escapes: of the 36 rolls, those that a checker could play whole past the opponent's points
  (see ``escapes_kernels``), for the last checker, the next point held, the worst point of the
  further half and the worst ahead of the last checker: one column each for 1-3, ..., 34-36.

The player on roll's columns come first, then the shots', the escapes' last. An empty slot
switches nothing on, so a position has at most 48 active columns, about 25 in play.

``points-2`` lacked the escapes; its networks are read as if theirs had no weight.

The kernels take a position as a row of ``INPUT_SLOTS`` numbers: the 52 slots, the shots and
the escapes in threes, and zeros up to whole words of memory.
"""

import numpy as np
from numpy.typing import NDArray

from bgai.evaluation.input_slots import ESCAPES, FIRST_SHOTS, INPUT_SLOTS, ROLLS_A_COLUMN, ZONES
from bgai.rules.position import BAR, CHECKERS, OFF, SLOTS

ENCODING = "points-3"

_POINT_COLUMNS = 7
_BAR_COLUMNS = 4
_SIDE_COLUMNS = 24 * _POINT_COLUMNS + _BAR_COLUMNS + CHECKERS

_THREES = 36 // ROLLS_A_COLUMN

_COLUMNS_BEFORE_ESCAPES = 2 * (_SIDE_COLUMNS + ZONES * _THREES)
COLUMNS = _COLUMNS_BEFORE_ESCAPES + 2 * ESCAPES * _THREES
"""Inputs of a network; ``COLUMNS`` itself stands for "no column"."""

COLUMNS_OF_ENCODINGS = {"points-2": _COLUMNS_BEFORE_ESCAPES, ENCODING: COLUMNS}
"""Inputs in each encoding that can be read: columns have only been added, after the others."""

COUNTS = CHECKERS + 1

_ROLL_SLOTS = 2 * (ZONES + ESCAPES)


def _column(side: int, slot: int, count: int) -> int:
    base = side * _SIDE_COLUMNS
    if count == 0:
        return COLUMNS
    if slot == OFF:
        return base + 24 * _POINT_COLUMNS + _BAR_COLUMNS + count - 1
    if slot == BAR:
        return base + 24 * _POINT_COLUMNS + min(count, _BAR_COLUMNS) - 1
    return base + (slot - 1) * _POINT_COLUMNS + min(count, _POINT_COLUMNS) - 1


def _rolls_column(slot: int, threes: int) -> int:
    """Of the shots' and escapes' slots, counted from the first."""
    if threes == 0:
        return COLUMNS
    return 2 * _SIDE_COLUMNS + slot * _THREES + min(threes, _THREES) - 1


COLUMN_OF: NDArray[np.int64] = np.array(
    [
        *(
            [_column(side, slot, count) for count in range(COUNTS)]
            for side in range(2)
            for slot in range(SLOTS)
        ),
        *([_rolls_column(slot, threes) for threes in range(COUNTS)] for slot in range(_ROLL_SLOTS)),
        *([COLUMNS] * COUNTS for _ in range(INPUT_SLOTS - FIRST_SHOTS - _ROLL_SLOTS)),
    ]
)
"""Active column for each input slot and the number in it, shape ``(INPUT_SLOTS, 16)``."""


def input_rows(positions: NDArray[np.int8]) -> NDArray[np.int8]:
    """Rows ``(n, INPUT_SLOTS)`` of positions ``(n, 2, 26)`` or ``(n, 52)``."""
    from bgai.evaluation.input_kernels import fill_inputs

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
