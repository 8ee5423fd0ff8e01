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

_BITS = np.arange(1 << 13)
_ONES = np.array([bin(bits).count("1") for bits in _BITS], dtype=np.float32)
_LAST = np.array([int(bits).bit_length() - 1 for bits in _BITS], dtype=np.int64)


@compiled()
def contact_inputs(position: Any, chances: Any, out: Any) -> None:
    """Inputs ``(CONTACT_INPUTS,)`` of one position ``(2, 26)`` with its chances ``(5,)``."""
    for k in range(5):
        out[k] = chances[k]
    n = 5
    for corner in CORNERS:
        out[n] = max(chances[0] - np.float32(corner), np.float32(0))
        n += 1
    row = position.reshape(52)
    for side in range(2):
        held: Any = more_than(row, side, 0)  # type: ignore[call-arg]
        made: Any = more_than(row, side, 1)  # type: ignore[call-arg]
        _side_inputs(position[side], held, made, out, n)
        n += SIDE_INPUTS
    out[n] = out[n - 2 * SIDE_INPUTS] - out[n - SIDE_INPUTS]


@compiled(fastmath=True)
def _side_inputs(side: Any, held: Any, made: Any, out: Any, n: int) -> None:
    """Those of one side, whose points are bits as in ``bits_kernels``, into ``out[n:]``."""
    pips = np.int32(0)
    for slot in range(26):
        pips += np.int32(slot) * np.int32(side[slot])
    blots = held & ~made
    out[n] = np.float32(pips) * np.float32(0.01)
    out[n + 1] = side[25]
    out[n + 2] = np.float32(side[0]) * np.float32(0.2)
    out[n + 3] = side[19] + side[20] + side[21] + side[22] + side[23] + side[24]
    out[n + 4] = _ONES[(made >> 19) & 63]
    out[n + 5] = _ONES[(made >> 1) & 63]
    out[n + 6] = _ONES[(made >> 7) & 4095]
    out[n + 7] = _ONES[(blots >> 1) & 63]
    out[n + 8] = _ONES[(blots >> 7) & 4095]
    out[n + 9] = _ONES[(blots >> 19) & 63]
    high = held >> 13
    out[n + 10] = np.float32(13 + _LAST[high] if high else _LAST[held & 8190]) * np.float32(0.1)
    out[n + 11] = side[13] + side[14] + side[15] + side[16] + side[17] + side[18]
    run = made & ((1 << 19) - 2)
    prime = 0
    while run:
        run &= run >> 1
        prime += 1
    out[n + 12] = prime
    out[n + 13] = np.float32(side[1] + side[2] + side[3]) * np.float32(1 / 3)


@compiled()
def all_contact_inputs(positions: Any, chances: Any, out: Any) -> None:
    """Inputs ``(n, CONTACT_INPUTS)`` of many positions, for fitting."""
    for i in range(positions.shape[0]):
        contact_inputs(positions[i], chances[i], out[i])
