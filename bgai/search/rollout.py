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

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bgai.cachefile import read_arrays, write_arrays
from bgai.errors import InputError
from bgai.program import apart
from bgai.rules.position import Positions, check_position
from bgai.search.lookahead import Lookahead
from bgai.search.luck import best_of_rolls, luck_of_chances, roll_index
from bgai.search.rollout_dice import SET, roll_numbers, rolls_of_sets
from bgai.search.rollout_stats import RolledOut, Summary, summarise
from bgai.search.utility import Utility

LONGEST = 2000
"""Turns after which a game is judged where it stands; no sensible play gets there."""


class VarianceReduction(StrEnum):
    """How luck is measured for subtraction."""

    NONE = "none"
    ZERO_PLY = "0-ply"
    ONE_PLY = "1-ply"


def variance_named(name: str) -> VarianceReduction:
    """The reduction of that name. Raises ``InputError``."""
    try:
        return VarianceReduction(name)
    except ValueError:
        kinds = ", ".join(kind.value for kind in VarianceReduction)
        raise InputError(f"--variance {name}: there are {kinds}") from None


@dataclass(frozen=True)
class RolloutSettings:
    """What a rollout does. ``trials`` is rounded up to whole sets of 36.

    ``truncate`` is a number of turns (rolls), None to play to the end. ``stop_error`` ends
    early when every equity's standard error is at most that; ``stop_confidence`` when the
    best position beats each other with at least that confidence; neither before
    ``least_trials``. ``batch`` sets run side by side; more use more memory, not other dice.
    """

    trials: int = 1296
    seed: int = 1
    truncate: int | None = None
    stop_at_tables: bool = True
    variance_reduction: VarianceReduction = VarianceReduction.ZERO_PLY
    stop_error: float | None = None
    stop_confidence: float | None = None
    least_trials: int = 144
    batch: int = 4

    def __post_init__(self) -> None:
        if self.trials < 1 or self.batch < 1:
            raise InputError(f"a rollout needs at least one trial and one set, not {self.trials}")
        if self.truncate is not None and self.truncate < 1:
            raise InputError(f"truncation after {self.truncate} turns: at least 1 must be played")
        if self.stop_error is not None and self.stop_error <= 0:
            raise InputError(f"the standard error to stop at must be above 0: {self.stop_error}")
        if self.stop_confidence is not None and not 0.5 < self.stop_confidence < 1:
            raise InputError(f"a confidence is between 0.5 and 1, not {self.stop_confidence}")

    @property
    def sets(self) -> int:
        return -(-self.trials // SET)


class Rollout:
    """A rollout of one or more positions that can be run, stopped, saved and resumed."""

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
        self.positions = np.stack([check_position(position) for position in positions])
        self.player = player
        self.settings = settings or RolloutSettings()
        self.utility = utility or player.utility
        self.label = label
        # a judge of the same evaluator has found the 0-ply player's plays on the way
        self._judge_plays = judge is None and player.plies == 0
        self.judge = judge or Lookahead(
            player.evaluator,
            int(self.settings.variance_reduction is VarianceReduction.ONE_PLY),
            pruner=player.pruner,
            utility=self.utility,
            threads=player.threads,
            piece=player.piece,
        )
        self.values: NDArray[np.float32] = np.empty((len(positions), 0, 5), np.float32)
        """Chances ``(m, trials, 5)`` of every trial done, luck subtracted."""

    # -- running --------------------------------------------------------------------------

    @property
    def trials_done(self) -> int:
        return self.values.shape[1]

    @property
    def finished(self) -> bool:
        """Whether all trials are done or a stop rule says enough."""
        if self.trials_done >= self.settings.sets * SET:
            return True
        return self.trials_done >= max(self.settings.least_trials, SET) and self._enough()

    def _enough(self) -> bool:
        rules = self.settings
        if rules.stop_error is None and rules.stop_confidence is None:
            return False
        result = self.result()
        if rules.stop_error is not None:
            worst = max(summary.equity.error for summary in result.summaries)
            if worst <= rules.stop_error:
                return True
        if rules.stop_confidence is None or len(self.positions) < 2:
            return False
        # the opponent's best play is the position that is worst for the player on roll
        return result.confidence_in_least() >= rules.stop_confidence

    def run(self, progress: Callable[["Rollout"], None] | None = None) -> RolledOut:
        """Play until finished; ``progress`` is called after every batch of sets."""
        while not self.finished:
            self.step()
            if progress is not None:
                progress(self)
        return self.result()

    def step(self) -> None:
        """Play the next batch of sets of all positions; Ctrl-C leaves those done before."""
        first = self.trials_done // SET
        count = min(self.settings.batch, self.settings.sets - first)
        sets = np.arange(first, first + count)
        trials = count * SET
        games = np.repeat(self.positions, trials, axis=0)
        numbers = np.tile(np.arange(trials), len(self.positions))
        chances = apart(self._play_out, games, numbers, sets)
        fresh = chances.reshape(len(self.positions), trials, 5).astype(np.float32)
        self.values = np.concatenate([self.values, fresh], axis=1)

    def result(self) -> RolledOut:
        """Figures so far. Raises ``InputError`` before the first batch."""
        if not self.trials_done:
            raise InputError("nothing has been rolled out yet")
        sets = np.arange(self.trials_done // SET)
        rolls = [roll_numbers(self.settings.seed, sets, turn) for turn in (0, 1)]
        return summarise(self.values, self.utility, rolls[0], rolls[1])

    # -- keeping --------------------------------------------------------------------------

    def save(self, path: Path) -> None:
        """Write the trials done so far; the file is replaced in one step."""
        about = np.frombuffer(self._signature().encode(), dtype=np.uint8)
        write_arrays(path, {"about": about, "positions": self.positions, "values": self.values})

    def resume(self, path: Path) -> bool:
        """Take up the trials of a file; False where there is none.

        Raises ``InputError`` where it is damaged or belongs to another rollout. The number of
        trials and the stop rules may differ, everything that makes a trial may not.
        """
        if not path.exists():
            return False
        arrays = read_arrays(path)
        if arrays is None:
            raise InputError(f"{path} is not a saved rollout, or it is damaged")
        if bytes(arrays["about"]).decode() != self._signature() or not np.array_equal(
            arrays["positions"], self.positions
        ):
            raise InputError(f"{path} holds another rollout: other positions, players or settings")
        self.values = np.array(arrays["values"])
        return True

    def _signature(self) -> str:
        rules = self.settings
        return json.dumps(
            {
                "format": 1,
                "player": self.label,
                "plies": self.player.plies,
                "seed": rules.seed,
                "truncate": rules.truncate,
                "tables": rules.stop_at_tables,
                "variance_reduction": rules.variance_reduction.value,
                "utility": repr(self.utility),
            },
            sort_keys=True,
        )

    def _play_out(
        self, games: Positions, trials: NDArray[np.int64], sets: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Chances ``(n, 5)`` of the first player on roll, one trial a row, luck subtracted."""
        totals = np.zeros((len(games), 5))
        alive = np.arange(len(games))
        limit = self.settings.truncate or LONGEST
        for turn in range(limit + 1):
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
