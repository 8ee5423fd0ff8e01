"""Exact bear-off with the cube: up to six checkers a side on the points 1-6, money play.

The table holds, for every pair of home positions, the equity of the side on roll before it
may double: cubeless, with the cube centred, owned by it and owned by the other, each in
units of that cube, with unlimited redoubles and best play by both. No gammons are possible
(nine checkers of each side are off), so Jacoby makes no difference and a beaver, a raccoon
and so on are never right after a right double; a verdict still says when a wrong double
should be beavered. Inside the table verdicts are exact.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from bgai import cachefile
from bgai.equity.cubeful import CubeEquities
from bgai.equity.stakes import CANNOT_DOUBLE, Stakes
from bgai.rules.cube import CubeOwner
from bgai.rules.position import CHECKERS, OFF, Positions

CUBE_CHECKERS = 6
CUBE_POSITIONS = 924
"""Home positions of up to six checkers: C(12, 6)."""
_VERSION = 1

CUBELESS = 0
COLUMN = {CubeOwner.CENTRED: 1, CubeOwner.ON_ROLL: 2, CubeOwner.OPPONENT: 3}
"""Column of the table for each owner of the cube."""


def _build() -> cachefile.Arrays:
    from bgai.equity import bearoff_cube_kernels as kernels

    return {"equities": kernels.build(CUBE_CHECKERS, CUBE_POSITIONS).astype(np.float32)}


@lru_cache(maxsize=1)
def load_cube_table() -> NDArray[np.float32]:
    """The table ``(924, 924, 4)`` by ranks (side on roll, other), from the cache or built now."""
    title = "the bear-off table with the cube"
    return cachefile.load_arrays("bearoff-cube", _VERSION, _build, title=title)["equities"]


def in_cube_table(positions: Positions) -> NDArray[np.bool_]:
    """Where the table answers, shape ``(...)``: at most six checkers a side, all home."""
    home = (positions[..., 7:].sum(axis=-1) == 0).all(axis=-1)
    off = positions[..., OFF]
    few = (off >= CHECKERS - CUBE_CHECKERS) & (off < CHECKERS)
    return np.asarray(home & few.all(axis=-1))


def exact_equities(positions: Positions) -> NDArray[np.float32]:
    """Rows ``(n, 4)`` of the table for ``(n, 2, 26)`` positions; NaN where it doesn't answer."""
    from bgai.equity import bearoff_cube_kernels as kernels

    positions = np.ascontiguousarray(positions, dtype=np.int8)
    out = np.full((len(positions), 4), np.nan, dtype=np.float32)
    inside = in_cube_table(positions)
    if inside.any():
        ranks = np.empty((int(inside.sum()), 2), dtype=np.int64)
        kernels.ranks_of(positions[inside], CUBE_CHECKERS, ranks)
        out[inside] = load_cube_table()[ranks[:, 0], ranks[:, 1]]
    return out


def answers_for(stakes: Stakes) -> bool:
    """Whether the table's cube is that of the stakes: money play without a maximum cube."""
    return stakes.unlimited


def exact_cube_equities(positions: Positions, stakes: Stakes) -> CubeEquities:
    """The three equities ``(n,)`` of the player on roll; NaN outside the table.

    Only for stakes that the table :func:`answers_for`.
    """
    table = exact_equities(positions).astype(np.float64)
    no_double = table[:, COLUMN[stakes.cube.owner]]
    missing = np.full_like(no_double, np.nan)
    if stakes.after_take[0, 0] == CANNOT_DOUBLE:
        return CubeEquities(no_double, missing, missing)
    passed = np.where(np.isnan(no_double), np.nan, 1.0)
    return CubeEquities(no_double, 2 * table[:, COLUMN[CubeOwner.OPPONENT]], passed)


def exact_state_worths(positions: Positions, stakes: Stakes, view: int = 0) -> NDArray[np.float64]:
    """Worth ``(n, S)`` of each state to the player about to roll, who does not double now.

    As :func:`bgai.equity.cubeful.model_worths`, from the table; NaN outside it.
    """
    table = exact_equities(positions).astype(np.float64)
    columns = [COLUMN[CubeOwner(int(owner))] for owner in stakes.owner[view]]
    return table[:, columns]
