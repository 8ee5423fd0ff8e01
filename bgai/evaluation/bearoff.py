"""Bear-off tables: exact rolls to finish, win and gammon chances, effective pips.

Two tables answer for positions in which both sides are home (all checkers on the points
1-6 or off):

- *one-sided*, 15 checkers on six points, 54,264 positions: the distribution of the rolls a
  side needs to bear off, and to bear off its first checker, and their means. A pair of
  distributions gives win and gammon chances. Each side is taken to play for the fewest
  expected rolls whatever the other does. That is the usual approximation: real best play
  depends on the opponent now and then. Over all pairs of the two-sided table the win chance
  is off by .0009 in the mean and .014 at most.
  Where a gammon can still be saved the two distributions of the loser come from two ways of
  playing, one for each goal.
- *two-sided*, up to six checkers each, 924 x 924 pairs: the exact cubeless win chance with
  best play by both. It replaces the pair of distributions where it reaches.

The tables are built in seconds by compiled kernels and kept by :mod:`bgai.cachefile`.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bgai import cachefile
from bgai.errors import InputError
from bgai.evaluation.evaluator import Chances
from bgai.rules.position import OFF, Positions

HOME_POSITIONS = 54264
"""Home positions with at most 15 checkers: C(21, 6)."""
PIPS_PER_ROLL = 49 / 6
"""Mean pips of a roll, 8.1667; the effective pip count is this times the mean rolls."""
_VERSION = 2


class BearoffTables(NamedTuple):
    """The tables as arrays, read-only, ready for the kernels of ``bearoff_kernels``.

    ``tails`` float32 ``(54264, 32)``: ``tails[r, t]`` is the chance that the home position of
    rank ``r`` needs at least ``t`` rolls to bear off; ``first_tails`` ``(54264, 4)`` the same
    for its first checker (0 rolls when one is off already). ``mean_rolls`` ``(54264,)``.
    ``two_sided`` float32 ``(924, 924)``: cubeless win chance of the side on roll (row).
    """

    tails: NDArray[np.float32]
    first_tails: NDArray[np.float32]
    mean_rolls: NDArray[np.float32]
    two_sided: NDArray[np.float32]


def _build() -> cachefile.Arrays:
    from bgai.evaluation import bearoff_kernels as kernels

    tails, first_tails, mean = kernels.build_one_sided(15, HOME_POSITIONS)
    two_sided = kernels.build_two_sided(kernels.TWO_SIDED_CHECKERS, kernels.TWO_SIDED_POSITIONS)
    return {
        "tails": tails.astype(np.float32),
        "first_tails": first_tails.astype(np.float32),
        "mean_rolls": mean.astype(np.float32),
        "two_sided": two_sided.astype(np.float32),
    }


@lru_cache(maxsize=1)
def load_bearoff_tables() -> BearoffTables:
    """The tables, from the cache directory or built now; one copy a process."""
    return BearoffTables(
        **cachefile.load_arrays("bearoff", _VERSION, _build, title="bear-off tables")
    )


def in_bearoff(positions: Positions) -> NDArray[np.bool_]:
    """Where the tables answer, shape ``(...)``: both sides home and the game not over."""
    home = positions[..., 7:].sum(axis=-1) == 0
    over = positions[..., OFF] == 15
    return np.asarray(home.all(axis=-1) & ~over.any(axis=-1))


def bearoff_chances(positions: Positions) -> Chances:
    """Chances ``(n, 5)`` of the player on roll; NaN where :func:`in_bearoff` is false."""
    return bearoff_chances_and_kinds(positions)[0]


def bearoff_chances_and_kinds(positions: Positions) -> tuple[Chances, NDArray[np.int8]]:
    """Chances as above and their kind: 0 none, 1 one-sided tables, 2 exact two-sided."""
    from bgai.evaluation.bearoff_kernels import bearoff_chances_kernel

    tables = load_bearoff_tables()
    chances = np.full((len(positions), 5), np.nan, dtype=np.float32)
    kinds = np.zeros(len(positions), dtype=np.int8)
    bearoff_chances_kernel(
        np.ascontiguousarray(positions, dtype=np.int8),
        tables.tails,
        tables.first_tails,
        tables.two_sided,
        chances,
        kinds,
    )
    return chances, kinds


class BearoffEvaluator:
    """The tables as an evaluator; other positions raise ``InputError``."""

    def evaluate(self, positions: Positions) -> Chances:
        """Chances ``(n, 5)`` of positions in the bear-off; ``InputError`` names another."""
        chances = bearoff_chances(positions)
        outside = np.isnan(chances[:, 0])
        if outside.any():
            raise InputError(
                f"position {int(np.argmax(outside))}: not a bear-off, both sides must have all "
                "checkers home and one left to bear off"
            )
        return chances


@dataclass(frozen=True)
class BearoffSummary:
    """What one side of a bear-off needs: for people, plots and the command line.

    ``distribution[t]`` is the chance of bearing off in exactly ``t`` rolls, ``first`` the
    same for the first checker (``first[0] == 1`` when one is off already).
    """

    distribution: NDArray[np.float64]
    first: NDArray[np.float64]
    mean_rolls: float
    deviation: float
    effective_pips: float
    pips: int

    @property
    def wastage(self) -> float:
        """Pips expected to be lost: the effective pip count less the pip count."""
        return self.effective_pips - self.pips


def side_summary(side: NDArray[np.int8]) -> BearoffSummary:
    """Summary of one side ``(26,)``. Raises ``InputError`` unless all its checkers are home."""
    from bgai.evaluation.bearoff_kernels import home_rank

    rank = int(home_rank(np.ascontiguousarray(side, dtype=np.int64), 15))
    if rank < 0:
        highest = int(np.nonzero(side)[0][-1])
        raise InputError(f"not a bear-off: there is a checker on point {highest}")
    tables = load_bearoff_tables()
    distribution = _exact_chances(tables.tails[rank])
    rolls = np.arange(len(distribution))
    mean = float(distribution @ rolls)
    return BearoffSummary(
        distribution=distribution,
        first=_exact_chances(tables.first_tails[rank]),
        mean_rolls=mean,
        deviation=float(distribution @ (rolls - mean) ** 2) ** 0.5,
        effective_pips=mean * PIPS_PER_ROLL,
        pips=int(side.astype(np.int64) @ np.arange(26)),
    )


def _exact_chances(tail: NDArray[np.float32]) -> NDArray[np.float64]:
    wide = np.append(tail.astype(np.float64), 0.0)
    chances = wide[:-1] - wide[1:]
    last = int(np.nonzero(chances)[0][-1])
    return chances[: last + 1]
