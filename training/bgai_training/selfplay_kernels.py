"""Compiled self-play: many games side by side, one ply each a call.

Rows are positions of 52 ``int8``, the player on roll first; ``networks`` as in
``bgai.search.reply_kernels``.
"""

import numpy as np

from bgai.compiled import compiled
from bgai.evaluation.possible_kernels import hold_finished, in_contact
from bgai.rules.kernels import ROW
from bgai.search.reply_kernels import (
    MOST_PLAYS,
    copy_chances,
    copy_row,
    equity_of,
    evaluate_mixed,
    is_over_row,
    kept_replies,
    make_scratch,
)
from bgai_training.targets import corrected_backups, lambda_returns

# Games whose candidate replies are evaluated together: enough rows to fill the kernels' tiles.
_TOGETHER = 32


@compiled()
def both_home(row):
    """Whether all checkers of both sides are home or off, where the bear-off tables answer."""
    for slot in range(7, 26):  # noqa: SIM110 (compiled)
        if row[slot] > 0 or row[26 + slot] > 0:
            return False
    return True


@compiled()
def contact_mask(rows):
    """Which of ``rows (n, 52)`` have contact, bool ``(n,)``."""
    mask = np.empty(rows.shape[0], dtype=np.bool_)
    for i in range(rows.shape[0]):
        mask[i] = in_contact(rows[i])
    return mask


@compiled()
def advance(rows, rolls, networks, keep, window, keys, sibling_window, dice, values, siblings):
    """Play one ply greedily in every game.

    ``rows (n, 52)`` become the positions after the best plays and ``values (n, 5)`` their
    chances, for the player then on roll. ``siblings (n, 52)`` get another kept reply that
    is at most ``sibling_window`` worse, the play itself where there is none; ``dice (n,)``
    in [0, 1) choose among them.
    """
    scratch = make_scratch(keys)
    kept = np.empty((_TOGETHER * MOST_PLAYS, ROW), dtype=np.int8)
    chances = np.empty((_TOGETHER * MOST_PLAYS, 5), dtype=np.float32)
    ends = np.empty(_TOGETHER + 1, dtype=np.int64)
    for start in range(0, rows.shape[0], _TOGETHER):
        games = min(_TOGETHER, rows.shape[0] - start)
        count = 0
        ends[0] = 0
        for g in range(games):
            i = start + g
            count = kept_replies(
                rows[i],
                np.int64(rolls[i, 0]),
                np.int64(rolls[i, 1]),
                networks[2],
                keep,
                window,
                scratch,
                kept,
                count,
            )
            ends[g + 1] = count
        evaluate_mixed(kept, count, networks, chances)
        for g in range(games):
            i = start + g
            best = ends[g]
            best_equity = equity_of(chances, best)
            for j in range(ends[g] + 1, ends[g + 1]):
                equity = equity_of(chances, j)
                if equity < best_equity:
                    best = j
                    best_equity = equity
            copy_row(kept, best, rows, i)
            copy_chances(chances, best, values, i)
            close = 0
            for j in range(ends[g], ends[g + 1]):
                if j != best and equity_of(chances, j) <= best_equity + sibling_window:
                    close += 1
            copy_row(kept, best, siblings, i)
            wanted = np.int64(dice[i] * close)
            for j in range(ends[g], ends[g + 1]):
                if j != best and equity_of(chances, j) <= best_equity + sibling_window:
                    if wanted == 0:
                        copy_row(kept, j, siblings, i)
                        break
                    wanted -= 1


@compiled()
def count_result(row, final, results):
    """Count an ended game, with its chances into ``final[0]``; False if it was stopped early."""
    if not is_over_row(row):
        results[6] += 1
        return False
    hold_finished(row, final[0])
    points = 1
    if final[0, 3] > 0.5:
        points = 3 if final[0, 4] > 0.5 else 2
    results[points - 1] += 1
    return True


@compiled()
def record_ply(
    rows,
    values,
    lengths,
    history_rows,
    history_values,
    decay,
    starts,
    next_start,
    race_every,
    out_rows,
    out_targets,
    results,
):
    """Note the ply just played; finished games give their targets and start again.

    ``history_*[g, :lengths[g]]`` hold the positions before this ply, the start first (whose
    value is never needed). A game ends when it is over, when both sides are home (the tables
    know the rest), when contact is broken, except in every ``race_every``-th game, or when its
    history is full; the value then stands in for the result. ``starts[next_start:]`` replace
    finished games. Samples go to ``out_*``; ``results[0:6]`` counts wins by points (3 of each
    side), ``results[6]`` games stopped early. Returns the number of samples and the next unused
    start.
    """
    samples = 0
    most = history_rows.shape[1]
    final = np.empty((1, 5), dtype=np.float32)
    for g in range(rows.shape[0]):
        full = lengths[g] == most
        race = g % race_every != 0 and not in_contact(rows[g])
        if is_over_row(rows[g]) or full or race or both_home(rows[g]):
            if not count_result(rows[g], final, results):
                final[0] = values[g]
            n = lengths[g]
            lambda_returns(history_values[g], n, final, decay, out_targets[samples : samples + n])
            for t in range(n):
                copy_row(history_rows[g], t, out_rows, samples + t)
            samples += n
            copy_row(starts, next_start, rows, g)
            copy_row(starts, next_start, history_rows[g], 0)
            next_start += 1
            lengths[g] = 1
        else:
            copy_row(rows, g, history_rows[g], lengths[g])
            copy_chances(values, g, history_values[g], lengths[g])
            lengths[g] += 1
    return samples, next_start


@compiled()
def record_backups(
    rows,
    values,
    chosen,
    lengths,
    history_rows,
    history_values,
    history_backups,
    history_chosen,
    decay,
    starts,
    next_start,
    out_rows,
    out_targets,
    results,
):
    """As :func:`record_ply`, for games whose positions have one-roll backups.

    ``history_backups[g, :lengths[g]]`` are filled already; ``chosen (n,)`` says in which games
    the ply just played was not the best one, so that ``values`` are not those of ``rows``.
    """
    samples = 0
    most = history_rows.shape[1]
    final = np.empty((1, 5), dtype=np.float32)
    for g in range(rows.shape[0]):
        n = lengths[g]
        if is_over_row(rows[g]) or n == most or both_home(rows[g]):
            count_result(rows[g], final, results)
            samples += corrected_backups(
                history_rows[g],
                history_backups[g],
                history_values[g],
                history_chosen[g],
                n,
                decay,
                out_rows[samples:],
                out_targets[samples:],
            )
            copy_row(starts, next_start, rows, g)
            copy_row(starts, next_start, history_rows[g], 0)
            next_start += 1
            lengths[g] = 1
        else:
            copy_row(rows, g, history_rows[g], n)
            copy_chances(values, g, history_values[g], n)
            history_chosen[g, n] = chosen[g]
            lengths[g] = n + 1
    return samples, next_start
