"""Legal plays: every distinct position a roll can lead to.

The rules live in ``kernels.py`` (compiled); here is the interface. Positions after a play
are given with the opponent on roll, ready to be evaluated. When no play is legal the one
result is the position itself with the sides swapped: the turn passes. (No play leaves the
checkers where they were, so that result is never mistaken for a play.)
"""

import numpy as np
from numpy.typing import NDArray

from bgai.rules.dice import Roll
from bgai.rules.position import Positions


def legal_plays(position: Positions, roll: Roll) -> Positions:
    """Distinct positions ``(k, 2, 26)`` after each legal play of one ``(2, 26)`` position."""
    rolls = np.array([roll], dtype=np.int8)
    return legal_plays_batch(position[None], rolls)[0]


def legal_plays_batch(
    positions: Positions, rolls: NDArray[np.int8]
) -> tuple[Positions, NDArray[np.int64]]:
    """Legal plays of many positions at once.

    ``positions`` is ``(n, 2, 26)``, ``rolls`` ``(n, 2)`` in any order of the dice. Returns
    the positions after, ``(m, 2, 26)`` with the opponent on roll, and offsets ``(n + 1,)``:
    those of position ``i`` are ``after[offsets[i]:offsets[i + 1]]``, always at least one.
    """
    from bgai.rules import kernels  # compiled on first use

    rows = np.ascontiguousarray(positions, dtype=np.int8)
    after, offsets = kernels.legal_plays_batch(rows, np.ascontiguousarray(rolls, dtype=np.int8))
    return after, offsets


def has_legal_play(position: Positions, after: Positions) -> bool:
    """Whether ``after`` (from :func:`legal_plays`) holds plays and not the lost turn."""
    return not (len(after) == 1 and np.array_equal(after[0], position[::-1]))
