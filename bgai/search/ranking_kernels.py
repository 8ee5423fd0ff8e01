"""Compiled ranking of plays; the rule is that of ``bgai.search.ranking``.

Batches of plays are *segments*: the rows of segment ``i`` are ``offsets[i]:offsets[i + 1]``,
one segment for each decision, or for each position and roll. Whoever played wants the least key;
a column ``(m, C)`` of keys for each way to judge (states of the cube).
"""

from typing import Any

import numpy as np

from bgai.compiled import compiled
from bgai.evaluation.evaluator import MONEY_WEIGHTS

MILLIONTHS = 1e6
_FRACTION = 2.0**-24  # cubeless equity in millionths, up to 8 points, as a part of 1
_MOST = 1.0 - _FRACTION


@compiled()
def keys_of_columns(worths: Any, chances: Any, weights: Any) -> Any:
    """Keys ``(m, C)``: worth in whole millionths, the cubeless equity as the fraction."""
    keys = np.empty(worths.shape)
    for row in range(worths.shape[0]):
        fraction = key_fraction(chances, row, weights)
        for column in range(worths.shape[1]):
            keys[row, column] = np.rint(MILLIONTHS * worths[row, column]) + fraction
    return keys


@compiled(inline="always")
def key_fraction(chances: Any, row: int, weights: Any) -> float:
    """The part of a key that settles ties: 0.5 for a cubeless equity of about 0."""
    total = -0.5 * weights[0]
    for j in range(5):
        total += weights[j] * chances[row, j]
    part = 0.5 + _FRACTION * np.rint(MILLIONTHS * total)
    return min(max(part, 0.0), _MOST)


@compiled()
def least_rows_by_column(keys: Any, offsets: Any) -> Any:
    """The first row of least key of each segment and column, int64 ``(segments, C)``."""
    columns = keys.shape[1]
    best = np.empty((offsets.shape[0] - 1, columns), dtype=np.int64)
    for i in range(best.shape[0]):
        for column in range(columns):
            best[i, column] = offsets[i]
        for row in range(offsets[i] + 1, offsets[i + 1]):
            for column in range(columns):
                if keys[row, column] < keys[best[i, column], column]:
                    best[i, column] = row
    return best


@compiled()
def made_rows_by_column(keys: Any, chances: Any, after: Any, offsets: Any) -> Any:
    """The same, plays of equal keys compared further."""
    best = least_rows_by_column(keys, offsets)
    for i in range(best.shape[0]):
        for column in range(best.shape[1]):
            played = best[i, column]
            least = keys[played, column]
            for row in range(played + 1, offsets[i + 1]):
                if keys[row, column] == least and goes_before(chances, after, row, played):
                    played = row
            best[i, column] = played
    return best


@compiled(inline="always")
def goes_before(chances: Any, after: Any, a: int, b: int) -> bool:
    """Whether row ``a`` is the better one of two plays of equal keys."""
    first = second = 0.0
    for j in range(5):
        first += MONEY_WEIGHTS[j] * chances[a, j]
        second += MONEY_WEIGHTS[j] * chances[b, j]
    gap = np.rint(MILLIONTHS * first) - np.rint(MILLIONTHS * second)
    if gap != 0.0:
        return bool(gap < 0.0)
    if after[a, 1, 0] != after[b, 1, 0]:
        return bool(after[a, 1, 0] > after[b, 1, 0])
    pips = 0
    blots = 0
    for slot in range(1, 26):
        pips += slot * (after[a, 1, slot] - after[b, 1, slot])
        blots += (after[a, 1, slot] == 1) - (after[b, 1, slot] == 1)
    if pips != 0:
        return bool(pips < 0)
    return bool(blots < 0)


@compiled()
def order_rows(keys: Any, chances: Any, after: Any, plies: Any) -> Any:
    """All rows ``(m,)``, the best first; those judged deeper before the others."""
    order = np.empty(keys.shape[0], dtype=np.int64)
    for row in range(keys.shape[0]):
        at = row
        while at > 0:
            other = order[at - 1]
            if plies[row] != plies[other]:
                better = plies[row] > plies[other]
            elif keys[row] != keys[other]:
                better = keys[row] < keys[other]
            else:
                better = goes_before(chances, after, row, other)
            if not better:
                break
            order[at] = other
            at -= 1
        order[at] = row
    return order


@compiled()
def filter_segments(
    keys: Any, chances: Any, after: Any, offsets: Any, always: int, extra: int, within: float
) -> Any:
    """Rows that pass a move filter: the best ``always`` of a segment and up to ``extra`` more.

    The extra ones must be within ``within`` points of the best. Returns ``(rows, offsets)`` with
    rows rising inside a segment.
    """
    segments = offsets.shape[0] - 1
    most = always + extra
    rows = np.empty(min(segments * most, keys.shape[0]), dtype=np.int64)
    kept = np.empty(segments + 1, dtype=np.int64)
    top = np.empty(most, dtype=np.int64)
    n = 0
    for i in range(segments):
        kept[i] = n
        found = 0
        for row in range(offsets[i], offsets[i + 1]):
            key = keys[row]
            at = found
            while at > 0:
                other = top[at - 1]
                better = key < keys[other]
                if key == keys[other]:
                    better = goes_before(chances, after, row, other)
                if not better:
                    break
                if at < most:
                    top[at] = other
                at -= 1
            if at < most:
                top[at] = row
                found = min(found + 1, most)
        count = min(found, always)
        while count < found and keys[top[count]] - keys[top[0]] <= MILLIONTHS * within + 1.0:
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
def kept_rows(keys: Any, offsets: Any, columns: Any, replies: int) -> Any:
    """Rows among the best ``replies`` of their segment by one of ``columns``.

    Returns ``(rows, offsets, last)``, rows rising inside a segment; ``last`` says which of them
    were chosen by the last of the columns.
    """
    rows = np.empty(keys.shape[0], dtype=np.int64)
    kept = np.empty(offsets.shape[0], dtype=np.int64)
    chosen = np.zeros(keys.shape[0], dtype=np.int64)
    n = 0
    for i in range(offsets.shape[0] - 1):
        kept[i] = n
        for k in range(columns.shape[0]):
            column = columns[k]
            for _ in range(min(replies, offsets[i + 1] - offsets[i])):
                least = -1
                for row in range(offsets[i], offsets[i + 1]):
                    # rows marked by this column are taken; a mark of another doesn't matter
                    taken = (chosen[row] >> k) & 1
                    if not taken and (least < 0 or keys[row, column] < keys[least, column]):
                        least = row
                chosen[least] |= 1 << k
        for row in range(offsets[i], offsets[i + 1]):
            if chosen[row]:
                rows[n] = row
                n += 1
    kept[offsets.shape[0] - 1] = n
    rows = rows[:n]
    return rows, kept, (chosen[rows] >> (columns.shape[0] - 1)) & 1 == 1
