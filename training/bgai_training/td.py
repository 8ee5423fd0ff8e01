"""The first stage: TD(lambda) on whole games, from random weights."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from bgai.evaluation.network import Networks, PositionNetwork, Pruner
from bgai.search.greedy import ReplyPlayer
from bgai_training.config import Recipe, TdStage
from bgai_training.distributed import process_count, total
from bgai_training.learner import Learner, Replay, Settings
from bgai_training.progress import Progress
from bgai_training.ranking import teach
from bgai_training.selfplay import NO_PRUNING, Games, playing
from bgai_training.selfplay_kernels import contact_mask
from bgai_training.starts import Rows

_PLIES = 16  # plies of all games between visits to the optimiser
_REPLAY = 60_000
_PRUNER_EVERY = 16  # contact steps to one lesson of the pruner
_PRUNER_AVERAGE = 0.99  # it learns too seldom for the networks' slower average
_RACE_SHARE = 0.25  # of the race positions of all games, enough for a small network


def value_at(points: tuple[tuple[float, float], ...], x: float) -> float:
    """Linear interpolation through ``(x, y)`` points."""
    xs, ys = zip(*points, strict=True)
    return float(np.interp(x, xs, ys))


def held_then_falling(rate: float, hold: float, progress: float) -> float:
    """``rate`` up to ``hold`` of the stage, then linearly to zero."""
    return rate * min(1.0, max(0.0, (1 - progress) / (1 - hold))) if hold < 1 else rate


class TdRunner:
    """Plays, collects lambda-returns and learns from them.

    ``start`` are networks to go on from, whatever the stage says of widths.
    """

    def __init__(
        self,
        recipe: Recipe,
        stage: TdStage,
        seed: np.random.SeedSequence,
        device: str = "cpu",
        start: Networks | None = None,
    ) -> None:
        self.recipe = recipe
        self.stage = stage
        game_seed, draw_seed = seed.spawn(2)
        self.games = Games(recipe.selfplay, game_seed)
        self.rng = np.random.Generator(np.random.PCG64(draw_seed))
        settings = Settings(average=stage.average)
        contact, race, pruner = start or (
            PositionNetwork(stage.contact),
            PositionNetwork(stage.race),
            Pruner(recipe.pruning.hidden),
        )
        self.contact = Learner(contact.to(device), settings)
        self.race = Learner(race.to(device), settings)
        self.pruner = Learner(pruner.to(device), Settings(average=_PRUNER_AVERAGE))
        self.replays = {"contact": Replay(_REPLAY), "race": Replay(_REPLAY // 4)}
        self.owed = {"contact": 0.0, "race": 0.0}
        self.race_share = _RACE_SHARE
        self.played = 0  # games of all processes

    @property
    def progress(self) -> float:
        return min(1.0, self.played / self.stage.games)

    def players(self) -> ReplyPlayer:
        """The averaged networks, as they play now."""
        pruning = self.recipe.pruning
        trusted = self.progress >= self.stage.unpruned
        keep = pruning.keep if trusted else NO_PRUNING
        return playing(self.networks(), keep, pruning.window)

    def run(self) -> Iterator[Progress]:
        """Learn until the stage's games are played; yields after every round."""
        while self.played < self.stage.games:
            yield self._round()

    def _round(self) -> Progress:
        progress = self.progress
        decay = value_at(self.stage.decay, progress)
        # Early on the race network knows nothing: every race is played out.
        race_every = self.stage.race_every if progress >= self.stage.unpruned else 1
        self.race_share = min(1.0, _RACE_SHARE * race_every)
        players = self.players()
        finished = self.games.finished
        for _ in range(_PLIES):
            self.games.play(players)
            self._collect(*self.games.record(decay, race_every))
        self.played += int(total(self.games.finished - finished))
        rate = held_then_falling(self.stage.rate, self.stage.hold, progress)
        losses = {name: self._learn(name, rate, players) for name in ("contact", "race")}
        return Progress(
            stage="td",
            done=self.played,
            of=self.stage.games,
            games=self.played,
            scalars={
                "lambda": decay,
                "rate": rate,
                **{f"loss/{name}": loss for name, loss in losses.items() if loss is not None},
            },
            results=self.games.results,
        )

    def _collect(self, rows: Rows, targets: NDArray[np.float32]) -> None:
        contact = contact_mask(rows)
        chosen = self.rng.random(len(rows)) < self.race_share
        race = ~contact & chosen
        for name, mask in (("contact", contact), ("race", race)):
            self.replays[name].add(rows[mask], targets[mask])
            self.owed[name] += mask.sum() * self.stage.reuse / self.stage.batch

    def _learn(self, name: str, rate: float, players: ReplyPlayer) -> float | None:
        """The gradient steps owed; the same number in every process."""
        owed = total(self.owed[name])
        steps = int(owed / process_count())
        losses = []
        learner = self.contact if name == "contact" else self.race
        for step in range(steps):
            rows, targets = self.replays[name].draw(self.rng, self.stage.batch)
            losses.append(learner.step(rows, targets, rate))
            if step % _PRUNER_EVERY == 0 and name == "contact":
                teach(self.pruner, rows, players, self.rng, rate)
        self.owed[name] -= steps
        return float(torch.stack(losses).mean()) if losses else None

    def networks(self) -> Networks:
        """Contact, race and pruner networks as they play."""
        contact, race, pruner = self.contact.player(), self.race.player(), self.pruner.player()
        assert isinstance(contact, PositionNetwork)
        assert isinstance(race, PositionNetwork)
        assert isinstance(pruner, Pruner)
        return contact, race, pruner

    def take_games(self, other: Any) -> None:
        """Play the games of another runner of this kind instead."""
        self.games, self.rng = other.games, other.rng

    def state(self) -> dict[str, Any]:
        """Everything :meth:`load` needs."""
        return {
            "games": self.games.state(),
            "contact": self.contact.state(),
            "race": self.race.state(),
            "pruner": self.pruner.state(),
            "replays": {name: replay.state() for name, replay in self.replays.items()},
            "owed": dict(self.owed),
            "played": self.played,
            "generator": self.rng.bit_generator.state,
        }

    def load(self, state: dict[str, Any]) -> None:
        """Continue from :meth:`state`."""
        self.games.load(state["games"])
        for name in ("contact", "race", "pruner"):
            getattr(self, name).load(state[name])
        for name, replay in self.replays.items():
            replay.load(state["replays"][name])
        self.owed = {name: float(value) for name, value in state["owed"].items()}
        self.played = int(state["played"])
        self.rng.bit_generator.state = state["generator"]
