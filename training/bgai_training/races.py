"""A stage for the race network alone: close races, labelled by one roll of lookahead, fitted.

Most races that come up in games are all but decided and teach nothing, so the network sees too
few open ones. Here the open ones of the labels so far are taken, races for a gammon among them,
with close ones put together from their sides: what a side has left is a position of play,
whoever it raced.
One roll ahead the network's values are half as wrong as at once, down to the tables.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgai.errors import InputError
from bgai.evaluation.network import Networks, PositionNetwork
from bgai.rules.position import OFF, SLOTS, has_contact
from bgai_training.config import RaceStage, Recipe
from bgai_training.distributed import process_count
from bgai_training.fit import arrays_of, named, networks_of, warmed_then_falling
from bgai_training.learner import Learner, Settings
from bgai_training.progress import Progress
from bgai_training.selfplay import playing
from bgai_training.selfplay_kernels import contact_mask
from bgai_training.shards import Shard, Shards
from bgai_training.starts import ROW, Rows
from bgai_training.targets import one_roll_targets

_OPEN = 0.003  # a chance so far from 0 and 1 is open
_APART = 0.12  # pips, as a share, by which sides put together may differ, about
_LABELS_A_ROUND = 5_000
_STEPS_A_ROUND = 500


def open_races(labels: Shard) -> Rows:
    """The different races among ``labels`` with any of the five chances open, as rows."""
    chances = labels.targets
    undecided = ((chances > _OPEN) & (chances < 1 - _OPEN)).any(axis=1)
    rows: Rows = np.unique(labels.rows[undecided & ~contact_mask(labels.rows)], axis=0)
    return rows


def recombined(rng: np.random.Generator, races: Rows, count: int) -> Rows:
    """Up to ``count`` races of sides of ``races`` that are about as far from home."""
    sides = np.concatenate([races[:, :SLOTS], races[:, SLOTS:]])
    pips = sides.astype(np.int64) @ np.arange(SLOTS)
    found = []
    for _ in range(1 + count // len(sides)):
        order = np.argsort(pips * (1 + _APART * rng.random(len(pips))), kind="stable")
        found.append(np.concatenate([sides[order[:-1]], sides[order[1:]]], axis=1))
    rows = np.unique(np.concatenate(found), axis=0)
    positions = rows.reshape(-1, 2, SLOTS)
    # A race for the network: no contact, somebody not home yet.
    good = ~has_contact(positions) & positions[:, :, 7:].any(axis=(1, 2))
    good &= (positions[:, :, OFF] < 15).all(axis=1)
    return rng.permutation(rows[good])[:count]


class RaceRunner:
    """Runs the cycles; resumable at any round through :meth:`state` and :meth:`load`."""

    def __init__(
        self,
        recipe: Recipe,
        stage: RaceStage,
        seed: np.random.SeedSequence,
        teacher: Networks,
        shards: dict[str, Shards],
        device: str = "cpu",
        threads: int = 1,
    ) -> None:
        self.recipe = recipe
        self.stage = stage
        self.teacher = teacher
        self.device = device
        self.threads = threads
        self.seed = [int(word) for word in seed.generate_state(2)]
        if process_count() > 1:
            raise InputError("a 'race' stage runs in one process")
        labels = Shard.empty()
        for kind in stage.labels:
            labels = labels.joined(shards[kind].newest(shards[kind].count))
        rng = np.random.default_rng(self.seed)
        found = rng.permutation(open_races(labels))[: stage.positions * 2 // 3]
        if len(found) < 2:
            raise InputError(f"no open races among the labels ({', '.join(stage.labels)})")
        self.rows = np.concatenate([found, recombined(rng, found, stage.positions - len(found))])
        self.rows = rng.permutation(self.rows)
        self.cycle = 0
        self._begin()

    def _begin(self) -> None:
        self.targets = np.zeros((0, 5), dtype=np.float32)
        self.step = 0
        self.order: dict[int, NDArray[np.int64]] = {}
        settings = Settings(equity_weight=self.stage.equity_weight)
        race = networks_of(self._parts())[1].to(self.device)
        self.learner = Learner(race, settings)

    def _parts(self) -> dict[str, dict[str, Any]]:
        return {
            name: {"hidden": network.hidden, **arrays_of(network)}
            for name, network in named(self.teacher).items()
        }

    @property
    def steps(self) -> int:
        """Gradient steps of one cycle."""
        return self.stage.passes * (len(self.rows) // self.stage.batch)

    def run(self) -> Iterator[Progress]:
        """All cycles; yields after every round, with ``milestone`` after each fit."""
        while self.cycle < self.stage.cycles:
            players = playing(self.teacher, self.recipe.pruning.keep, 0.2)
            while len(self.targets) < len(self.rows):
                rows = self.rows[len(self.targets) :][:_LABELS_A_ROUND]
                more = one_roll_targets(rows, players, self.threads)
                self.targets = np.concatenate([self.targets, more])
                yield self._report(False)
            while self.step < self.steps:
                for _ in range(min(_STEPS_A_ROUND, self.steps - self.step)):
                    self._one_step()
                yield self._report(False)
            self.teacher = self.networks()
            self.cycle += 1
            self._begin()
            yield self._report(True)

    def _one_step(self) -> None:
        size = self.stage.batch
        lap, place = divmod(self.step, len(self.rows) // size)
        if lap not in self.order:
            rng = np.random.default_rng([*self.seed, self.cycle, lap])
            self.order = {lap: rng.permutation(len(self.rows))}
        order = self.order[lap][place * size : (place + 1) * size]
        rate = warmed_then_falling(self.stage.rate, 0.02, self.step / self.steps)
        self.learner.step(self.rows[order], self.targets[order], rate)
        self.step += 1

    def _report(self, milestone: bool) -> Progress:
        done = self.cycle * self.steps + self.step
        return Progress(
            stage=f"races {min(self.cycle + 1, self.stage.cycles)}/{self.stage.cycles}",
            done=done,
            of=self.stage.cycles * self.steps,
            games=0,
            scalars={"labelled": len(self.targets) / len(self.rows)},
            results=None,
            milestone=milestone,
        )

    def networks(self) -> Networks:
        """The networks as they are: the race network as far as it is fitted."""
        contact, race, pruner = self.teacher
        if self.step:
            race = self.learner.network  # type: ignore[assignment]
            assert isinstance(race, PositionNetwork)
        return contact, race, pruner

    def take_games(self, other: Any) -> None:
        """There are none to take: a single process labels positions it already has."""

    def state(self) -> dict[str, Any]:
        """Everything :meth:`load` needs."""
        return {
            "teacher": self._parts(),
            "rows": self.rows,
            "targets": self.targets,
            "cycle": self.cycle,
            "step": self.step,
            "learner": self.learner.state(),
        }

    def load(self, state: dict[str, Any]) -> None:
        """Continue from :meth:`state`."""
        self.teacher = networks_of(state["teacher"])
        self.rows = state["rows"].reshape(-1, ROW)
        self.cycle = int(state["cycle"])
        self._begin()
        self.targets = state["targets"].reshape(-1, 5)
        self.step = int(state["step"])
        self.learner.load(state["learner"])
