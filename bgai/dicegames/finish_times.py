"""Who finishes first when every seat's progress is its own affair.

A survival array holds, for turns 0, 1, 2, ..., the chance that a seat has not finished after
that many of its own turns.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Survival = NDArray[np.floating]


def first_to_finish(survivals: Sequence[Survival]) -> tuple[float, ...]:
    """Chance of each seat to finish first; the seats in the order in which they roll next.

    A seat wins with its turn ``t`` when those before it have not finished in ``t`` turns and
    those after it not in ``t - 1``. Survivals of equal length, ending near 0; what is left
    at the end is shared equally.
    """
    table = np.asarray(survivals, dtype=np.float64)
    later, sooner = table[:, 1:], table[:, :-1]
    seats = len(table)
    chances = []
    for seat in range(seats):
        others = np.prod(later[:seat], axis=0) * np.prod(sooner[seat + 1 :], axis=0)
        chances.append(float(((sooner[seat] - later[seat]) * others).sum()))
    unfinished = (1.0 - sum(chances)) / seats
    return tuple(chance + unfinished for chance in chances)


def seated(chances: Sequence[float], first: int) -> tuple[float, ...]:
    """Chances in rolling order from ``first``, put back in the order of the seats."""
    seats = len(chances)
    return tuple(chances[(seat - first) % seats] for seat in range(seats))
