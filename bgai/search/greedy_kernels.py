"""Compiled 0-ply choice: legal plays, pruning and evaluation of a roll in one step."""

from typing import Any

import numpy as np

from bgai.compiled import compiled
from bgai.evaluation.evaluator import MONEY_WEIGHTS
from bgai.rules.kernels import ROW
from bgai.search.ranking_kernels import MILLIONTHS, goes_before, key_fraction
from bgai.search.reply_kernels import MOST_PLAYS, evaluate_mixed, kept_replies, make_scratch


@compiled()
def choose_rows(
    rows: Any,
    rolls: Any,
    player: Any,
    base: float,
    weights: Any,
    keys: Any,
    out: Any,
) -> None:
    """The row after the best play of each of ``rows (n, 52)`` and ``rolls (n, 2)``.

    Worth to the opponent, then on roll, is ``base + chances @ weights``; the play that leaves
    least is the best, ties as in ``bgai.search.ranking``. ``player`` is a
    ``greedy.ReplyPlayer``.
    """
    scratch = make_scratch(keys)
    kept = np.empty((MOST_PLAYS, ROW), dtype=np.int8)
    chances = np.empty((MOST_PLAYS, 5), dtype=np.float32)
    keys = np.empty(MOST_PLAYS)
    after = kept.reshape((MOST_PLAYS, 2, 26))
    for i in range(rows.shape[0]):
        count = kept_replies(
            rows[i],
            np.int64(rolls[i, 0]),
            np.int64(rolls[i, 1]),
            player.pruning,
            scratch,
            kept,
            0,
        )
        best = 0
        if count > 1:
            evaluate_mixed(kept, count, player, chances)
            for j in range(count):
                total = base
                for k in range(5):
                    total += weights[k] * chances[j, k]
                keys[j] = np.rint(MILLIONTHS * total) + key_fraction(chances, j, MONEY_WEIGHTS)
                if keys[j] < keys[best] or (
                    keys[j] == keys[best] and goes_before(chances, after, j, best)
                ):
                    best = j
        for slot in range(ROW):
            out[i, slot] = kept[best, slot]
