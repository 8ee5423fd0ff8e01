"""Choosing plays by evaluation, for many positions at once."""

import numpy as np
from numpy.typing import NDArray

from bgai.evaluation.evaluator import (
    Chances,
    Evaluator,
    cubeless_equity,
    finished_chances,
)
from bgai.rules.position import Positions, is_over


def best_rows(worth: NDArray[np.floating], offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """The row of the greatest ``worth`` in each group, the first of equals, shape ``(n,)``.

    Group ``i`` is rows ``offsets[i]:offsets[i + 1]`` of ``worth`` ``(m,)`` and not empty.
    """
    starts = offsets[:-1]
    greatest = np.maximum.reduceat(worth, starts)
    rows = np.flatnonzero(worth == np.repeat(greatest, np.diff(offsets)))
    return np.asarray(rows[np.searchsorted(rows, starts)])


def evaluate_with_ends(evaluator: Evaluator, positions: Positions) -> Chances:
    """Chances ``(n, 5)`` by ``evaluator``, but exact where the game is over."""
    chances = evaluator.evaluate(positions)
    over = is_over(positions)
    if over.any():
        chances = chances.copy()
        chances[over] = finished_chances(positions[over])
    return chances


def greedy_rows(
    evaluator: Evaluator, after: Positions, offsets: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The best play of each of ``n`` positions by cubeless equity, as rows ``(n,)`` of ``after``.

    ``after`` ``(m, 2, 26)`` and ``offsets`` ``(n + 1,)`` come from ``legal_plays_batch``.
    """
    return best_rows(-cubeless_equity(evaluate_with_ends(evaluator, after)), offsets)
