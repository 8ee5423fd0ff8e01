"""Compiled shots: with how many of the 36 throws a side could hit.

A throw counts if one checker, moved by one die or by both (up to four times with a double),
or a checker that enters or the one that moves after it, lands on a blot. Points made by the
opponent block, checkers on the bar enter first. Whether the rest of the throw can be played
is not asked, so the count may differ from the rules by a throw or two in rare positions.

Checkers are bits: bit p is the side's own point p, bit 25 its bar, and a move is a shift.
"""

from typing import Any

import numpy as np
from numba import njit

from bgai.evaluation.encoding import FIRST_SHOTS, THROWS_A_COLUMN, ZONES

_SLOTS = 26
_BAR = 25
_ON_BOARD = np.int64((1 << _BAR) - 2)
_HOME = np.int64((1 << 7) - 2)
_FAR_HOME = _ON_BOARD & ~np.int64((1 << 19) - 1)
_OUTFIELDS = _ON_BOARD & ~_HOME & ~_FAR_HOME


@njit(cache=True, nogil=True, inline="always")
def _count(hit: Any, throws: int, counts: Any) -> None:
    if hit & _HOME:
        counts[0] += throws
    if hit & _OUTFIELDS:
        counts[1] += throws
    if hit & _FAR_HOME:
        counts[2] += throws


@njit(cache=True, nogil=True)
def _throws_that_hit(
    mine: Any, bar: Any, open_points: Any, blots: Any, moved: Any, counts: Any
) -> None:
    """Of 36, in each zone, added to ``counts (ZONES,)``.

    ``mine`` are the points held, without the ``bar`` checkers on it; ``moved (7,)`` is scratch.
    """
    movers = np.int64(1) << _BAR if bar > 0 else mine
    for die in range(1, 7):
        moved[die] = (movers >> die) & open_points
    for high in range(1, 7):
        for low in range(1, high):
            reached = moved[high] | moved[low]
            if bar == 0:
                reached |= (moved[high] >> low) | (moved[low] >> high)
            if bar == 1 and moved[high]:
                reached |= (mine | moved[high]) >> low
            if bar == 1 and moved[low]:
                reached |= (mine | moved[low]) >> high
            _count(reached & blots, 2, counts)
        reached = moved[high]
        if reached:
            walking = mine | reached if bar > 0 else reached
            for _ in range(4 - max(bar, 1)):
                walking = (walking >> high) & open_points
                reached |= walking
            _count(reached & blots, 1, counts)


@njit(cache=True, nogil=True)
def fill_inputs(rows: Any, start: int, count: int, inputs: Any, at: int) -> None:
    """Positions ``rows[start : start + count]`` and their shots into ``inputs[at:]``."""
    moved = np.zeros(7, dtype=np.int64)
    counts = np.zeros(ZONES, dtype=np.int64)
    held = np.zeros(2, dtype=np.int64)  # bits of the points held, and made, by each side
    made = np.zeros(2, dtype=np.int64)
    held_seen = np.zeros(2, dtype=np.int64)  # the same in the numbering of the other side
    made_seen = np.zeros(2, dtype=np.int64)
    for r in range(count):
        row = rows[start + r]
        out = inputs[at + r]
        for slot in range(2 * _SLOTS):
            out[slot] = row[slot]
        for side in range(2):
            held[side] = made[side] = held_seen[side] = made_seen[side] = 0
            for point in range(1, _BAR):
                checkers = row[_SLOTS * side + point]
                if checkers > 0:
                    held[side] |= np.int64(1) << point
                    held_seen[side] |= np.int64(1) << (_BAR - point)
                    if checkers > 1:
                        made[side] |= np.int64(1) << point
                        made_seen[side] |= np.int64(1) << (_BAR - point)
        for side in range(2):
            other = 1 - side
            bar = np.int64(row[_SLOTS * side + _BAR])
            blots = held_seen[other] & ~made_seen[other]
            counts[:] = 0
            # A blot can be hit only from further back: from a higher bit.
            if blots and (bar > 0 or held[side] > (blots & -blots)):
                open_points = ~made_seen[other] & _ON_BOARD
                _throws_that_hit(held[side], bar, open_points, blots, moved, counts)
            for zone in range(ZONES):
                threes = (counts[zone] + THROWS_A_COLUMN - 1) // THROWS_A_COLUMN
                out[FIRST_SHOTS + ZONES * side + zone] = threes
