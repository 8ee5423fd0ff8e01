"""A stage for races alone.

Races end in the bear-off tables after a few throws. Labels corrected along a game with decay
1 carry the tables' exactness all the way back, with little noise left: only what the network
misjudged on the way, not the luck of the dice.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch

from bgai.evaluation.network import Networks, PositionNetwork
from training.config import RaceStage, Recipe
from training.distributed import share_parameters, total
from training.fit import arrays_of, equity_residual, named, networks_of, warmed_then_falling
from training.labelled_games import LabelledGames
from training.learner import Learner, Settings
from training.progress import Progress
from training.selfplay import Players
from training.shards import Shard

_STEPS_A_ROUND = 400
_HELD_OUT = 5_000


class RaceRunner:
    """Labels races of new games and fits the race network to them, in cycles."""

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
        self.games = LabelledGames(
            recipe.selfplay, game_seed, explore=0.0, window=0.0, decay=stage.decay, only_races=True
        )
        self.data = Shard.empty()
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
        """Cycles of labelling and fitting; yields after every round."""
        while self.cycle < self.stage.cycles:
            players = self.players()
            while total(float(len(self.data) < self.stage.labels)) > 0:
                if len(self.data) < self.stage.labels:
                    self.data = self.data.joined(self.games.advance(players, self.threads))
                yield self._report("label", len(self.data), self.stage.labels)
            self.data = self.data.first(self.stage.labels)
            yield from self._fit()

    def _fit(self) -> Iterator[Progress]:
        learner = self._learner()
        held_out, data = self.data.split(min(_HELD_OUT, len(self.data) // 10))
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
        self.data = Shard.empty()
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
            "data": self.data.state(),
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
        self.data = Shard(**state["data"])
        self.cycle, self.step = int(state["cycle"]), int(state["step"])
        if state["learner"] is not None:
            self._learner().load(state["learner"])
