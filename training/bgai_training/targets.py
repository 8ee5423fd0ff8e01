"""What the networks are fitted to: lambda-returns, exact one-roll values, corrected ones."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bgai.compiled import compiled
from bgai.rules.kernels import SLOT_KEYS
from bgai.search.greedy import ReplyPlayer
from bgai.search.reply_kernels import copy_row, one_roll_backups
from bgai_training.starts import Rows


@compiled()
def lambda_returns(values, length, final, decay, out):
    """TD(lambda) targets of one game, latest first, each for its own player on roll.

    ``values (length, 5)`` are the chances met along the game, ``final (1, 5)`` those of the
    position after the last one. G[t] = swap((1 - decay) V[t + 1] + decay G[t + 1]).
    """
    follow = np.empty(5, dtype=np.float32)
    follow[:] = final[0]
    for t in range(length - 1, -1, -1):
        if t < length - 1:
            for k in range(5):
                follow[k] = (1 - decay) * values[t + 1, k] + decay * out[t + 1, k]
        out[t, 0] = 1 - follow[0]
        out[t, 1] = follow[3]
        out[t, 2] = follow[4]
        out[t, 3] = follow[1]
        out[t, 4] = follow[2]


class LabelledGame(NamedTuple):
    """The positions of one game, each judged for its player on roll."""

    rows: NDArray[np.int8]
    """``(length, 52)``"""
    values: NDArray[np.float32]
    """``(length, 5)``, the network's own."""
    backups: NDArray[np.float32]
    """``(length, 5)``, the exact one-roll values."""
    chosen: NDArray[np.bool_]
    """``(length,)``: a play that was not the best led here."""


@compiled()
def corrected_backups(game, decay, out_rows, out_targets):
    """Targets of the positions of a :class:`LabelledGame`, latest first; returns how many.

    A position's target is its backup plus ``decay`` times what the target of the next position
    turned out above its value: TD(lambda) whose errors are free of the luck of the dice.
    Nothing is passed back over a play that was not the best, nor from the end, whose value is
    exact. Targets are not clipped to [0, 1]: that would bias the rare ones.
    """
    rows, values, backups, chosen = game
    count = 0
    error = np.zeros(5, dtype=np.float32)
    target = np.empty(5, dtype=np.float32)
    for t in range(len(rows) - 1, -1, -1):
        target[0] = backups[t, 0] - decay * error[0]
        target[1] = backups[t, 1] + decay * error[3]
        target[2] = backups[t, 2] + decay * error[4]
        target[3] = backups[t, 3] + decay * error[1]
        target[4] = backups[t, 4] + decay * error[2]
        copy_row(rows, t, out_rows, count)
        out_targets[count] = target
        count += 1
        for k in range(5):
            error[k] = 0 if chosen[t] else target[k] - values[t, k]
    return count


def one_roll_targets(rows: Rows, player: ReplyPlayer, threads: int = 1) -> NDArray[np.float32]:
    """Chances ``(n, 5)`` of each row by the mean over 21 rolls of the best reply.

    Rows are independent, so the number of threads changes nothing but the time.
    """
    targets = np.empty((len(rows), 5), dtype=np.float32)

    def fill(part: slice) -> None:
        one_roll_backups(rows[part], player, SLOT_KEYS, targets[part])

    edges = np.linspace(0, len(rows), max(threads, 1) + 1).astype(int)
    parts = [slice(a, b) for a, b in pairwise(edges)]
    if len(parts) == 1:
        fill(parts[0])
    else:
        with ThreadPoolExecutor(len(parts)) as pool:
            list(pool.map(fill, parts))
    return targets
