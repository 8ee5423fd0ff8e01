"""Rollouts: playing a position out many times to learn its chances, with honest error bars.

The games of all positions run in lockstep, in *sets* of 36 trials. Dice depend only on the
seed, the set and the turn: the trials of every position see the same dice (differences
between plays are then much surer than the plays), and neither threads nor batch sizes nor an
interruption change a result. In each set the first, second and third rolls run through all
36 rolls once; over 36 sets the first two rolls run through all 1,296 pairs once.

Variance reduction subtracts from each trial the luck of its rolls (:mod:`bgai.search.luck`),
whose mean is 0 whatever the evaluator; what stays is the result with most of the luck gone.

Games end when they are over, in the bear-off tables, or after ``truncate`` turns, where the
position is judged by the evaluator. Standard errors take the first two rolls as the strata
they are; intervals are ± 1.96 of them.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgai.rules.position import Positions
from bgai.search.lookahead import Lookahead
from bgai.search.luck import best_of_rolls, luck_of_chances, roll_index
from bgai.search.rollout_dice import SET, rolls_of_sets
from bgai.search.rollout_run import (
    EVERY,
    LONGEST,
    RolloutRun,
    RolloutSettings,
    Trials,
    VarianceReduction,
)
from bgai.search.rollout_stats import RolledOut, Summary, Sureness, summarise
from bgai.search.utility import Utility


class Rollout(RolloutRun[RolledOut]):
    """A cubeless rollout of one or more positions."""

    def __init__(
        self,
        positions: Positions,
        player: Lookahead,
        settings: RolloutSettings | None = None,
        *,
        utility: Utility | None = None,
        judge: Lookahead | None = None,
        label: str = "",
    ) -> None:
        """``positions`` ``(m, 2, 26)`` have their player on roll; all figures are for that player.

        ``player`` chooses the plays of both sides; ``utility`` is what the player on roll plays
        for, the ``player``'s own by default. ``judge`` measures luck and judges truncated
        games; it defaults to the player's evaluator and pruner. ``label`` names the player in a
        saved rollout. Raises ``InputError`` for an impossible position.
        """
        super().__init__(positions, settings, label, np.empty((len(positions), 0, 5), np.float32))
        self.player = player
        self.utility = utility or player.utility
        # a judge of the same evaluator has found the 0-ply player's plays on the way
        self._judge_is_own = judge is None
        self._judge_plays = judge is None and player.plies == 0
        self.judge = judge or Lookahead(
            player.evaluator,
            int(self.settings.variance_reduction is VarianceReduction.ONE_PLY),
            pruner=player.pruner,
            utility=self.utility,
            threads=player.threads,
            piece=player.piece,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        judge = None if self._judge_is_own else self.judge
        more = partial(Rollout, utility=self.utility, judge=judge, label=self.label)
        return more, (self.positions, self.player, self.settings)

    def played(self, first: int, count: int, lines: slice = EVERY) -> Trials:
        """Chances ``(lines, 36 count, 5)``, luck subtracted."""
        positions, trials = self.positions[lines], count * SET
        games = np.repeat(positions, trials, axis=0)
        numbers = np.tile(np.arange(trials), len(positions))
        chances = self._play_out(games, numbers, np.arange(first, first + count))
        return chances.reshape(len(positions), trials, 5)

    def result(self) -> RolledOut:
        """Figures so far. Raises ``InputError`` before the first batch."""
        first, second = self.rolls()
        return summarise(self.values, self.utility, first, second)

    def sureness(self) -> Sureness:
        return self.result().sureness

    def identity(self) -> dict[str, Any]:
        return {"plies": self.player.plies, "utility": repr(self.utility)}

    def _play_out(
        self, games: Positions, trials: NDArray[np.int64], sets: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Chances ``(n, 5)`` of the first player on roll, one trial a row, luck subtracted."""
        totals = np.zeros((len(games), 5))
        alive = np.arange(len(games))
        limit = self.settings.truncate or LONGEST
        for turn in range(limit + 1):
            self.check()
            ended = self._ended(games) if turn < limit else np.ones(len(games), dtype=bool)
            if ended.any():
                last = self.judge.evaluator.evaluate(games[ended]).astype(np.float64)
                totals[alive[ended]] += _seen_by_first(last, turn)
                games, alive = games[~ended], alive[~ended]
            if not len(alive):
                break
            rolls = rolls_of_sets(self.settings.seed, sets, turn)[trials[alive]]
            utility = self.utility if turn % 2 == 0 else self.utility.other()
            games, luck = self._turn(games, rolls, utility)
            if luck is not None:
                totals[alive] -= _differences_seen_by_first(luck, turn)
        return totals

    def _ended(self, games: Positions) -> NDArray[np.bool_]:
        if self.settings.stop_at_tables:
            return self.player.settled(games)
        return np.asarray((games[:, :, 0] == 15).any(axis=1))

    def _turn(
        self, games: Positions, rolls: NDArray[np.int8], utility: Utility
    ) -> tuple[Positions, NDArray[np.float64] | None]:
        """The games after one turn, and the luck of the rolls for those who rolled."""
        if self.settings.variance_reduction is VarianceReduction.NONE:
            return self.player.choose(games, rolls, utility), None
        after, chances = best_of_rolls(self.judge, games, utility)
        rolled = roll_index(rolls)
        luck = luck_of_chances(chances, rolled)
        if self._judge_plays:
            return np.ascontiguousarray(after[np.arange(len(games)), rolled]), luck
        return self.player.choose(games, rolls, utility), luck


def _seen_by_first(chances: NDArray[np.float64], turn: int) -> NDArray[np.float64]:
    if turn % 2 == 0:
        return chances
    return np.concatenate([1 - chances[:, :1], chances[:, 3:], chances[:, 1:3]], axis=1)


def _differences_seen_by_first(luck: NDArray[np.float64], turn: int) -> NDArray[np.float64]:
    if turn % 2 == 0:
        return luck
    return np.concatenate([-luck[:, :1], luck[:, 3:], luck[:, 1:3]], axis=1)


def best_first(summaries: Sequence[Summary]) -> list[int]:
    """Order of plays by rolled-out equity of the opponent on roll after them, least first."""
    return sorted(range(len(summaries)), key=lambda i: (summaries[i].equity.mean, i))
