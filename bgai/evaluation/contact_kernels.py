"""Compiled inputs of the cube network: what a position in contact looks like, at little cost.

The inputs ``cube-1``: the five chances and by how much the winning chance is above each of
``CORNERS``; then for the player on roll and for the opponent ``SIDE_INPUTS`` numbers: pips,
checkers on the bar, off, in the other's home; points made in the other's home, in its own, in
the outfields; blots in these; how far the last checker is, checkers on 13 to 18, the longest
prime and checkers on the three lowest points; at last the difference of pips.
"""

from typing import Any

import numpy as np

from bgai.compiled import compiled
from bgai.evaluation.bits_kernels import more_than

SIDE_INPUTS = 14
CORNERS = (0.2, 0.35, 0.5, 0.65, 0.8)
CONTACT_INPUTS = 5 + len(CORNERS) + 2 * SIDE_INPUTS + 1
INPUTS = "cube-1"
"""Name of this set of inputs, kept beside the weights."""

_SLOTS = 26
_SLOT = np.arange(_SLOTS, dtype=np.int32)
_BITS = np.arange(1 << 13)
_ONES = (_BITS[:, None] >> np.arange(13) & 1).sum(axis=1).astype(np.float32)
_HIGHEST = np.frexp(_BITS)[1]  # the highest bit counted from 1, 0 where there is none
_LAST = np.stack(
    [np.where(_HIGHEST, first + _HIGHEST - 1, 0).astype(np.int64) for first in (0, 13)]
)


@compiled()
def contact_inputs(row: Any, chances: Any, out: Any) -> None:
    """Inputs ``(CONTACT_INPUTS,)`` of one position, a row of 52, with its chances ``(5,)``."""
    for k in range(5):
        out[k] = chances[k]
    n = 5
    for corner in CORNERS:
        out[n] = max(chances[0] - np.float32(corner), np.float32(0))
        n += 1
    for side in range(2):
        held: Any = more_than(row, side, 0)  # type: ignore[call-arg]
        made: Any = more_than(row, side, 1)  # type: ignore[call-arg]
        _side_inputs(row, _SLOTS * side, held, made, out, n)  # type: ignore[call-arg]
        n += SIDE_INPUTS
    out[n] = out[n - 2 * SIDE_INPUTS] - out[n - SIDE_INPUTS]


@compiled(fastmath=True, inline="always")
def _side_inputs(row: Any, at: int, held: Any, made: Any, out: Any, n: int) -> None:
    """Those of the side at ``row[at:]``, its points bits as in ``bits_kernels``: ``out[n:]``."""
    pips = np.int32(0)
    for slot in range(_SLOTS):
        pips += _SLOT[slot] * np.int32(row[at + slot])
    blots = held & ~made
    bar = row[at + 25]
    middle = behind = np.int8(0)
    for slot in range(13, 19):
        middle += row[at + slot]
        behind += row[at + slot + 6]
    out[n] = np.float32(pips) * np.float32(0.01)
    out[n + 1] = bar
    out[n + 2] = np.float32(row[at]) * np.float32(0.2)
    out[n + 3] = behind
    out[n + 4] = _ONES[(made >> 19) & 63]
    out[n + 5] = _ONES[(made >> 1) & 63]
    out[n + 6] = _ONES[(made >> 7) & 4095]
    out[n + 7] = _ONES[(blots >> 1) & 63]
    out[n + 8] = _ONES[(blots >> 7) & 4095]
    out[n + 9] = _ONES[(blots >> 19) & 63]
    last = max(_LAST[0, held & 8190], _LAST[1, held >> 13])
    out[n + 10] = np.float32(last) * np.float32(0.1)
    out[n + 11] = middle
    low = made & ((1 << 19) - 2)  # a prime reaches no further than the 18 point
    run, prime = low, np.int64(low != 0)
    for length in range(1, 7):  # of fifteen checkers seven points at most
        run &= low >> length
        prime += np.int64(run != 0)
    out[n + 12] = prime
    out[n + 13] = np.float32(row[at + 1] + row[at + 2] + row[at + 3]) * np.float32(1 / 3)


@compiled()
def all_contact_inputs(positions: Any, chances: Any, out: Any) -> None:
    """Inputs ``(n, CONTACT_INPUTS)`` of many positions, for fitting."""
    rows = positions.reshape(positions.shape[0], 2 * _SLOTS)
    for i in range(rows.shape[0]):
        contact_inputs(rows[i], chances[i], out[i])
