"""Compiled build of the two-sided bear-off table with the cube.

Ranks of home positions and plays come from :mod:`bgai.evaluation.bearoff_kernels`. A table is
filled by the greater rank of the two sides, so that every position after a play is known.
"""

from typing import Any

import numpy as np

from bgai.compiled import compiled
from bgai.evaluation.bearoff_kernels import home_rank, play_lists

CUBELESS, CENTRED, OWNED, OPPONENTS = 0, 1, 2, 3


@compiled()
def build(checkers: int, size: int) -> Any:
    """Money equities ``(size, size, 4)`` of the side on roll (row), before it may double.

    Columns: cubeless, cube centred, owned by the side on roll, owned by the other; each in
    units of that cube, nobody's gammons possible. Jacoby and beavers change nothing here:
    without gammons nobody gains by doubling into a negative equity, since a cube that the
    other may turn too is worth at least as much as one that only they may turn.
    """
    starts, plays = play_lists(checkers, size)
    waiting = np.zeros((size, size, 4))
    decided = np.zeros((size, size, 4))  # the same when the side on roll may double first
    waiting[0, 1:] = 1.0
    waiting[1:, 0] = -1.0
    decided[0, 1:] = 1.0
    decided[1:, 0] = -1.0
    for last in range(1, size):
        for other in range(1, last):
            _fill(waiting, decided, starts, plays, last, other)
            _fill(waiting, decided, starts, plays, other, last)
        _fill(waiting, decided, starts, plays, last, last)
    return waiting


@compiled()
def _fill(waiting: Any, decided: Any, starts: Any, plays: Any, mine: int, theirs: int) -> None:
    total_cubeless = 0.0
    total_centred = 0.0
    total_owned = 0.0
    total_opponents = 0.0
    after = decided[theirs]
    roll = 0
    for high in range(1, 7):
        for low in range(1, high + 1):
            cubeless = centred = owned = opponents = 2.0
            for i in range(starts[mine, roll], starts[mine, roll + 1]):
                row = after[plays[i]]
                cubeless = min(cubeless, row[CUBELESS])
                centred = min(centred, row[CENTRED])
                # a cube of mine is the opponent's to them, and the other way round
                owned = min(owned, row[OPPONENTS])
                opponents = min(opponents, row[OWNED])
            ways = 1.0 if high == low else 2.0
            total_cubeless -= ways * cubeless
            total_centred -= ways * centred
            total_owned -= ways * owned
            total_opponents -= ways * opponents
            roll += 1
    here = waiting[mine, theirs]
    here[CUBELESS] = total_cubeless / 36.0
    here[CENTRED] = total_centred / 36.0
    here[OWNED] = total_owned / 36.0
    here[OPPONENTS] = total_opponents / 36.0
    doubled = min(2.0 * here[OPPONENTS], 1.0)
    best = decided[mine, theirs]
    best[CUBELESS] = here[CUBELESS]
    best[CENTRED] = max(here[CENTRED], doubled)
    best[OWNED] = max(here[OWNED], doubled)
    best[OPPONENTS] = here[OPPONENTS]


@compiled()
def ranks_of(positions: Any, checkers: int, ranks: Any) -> None:
    """Ranks ``(n, 2)`` of both sides of ``(n, 2, 26)`` positions; -1 for one not in the table."""
    for i in range(positions.shape[0]):
        for side in range(2):
            ranks[i, side] = home_rank(positions[i, side], checkers)
