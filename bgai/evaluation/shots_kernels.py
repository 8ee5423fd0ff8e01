"""Compiled shots: with how many of the 36 rolls a side could hit.

A roll counts if one checker, moved by one die or by both (up to four times with a double),
or a checker that enters or the one that moves after it, lands on a blot. Points made by the
opponent block, checkers on the bar enter first. Whether the rest of the roll can be played
is not asked, so the count may differ from the rules by a roll or two in rare positions.

Checkers are bits: bit p is the side's own point p, bit 25 its bar, and a move is a shift.
"""

from typing import Any

import numpy as np

from bgai.compiled import compiled
from bgai.evaluation.input_slots import ROLLS_A_COLUMN, ZONES

_BAR = 25
ON_BOARD = np.int64((1 << _BAR) - 2)
_HOME = np.int64((1 << 7) - 2)
_FAR_HOME = ON_BOARD & ~np.int64((1 << 19) - 1)
_OUTFIELDS = ON_BOARD & ~_HOME & ~_FAR_HOME


@compiled(inline="always")
def _zones(hit: Any) -> Any:
    """One in each byte, home first, whose zone has a blot hit: no branches to guess wrong."""
    home = np.int64((hit & _HOME) != 0)
    outfields = np.int64((hit & _OUTFIELDS) != 0)
    far_home = np.int64((hit & _FAR_HOME) != 0)
    return home | (outfields << 8) | (far_home << 16)


@compiled()
def _rolls_that_hit(mine: Any, bar: Any, open_points: Any, blots: Any, moved: Any) -> Any:
    """Of 36, in each zone: a byte each, home first.

    ``mine`` are the points held, without the ``bar`` checkers on it; ``moved (7,)`` is scratch.
    """
    movers = np.int64(1) << _BAR if bar > 0 else mine
    for die in range(1, 7):
        moved[die] = (movers >> die) & open_points
    pairs = np.int64(0)
    doubles = np.int64(0)
    for high in range(1, 7):
        one = moved[high]
        for low in range(1, high):
            other = moved[low]
            reached = one | other
            if bar == 0:
                reached |= (one >> low) | (other >> high)
            if bar == 1 and one:
                reached |= (mine | one) >> low
            if bar == 1 and other:
                reached |= (mine | other) >> high
            pairs += _zones(reached & blots)
        reached = one
        if one:
            walking = mine | one if bar > 0 else one
            for _ in range(4 - max(bar, 1)):
                walking = (walking >> high) & open_points
                reached |= walking
            doubles += _zones(reached & blots)
    return 2 * pairs + doubles


@compiled()
def fill_shots(held: Any, bar: Any, made: Any, blots: Any, moved: Any, out: Any, at: Any) -> None:
    """Shots of one side in threes, a zone each, into ``out[at : at + ZONES]``.

    Bits in its own numbering: points ``held``, the other's ``made`` points and ``blots``.
    ``moved (7,)`` is scratch.
    """
    rolls = np.int64(0)
    # A blot can be hit only from further back: from a higher bit.
    if blots and (bar > 0 or held > (blots & -blots)):
        rolls = _rolls_that_hit(held, bar, ~made & ON_BOARD, blots, moved)
    for zone in range(ZONES):
        hits = (rolls >> (8 * zone)) & 255
        out[at + zone] = (hits + ROLLS_A_COLUMN - 1) // ROLLS_A_COLUMN
