"""Compiled escapes: with how many of the 36 rolls a checker could move on past a block.

A roll counts if one checker can play the whole of it (of a double, two of its four moves), the
points made by the opponent being all that is in its way: bearing off is not asked about, nor
checkers on the bar. A full prime right ahead leaves none of the 36, an open board all.

What a checker has ahead of it are twelve bits, so that the counts come from a table.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgai.compiled import compiled
from bgai.evaluation.input_slots import ROLLS_A_COLUMN

_AHEAD = 12  # pips that a roll can bring a checker forward, doubles counted as two moves
_FURTHEST = 25
_LOWEST = 13  # the last point from which a checker has a block ahead worth counting


def _escapes_of_blocks() -> NDArray[np.int8]:
    """Threes of escapes for each block, bit 12 - k of which says that k pips ahead is made."""
    blocks = np.arange(1 << _AHEAD)

    def free(pips: int) -> NDArray[np.bool_]:
        return np.asarray(blocks >> (_AHEAD - pips) & 1 == 0)

    rolls = np.zeros(len(blocks), dtype=np.int64)
    for high in range(1, 7):
        for low in range(1, high + 1):
            plays = free(high + low) & (free(high) | free(low))
            rolls += plays * (1 if high == low else 2)
    return ((rolls + ROLLS_A_COLUMN - 1) // ROLLS_A_COLUMN).astype(np.int8)


_THREES = _escapes_of_blocks()


@compiled(inline="always")
def _threes_from(point: Any, blocked: Any) -> Any:
    """Threes of escapes of a checker on ``point``, ``blocked`` bits in its own numbering."""
    return _THREES[((blocked << _AHEAD) >> point) & ((1 << _AHEAD) - 1)]


@compiled()
def fill_escapes(held: Any, blocked: Any, out: Any, at: Any) -> None:
    """The four counts of one side, in threes, into ``out[at : at + 4]``.

    Those of its last checker and of the one on the next point it holds (0 where there is none);
    the least from any point of the further half, and the least from those of them at which or
    ahead of which its last checker stands (12, all, where it is past them). ``held`` are its
    points and bar as bits, ``blocked`` the points made by the other side, in its own numbering.
    """
    last = np.int64(_FURTHEST)
    while last > 0 and not (held >> last) & 1:
        last -= 1
    second = last - 1
    while second > 0 and not (held >> second) & 1:
        second -= 1
    out[at] = _threes_from(last, blocked) if last > 0 else 0
    out[at + 1] = _threes_from(second, blocked) if second > 0 else 0
    least = np.int64(12)
    ahead = np.int64(12)
    for point in range(_LOWEST, _FURTHEST + 1):
        threes = np.int64(_threes_from(point, blocked))
        least = min(least, threes)
        if point <= last:
            ahead = min(ahead, threes)
    out[at + 2] = least
    out[at + 3] = ahead
