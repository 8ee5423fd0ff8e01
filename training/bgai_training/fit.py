"""The second stage: cycles of fitted value iteration on exact one-roll values.

A cycle has two phases. *Label*: the teacher plays itself and positions on the way get the
mean over all 21 rolls of the best reply's value, a far better judge than the teacher is.
*Fit*: the student learns the newest shards of labels, the learning rate falling to zero.
Then the student is the teacher.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from bgai.evaluation.network import Networks, PositionNetwork, Pruner
from bgai.evaluation.possible import held_to_rules
from bgai.search.greedy import ReplyPlayer
from bgai_training.config import FamilyLabels, FitStage, RaceStage, Recipe, Stage
from bgai_training.distributed import process_count, share_parameters, total
from bgai_training.families import of_families
from bgai_training.labelled_games import LabelledGames
from bgai_training.learner import Learner, Settings, equity_of_chances
from bgai_training.progress import Progress
from bgai_training.ranking import teach
from bgai_training.selfplay import playing
from bgai_training.selfplay_kernels import contact_mask
from bgai_training.shards import Shard, Shards

_STEPS_A_ROUND = 200
_PRUNER_EVERY = 6
_HELD_OUT = 5_000  # newest labels kept out of the fit to measure the residual

_PARTS = ("contact", "race", "pruner")


def kinds_of_labels(stage: Stage) -> tuple[str, ...]:
    """Names of the kinds of labels that a stage makes or takes."""
    if isinstance(stage, RaceStage):
        return stage.labels
    if isinstance(stage, FitStage):
        return ("contact", "race", *(special.name for special in stage.special))
    return ()


def warmed_then_falling(rate: float, warm_up: float, progress: float) -> float:
    """Linear warm-up over the share ``warm_up`` of the steps, then linearly to zero."""
    if progress < warm_up:
        return rate * (progress + 1e-3) / (warm_up + 1e-3)
    return rate * (1 - progress) / (1 - warm_up)


class FitRunner:
    """Runs the cycles; resumable at any round through :meth:`state` and :meth:`load`.

    ``shards`` hold the labels so far, of earlier stages too; new ones are added to them.
    """

    def __init__(
        self,
        recipe: Recipe,
        stage: FitStage,
        seed: np.random.SeedSequence,
        teacher: Networks,
        shards: dict[str, Shards],
        device: str = "cpu",
        threads: int = 1,
    ) -> None:
        self.recipe = recipe
        self.stage = stage
        self.device = device
        self.threads = threads
        self.teacher = teacher
        game_seed, self.order_seed = seed.spawn(2)
        self.games = LabelledGames(
            recipe.selfplay, game_seed, stage.explore, stage.explore_window, stage.decay
        )
        self.special_games = {
            special.name: self._special_games(special, own_seed)
            for special, own_seed in zip(stage.special, seed.spawn(len(stage.special)), strict=True)
        }
        self.shards = shards
        # Labels of earlier stages are still of use.
        self.base = {kind: shards[kind].count for kind in kinds_of_labels(stage)}
        self.collected = {kind: Shard.empty() for kind in self.base}
        self.cycle = 0
        self.fitting = False
        self.step = 0
        self.learners: dict[str, Learner] = {}
        self.data: dict[str, Shard] = {}

    def _special_games(self, special: FamilyLabels, seed: np.random.SeedSequence) -> LabelledGames:
        selfplay = replace(
            self.recipe.selfplay,
            games_at_once=special.games_at_once,
            varied=0,
            rare=1,
            kinds=special.kinds,
        )
        stage = self.stage
        return LabelledGames(selfplay, seed, stage.explore, stage.explore_window, special.decay)

    def players(self) -> ReplyPlayer:
        """The networks as they are, as they play and judge."""
        pruning = self.recipe.pruning
        return playing(self.networks(), pruning.keep, pruning.window)

    def run(self) -> Iterator[Progress]:
        """All cycles; yields after every round, with ``milestone`` after each fit."""
        while self.cycle < self.stage.cycles:
            if not self.fitting:
                yield from self._label()
                self._begin_fit()
            yield from self._fit()
            self._finish_fit()
            yield self._report({"residual": self.residual, "residual/train": self.fitted}, True)

    def _report(self, scalars: dict[str, float], milestone: bool = False) -> Progress:
        stage = self.stage
        labels = self.cycle * stage.labels + len(self.collected["contact"]) + self._cycle_shards()
        if self.fitting:
            labels = (self.cycle + 1) * stage.labels
        return Progress(
            stage=f"fit {min(self.cycle + 1, stage.cycles)}/{stage.cycles} "
            + ("fit" if self.fitting else "label"),
            done=min(labels, stage.cycles * stage.labels),
            of=stage.cycles * stage.labels,
            games=self.games.finished * process_count(),
            scalars=scalars,
            results=self.games.results,
            milestone=milestone,
        )

    def _cycle_shards(self) -> int:
        """Contact labels of this cycle already written."""
        shards_before = self.base["contact"] + self.cycle * self._shards_a_cycle()
        return (self.shards["contact"].count - shards_before) * self.stage.shard

    def _shards_a_cycle(self) -> int:
        return self.stage.labels // self.stage.shard

    # Labelling

    def _label(self) -> Iterator[Progress]:
        players = self.players()
        wanted = {"contact": self.base["contact"] + (self.cycle + 1) * self._shards_a_cycle()}
        for special in self.stage.special:  # one shard a cycle
            wanted[special.name] = self.base[special.name] + self.cycle + 1

        def lacking(kind: str) -> bool:
            return self.shards[kind].count < wanted[kind]

        # Processes wait for each other here, so that their rounds stay in step.
        while total(float(any(map(lacking, wanted)))) > 0:
            if lacking("contact"):
                self._label_one_ply(players)
            for special in self.stage.special:
                if lacking(special.name):
                    self._label_one_special_ply(special, players)
            yield self._report({})

    def _label_one_ply(self, players: ReplyPlayer) -> None:
        labels = self.games.advance(players, self.threads)
        contact = contact_mask(labels.rows)
        for name, mask in (("contact", contact), ("race", ~contact)):
            self.collected[name] = self.collected[name].joined(labels.take(np.flatnonzero(mask)))
        while self._write_full("contact", self.stage.shard):
            self.shards["race"].write(self.collected["race"])
            self.collected["race"] = Shard.empty()

    def _label_one_special_ply(self, special: FamilyLabels, players: ReplyPlayer) -> None:
        labels = self.special_games[special.name].advance(players, self.threads)
        if not len(labels):
            return
        kept = labels.take(np.flatnonzero(of_families(labels.rows, special.families)))
        self.collected[special.name] = self.collected[special.name].joined(kept)
        while self._write_full(special.name, special.labels):
            pass

    def _write_full(self, kind: str, size: int) -> bool:
        """Write the first ``size`` labels collected of a kind, if there are so many."""
        collected = self.collected[kind]
        if len(collected) < size:
            return False
        self.collected[kind], shard = collected.split(len(collected) - size)
        self.shards[kind].write(shard)
        return True

    # Fitting

    def _begin_fit(self) -> None:
        self.fitting = True
        self.step = 0
        contact, race, pruner = self.teacher
        fresh = contact.hidden != self.stage.contact
        settings = Settings(
            weight_decay=self.stage.weight_decay, equity_weight=self.stage.equity_weight
        )
        torch.manual_seed(int(self.order_seed.generate_state(1)[0]) + self.cycle)
        student = PositionNetwork(self.stage.contact) if fresh else contact
        student_race = race
        if race.hidden != self.stage.race:
            student_race = PositionNetwork(self.stage.race)
        if pruner.hidden != self.recipe.pruning.hidden:
            pruner = Pruner(self.recipe.pruning.hidden)
        self.learners = {
            "contact": Learner(student.to(self.device), settings),
            "race": Learner(student_race.to(self.device), settings),
            "pruner": Learner(pruner.to(self.device), Settings()),
        }
        for learner in self.learners.values():
            share_parameters(learner.network)
        self.rate = self.stage.rate if fresh else self.stage.warm_rate
        self._load_data()

    def _load_data(self) -> None:
        keep = self.stage.keep_shards
        contact = self.shards["contact"].newest(keep)
        self.held_out, contact = contact.split(min(_HELD_OUT, len(contact) // 10))
        self.data = {"contact": contact, "race": self.shards["race"].newest(keep)}
        for special in self.stage.special:
            pool = self.shards[special.name].newest(special.pool // special.labels)
            mask = contact_mask(pool.rows)
            for name, rows in (("contact", mask), ("race", ~mask)):
                if rows.any():
                    self.data[name] = self.data[name].joined(pool.take(np.flatnonzero(rows)))
        self.order: dict[tuple[str, int], NDArray[np.int64]] = {}

    @property
    def steps(self) -> int:
        """Gradient steps of the contact network in one fit."""
        return self.stage.passes * (len(self.data["contact"]) // self.stage.batch)

    def _batch(self, name: str, number: int) -> Shard:
        """Batch ``number`` of a fit: whole passes in seeded random orders."""
        data = self.data[name]
        size = min(self.stage.batch, len(data))
        lap, place = divmod(number, len(data) // size)
        if (name, lap) not in self.order:
            seed = np.random.SeedSequence(
                (*self.order_seed.generate_state(2).tolist(), self.cycle, lap)
            )
            self.order = {key: value for key, value in self.order.items() if key[0] != name}
            self.order[name, lap] = np.random.default_rng(seed).permutation(len(data))
        return data.take(self.order[name, lap][place * size : (place + 1) * size])

    def _fit(self) -> Iterator[Progress]:
        while self.step < self.steps:
            losses = []
            players = self.players()
            for _ in range(min(_STEPS_A_ROUND, self.steps - self.step)):
                losses.append(self._one_step(players))
            yield self._report(
                {
                    "loss/contact": float(torch.stack(losses).mean()),
                    "rate": warmed_then_falling(
                        self.rate, self.stage.warm_up, self.step / self.steps
                    ),
                    "fitted": self.step / self.steps,
                }
            )

    def _one_step(self, players: ReplyPlayer) -> torch.Tensor:
        progress = self.step / self.steps
        rate = warmed_then_falling(self.rate, self.stage.warm_up, progress)
        batch = self._batch("contact", self.step)
        loss = self.learners["contact"].step(batch.rows, batch.targets, rate)
        if self.step % self.stage.race_every == 0 and len(self.data["race"]):
            race = self._batch("race", self.step // self.stage.race_every)
            self.learners["race"].step(race.rows, race.targets, rate)
        if self.step % _PRUNER_EVERY == 0:
            seed = (*self.order_seed.generate_state(2).tolist(), self.cycle, self.step)
            rng = np.random.default_rng(seed)
            teach(self.learners["pruner"], batch.rows, players, rng, rate)
        self.step += 1
        return loss

    def _finish_fit(self) -> None:
        contact, race = self.learners["contact"].network, self.learners["race"].network
        pruner = self.learners["pruner"].network
        assert isinstance(contact, PositionNetwork)
        assert isinstance(race, PositionNetwork)
        assert isinstance(pruner, Pruner)
        self.residual = equity_residual(contact, self.held_out)
        self.fitted = equity_residual(contact, self.data["contact"].first(_HELD_OUT))
        self.teacher = (contact, race, pruner)
        self.fitting = False
        self.cycle += 1
        self.learners = {}
        self.data = {}

    def networks(self) -> Networks:
        """The networks as they are: the teacher, or the student while it is fitted."""
        if not self.fitting:
            return self.teacher
        contact, race = self.learners["contact"].network, self.learners["race"].network
        pruner = self.learners["pruner"].network
        assert isinstance(contact, PositionNetwork)
        assert isinstance(race, PositionNetwork)
        assert isinstance(pruner, Pruner)
        return contact, race, pruner

    def take_games(self, other: Any) -> None:
        """Play the games of another runner of this kind instead."""
        self.games, self.special_games = other.games, other.special_games

    def state(self) -> dict[str, Any]:
        """Everything :meth:`load` needs, but the shards on disk."""
        return {
            "teacher": {
                name: {"hidden": network.hidden, **arrays_of(network)}
                for name, network in named(self.teacher).items()
            },
            "games": self.games.state(),
            "special_games": {name: games.state() for name, games in self.special_games.items()},
            "collected": {name: shard.state() for name, shard in self.collected.items()},
            "shards": {name: shards.count for name, shards in self.shards.items()},
            "base": self.base,
            "cycle": self.cycle,
            "fitting": self.fitting,
            "step": self.step,
            "learners": {name: learner.state() for name, learner in self.learners.items()},
        }

    def load(self, state: dict[str, Any]) -> None:
        """Continue from :meth:`state`."""
        self.teacher = networks_of(state["teacher"])
        self.games.load(state["games"])
        for name, games in self.special_games.items():
            games.load(state["special_games"][name])
        self.collected = {n: Shard(**s) for n, s in state["collected"].items()}
        for name, count in state["shards"].items():
            self.shards[name].count = int(count)
        self.base = {kind: int(count) for kind, count in state["base"].items()}
        self.cycle = int(state["cycle"])
        if state["fitting"]:
            self._begin_fit()
            for name, learner in self.learners.items():
                learner.load(state["learners"][name])
            self.step = int(state["step"])


def named(networks: Networks) -> dict[str, PositionNetwork | Pruner]:
    """The networks by the names of their parts."""
    contact, race, pruner = networks
    return {"contact": contact, "race": race, "pruner": pruner}


def arrays_of(network: nn.Module) -> dict[str, NDArray[np.float32]]:
    """Copies of a network's parameters by name."""
    return {name: value.cpu().numpy().copy() for name, value in network.state_dict().items()}


def networks_of(parts: dict[str, dict[str, Any]]) -> Networks:
    """Contact, race and pruner networks from their widths and arrays."""
    made = []
    for name in _PARTS:
        arrays = dict(parts[name])
        hidden = arrays.pop("hidden")
        network = Pruner(int(hidden)) if name == "pruner" else PositionNetwork(tuple(hidden))
        network.load_state_dict({key: torch.from_numpy(value) for key, value in arrays.items()})
        made.append(network)
    contact, race, pruner = made
    assert isinstance(contact, PositionNetwork)
    assert isinstance(race, PositionNetwork)
    assert isinstance(pruner, Pruner)
    return contact, race, pruner


def equity_residual(network: PositionNetwork, data: Shard) -> float:
    """Root mean square difference of equity between a network, held to the rules, and labels."""
    with torch.no_grad():
        device = next(network.parameters()).device
        outputs = torch.sigmoid(network(torch.from_numpy(data.rows).to(device))).cpu().numpy()
    outputs = held_to_rules(outputs, data.rows)
    difference = equity_of_chances(outputs) - equity_of_chances(data.targets)
    return float(np.sqrt(np.mean(difference**2)))
