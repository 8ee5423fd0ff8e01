"""A stage for races alone: value iteration on one fixed set of race positions.

Races end in the bear-off tables after a few throws, so relabelling the same positions with
the network fitted to the labels before carries the tables' exactness back one throw a cycle.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch

from bgai.evaluation.bearoff import in_bearoff
from bgai.evaluation.network import Networks, PositionNetwork
from bgai.rules.position import has_contact, is_over
from training.config import RaceStage, Recipe
from training.distributed import share_parameters, total
from training.fit import arrays_of, equity_residual, named, networks_of, warmed_then_falling
from training.learner import Learner, Settings
from training.progress import Progress
from training.selfplay import Games, Players
from training.shards import Shard
from training.starts import Rows
from training.targets import one_throw_targets

_SLICE = 4_000  # positions labelled between two reports
_STEPS_A_ROUND = 400
_HELD_OUT = 5_000


class RaceRunner:
    """Collects race positions from self-play, then relabels and fits them in cycles."""

    def __init__(
        self,
        recipe: Recipe,
        stage: RaceStage,
        seed: np.random.SeedSequence,
        start: Networks,
        threads: int = 1,
    ) -> None:
        self.recipe = recipe
        self.stage = stage
        self.threads = threads
        self.start = start
        game_seed, self.order_seed = seed.spawn(2)
        self.games = Games(recipe.selfplay, game_seed)
        self.rows: Rows = np.zeros((0, 52), dtype=np.int8)
        self.labels = np.zeros((0, 5), dtype=np.float32)
        self.cycle = 0
        race = start[1] if start[1].hidden == stage.race else PositionNetwork(stage.race)
        self.race = race
        self.learner: Learner | None = None
        self.step = 0

    def players(self) -> Players:
        """The networks that play and label, with the newest race network."""
        contact, _, pruner = self.start
        pruning = self.recipe.pruning
        return Players(
            contact.kernel_weights(),
            (self.start[1] if self.cycle == 0 else self.race).kernel_weights(),
            pruner.kernel_weights(),
            pruning.keep,
            pruning.window,
        )

    def run(self) -> Iterator[Progress]:
        """Collect, then cycles of labelling and fitting; yields after every round."""
        while total(float(len(self.rows) < self.stage.positions)) > 0:
            if len(self.rows) < self.stage.positions:
                self._collect()
            yield self._report("collect", len(self.rows), self.stage.positions)
        while self.cycle < self.stage.cycles:
            players = self.players()
            while len(self.labels) < len(self.rows):
                start = len(self.labels)
                part = one_throw_targets(self.rows[start : start + _SLICE], players, self.threads)
                self.labels = np.concatenate([self.labels, part])
                yield self._report("label", len(self.labels), len(self.rows))
            yield from self._fit()

    def _collect(self) -> None:
        rows, _ = self.games.play(self.players())
        self.games.record(1.0, stop_at_bearoff=True)
        positions = rows.reshape(-1, 2, 26)
        wanted = ~has_contact(positions) & ~in_bearoff(positions) & ~is_over(positions)
        room = self.stage.positions - len(self.rows)
        self.rows = np.concatenate([self.rows, rows[wanted][:room]])

    def _fit(self) -> Iterator[Progress]:
        learner = self._learner()
        data = Shard(self.rows, self.labels)
        held_out, data = data.split(min(_HELD_OUT, len(data) // 10))
        batches = max(1, len(data) // self.stage.batch)
        steps = self.stage.passes * batches
        while self.step < steps:
            lap, place = divmod(self.step, batches)
            order = self._order(lap, len(data))
            for step in range(place, min(batches, place + _STEPS_A_ROUND)):
                batch = data.take(order[step * self.stage.batch : (step + 1) * self.stage.batch])
                rate = warmed_then_falling(self.stage.rate, 0.02, self.step / steps)
                learner.step(batch.rows, batch.targets, rate)
                self.step += 1
            yield self._report("fit", self.step, steps)
        assert isinstance(learner.network, PositionNetwork)
        self.race = learner.network
        self.learner = None
        self.step = 0
        self.cycle += 1
        self.labels = self.labels[:0]
        yield self._report("fit", steps, steps, {"residual": equity_residual(self.race, held_out)})

    def _learner(self) -> Learner:
        if self.learner is None:
            share_parameters(self.race)
            self.learner = Learner(self.race, Settings(equity_weight=self.stage.equity_weight))
        return self.learner

    def _order(self, lap: int, count: int) -> Any:
        entropy = (*self.order_seed.generate_state(2).tolist(), self.cycle, lap)
        return np.random.default_rng(np.random.SeedSequence(entropy)).permutation(count)

    def _report(
        self, phase: str, done: int, of: int, scalars: dict[str, float] | None = None
    ) -> Progress:
        return Progress(
            stage=f"race {min(self.cycle + 1, self.stage.cycles)}/{self.stage.cycles} {phase}",
            done=done,
            of=of,
            games=self.games.finished,
            scalars=scalars or {},
            milestone=bool(scalars),
        )

    def networks(self) -> Networks:
        """The start's contact network and pruner with the newest race network."""
        contact, _, pruner = self.start
        return contact, self.race, pruner

    def state(self) -> dict[str, Any]:
        """Everything :meth:`load` needs."""
        return {
            "start": {
                name: {"hidden": network.hidden, **arrays_of(network)}
                for name, network in named(self.start).items()
            },
            "race": {"hidden": self.race.hidden, **arrays_of(self.race)},
            "games": self.games.state(),
            "rows": self.rows,
            "labels": self.labels,
            "cycle": self.cycle,
            "step": self.step,
            "learner": None if self.learner is None else self.learner.state(),
        }

    def load(self, state: dict[str, Any]) -> None:
        """Continue from :meth:`state`."""
        self.start = networks_of(state["start"])
        race = dict(state["race"])
        self.race = PositionNetwork(tuple(race.pop("hidden")))
        self.race.load_state_dict({name: torch.from_numpy(array) for name, array in race.items()})
        self.games.load(state["games"])
        self.rows, self.labels = state["rows"].copy(), state["labels"].copy()
        self.cycle, self.step = int(state["cycle"]), int(state["step"])
        if state["learner"] is not None:
            self._learner().load(state["learner"])
