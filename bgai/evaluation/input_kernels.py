"""Compiled inputs: rows of checkers become rows of what a network looks at (see ``encoding``)."""

from typing import Any

import numpy as np

from bgai.compiled import compiled
from bgai.evaluation.bits_kernels import mirrored, more_than
from bgai.evaluation.escapes_kernels import fill_escapes
from bgai.evaluation.input_slots import ESCAPES, FIRST_ESCAPES, FIRST_SHOTS, ZONES
from bgai.evaluation.shots_kernels import ON_BOARD, fill_shots

_SLOTS = 26
_BAR = 25


@compiled()
def fill_inputs(rows: Any, start: int, count: int, inputs: Any, at: int) -> None:
    """Positions ``rows[start : start + count]``, their shots and escapes into ``inputs[at:]``."""
    moved = np.zeros(7, dtype=np.int64)
    for r in range(count):
        row = rows[start + r]
        out = inputs[at + r]
        for slot in range(2 * _SLOTS):
            out[slot] = row[slot]
        for side in range(2):
            held: Any = more_than(row, side, 0)  # type: ignore[call-arg]
            theirs = more_than(row, 1 - side, 0) & ON_BOARD  # type: ignore[call-arg]
            made = mirrored(more_than(row, 1 - side, 1) & ON_BOARD)  # type: ignore[call-arg]
            blots = mirrored(theirs) & ~made
            bar = np.int64(row[_SLOTS * side + _BAR])
            fill_shots(held & ON_BOARD, bar, made, blots, moved, out, FIRST_SHOTS + ZONES * side)
            fill_escapes(held, made, out, FIRST_ESCAPES + ESCAPES * side)
