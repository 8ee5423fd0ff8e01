"""Cube efficiency: how much of the live cube's worth a kind of position lets one use.

The model takes this share of the live-cube worth and the rest of the dead one (0: the cube is
never turned again, 1: always at the perfect moment). It depends on how far a roll moves the
winning chance, hence on the kind of position; on the winning chance, since it matters how near
a cash point is; and on who owns the cube. The figures are in ``data/cube-efficiency.json``,
written by ``scripts/fit_cube_efficiency.py``, which says how each was found.
"""

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from bgai.equity.cubeful import Chances
from bgai.rules.position import Positions, has_contact, pip_counts

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class EfficiencyTable:
    """Efficiencies at knots, linear between them and constant beyond.

    ``wins`` ``(w,)``: winning chances of the player about to roll. ``race_pips`` ``(p,)``:
    that player's pips in a race. ``race`` ``(p, w, 3)`` and ``contact`` ``(w, 3)``: the
    efficiency of a cube centred, of that player, of the other (the order of ``CubeOwner`` as
    an index: 0, 1, -1).
    """

    wins: Floats
    race_pips: Floats
    race: Floats
    contact: Floats


@lru_cache(maxsize=1)
def efficiency_table() -> EfficiencyTable:
    """The packaged table."""
    text = (resources.files("bgai.equity") / "data" / "cube-efficiency.json").read_text("utf-8")
    entries = json.loads(text)
    return EfficiencyTable(
        *(
            np.array(entries[key], dtype=np.float64)
            for key in ("wins", "race_pips", "race", "contact")
        )
    )


def cube_efficiency(
    positions: Positions, chances: Chances, table: EfficiencyTable | None = None
) -> Floats:
    """Efficiency ``(n, 3)`` of a cube centred, of the player on roll, of the opponent.

    ``positions`` ``(n, 2, 26)``, ``chances`` ``(n, 5)`` of the same; the columns are indexed
    by ``CubeOwner`` (-1 is the last).
    """
    table = table or efficiency_table()
    wins = np.asarray(chances, dtype=np.float64)[..., 0]
    at, share = _between(table.wins, wins)
    found = _mix(table.contact[at], table.contact[at + 1], share)
    race = ~has_contact(positions)
    if race.any():
        pips = pip_counts(positions[race])[:, 0].astype(np.float64)
        row, part = _between(table.race_pips, pips)
        at, share = at[race], share[race]
        found[race] = _mix(
            _mix(table.race[row, at], table.race[row, at + 1], share),
            _mix(table.race[row + 1, at], table.race[row + 1, at + 1], share),
            part,
        )
    return found


def _between(knots: Floats, values: Floats) -> tuple[NDArray[np.int64], Floats]:
    """Index of the knot below each value and the share of the way to the next one."""
    below = np.clip(np.searchsorted(knots, values) - 1, 0, len(knots) - 2)
    share = (values - knots[below]) / (knots[below + 1] - knots[below])
    return below, np.clip(share, 0.0, 1.0)


def _mix(low: Floats, high: Floats, share: Floats) -> Floats:
    return np.asarray(low + share[:, None] * (high - low))
