"""The tables of a turn of Cubilete as the compiled code takes them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

STOP = -1


class Tables(NamedTuple):
    """Keep ``k`` has ``counts[k]`` dice of each face, a die more makes it ``added[k, face - 1]``.
    It leads to the rolls ``leads[lead_offsets[k]:lead_offsets[k + 1]]`` with the
    ``odds`` there, and to the hands with ``hand_odds[k]``; roll ``t`` leaves the ``choices``
    of keeps from ``choice_offsets[t]`` on (keeping all five not among them). ``lead_of[k, t]``
    is the number of the lead from a keep to a roll, -1 where there is none."""

    hands: Ints
    hand_odds: Floats
    leads: Ints
    odds: Floats
    lead_offsets: Ints
    choices: Ints
    choice_offsets: Ints
    counts: Ints
    added: Ints
    lead_of: Ints
