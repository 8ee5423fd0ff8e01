"""Targets: exact one-roll values of positions, in threads."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from bgai.rules.kernels import SLOT_KEYS
from bgai.search.reply_kernels import one_roll_backups
from bgai_training.selfplay import Players
from bgai_training.starts import Rows


def one_roll_targets(rows: Rows, players: Players, threads: int = 1) -> NDArray[np.float32]:
    """Chances ``(n, 5)`` of each row by the mean over 21 rolls of the best reply.

    Rows are independent, so the number of threads changes nothing but the time.
    """
    targets = np.empty((len(rows), 5), dtype=np.float32)
    networks = players.networks()

    def fill(part: slice) -> None:
        one_roll_backups(
            rows[part], networks, players.keep, np.float32(players.window), SLOT_KEYS, targets[part]
        )

    edges = np.linspace(0, len(rows), max(threads, 1) + 1).astype(int)
    parts = [slice(a, b) for a, b in pairwise(edges)]
    if len(parts) == 1:
        fill(parts[0])
    else:
        with ThreadPoolExecutor(len(parts)) as pool:
            list(pool.map(fill, parts))
    return targets
