"""Duels: many cubeless money games between two players, with mirrored dice, luck taken out.

Every sequence of dice is played twice with the sides swapped, so luck that favours the
player who moves first, or whoever has those dice, mostly cancels. What is left is estimated
by a judge: the luck of a roll is the worth of the best play it allows less the mean worth
over all rolls, and the adjusted result of a game is its points less all luck of the one
player plus all luck of the other. Luck has mean zero whatever the judge's errors, so the
adjustment never favours anybody; a good judge makes the standard error several times smaller.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from bgai.errors import InputError
from bgai.evaluation.choose import greedy_rows
from bgai.evaluation.evaluator import Evaluator, cubeless_equity
from bgai.program import apart
from bgai.rules.dice import ROLL_CHANCES, ROLL_DICE, roll_dice
from bgai.rules.legal_plays import legal_plays_batch
from bgai.rules.outcome import game_points
from bgai.rules.position import Positions, starting_position
from bgai.search.lookahead import Lookahead
from bgai.search.luck import best_of_rolls, roll_index

Rolls = NDArray[np.int8]
Floats = NDArray[np.float64]
Progress = Callable[[int], object]
"""Called with the number of games that have just ended."""

PAIRS_AT_ONCE = 1_000
MOST_TURNS = 2_000
"""A game that lasts longer is stopped and counts as a draw: two players that hit at any
cost can go on for ever."""

_OPENING_CHANCES = (
    np.where(ROLL_DICE[:, 0] == ROLL_DICE[:, 1], 0.0, ROLL_CHANCES)
    / ROLL_CHANCES[ROLL_DICE[:, 0] != ROLL_DICE[:, 1]].sum()
)


@runtime_checkable
class Duellist(Protocol):
    """Plays many decisions at once."""

    def choose(self, positions: Positions, rolls: Rolls) -> Positions:
        """Positions ``(n, 2, 26)`` after the chosen plays, the opponent on roll."""
        ...


class GreedyDuellist:
    """Plays what an evaluator likes best right after the play: 0-ply."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator

    def choose(self, positions: Positions, rolls: Rolls) -> Positions:
        after, offsets = legal_plays_batch(positions, rolls)
        return np.asarray(after[greedy_rows(self.evaluator, after, offsets)])


@dataclass(frozen=True, slots=True)
class DuelResult:
    """A duel as the first player sees it, in points a game.

    ``adjusted`` and ``adjusted_error`` are None without a judge. Standard errors come from
    the pairs of games with the same dice. ``results`` counts games by points, -3 to 3; 0 are
    those stopped after ``MOST_TURNS``.
    """

    games: int
    points: float
    standard_error: float
    adjusted: float | None
    adjusted_error: float | None
    results: dict[int, int]

    def __str__(self) -> str:
        text = f"{self.games} games, {self.points:+.3f} ± {self.standard_error:.3f} points a game"
        if self.adjusted is None:
            return text
        return f"{text}, luck-adjusted {self.adjusted:+.4f} ± {self.adjusted_error:.4f}"


def duel(
    first: Evaluator | Duellist,
    second: Evaluator | Duellist,
    games: int,
    *,
    judge: Evaluator | None = None,
    seed: int = 0,
    threads: int = 1,
    progress: Progress | None = None,
) -> DuelResult:
    """Play ``games`` games, half of them with the sides swapped.

    An evaluator plays its best play at 0-ply. ``judge`` estimates luck (a lookahead as it is,
    another evaluator at 0-ply); None leaves the points as they fell. ``threads`` are used by
    a judge that is no lookahead. The dice depend on ``seed`` alone. After Ctrl-C the result is
    that of the blocks of ``2 * PAIRS_AT_ONCE`` games finished, if there are any. Raises
    ``InputError`` unless ``games`` is even and positive.
    """
    if games < 2 or games % 2:
        raise InputError(
            f"a duel plays every dice sequence twice: not {games} games, but an even number"
        )
    players = (_duellist(first), _duellist(second))
    if judge is not None and not isinstance(judge, Lookahead):
        judge = Lookahead(judge, plies=0, threads=threads)
    pairs = games // 2
    points: list[Floats] = []
    luck: list[Floats] = []
    for block, start in enumerate(range(0, pairs, PAIRS_AT_ONCE)):
        table = _Table(min(PAIRS_AT_ONCE, pairs - start), np.random.default_rng([seed, block]))
        try:
            table.play(players, judge, progress)
        except KeyboardInterrupt:
            if not points:
                raise
            break  # without the block under way: its short games alone would mislead
        points.append(table.points.reshape(2, -1))
        luck.append(table.luck.reshape(2, -1))
    return _summary(
        np.concatenate(points, axis=1), np.concatenate(luck, axis=1), adjust=judge is not None
    )


def _duellist(player: Evaluator | Duellist) -> Duellist:
    return player if isinstance(player, Duellist) else GreedyDuellist(player)


def roll_luck(judge: Lookahead, positions: Positions, rolls: Rolls, *, opening: bool) -> Floats:
    """Luck ``(n,)`` of each roll for the player who made it, in points; the judge at 0-ply.

    ``opening`` says that the rolls start games and so can't be doubles.
    """
    rows = np.ascontiguousarray(positions).reshape(len(positions), -1).view("V52").ravel()
    _, chosen, where = np.unique(rows, return_index=True, return_inverse=True)
    _, chances = best_of_rolls(judge, positions[chosen])
    worth = cubeless_equity(chances).astype(np.float64)
    mean = worth @ (_OPENING_CHANCES if opening else ROLL_CHANCES)
    return np.asarray(worth[where, roll_index(rolls)] - mean[where])


class _Table:
    """``pairs`` dice sequences being played: games ``0 ... pairs - 1`` are begun by the first
    player, the same dice again by the second. Points and luck are the first player's."""

    def __init__(self, pairs: int, rng: np.random.Generator) -> None:
        self.pairs = pairs
        self.rng = rng
        self.points = np.zeros(2 * pairs)
        self.luck = np.zeros(2 * pairs)
        self.open = np.arange(2 * pairs)
        self.positions = np.repeat(starting_position()[None], 2 * pairs, axis=0)

    def play(
        self,
        players: tuple[Duellist, Duellist],
        judge: Lookahead | None,
        progress: Progress | None,
    ) -> None:
        turn = 0
        while len(self.open) and turn < MOST_TURNS:
            rolls = self._rolls(turn)[self.open % self.pairs]
            seat = (self.open // self.pairs + turn) % 2
            sign = 1 - 2 * seat
            if judge is not None:
                luck = apart(roll_luck, judge, self.positions, rolls, opening=turn == 0)
                self.luck[self.open] += sign * luck
            after = np.empty_like(self.positions)
            for number, player in enumerate(players):
                mine = seat == number
                if mine.any():
                    after[mine] = apart(player.choose, self.positions[mine], rolls[mine])
            won = -game_points(after)  # by the player who moved, now side 1
            self.points[self.open] += sign * won
            goes_on = won == 0
            if progress is not None:
                progress(int((~goes_on).sum()))
            self.positions, self.open = after[goes_on], self.open[goes_on]
            turn += 1
        if progress is not None:
            progress(len(self.open))

    def _rolls(self, turn: int) -> Rolls:
        """This turn's roll of every sequence, whether or not its games are still going on."""
        rolls = roll_dice(self.rng, self.pairs)
        while turn == 0 and (doubles := rolls[:, 0] == rolls[:, 1]).any():
            rolls[doubles] = roll_dice(self.rng, int(doubles.sum()))
        return rolls


def _mean_and_error(pair_means: Floats) -> tuple[float, float]:
    error = pair_means.std(ddof=1) / np.sqrt(len(pair_means)) if len(pair_means) > 1 else np.nan
    return float(pair_means.mean()), float(error)


def _summary(points: Floats, luck: Floats, *, adjust: bool) -> DuelResult:
    mean, error = _mean_and_error(points.mean(axis=0))
    adjusted = _mean_and_error((points - luck).mean(axis=0)) if adjust else (None, None)
    values, counts = np.unique(points.astype(np.int64), return_counts=True)
    found = dict(zip(values.tolist(), counts.tolist(), strict=True))
    return DuelResult(
        games=points.size,
        points=mean,
        standard_error=error,
        adjusted=adjusted[0],
        adjusted_error=adjusted[1],
        results={level: found.get(level, 0) for level in range(-3, 4)},
    )
