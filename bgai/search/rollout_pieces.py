"""Rollouts handed out to an executor: batches of sets, played anywhere, put together in order.

Dice depend on the seed, the set and the turn alone, so the numbers are those of a rollout in one
process; stop rules are asked after the same batches too.
"""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bgai.program import first_done
from bgai.rules.position import Positions
from bgai.search.engine import EngineSettings, shared_engine
from bgai.search.rollout import Rollout, RolloutSettings
from bgai.search.rollout_dice import SET
from bgai.search.rollout_stats import RolledOut
from bgai.search.utility import Utility

_AHEAD = 16  # batches handed out before the first is back: what a stop rule may waste


@dataclass(frozen=True, slots=True, eq=False)
class RolloutPiece:
    """``count`` sets from ``first`` of a rollout of ``positions`` ``(m, 2, 26)``."""

    positions: Positions
    engine: EngineSettings
    settings: RolloutSettings
    utility: Utility
    first: int
    count: int


def play_piece(piece: RolloutPiece) -> NDArray[np.float32]:
    """Chances ``(m, 36 count, 5)`` of the trials of a piece."""
    done = piece.first * SET
    settings = replace(piece.settings, trials=done + piece.count * SET, batch=piece.count)
    run = Rollout(piece.positions, shared_engine(piece.engine), settings, utility=piece.utility)
    run.values = np.zeros((len(piece.positions), done, 5), np.float32)
    run.step()
    return run.values[:, done:]


def run_spread(
    rollout: Rollout,
    engine: EngineSettings,
    executor: Executor,
    progress: Callable[[Rollout], None] | None = None,
) -> RolledOut:
    """Finish a rollout on an executor whose processes build ``engine`` for themselves.

    ``engine`` must describe the rollout's player. ``progress`` as in :meth:`Rollout.run`.
    """
    settings = rollout.settings
    waiting: list[Future[NDArray[np.float32]]] = []
    first = rollout.trials_done // SET
    try:
        while not rollout.finished:
            while first < settings.sets and len(waiting) < _AHEAD:
                count = min(settings.batch, settings.sets - first)
                piece = RolloutPiece(
                    rollout.positions, engine, settings, rollout.utility, first, count
                )
                waiting.append(executor.submit(play_piece, piece))
                first += count
            first_done(waiting[:1])
            fresh = waiting.pop(0).result()
            rollout.values = np.concatenate([rollout.values, fresh], axis=1)
            if progress is not None:
                progress(rollout)
    finally:
        for future in waiting:
            future.cancel()
    return rollout.result()
