"""Self-play: thousands of games in lockstep through the compiled kernels."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgai.evaluation.network import Networks
from bgai.rules.dice import roll_dice
from bgai.rules.kernels import ROW, SLOT_KEYS
from bgai.search.greedy import ReplyPlayer, reply_player
from bgai_training import selfplay_kernels
from bgai_training.config import SelfPlay
from bgai_training.starts import Rows, mixed_starts, random_positions

NO_PRUNING = 10**6
"""More replies than any roll has."""


def playing(networks: Networks, keep: int, window: float) -> ReplyPlayer:
    """Torch networks as they play: see :func:`bgai.search.greedy.reply_player`."""
    contact, race, pruner = networks
    return reply_player(
        contact.kernel_weights(), race.kernel_weights(), pruner.kernel_weights(), keep, window
    )


_ARRAYS = ("rows", "lengths", "history_rows", "history_values", "results", "starts")


class Games:
    """Games in lockstep, resumable: :meth:`state` and :meth:`load` hold all of it."""

    def __init__(self, config: SelfPlay, seed: np.random.SeedSequence) -> None:
        self.config = config
        self.rng = np.random.Generator(np.random.PCG64(seed))
        count, longest = config.games_at_once, config.longest_game
        self.rows = self._starts(count)
        self.lengths = np.ones(count, dtype=np.int64)
        self.history_rows = np.zeros((count, longest, ROW), dtype=np.int8)
        self.history_values = np.zeros((count, longest, 5), dtype=np.float32)
        self.history_rows[:, 0] = self.rows
        self.results = np.zeros(7, dtype=np.int64)
        self.starts = self._starts(4 * count)
        self.next_start = 0
        self._desynchronise()

    def _starts(self, count: int) -> Rows:
        config = self.config
        return mixed_starts(
            self.rng, count, config.varied, config.rare, config.most_random_plies, config.kinds
        )

    def _desynchronise(self) -> None:
        """Spread the first games over all depths, so that they don't all end together."""
        self.rows = random_positions(self.rng, len(self.rows), 80)
        self.history_rows[:, 0] = self.rows

    @property
    def finished(self) -> int:
        """Games ended so far."""
        return int(self.results.sum())

    def play(self, player: ReplyPlayer, sibling_window: float = 0.0) -> tuple[Rows, Rows]:
        """One ply in every game; returns copies of the positions reached and of siblings."""
        count = len(self.rows)
        self.values = np.empty((count, 5), dtype=np.float32)
        rolls = roll_dice(self.rng, count)
        siblings = selfplay_kernels.Siblings(
            np.empty_like(self.rows), np.float32(sibling_window), self.rng.random(count)
        )
        selfplay_kernels.advance(self.rows, rolls, player, SLOT_KEYS, siblings, self.values)
        return self.rows.copy(), siblings.rows

    def record(self, decay: float, race_every: int = 1) -> tuple[Rows, NDArray[np.float32]]:
        """After :meth:`play`: targets ``(m, 5)`` of the games that ended, with their rows.

        Only every ``race_every``-th game is played on once contact is broken; in the others the
        race network's value is the result.
        """
        rows, targets = self.room_for_samples()
        samples, started = selfplay_kernels.record_ply(
            self.under_way(), np.float32(decay), race_every, rows, targets
        )
        self.next_start += started
        return rows[:samples].copy(), targets[:samples].copy()

    def under_way(self) -> selfplay_kernels.UnderWay:
        """The games as the kernels change them."""
        return selfplay_kernels.UnderWay(
            self.rows,
            self.values,
            self.lengths,
            self.history_rows,
            self.history_values,
            self.starts[self.next_start :],
            self.results,
        )

    def room_for_samples(self) -> tuple[Rows, NDArray[np.float32]]:
        """Empty rows and targets for all positions of all games, and starts enough for them."""
        if self.next_start + len(self.rows) > len(self.starts):
            self.starts = self._starts(len(self.starts))
            self.next_start = 0
        most = len(self.rows) * self.config.longest_game
        return np.empty((most, ROW), dtype=np.int8), np.empty((most, 5), dtype=np.float32)

    def state(self) -> dict[str, Any]:
        """Everything :meth:`load` needs, arrays and one JSON value (the generator)."""
        return {
            "rows": self.rows,
            "lengths": self.lengths,
            "history_rows": self.history_rows,
            "history_values": self.history_values,
            "results": self.results,
            "starts": self.starts,
            "next_start": np.array(self.next_start),
            "generator": self.rng.bit_generator.state,
        }

    def load(self, state: dict[str, Any]) -> None:
        """Continue from :meth:`state`."""
        for name in _ARRAYS:
            setattr(self, name, state[name].copy())
        self.next_start = int(state["next_start"])
        self.rng.bit_generator.state = state["generator"]
