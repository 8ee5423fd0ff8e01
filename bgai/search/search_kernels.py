"""Compiled steps between the evaluations of a search.

Batches of replies are *segments*: the rows of segment ``i`` are ``offsets[i]:offsets[i + 1]``,
one segment for each position and roll. Rows are judged by the *worth to the player on
roll* after the play, so that the one who played picks the least. Equal worths go to the
lower row. Every sum runs in a fixed order: results don't depend on how a batch was cut.
"""

from typing import Any

import numpy as np

from bgai.compiled import compiled

_WEIGHTS = np.array(
    [(1.0 if high == low else 2.0) / 36 for high in range(1, 7) for low in range(1, high + 1)]
)
ROLL_COUNT = 21


@compiled()
def linear_worths(chances: Any, base: float, weights: Any) -> Any:
    """``base + chances @ weights`` row by row, float32 ``(n,)``."""
    worths = np.empty(chances.shape[0], dtype=np.float32)
    for i in range(chances.shape[0]):
        total = base
        for j in range(5):
            total += weights[j] * chances[i, j]
        worths[i] = total
    return worths


@compiled()
def filter_segments(worths: Any, offsets: Any, always: int, extra: int, within: float) -> Any:
    """Rows that pass a move filter: the best ``always`` of a segment and up to ``extra`` more.

    The extra ones must be within ``within`` of the best. Returns ``(rows, offsets)`` with rows
    rising inside a segment.
    """
    segments = offsets.shape[0] - 1
    most = always + extra
    rows = np.empty(min(segments * most, worths.shape[0]), dtype=np.int64)
    kept = np.empty(segments + 1, dtype=np.int64)
    top = np.empty(most, dtype=np.int64)
    n = 0
    for i in range(segments):
        kept[i] = n
        found = 0
        for row in range(offsets[i], offsets[i + 1]):
            worth = worths[row]
            if found == most and worth >= worths[top[found - 1]]:
                continue
            at = found if found < most else most - 1
            found = min(found + 1, most)
            while at > 0 and worths[top[at - 1]] > worth:
                top[at] = top[at - 1]
                at -= 1
            top[at] = row
        count = min(found, always)
        while count < found and worths[top[count]] - worths[top[0]] <= within:
            count += 1
        for j in range(count):  # insertion sort of the few chosen back into row order
            row = top[j]
            at = n + j
            while at > n and rows[at - 1] > row:
                rows[at] = rows[at - 1]
                at -= 1
            rows[at] = row
        n += count
    kept[segments] = n
    return rows[:n], kept


@compiled()
def least_rows(worths: Any, offsets: Any) -> Any:
    """The row of least worth of each segment, ``(segments,)``."""
    best = np.empty(offsets.shape[0] - 1, dtype=np.int64)
    for i in range(best.shape[0]):
        least = offsets[i]
        for row in range(offsets[i] + 1, offsets[i + 1]):
            if worths[row] < worths[least]:
                least = row
        best[i] = least
    return best


@compiled()
def average_replies(chances: Any, rows: Any) -> Any:
    """Chances ``(n, 5)`` of the player who rolls, from the chosen row of each of 21 n segments.

    ``chances`` are the other player's after the play; rolls are in the order of ``ROLLS``.
    """
    out = np.empty((rows.shape[0] // ROLL_COUNT, 5), dtype=np.float32)
    for i in range(out.shape[0]):
        win = wg = wbg = lg = lbg = 0.0
        for roll in range(ROLL_COUNT):
            row = rows[i * ROLL_COUNT + roll]
            weight = _WEIGHTS[roll]
            win += weight * (1.0 - chances[row, 0])
            wg += weight * chances[row, 3]
            wbg += weight * chances[row, 4]
            lg += weight * chances[row, 1]
            lbg += weight * chances[row, 2]
        # rounding must not make more gammons than wins, nor more backgammons than gammons
        out[i, 0] = win
        out[i, 1] = min(np.float32(wg), out[i, 0])
        out[i, 2] = min(np.float32(wbg), out[i, 1])
        out[i, 3] = min(np.float32(lg), np.float32(1) - out[i, 0])
        out[i, 4] = min(np.float32(lbg), out[i, 3])
    return out


@compiled()
def every_roll(positions: Any) -> Any:
    """Each position 21 times, ``(21 n, 2, 26)``, and the rolls ``(21 n, 2)`` beside them."""
    n = positions.shape[0]
    repeated = np.empty((n * ROLL_COUNT, 2, 26), dtype=np.int8)
    rolls = np.empty((n * ROLL_COUNT, 2), dtype=np.int8)
    row = 0
    for i in range(n):
        for high in range(1, 7):
            for low in range(1, high + 1):
                rolls[row, 0] = high
                rolls[row, 1] = low
                for side in range(2):
                    for slot in range(26):
                        repeated[row, side, slot] = positions[i, side, slot]
                row += 1
    return repeated, rolls
