"""What one caller may ask for, so that nobody can take the whole machine."""

import os
from dataclasses import dataclass, field, replace

from bgai.search.tree import MOST_PLIES

_IDS_BY_PLIES = (1024, 128, 16, 2)


def _cores() -> int:
    return max(2, os.cpu_count() or 1)


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of the server; every refusal names the bound.

    ``body`` is in bytes. ``workers`` threads do the engine's work; ``pending`` requests may
    wait for them. ``jobs`` rollouts run at once and ``waiting_jobs`` more wait; the figures of
    ``kept_jobs`` finished ones are kept. ``tables`` games are held in memory, ``saved_games``
    on disk: beyond them finished ones go, and new ones are refused beyond ``unfinished_games``.

    Where others reach the server there are ``visitors`` at most with something kept; of each the
    limits of :meth:`of_a_visitor` hold, ``own_jobs`` rollouts that run or wait, and ``at_once``
    requests under way.
    """

    body: int = 64 * 1024
    trials: int = 12_960
    rollout_plays: int = 10
    plies: int = MOST_PLIES
    rollout_plies: int = 1
    match_length: int = 99
    workers: int = field(default_factory=_cores)
    pending: int = 512
    jobs: int = 1
    waiting_jobs: int = 8
    kept_jobs: int = 64
    tables: int = 64
    saved_games: int = 500
    unfinished_games: int = 5000
    visitors: int = 10_000
    own_jobs: int = 2
    at_once: int = 16

    def of_a_visitor(self) -> "Limits":
        """What one of many visitors may keep."""
        return replace(
            self,
            tables=min(self.tables, 8),
            saved_games=min(self.saved_games, 100),
            unfinished_games=min(self.unfinished_games, 50),
        )

    def ids_at(self, plies: int) -> int:
        """Positions one request may have evaluated at this depth."""
        return _IDS_BY_PLIES[min(plies, len(_IDS_BY_PLIES) - 1)]
