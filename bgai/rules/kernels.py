"""Compiled move generator.

Inside, a position is one ``int8`` row of 52: the opponent's 26 slots, then the mover's
own 26, which is already the layout of the position after the play (opponent on roll).
Moves are made in the row, the row is copied out, the move is taken back.

How duplicates are avoided without comparing positions:

* Doubles: sources never rise along a play. Every set of four moves has exactly one such
  order, and it is legal whenever any order is.
* Two different dice while nothing can be borne off: the result depends on the pair
  (source of the higher die, source of the lower die). Only one checker carried by both
  dice can be reached twice, through either intermediate point, and then the results
  differ only by what is hit on the way.
* Two different dice near the bear-off: few results, so they are compared by a key.
"""

import numpy as np
from numpy.typing import NDArray

from bgai.compiled import compiled
from bgai.rules.position import Positions

OWN = 26  # where the mover's slots begin in a row
ROW = 52
BAR = 25
HOME = 6

# More distinct results than one roll can have: 4 moves from at most 15 sources, C(18, 4).
_MOST_RESULTS = 3_100
_MOST_BEAROFF_RESULTS = 512

# Weights of the slots in the sums by which equal positions after a roll are found.
SLOT_KEYS = np.random.default_rng(20).integers(1, 2**62, size=ROW, dtype=np.int64)


@compiled(inline="always")
def _is_open(row, destination):
    return row[BAR - destination] < 2


@compiled(inline="always")
def _has_blot(row, destination):
    return row[BAR - destination] == 1


@compiled(inline="always")
def _move(row, source, destination):
    """Move one checker (destination 0 bears off); returns whether it hit."""
    row[OWN + source] -= 1
    row[OWN + destination] += 1
    if destination > 0 and row[BAR - destination] == 1:
        row[BAR - destination] = 0
        row[BAR] += 1
        return True
    return False


@compiled(inline="always")
def _take_back(row, source, destination, hit):
    row[OWN + source] += 1
    row[OWN + destination] -= 1
    if hit:
        row[BAR - destination] = 1
        row[BAR] -= 1


@compiled(inline="always")
def _copy_out(row, out, count):
    for slot in range(ROW):
        out[count, slot] = row[slot]


@compiled(inline="always")
def _outside(row):
    """Own checkers that are not home, the bar included."""
    total = 0
    for slot in range(HOME + 1, BAR + 1):
        total += row[OWN + slot]
    return total


@compiled()
def _destination(row, source, die, outside):
    """Where ``die`` takes a checker from ``source``: a point, 0 for off, -1 if it may not move."""
    destination = source - die
    if destination > 0:
        return destination if _is_open(row, destination) else -1
    if outside > 0:
        return -1
    if destination < 0:  # a higher die bears off only from the highest occupied point
        for slot in range(source + 1, HOME + 1):
            if row[OWN + slot] > 0:
                return -1
    return 0


@compiled()
def _next_source(row, die, limit, outside):
    """The highest source up to ``limit`` that may move by ``die``, 0 for none."""
    if row[OWN + BAR] > 0:
        return BAR if limit == BAR and _destination(row, BAR, die, outside) >= 0 else 0
    for source in range(limit, 0, -1):
        if row[OWN + source] > 0 and _destination(row, source, die, outside) >= 0:
            return source
    return 0


@compiled()
def _doubles(row, die, stack, out, count):
    """Plays of four equal dice, the longest only; returns the new count.

    A depth-first search with its own stack (numba can't cache recursive functions): per
    level the next source to try, the source moved, whether it hit and the checkers not
    home. A level that found no move is the end of a play.
    """
    tries, moved, hits, outside = stack[0], stack[1], stack[2], stack[3]
    first = count
    longest = 1
    level = 0
    tries[0] = BAR
    moved[0] = 0
    outside[0] = _outside(row)
    while level >= 0:
        source = 0
        if level < 4:
            source = _next_source(row, die, tries[level], outside[level])
        if source > 0:
            destination = max(source - die, 0)
            tries[level] = source - 1
            moved[level] = source
            hits[level] = _move(row, source, destination)
            tries[level + 1] = source
            moved[level + 1] = 0
            came_home = 1 if source > HOME and destination <= HOME else 0
            outside[level + 1] = outside[level] - came_home
            level += 1
            continue
        if moved[level] == 0 and level >= longest:
            if level > longest:
                longest = level
                count = first
            _copy_out(row, out, count)
            count += 1
        level -= 1
        if level >= 0:
            _take_back(row, moved[level], max(moved[level] - die, 0), hits[level])
    return count


@compiled(inline="always")
def _copy_pair(row, source_high, high, source_low, low, low_first, out, count):
    """Copy out the position after both moves; the order matters only for one checker."""
    if low_first:
        hit_low = _move(row, source_low, source_low - low)
        hit_high = _move(row, source_high, source_high - high)
        _copy_out(row, out, count)
        _take_back(row, source_high, source_high - high, hit_high)
        _take_back(row, source_low, source_low - low, hit_low)
    else:
        hit_high = _move(row, source_high, source_high - high)
        hit_low = _move(row, source_low, source_low - low)
        _copy_out(row, out, count)
        _take_back(row, source_low, source_low - low, hit_low)
        _take_back(row, source_high, source_high - high, hit_high)


@compiled()
def _both_dice(row, high, low, sources, out, count):
    """Plays of both dice when nothing can be borne off; returns the new count."""
    on_bar = row[OWN + BAR]
    occupied = 0
    for source in range(BAR, 0, -1):
        if row[OWN + source] > 0:
            sources[occupied] = source
            occupied += 1
    for i in range(occupied):
        a = sources[i]
        if a <= high or not _is_open(row, a - high):
            continue
        for j in range(occupied):
            b = sources[j]
            if b <= low or not _is_open(row, b - low):
                continue
            if a == b and row[OWN + a] < 2:
                continue
            if on_bar > 0 and a != BAR and b != BAR:
                continue
            if on_bar >= 2 and a != b:
                continue
            # One checker from b through a: also reached through b - high if that is open,
            # with the same result unless a blot is hit there.
            if (
                b == a + low
                and b > high
                and _is_open(row, b - high)
                and not _has_blot(row, b - high)
            ):
                continue
            _copy_pair(row, a, high, b, low, False, out, count)
            count += 1
        via = a - high
        if (
            row[OWN + via] == 0
            and via > low
            and _is_open(row, via - low)
            and (on_bar == 0 or (on_bar == 1 and a == BAR))
        ):
            _copy_pair(row, a, high, via, low, False, out, count)
            count += 1
    if on_bar >= 2:
        return count
    for j in range(occupied):
        b = sources[j]
        via = b - low
        if on_bar > 0 and b != BAR:
            break
        if via <= high or row[OWN + via] > 0 or not _is_open(row, via):
            continue
        if not _is_open(row, via - high):
            continue
        if _is_open(row, b - high) and not _has_blot(row, b - high) and not _has_blot(row, via):
            continue
        _copy_pair(row, via, high, b, low, True, out, count)
        count += 1
    return count


@compiled()
def _both_dice_bearing_off(row, high, low, keys, known, out, count):
    """Plays of both dice when checkers may be borne off; returns the new count."""
    first_count = count
    outside = _outside(row)
    for order in range(2):
        first = high if order == 0 else low
        second = low if order == 0 else high
        for a in range(BAR, 0, -1):
            if row[OWN + a] == 0:
                continue
            a_to = _destination(row, a, first, outside)
            if a_to < 0:
                continue
            a_hit = _move(row, a, a_to)
            still_outside = _outside(row)
            for b in range(BAR, 0, -1):
                if row[OWN + b] == 0:
                    continue
                b_to = _destination(row, b, second, still_outside)
                if b_to < 0:
                    continue
                b_hit = _move(row, b, b_to)
                key = np.int64(0)
                for slot in range(ROW):
                    key += row[slot] * keys[slot]
                new = True
                for k in range(count - first_count):
                    if known[k] == key:
                        new = False
                        break
                if new:
                    known[count - first_count] = key
                    _copy_out(row, out, count)
                    count += 1
                _take_back(row, b, b_to, b_hit)
            _take_back(row, a, a_to, a_hit)
    return count


@compiled()
def _one_die(row, die, out, count):
    """Plays of a single die; returns the new count."""
    outside = _outside(row)
    on_bar = row[OWN + BAR] > 0
    for source in range(BAR, 0, -1):
        if on_bar and source != BAR:
            break
        if row[OWN + source] == 0:
            continue
        destination = _destination(row, source, die, outside)
        if destination < 0:
            continue
        hit = _move(row, source, destination)
        _copy_out(row, out, count)
        count += 1
        _take_back(row, source, destination, hit)
    return count


@compiled()
def plays_of_row(row, die_a, die_b, keys, known, sources, stack, out, count):
    """Write every distinct position after a legal play of ``row``; returns the new count.

    The must-use rules are here: both dice if possible (all four of a double), else as many
    as possible, and of two dice that can't both be played the higher. No legal play writes
    the row itself, the turn lost.
    """
    first = count
    if die_a == die_b:
        count = _doubles(row, die_a, stack, out, count)
    else:
        high = max(die_a, die_b)
        low = min(die_a, die_b)
        if row[OWN + BAR] > 0 or _outside(row) >= 2:
            count = _both_dice(row, high, low, sources, out, count)
        else:
            count = _both_dice_bearing_off(row, high, low, keys, known, out, count)
        if count == first:
            count = _one_die(row, high, out, count)
        if count == first:
            count = _one_die(row, low, out, count)
    if count == first:
        _copy_out(row, out, count)
        count += 1
    return count


@compiled()
def _grown(out, count):
    larger = np.empty((2 * out.shape[0], ROW), dtype=np.int8)
    for i in range(count):
        for slot in range(ROW):
            larger[i, slot] = out[i, slot]
    return larger


@compiled()
def _batch(positions, rolls, keys):
    n = positions.shape[0]
    out = np.empty((_MOST_RESULTS + 24 * n, ROW), dtype=np.int8)
    offsets = np.empty(n + 1, dtype=np.int64)
    offsets[0] = 0
    known = np.empty(_MOST_BEAROFF_RESULTS, dtype=np.int64)
    sources = np.empty(BAR, dtype=np.int64)
    stack = np.empty((4, 5), dtype=np.int64)
    row = np.empty(ROW, dtype=np.int8)
    count = 0
    for i in range(n):
        if out.shape[0] - count < _MOST_RESULTS:
            out = _grown(out, count)
        for slot in range(OWN):
            row[slot] = positions[i, 1, slot]
            row[OWN + slot] = positions[i, 0, slot]
        count = plays_of_row(
            row,
            np.int64(rolls[i, 0]),
            np.int64(rolls[i, 1]),
            keys,
            known,
            sources,
            stack,
            out,
            count,
        )
        offsets[i + 1] = count
    return out, offsets


def legal_plays_batch(
    positions: Positions, rolls: NDArray[np.int8]
) -> tuple[Positions, NDArray[np.int64]]:
    """See :func:`bgai.rules.legal_plays.legal_plays_batch`; arguments contiguous ``int8``."""
    out, offsets = _batch(positions, rolls, SLOT_KEYS)
    return out[: offsets[-1]].reshape(-1, 2, OWN), offsets
