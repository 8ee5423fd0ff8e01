"""What all rollouts share: settings, batches of sets, stop rules, cores, a file to go on from.

Dice depend on the seed, the set and the turn alone (:mod:`bgai.search.rollout_dice`), so neither
batches nor cores nor an interruption change a trial; stop rules are asked after every batch.
"""

import json
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from bgai.cachefile import read_arrays, write_arrays
from bgai.errors import InputError
from bgai.program import apart, first_done
from bgai.rules.position import Positions, check_position
from bgai.search.rollout_dice import SET, roll_numbers
from bgai.search.rollout_stats import Sureness

LONGEST = 2000
"""Turns after which a game is judged where it stands; no sensible play gets there."""
_AHEAD = 2  # pieces a core handed out before the first is back: what a stop rule may waste
EVERY = slice(None)

R = TypeVar("R")
Trials = NDArray[Any]
"""Floating-point numbers of either size."""


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
    best play or the verdict is at least so sure; neither before ``least_trials``. ``batch``
    sets run side by side; more use more memory, not other dice.
    """

    trials: int = 1296
    seed: int = 1
    truncate: int | None = None
    stop_at_tables: bool = True
    variance_reduction: VarianceReduction = VarianceReduction.ZERO_PLY
    stop_error: float | None = None
    stop_confidence: float | None = None
    least_trials: int = 144
    batch: int = 1

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


class Stopped(Exception):
    """A batch was left unfinished."""


class RolloutRun(ABC, Generic[R]):
    """A rollout of one or more lines that can be run, stopped, saved and resumed."""

    def __init__(
        self, positions: Positions, settings: RolloutSettings | None, label: str, values: Trials
    ) -> None:
        """``positions`` ``(lines, 2, 26)``; ``label`` names the players in a saved rollout.

        ``values`` ``(lines, 0, k)`` are the trials before the first. Raises ``InputError`` for an
        impossible position.
        """
        self.positions = np.stack([check_position(position) for position in positions])
        self.settings = settings or RolloutSettings()
        self.label = label
        self.values = values
        """Every trial done ``(lines, trials, k)``, luck subtracted."""
        self._stopped = threading.Event()

    # -- what a kind of rollout says -------------------------------------------------------

    @abstractmethod
    def played(self, first: int, count: int, lines: slice = EVERY) -> Trials:
        """The trials ``(lines, 36 count, k)`` of ``count`` sets from ``first``, of some lines.

        Changes nothing, so threads may play side by side. Asks :meth:`check` every turn.
        """

    @abstractmethod
    def result(self) -> R:
        """Figures so far. Raises ``InputError`` before the first batch."""

    @abstractmethod
    def sureness(self) -> Sureness:
        """What the stop rules ask."""

    @abstractmethod
    def identity(self) -> dict[str, Any]:
        """Everything that makes a trial but dice and positions, as JSON can hold it."""

    # -- running --------------------------------------------------------------------------

    @property
    def trials_done(self) -> int:
        return self.values.shape[1]

    @property
    def finished(self) -> bool:
        """Whether all trials are done or a stop rule says enough."""
        rules = self.settings
        if self.trials_done >= rules.sets * SET:
            return True
        if rules.stop_error is None and rules.stop_confidence is None:
            return False
        if self.trials_done < max(rules.least_trials, SET):
            return False
        sure = self.sureness()
        if rules.stop_error is not None and sure.error <= rules.stop_error:
            return True
        if rules.stop_confidence is None or sure.confidence is None:
            return False
        return sure.confidence >= rules.stop_confidence

    def step(self) -> None:
        """Play the next batch of sets; Ctrl-C leaves those done before."""
        first, count = self._batch(self.trials_done // SET)
        self._add(apart(self.played, first, count))

    def _batch(self, first: int) -> tuple[int, int]:
        return first, min(self.settings.batch, self.settings.sets - first)

    def run(self, progress: Callable[[Self], object] | None = None, cores: int = 1) -> R:
        """Play until finished or stopped; ``progress`` is called after every batch of sets.

        ``cores`` threads play lines and batches side by side.
        """
        pool = ThreadPoolExecutor(cores, thread_name_prefix="rollout")
        try:
            return self.spread(pool, self.played, progress, cores)
        finally:
            self._stopped.set()  # batches nobody wants any more end after their turn
            pool.shutdown(cancel_futures=True)
            self._stopped.clear()

    def spread(
        self,
        executor: Executor,
        play: Callable[[int, int, slice], Trials],
        progress: Callable[[Self], object] | None = None,
        cores: int = 8,
    ) -> R:
        """The same with ``play``, as :meth:`played`, on an executor of so many ``cores``."""
        lines = [slice(i, i + 1) for i in range(len(self.positions))]
        ahead = 1 + _AHEAD * cores // len(lines)
        waiting: list[list[Future[Trials]]] = []
        first = self.trials_done // SET
        try:
            while not self.finished:
                while first < self.settings.sets and len(waiting) < ahead:
                    batch = self._batch(first)
                    waiting.append([executor.submit(play, *batch, line) for line in lines])
                    first += batch[1]
                for future in waiting[0]:
                    first_done([future])
                self._add(np.concatenate([future.result() for future in waiting.pop(0)]))
                if progress is not None:
                    progress(self)
        except Stopped:
            pass
        finally:
            for future in chain(*waiting):
                future.cancel()
        return self.result()

    def stop(self) -> None:
        """End a :meth:`run` in another thread within a turn; its unfinished batches are lost."""
        self._stopped.set()

    def check(self) -> None:
        """Raises ``Stopped`` where batches are to be left unfinished."""
        if self._stopped.is_set():
            raise Stopped

    def _add(self, fresh: Trials) -> None:
        fresh = fresh.astype(self.values.dtype, copy=False)
        self.values = np.concatenate([self.values, fresh], axis=1)

    def rolls(self) -> NDArray[np.int64]:
        """Numbers ``(2, trials)`` of the first two rolls of the trials done: their strata.

        Raises ``InputError`` before the first batch.
        """
        if not self.trials_done:
            raise InputError("nothing has been rolled out yet")
        sets = np.arange(self.trials_done // SET)
        return np.stack([roll_numbers(self.settings.seed, sets, turn) for turn in (0, 1)])

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
        if arrays is None or not {"about", "positions", "values"} <= arrays.keys():
            raise InputError(f"{path} is not a saved rollout, or it is damaged")
        if bytes(arrays["about"]).decode() != self._signature() or not np.array_equal(
            arrays["positions"], self.positions
        ):
            raise InputError(f"{path} holds another rollout: other positions, players or settings")
        self.values = np.array(arrays["values"])
        return True

    def _signature(self) -> str:
        rules = self.settings
        common = {
            "format": 1,
            "player": self.label,
            "seed": rules.seed,
            "truncate": rules.truncate,
            "tables": rules.stop_at_tables,
            "variance_reduction": rules.variance_reduction.value,
        }
        return json.dumps(common | self.identity(), sort_keys=True)
