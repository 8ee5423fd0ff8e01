"""Compiled sorting of positions into over, bear-off, race and contact."""

from typing import Any

import numpy as np

from bgai.compiled import compiled
from bgai.evaluation.possible_kernels import hold_contact, hold_finished, hold_race

OVER, BEAROFF, RACE, CONTACT = 0, 1, 2, 3


@compiled()
def position_class(position: Any) -> int:
    """Class of one ``(2, 26)`` position; see :class:`bgai.evaluation.composite.PositionClass`."""
    if position[0, 0] == 15 or position[1, 0] == 15:
        return OVER
    mine = 25
    while mine > 0 and position[0, mine] == 0:
        mine -= 1
    theirs = 25
    while theirs > 0 and position[1, theirs] == 0:
        theirs -= 1
    if mine + theirs > 24:
        return CONTACT
    if mine <= 6 and theirs <= 6:
        return BEAROFF
    return RACE


@compiled()
def classify_and_finish(positions: Any, classes: Any, chances: Any, counts: Any) -> None:
    """Class of each position into ``classes``, how many of each into ``counts`` ``(4,)``.

    Rows of ``chances`` ``(n, 5)`` are filled where the game is over.
    """
    counts[:] = 0
    for i in range(positions.shape[0]):
        found = position_class(positions[i])
        classes[i] = found
        counts[found] += 1
        if found == OVER:
            hold_finished(positions[i].ravel(), chances[i])


@compiled()
def rows_of(classes: Any, wanted: int, count: int) -> Any:
    """Indices ``(count,)`` of the rows of one class."""
    rows = np.empty(count, dtype=np.int64)
    n = 0
    for i in range(classes.shape[0]):
        if classes[i] == wanted:
            rows[n] = i
            n += 1
    return rows


@compiled()
def gather(positions: Any, rows: Any) -> Any:
    """Copies ``(len(rows), 2, 26)`` of the chosen positions."""
    out = np.empty((rows.shape[0], 2, 26), dtype=np.int8)
    for i in range(rows.shape[0]):
        for side in range(2):
            for slot in range(26):
                out[i, side, slot] = positions[rows[i], side, slot]
    return out


@compiled()
def scatter(chances: Any, rows: Any, out: Any) -> None:
    """Write each row of ``chances`` to its row of ``out``."""
    for i in range(rows.shape[0]):
        for j in range(5):
            out[rows[i], j] = chances[i, j]


@compiled()
def hold_judged(rows: Any, classes: Any, first: int, chances: Any) -> None:
    """Hold the ``chances`` of ``rows (n, 52)`` of class ``first`` and above to what is possible."""
    for i in range(rows.shape[0]):  # a loop for each: together they are slower
        if classes[i] == CONTACT:
            hold_contact(rows[i], chances[i])
    for i in range(rows.shape[0]):
        if first <= classes[i] < CONTACT:
            hold_race(rows[i], chances[i])
