"""A run: the stages of a recipe one after another, saved, measured and resumable."""

import json
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import torch

from bgai.analysis.decision_error import decision_error
from bgai.errors import FileError, InputError
from bgai.evaluation.checkpoint import save_checkpoint
from bgai.evaluation.composite import Composite
from bgai.evaluation.inference import NetworkEvaluator
from bgai.evaluation.network import Networks
from bgai_training import distributed
from bgai_training.config import RaceStage, Recipe, TdStage, recipe_table
from bgai_training.fit import FitRunner, arrays_of, kinds_of_labels, named, networks_of
from bgai_training.logbook import Logbook
from bgai_training.progress import Progress
from bgai_training.races import RaceRunner
from bgai_training.runstate import load_state, save_state
from bgai_training.shards import Shards
from bgai_training.td import TdRunner

Runner = TdRunner | FitRunner | RaceRunner


@dataclass(frozen=True)
class Options:
    """How a run is carried out; none of it changes what is learned."""

    folder: Path
    minutes: float | None = None
    save_minutes: float = 5.0
    decisions: Path | None = None
    device: str = "cpu"
    threads: int = 1
    rank: int = 0
    labels: Path | None = None


class Run:
    """Carries out a recipe in a folder, continuing where the last call stopped."""

    def __init__(self, recipe: Recipe, options: Options, start: Networks | None = None) -> None:
        self.recipe = recipe
        self.options = options
        self.networks = start
        self.stage = 0
        self.rounds = 0
        self.games = 0  # in the stages done
        self.games_now = 0
        self.seconds = 0.0
        self.figures: dict[str, float] = {}
        self.runner: Runner | None = None
        self.joined: int | None = None
        """The round in which this process joined a run that others had begun."""
        self.stopping = False
        self.limit_rounds: int | None = None
        """Stop after so many more rounds; for tests of resuming."""
        self.logbook = Logbook(options.folder, quiet=options.rank > 0)
        labels = options.folder / f"labels-{options.rank}"
        kinds = {kind for stage in recipe.stages for kind in kinds_of_labels(stage)}
        self.shards = {kind: Shards(labels, kind) for kind in sorted(kinds)}
        saved = self._saved_state()
        if saved is not None:
            self._resume(*saved)
        elif options.labels is not None:
            for shards in self.shards.values():
                shards.adopt(options.labels)

    @property
    def _state_path(self) -> Path:
        return self.options.folder / f"state-{self.options.rank}.safetensors"

    def _saved_state(self) -> tuple[Path, dict[str, Any]] | None:
        """The newest state that the first process has and so have those that ran with it.

        Processes save after the same rounds, but a kill can fall between two of them, or a
        file be damaged: then all go back to the state before. A process that did not take part
        begins with the state of the first (see :meth:`_resume`). None before the first save.
        """
        found = self._readable_states(self._state_path)
        offers = [(rounds, state.get("processes", 1)) for rounds, (_, state) in found.items()]
        offers = distributed.told_by_the_first(offers)
        for rounds, processes in offers:
            lacking = self.options.rank < processes and rounds not in found
            if distributed.any_of(lacking)[0]:
                continue
            if rounds not in found:
                found = self._readable_states(self.options.folder / "state-0.safetensors")
            if rounds not in found:
                raise InputError(
                    f"{self.options.folder}: process {self.options.rank} is new to this run and "
                    "needs state-0 and labels-0 of the first process in its folder"
                )
            return found[rounds]
        if offers:
            raise InputError(
                f"{self.options.folder}: the processes have no state of one round in common; "
                "one process alone goes on from its own"
            )
        return None

    def _readable_states(self, path: Path) -> dict[int, tuple[Path, dict[str, Any]]]:
        """The states there are by round, the newest first; a damaged one is told.

        Raises ``InputError`` where there are some but none can be read.
        """
        found: dict[int, tuple[Path, dict[str, Any]]] = {}
        errors = []
        for candidate in (path, path.with_suffix(".previous")):
            if candidate.exists():
                try:
                    state = load_state(candidate)
                    found.setdefault(int(state["rounds"]), (candidate, state))
                except InputError as error:
                    errors.append(error)
                except (KeyError, TypeError, ValueError):
                    errors.append(InputError(f"{candidate}: not the state of a training run"))
        if errors and not found:
            raise errors[0]
        for bad in errors:
            self.logbook.say(f"{bad}; going on without it")
        return dict(sorted(found.items(), reverse=True))

    def _make_runner(self) -> Runner:
        stage = self.recipe.stages[self.stage]
        place = (self.recipe.seed, self.stage, self.options.rank)
        seed = np.random.SeedSequence(place if self.joined is None else (*place, self.joined))
        # Every process starts from the same weights but plays its own games.
        torch.manual_seed(self.recipe.seed + 1000 * self.stage)
        if isinstance(stage, TdStage):
            return TdRunner(self.recipe, stage, seed, self.options.device, self.networks)
        if self.networks is None:
            raise InputError("a recipe that begins without a 'td' stage needs --from CHECKPOINT")
        device, threads = self.options.device, self.options.threads
        if isinstance(stage, RaceStage):
            return RaceRunner(self.recipe, stage, seed, self.networks, self.shards, device, threads)
        return FitRunner(self.recipe, stage, seed, self.networks, self.shards, device, threads)

    def go(self) -> bool:
        """Run until the recipe is done (True) or the time is up or a signal came (False)."""
        handlers = self._listen()
        try:
            return self._stages()
        finally:
            self.logbook.close()
            for number, handler in handlers.items():
                signal.signal(number, handler)

    def _stages(self) -> bool:
        began = time.monotonic()
        saved = began
        while self.stage < len(self.recipe.stages):
            if self.runner is None:
                self.runner = self._make_runner()
            for progress in self._rounds(self.runner):
                now = time.monotonic()
                if progress.milestone:
                    self.measure()
                limit = self.options.minutes
                stop = self.stopping or (limit is not None and now - began > 60 * limit)
                due = now - saved > 60 * self.options.save_minutes
                # One process's wish is everybody's: they must save after the same round.
                stop, due = distributed.any_of(stop, due)
                if due and not progress.milestone:
                    self.measure()
                if stop or due or progress.milestone:
                    self._save(needed=stop)
                    saved = now
                if stop:
                    return False
            self._end_stage()
        return True

    def _rounds(self, runner: Runner) -> Iterator[Progress]:
        games_before = self.games
        tick = time.monotonic()
        for progress in runner.run():
            now = time.monotonic()
            self.seconds += now - tick
            tick = now
            self.rounds += 1
            if self.limit_rounds is not None:
                self.limit_rounds -= 1
                self.stopping |= self.limit_rounds <= 0
            self.games_now = games_before + progress.games
            self.logbook.note(progress, self.rounds)
            yield progress

    def _end_stage(self) -> None:
        assert self.runner is not None
        self.networks = self.runner.networks()
        self.games = self.games_now
        self.runner = None
        self.stage += 1
        self.measure()
        self._save(needed=self.stage == len(self.recipe.stages))

    def _listen(self) -> dict[int, Any]:
        """Stop at the next round when asked to; returns the handlers there were."""

        def stop(_signal: int, _frame: FrameType | None) -> None:
            self.stopping = True

        return {n: signal.signal(n, stop) for n in (signal.SIGINT, signal.SIGTERM)}

    # Saving

    def current(self) -> Networks:
        """The networks as they are now."""
        networks = self.runner.networks() if self.runner is not None else self.networks
        assert networks is not None
        return networks

    def _save(self, *, needed: bool) -> None:
        """Save; where that fails go on, unless nothing would come after."""
        try:
            self.save()
        except FileError as error:
            if needed:
                raise
            self.logbook.say(f"{error}; training goes on and will try again")

    def save(self) -> None:
        """The state to continue from, and the networks as a checkpoint."""
        state: dict[str, Any] = {
            "recipe": recipe_table(self.recipe),
            "stage": self.stage,
            "rounds": self.rounds,
            "processes": distributed.process_count(),
            "joined": self.joined,
            "games": self.games,
            "seconds": self.seconds,
            "labels": {kind: shards.count for kind, shards in self.shards.items()},
            "networks": None,
            "runner": None if self.runner is None else self.runner.state(),
        }
        if self.networks is not None:
            state["networks"] = {
                name: {"hidden": network.hidden, **arrays_of(network)}
                for name, network in named(self.networks).items()
            }
        save_state(self._state_path, state)
        if self.options.rank == 0:
            self.export(self.options.folder / "checkpoint")

    def export(self, folder: Path) -> None:
        """Write the networks as a checkpoint with its card."""
        arrays = {
            f"{part}.{name}": array
            for part, network in named(self.current()).items()
            for name, array in arrays_of(network).items()
        }
        card = {
            "name": self.recipe.name,
            "trained_for": "cubeless money",
            "recipe": recipe_table(self.recipe),
            "seed": self.recipe.seed,
            "games": self.games_now,
            "seconds": round(self.seconds),
            **self.figures,
        }
        save_checkpoint(folder, arrays, card)

    def _resume(self, path: Path, state: dict[str, Any]) -> None:
        """Go on from a state; from that of the first process with games of its own."""
        saved, given = (json.dumps(r, sort_keys=True) for r in (state["recipe"], _plain(self)))
        if saved != given:
            raise InputError(
                f"{path}: this run was started with another recipe; "
                "choose another folder or the same recipe"
            )
        self.stage = int(state["stage"])
        self.rounds = int(state["rounds"])
        self.games = int(state["games"])
        self.seconds = float(state["seconds"])
        self.games_now = self.games
        new_here = not path.name.startswith(f"state-{self.options.rank}.")
        self.joined = self.rounds if new_here else state.get("joined")
        for kind, count in state["labels"].items():
            if new_here:
                self.shards[kind].adopt(self.options.folder / "labels-0", int(count))
            self.shards[kind].count = int(count)
        if state["networks"] is not None:
            self.networks = networks_of(state["networks"])
        if state["runner"] is not None:
            self.runner = self._make_runner()
            self.runner.load(state["runner"])
            if new_here:  # the same games as those of the first process would teach nothing
                self.runner.take_games(self._make_runner())

    def measure(self) -> None:
        """Decision error of the networks, for the log and the card, if there is a file for it."""
        if self.options.decisions is None or self.options.rank > 0:
            return
        contact, race, _ = self.current()
        evaluator = Composite(
            NetworkEvaluator(contact.kernel_weights()), NetworkEvaluator(race.kernel_weights())
        )
        error = decision_error(evaluator, self.options.decisions)
        self.figures = {
            "decision_error_meq": round(error.mean_meq, 3),
            "decision_error_standard_error": round(error.standard_error, 3),
            "equity_rmse": round(error.rmse, 5),
        }
        self.logbook.measured(
            {
                "decision error, mEq": error.mean_meq,
                "equity RMSE": error.rmse,
                "minutes": self.seconds / 60,
            },
            self.rounds,
        )


def _plain(run: Run) -> Any:
    """The recipe as it looks after a trip through JSON."""
    return json.loads(json.dumps(recipe_table(run.recipe)))
