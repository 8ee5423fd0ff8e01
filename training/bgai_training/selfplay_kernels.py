"""Compiled self-play: many games side by side, one ply each a call.

Rows are positions of 52 ``int8``, the player on roll first; ``player`` is a
``bgai.search.greedy.ReplyPlayer``.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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
from bgai_training.targets import LabelledGame, corrected_backups, lambda_returns

# Games whose candidate replies are evaluated together: enough rows to fill the kernels' tiles.
_TOGETHER = 32


class Siblings(NamedTuple):
    """Another play of each game beside the best one, for :func:`advance` to fill in."""

    rows: NDArray[np.int8]
    """``(n, 52)``: a kept reply, the play itself where there is no other."""
    window: np.float32
    """How much worse it may be, in points."""
    dice: NDArray[np.float64]
    """``(n,)`` in [0, 1): which of them it is."""


class UnderWay(NamedTuple):
    """Games under way, changed by the kernels that record them.

    ``history_*[g, :lengths[g]]`` hold the positions before this ply, the start first (whose
    value is never needed), and the chances of each for its player on roll.
    """

    rows: NDArray[np.int8]
    """``(n, 52)`` after the ply just played."""
    values: NDArray[np.float32]
    """``(n, 5)``, the chances there."""
    lengths: NDArray[np.int64]
    history_rows: NDArray[np.int8]
    history_values: NDArray[np.float32]
    starts: NDArray[np.int8]
    """At least ``n`` positions, the next to start games from."""
    results: NDArray[np.int64]
    """Wins by points (3 of each side) and, last, games stopped early."""


class Backups(NamedTuple):
    """The one-roll values of games under way, and which plays were not the best.

    ``history_chosen`` says it of the play that led to a position, ``chosen (n,)`` of the ply
    just played: there ``values`` are not those of ``rows``.
    """

    history_backups: NDArray[np.float32]
    history_chosen: NDArray[np.bool_]
    chosen: NDArray[np.bool_]


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
def advance(rows, rolls, player, keys, siblings, values):
    """Play one ply greedily in every game.

    ``rows (n, 52)`` become the positions after the best plays and ``values (n, 5)`` their
    chances, for the player then on roll. ``siblings`` are :class:`Siblings`.
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
                player.pruning,
                scratch,
                kept,
                count,
            )
            ends[g + 1] = count
        evaluate_mixed(kept, count, player, chances)
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
                if j != best and equity_of(chances, j) <= best_equity + siblings.window:
                    close += 1
            copy_row(kept, best, siblings.rows, i)
            wanted = np.int64(siblings.dice[i] * close)
            for j in range(ends[g], ends[g + 1]):
                if j != best and equity_of(chances, j) <= best_equity + siblings.window:
                    if wanted == 0:
                        copy_row(kept, j, siblings.rows, i)
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
def start_again(games, g, started):
    """Start game ``g`` from the next unused position."""
    copy_row(games.starts, started, games.rows, g)
    copy_row(games.starts, started, games.history_rows[g], 0)
    games.lengths[g] = 1


@compiled()
def note(games, g):
    """Add the position reached to the history of game ``g``."""
    copy_row(games.rows, g, games.history_rows[g], games.lengths[g])
    copy_chances(games.values, g, games.history_values[g], games.lengths[g])
    games.lengths[g] += 1


@compiled()
def record_ply(games, decay, race_every, out_rows, out_targets):
    """Note the ply just played; finished games give their targets and start again.

    A game ends when it is over, when both sides are home (the tables know the rest), when
    contact is broken, except in every ``race_every``-th game, or when its history is full; the
    value then stands in for the result. Samples go to ``out_*``. Returns how many samples, and
    how many games started.
    """
    samples = 0
    started = 0
    rows = games.rows
    most = games.history_rows.shape[1]
    final = np.empty((1, 5), dtype=np.float32)
    for g in range(rows.shape[0]):
        n = games.lengths[g]
        race = g % race_every != 0 and not in_contact(rows[g])
        if is_over_row(rows[g]) or n == most or race or both_home(rows[g]):
            if not count_result(rows[g], final, games.results):
                final[0] = games.values[g]
            targets = out_targets[samples : samples + n]
            lambda_returns(games.history_values[g], n, final, decay, targets)
            for t in range(n):
                copy_row(games.history_rows[g], t, out_rows, samples + t)
            samples += n
            start_again(games, g, started)
            started += 1
        else:
            note(games, g)
    return samples, started


@compiled()
def record_backups(games, backups, decay, out_rows, out_targets):
    """As :func:`record_ply`, for games whose positions have :class:`Backups`.

    ``backups.history_backups[g, :lengths[g]]`` are filled already.
    """
    samples = 0
    started = 0
    rows = games.rows
    most = games.history_rows.shape[1]
    final = np.empty((1, 5), dtype=np.float32)
    for g in range(rows.shape[0]):
        n = games.lengths[g]
        if is_over_row(rows[g]) or n == most or both_home(rows[g]):
            count_result(rows[g], final, games.results)
            game = LabelledGame(
                games.history_rows[g, :n],
                games.history_values[g, :n],
                backups.history_backups[g, :n],
                backups.history_chosen[g, :n],
            )
            samples += corrected_backups(game, decay, out_rows[samples:], out_targets[samples:])
            start_again(games, g, started)
            started += 1
        else:
            backups.history_chosen[g, n] = backups.chosen[g]
            note(games, g)
    return samples, started
