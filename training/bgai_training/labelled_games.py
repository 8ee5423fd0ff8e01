"""Self-play in which every position is labelled by looking ahead along its own game."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgai.search.greedy import ReplyPlayer
from bgai_training import selfplay_kernels
from bgai_training.config import SelfPlay
from bgai_training.selfplay import Games
from bgai_training.shards import Shard
from bgai_training.starts import Rows
from bgai_training.targets import one_roll_targets


class LabelledGames(Games):
    """Games whose positions get exact one-roll values, corrected by those that follow.

    A share ``explore`` of the plies is another play at most ``window`` worse than the best:
    the network must judge these too, and a game then shows where they lead.
    """

    def __init__(
        self,
        config: SelfPlay,
        seed: np.random.SeedSequence,
        explore: float,
        window: float,
        decay: float,
    ) -> None:
        super().__init__(config, seed)
        self.explore = explore
        self.window = window
        self.decay = decay
        self.history_backups = np.zeros_like(self.history_values)
        self.history_chosen = np.zeros(self.history_values.shape[:2], dtype=np.bool_)

    def advance(self, players: ReplyPlayer, threads: int = 1) -> Shard:
        """Label the positions of all games, play one ply, return the labels of ended games."""
        games = np.arange(len(self.rows))
        self.history_backups[games, self.lengths - 1] = one_roll_targets(
            self.rows, players, threads
        )
        rows, siblings = self.play(players, self.window)
        chosen = self.rng.random(len(rows)) < self.explore
        chosen &= (rows != siblings).any(axis=1)
        self.rows[chosen] = siblings[chosen]
        return Shard(*self._record(chosen))

    def _record(self, chosen: NDArray[np.bool_]) -> tuple[Rows, NDArray[np.float32]]:
        rows, targets = self.room_for_samples()
        backups = selfplay_kernels.Backups(self.history_backups, self.history_chosen, chosen)
        samples, started = selfplay_kernels.record_backups(
            self.under_way(), backups, np.float32(self.decay), rows, targets
        )
        self.next_start += started
        return rows[:samples].copy(), targets[:samples].copy()

    def state(self) -> dict[str, Any]:
        """As of :class:`Games`, with the labels of the games under way."""
        return super().state() | {
            "history_backups": self.history_backups,
            "history_chosen": self.history_chosen,
        }

    def load(self, state: dict[str, Any]) -> None:
        """Continue from :meth:`state`."""
        super().load(state)
        self.history_backups = state["history_backups"].copy()
        self.history_chosen = state["history_chosen"].copy()
