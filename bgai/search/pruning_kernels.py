"""Compiled pruning: all replies of all rolls with the hopeless ones left out."""

from typing import Any

import numpy as np

from bgai.compiled import compiled
from bgai.rules.kernels import ROW
from bgai.search.reply_kernels import MOST_PLAYS, kept_replies, make_scratch


@compiled()
def kept_of_every_roll(positions: Any, pruning: Any, keys: Any) -> Any:
    """Positions ``(m, 52)`` after the replies kept, and offsets ``(21 n + 1,)``.

    Rolls in the order of ``ROLLS``; see ``reply_kernels.kept_replies`` for what is kept.
    """
    n = positions.shape[0]
    scratch = make_scratch(keys)
    room = n * 21 * (pruning.keep + 2) + MOST_PLAYS
    kept = np.empty((room, ROW), dtype=np.int8)
    offsets = np.empty(21 * n + 1, dtype=np.int64)
    offsets[0] = 0
    row = np.empty(ROW, dtype=np.int8)
    count = 0
    segment = 0
    for i in range(n):
        for side in range(2):
            for slot in range(26):
                row[side * 26 + slot] = positions[i, side, slot]
        for high in range(1, 7):
            for low in range(1, high + 1):
                if count + MOST_PLAYS > room:
                    room = 2 * room
                    larger = np.empty((room, ROW), dtype=np.int8)
                    larger[:count] = kept[:count]
                    kept = larger
                count = kept_replies(row, high, low, pruning, scratch, kept, count)
                segment += 1
                offsets[segment] = count
    return kept[:count], offsets
