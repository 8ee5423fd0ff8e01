"""Rollouts handed out to other processes: batches of sets, played anywhere, in order again.

The rollout itself travels, its engines as their settings, which each process builds once.
"""

import pickle
from collections.abc import Callable
from concurrent.futures import Executor
from functools import lru_cache, partial
from typing import TypeVar

from bgai.search.rollout_run import RolloutRun, Trials

R = TypeVar("R")


def run_spread(
    rollout: RolloutRun[R],
    executor: Executor,
    progress: Callable[[RolloutRun[R]], object] | None = None,
) -> R:
    """Finish a rollout whose players came from ``build_engine`` on an executor of processes.

    ``progress`` as in :meth:`RolloutRun.run`.
    """
    return rollout.spread(executor, partial(_play_piece, pickle.dumps(rollout)), progress)


def _play_piece(rollout: bytes, first: int, count: int, lines: slice) -> Trials:
    return _unpacked(rollout).played(first, count, lines)


@lru_cache(maxsize=4)
def _unpacked(rollout: bytes) -> RolloutRun[object]:
    found: RolloutRun[object] = pickle.loads(rollout)
    return found
