"""Compiled choice of replies: all legal plays, hopeless ones dropped, the rest evaluated.

``player`` is a ``greedy.ReplyPlayer``, ``pruning`` its ``pruning.Pruning``.

Rows are positions of 52 ``int8``, the player on roll first. After a play that is the
opponent, so the mover wants the least equity.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bgai.compiled import compiled
from bgai.evaluation.bearoff_kernels import TWO_SIDED_CHECKERS, home_rank, pair_chances
from bgai.evaluation.encoding import COLUMN_OF
from bgai.evaluation.network_kernels import SLOTS, evaluate_rows
from bgai.evaluation.possible_kernels import (
    hold_contact,
    hold_finished,
    hold_race,
    in_contact,
)
from bgai.rules.dice import ROLL_CHANCES, ROLL_DICE
from bgai.rules.kernels import ROW, plays_of_row

OFF_ON_ROLL = 0
OFF_OPPONENT = 26
BAR = 25
CHECKERS = 15

MOST_PLAYS = 3_100
MOST_KEPT = 64  # more than this many kept replies means no pruning
_COLUMN_OF = COLUMN_OF.astype(np.int32)
_ROLLS = ROLL_DICE.astype(np.int64)
_ROLL_CHANCES = ROLL_CHANCES.astype(np.float32)


@compiled(inline="always")
def copy_row(source, i, target, j):
    for slot in range(ROW):
        target[j, slot] = source[i, slot]


@compiled(inline="always")
def copy_chances(source, i, target, j):
    for k in range(5):
        target[j, k] = source[i, k]


@compiled()
def is_over_row(row):
    return row[OFF_ON_ROLL] == CHECKERS or row[OFF_OPPONENT] == CHECKERS


@compiled(inline="always")
def equity_of(chances, i):
    return 2 * chances[i, 0] - 1 + chances[i, 1] + chances[i, 2] - chances[i, 3] - chances[i, 4]


@compiled()
def bearoff_row(row, tables, out):
    """Table chances of a row into ``out (5,)``; False where a side is not all home."""
    mine = row[:26]
    theirs = row[26:]
    mine_rank = home_rank(mine, 15)
    if mine_rank < 0:
        return False
    theirs_rank = home_rank(theirs, 15)
    if theirs_rank < 0:
        return False
    few = TWO_SIDED_CHECKERS
    if mine[0] >= 15 - few and theirs[0] >= 15 - few:
        out[:] = 0
        out[0] = tables.two_sided[home_rank(mine, few), home_rank(theirs, few)]
    else:
        pair_chances(mine_rank, theirs_rank, tables.tails, tables.first_tails, out)
    return True


@compiled()
def evaluate_mixed(rows, count, player, out):
    """Chances of ``rows[:count]``: finished and bear-off by rule and table, others by network.

    All are held to what is possible, see :mod:`bgai.evaluation.possible`.
    """
    contact_rows = np.empty((count, ROW), dtype=np.int8)
    contact_index = np.empty(count, dtype=np.int64)
    race_rows = np.empty((count, ROW), dtype=np.int8)
    race_index = np.empty(count, dtype=np.int64)
    n_contact = 0
    n_race = 0
    for i in range(count):
        if is_over_row(rows[i]):
            hold_finished(rows[i], out[i])
        elif in_contact(rows[i]):
            copy_row(rows, i, contact_rows, n_contact)
            contact_index[n_contact] = i
            n_contact += 1
        elif bearoff_row(rows[i], player.bearoff, out[i]):
            continue
        else:
            copy_row(rows, i, race_rows, n_race)
            race_index[n_race] = i
            n_race += 1
    chances = np.empty((max(n_contact, n_race), 5), dtype=np.float32)
    evaluate_rows(contact_rows, n_contact, player.contact, chances)
    for i in range(n_contact):
        copy_chances(chances, i, out, contact_index[i])
        hold_contact(contact_rows[i], out[contact_index[i]])
    evaluate_rows(race_rows, n_race, player.race, chances)
    for i in range(n_race):
        copy_chances(chances, i, out, race_index[i])
        hold_race(race_rows[i], out[race_index[i]])


@compiled(fastmath=True, error_model="numpy")
def pruner_equities(rows, count, base, pruner, out):
    """Rough equity of ``rows[:count]`` for the player on roll into ``out[:count]``.

    All rows are plays from the position ``base``, so only the slots that differ are added
    to and taken from its first layer.
    """
    w1 = pruner.w1
    w2 = pruner.w2
    width = pruner.bias1.shape[0]
    common = np.empty(width, dtype=np.int16)
    sums = np.empty(width, dtype=np.int16)
    for j in range(width):
        common[j] = pruner.bias1[j]
    for slot in range(SLOTS):
        if base[slot] > 0:
            on = _COLUMN_OF[slot, base[slot]]
            for j in range(width):
                common[j] += w1[on, j]
    words = rows.view(np.int32)  # most slots are as before: skip them four at a time
    base_words = base.view(np.int32)
    for i in range(count):
        for j in range(width):
            sums[j] = common[j]
        for word in range(SLOTS // 4):
            if words[i, word] == base_words[word]:
                continue
            for slot in range(4 * word, 4 * word + 4):
                if rows[i, slot] != base[slot]:
                    on = _COLUMN_OF[slot, rows[i, slot]]
                    off = _COLUMN_OF[slot, base[slot]]
                    for j in range(width):
                        sums[j] += w1[on, j] - w1[off, j]
        total = np.int32(0)
        for j in range(width):
            # int32 throughout, for the CPU's multiply-add of int16 pairs
            product = np.int32(np.int32(max(sums[j], np.int16(0))) * np.int32(w2[j]))
            total = np.int32(total + product)
        out[i] = np.float32(total) * pruner.line[0] + pruner.line[1]


@compiled()
def _keep_limit(rough, count, keep, window, lowest):
    """Rough equity up to which replies are kept: the ``keep`` least (ties included), and none
    further than ``window`` from the least. ``lowest`` is scratch for ``keep`` values."""
    for k in range(keep):
        lowest[k] = np.float32(1e9)
    for i in range(count):
        value = rough[i]
        if value >= lowest[keep - 1]:
            continue
        k = keep - 1
        while k > 0 and lowest[k - 1] > value:
            lowest[k] = lowest[k - 1]
            k -= 1
        lowest[k] = value
    return min(lowest[keep - 1], lowest[0] + window)


@compiled()
def _may_break_contact(row, die_a, die_b):
    """Whether a roll could carry the player on roll's last checkers past the opponent's."""
    pips = die_a + die_b if die_a != die_b else 4 * die_a
    mine = 0
    theirs = 0
    for slot in range(1, BAR + 1):
        if row[slot] > 0:
            mine = slot
        if row[OFF_OPPONENT + slot] > 0:
            theirs = slot
    return mine - pips + theirs < 25


class Scratch(NamedTuple):
    """Working arrays of :func:`kept_replies`; one set a thread."""

    mover: NDArray[np.int8]
    keys: NDArray[np.int64]
    """``rules.kernels.SLOT_KEYS``, then three arrays of ``rules.kernels.plays_of_row``."""
    known: NDArray[np.int64]
    sources: NDArray[np.int64]
    stack: NDArray[np.int64]
    plays: NDArray[np.int8]
    rough: NDArray[np.float32]
    lowest: NDArray[np.float32]


@compiled()
def make_scratch(keys):
    """A :class:`Scratch`."""
    return Scratch(
        np.empty(ROW, dtype=np.int8),
        keys,
        np.empty(512, dtype=np.int64),
        np.empty(BAR, dtype=np.int64),
        np.empty((4, 5), dtype=np.int64),
        np.empty((MOST_PLAYS, ROW), dtype=np.int8),
        np.empty(MOST_PLAYS, dtype=np.float32),
        np.empty(MOST_KEPT, dtype=np.float32),
    )


@compiled()
def kept_replies(row, die_a, die_b, pruning, scratch, kept, count):
    """Append the replies of the player on roll worth a look to ``kept``; returns the new count.

    ``row`` has the player on roll first. Plays that end the game or break contact are
    always kept. ``scratch`` comes from :func:`make_scratch`.
    """
    mover, keys, known, sources, stack, plays, rough, lowest = scratch
    pruner, keep, window = pruning
    for slot in range(26):
        mover[slot] = row[26 + slot]
        mover[26 + slot] = row[slot]
    n = plays_of_row(mover, die_a, die_b, keys, known, sources, stack, plays, 0)
    prune = keep < n and keep <= lowest.shape[0] and pruner.bias1.shape[0] > 0
    contact_before = prune and in_contact(row)
    if not contact_before:
        for i in range(n):
            copy_row(plays, i, kept, count)
            count += 1
        return count
    pruner_equities(plays, n, mover, pruner, rough)
    limit = _keep_limit(rough, n, keep, window, lowest)
    may_break = _may_break_contact(row, die_a, die_b)
    for i in range(n):
        if rough[i] <= limit or (may_break and not in_contact(plays[i])):
            copy_row(plays, i, kept, count)
            count += 1
    return count


@compiled()
def one_roll_backups(rows, player, keys, out):
    """Exact one-roll value of each row into ``out (n, 5)``, for its player on roll.

    The mean over the 21 rolls of the chances after the best reply.
    """
    scratch = make_scratch(keys)
    kept = np.empty((21 * MOST_PLAYS, ROW), dtype=np.int8)
    chances = np.empty((21 * MOST_PLAYS, 5), dtype=np.float32)
    ends = np.empty(22, dtype=np.int64)
    for i in range(rows.shape[0]):
        count = 0
        ends[0] = 0
        for t in range(21):
            high, low = _ROLLS[t]
            count = kept_replies(rows[i], high, low, player.pruning, scratch, kept, count)
            ends[t + 1] = count
        evaluate_mixed(kept, count, player, chances)
        for k in range(5):
            out[i, k] = 0
        for t in range(21):
            best = ends[t]
            best_equity = equity_of(chances, best)
            for j in range(ends[t] + 1, ends[t + 1]):
                equity = equity_of(chances, j)
                if equity < best_equity:
                    best = j
                    best_equity = equity
            weight = _ROLL_CHANCES[t]
            out[i, 0] += weight * (1 - chances[best, 0])
            out[i, 1] += weight * chances[best, 3]
            out[i, 2] += weight * chances[best, 4]
            out[i, 3] += weight * chances[best, 1]
            out[i, 4] += weight * chances[best, 2]
