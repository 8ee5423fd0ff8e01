"""Judging the plays of decisions step by step, each as deep as the move filters let it."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bgai.evaluation.evaluator import Chances
from bgai.rules.position import Positions
from bgai.search.move_filter import Filters
from bgai.search.ranking import (
    Keys,
    Offsets,
    Rows,
    Worths,
    filtered,
    keys_of,
    made_rows,
    ranked_rows,
)

Value = Callable[[Rows | slice, int], tuple[Chances, Worths]]
"""Opponent's chances and worths, in points, of some of the plays at a depth."""


class Judgement(NamedTuple):
    """``m`` plays of one or more decisions, seen by the opponent on roll after them."""

    after: Positions
    """``(m, 2, 26)``"""
    chances: Chances
    """``(m, 5)``"""
    worths: Worths
    """``(m,)`` in points."""
    keys: Keys
    """``(m,)``, see ``ranking``."""
    plies: NDArray[np.int8]
    """Depth each was judged at."""

    def order(self) -> Rows:
        """The rows of a single decision, the best first; deeper judged ones stand before."""
        return ranked_rows(self.keys, self.chances, self.after, self.plies)

    def best(self, offsets: Offsets) -> Rows:
        """The best row ``(n,)`` of each decision, among those judged deepest."""
        deepest = np.maximum.reduceat(self.plies, offsets[:-1])
        dropped = self.plies < np.repeat(deepest, np.diff(offsets))
        keys = np.where(dropped, np.inf, self.keys)
        return made_rows(keys, self.chances, self.after, offsets)


def judge_plays(
    after: Positions,
    offsets: Offsets,
    value: Value,
    filters: Filters,
    weights: NDArray[np.float64],
    *,
    forced: bool,
) -> Judgement:
    """Judge all plays ``after`` at 0-ply, those that pass ``filters[0]`` at 1-ply, and so on.

    ``filters`` are as many as plies. ``weights`` are those of ``ranking.keys_of``. Where one
    play is left it is judged further only with ``forced``.
    """
    chances, worths = value(slice(None), 0)
    keys = keys_of(worths, chances, weights)
    plies = np.zeros(len(after), dtype=np.int8)
    rows = np.arange(len(after))
    for depth, chosen in enumerate(filters, 1):
        kept, offsets = filtered(keys[rows], chances[rows], after[rows], offsets, chosen)
        rows = rows[kept]
        if not forced:
            rows, offsets = _undecided(rows, offsets)
            if not len(rows):
                break
        chances[rows], worths[rows] = value(rows, depth)
        keys[rows] = keys_of(worths[rows], chances[rows], weights)
        plies[rows] = depth
    return Judgement(after, chances, worths, keys, plies)


def _undecided(rows: Rows, offsets: Offsets) -> tuple[Rows, Offsets]:
    """Without the decisions of which one play is left."""
    counts = np.diff(offsets)
    open_ = counts > 1
    if open_.all():
        return rows, offsets
    return rows[np.repeat(open_, counts)], np.concatenate([[0], np.cumsum(counts[open_])])
