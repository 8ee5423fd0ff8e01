"""Rollouts in the background: progress, figures so far, cancelling."""

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from bgai.evaluation.evaluator import swap_chances
from bgai.players.engines import engine
from bgai.rules.game import Game
from bgai.rules.play import recover_play
from bgai.rules.position import Positions
from bgai.search.cube_verdict import situation_stakes, situation_utility
from bgai.search.cubeful_lookahead import CubefulLookahead
from bgai.search.cubeful_rollout import CubeRollout
from bgai.search.engine import build_engine
from bgai.search.lookahead import Lookahead
from bgai.search.rollout import Rollout, RolloutSettings
from bgai.search.rollout_dice import SET
from bgai.search.rollout_stats import Figure
from bgai.ui.web.engines import judge_for
from bgai.ui.web.errors import Refusal, naming
from bgai.ui.web.limits import Limits
from bgai.ui.web.opinions import ranked_plays
from bgai.ui.web.requests import RolloutRequest
from bgai.ui.web.situations import (
    CHANCES,
    chances_fields,
    cube_fields,
    game_of,
    play_fields,
    shown_situation,
    situation_of,
)

_CURVE_POINTS = 200  # points kept of the convergence curve


class Job:
    """One rollout. ``state``: waiting, running, done, cancelled or failed."""

    def __init__(self, request: RolloutRequest) -> None:
        self.name = secrets.token_urlsafe(12)
        self.request = request
        situation = situation_of(request.id)
        with naming("id"):
            self.game: Game = game_of(situation, request.roll)
        self.kind = "position" if self.game.roll is None else "plays"
        self.state = "waiting"
        self.error: str | None = None
        self.trials_done = 0
        self.seconds = 0.0
        self.rows: list[dict[str, Any]] = []
        self.cube: dict[str, Any] | None = None
        self.curve: list[dict[str, Any]] = []
        self.lock = threading.Lock()
        self.stop = threading.Event()

    @property
    def is_finished(self) -> bool:
        return self.state in ("done", "cancelled", "failed")

    def cancel(self) -> None:
        """Ask it to stop after the batch of trials it plays."""
        self.stop.set()
        with self.lock:
            if self.state == "waiting":
                self.state = "cancelled"

    def run(self) -> None:
        """Play to the end or until cancelled; never raises."""
        with self.lock:
            if self.state != "waiting":
                return
            self.state = "running"
        try:
            self._run()
        except Exception as error:  # the job says so, the server goes on
            with self.lock:
                self.state, self.error = "failed", f"{type(error).__name__}: {error}"

    def _run(self) -> None:
        started = time.monotonic()
        request, game = self.request, self.game
        settings = RolloutSettings(
            trials=request.trials, seed=request.seed, truncate=request.truncate, batch=1
        )
        player = build_engine(
            engine(plies=request.plies).settings
        )  # never shared: it runs for long
        line = (
            _Cube(game, player, settings)
            if game.roll is None
            else _Plays(game, player, settings, request.plays)
        )
        while not line.rollout.finished and not self.stop.is_set():
            line.rollout.step()
            rows, cube = line.figures()
            with self.lock:
                self.trials_done = line.rollout.trials_done
                self.seconds = time.monotonic() - started
                self.rows, self.cube = rows, cube
                every = max(1, settings.sets // _CURVE_POINTS)
                if self.trials_done // SET % every == 0 or line.rollout.finished:
                    self.curve.append({"trials": self.trials_done, **rows[0]["equity"]})
        with self.lock:
            self.state = "done" if line.rollout.finished else "cancelled"

    def fields(self) -> dict[str, Any]:
        """The job as JSON."""
        request = self.request
        trials = -(-request.trials // SET) * SET
        with self.lock:
            return {
                "id": self.name,
                "kind": self.kind,
                "state": self.state,
                "error": self.error,
                "settings": {
                    **request.model_dump(),
                    "trials": trials,
                    "engine": engine(plies=request.plies).label,
                    "variance_reduction": "0-ply",
                    "interval": 0.95,
                    "cubeless": self.kind == "plays",
                },
                "trials": trials,
                "trials_done": self.trials_done,
                "progress": round(self.trials_done / trials, 4),
                "seconds": round(self.seconds, 2),
                "rows": self.rows,
                "cube": self.cube,
                "curve": list(self.curve),
            }


class _Plays:
    """The best plays of a roll rolled out side by side, cubeless."""

    def __init__(
        self, game: Game, player: Lookahead, settings: RolloutSettings, plays: int
    ) -> None:
        assert game.roll is not None
        ranked = ranked_plays(judge_for(None, None), game)
        chosen: Positions = np.stack([each.after for each in ranked[:plays]])
        self.names: list[dict[str, Any]] = [{"play": "no play", "moves": [], "after": None}]
        if not game.must_pass:
            self.names = [
                play_fields(recover_play(game.position, after, game.roll), after)
                for after in chosen
            ]
        self.rollout = Rollout(
            chosen, player, settings, utility=situation_utility(shown_situation(game)).other()
        )

    def figures(self) -> tuple[list[dict[str, Any]], None]:
        """A row for each play, the best first, with its difference to the best."""
        result = self.rollout.result()
        rows = [
            name | _figures(summary.chances, summary.equity, negated=True)
            for name, summary in zip(self.names, result.summaries, strict=True)
        ]
        order = sorted(range(len(rows)), key=lambda i: -rows[i]["equity"]["mean"])
        for index in order:
            gap = result.difference(order[0], index) if index != order[0] else None
            rows[index]["difference"] = None if gap is None else _figure(gap)
        return [rows[index] for index in order], None


class _Cube:
    """A position before the roll with the cube in play: no double beside double and take."""

    def __init__(self, game: Game, player: Lookahead, settings: RolloutSettings) -> None:
        search = CubefulLookahead(player, situation_stakes(shown_situation(game)))
        self.rollout = CubeRollout(game.position, search, settings)

    def figures(self) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        """One row, that of no double, and the verdict with the errors of both equities."""
        result = self.rollout.result()
        cube = cube_fields(result.decision) | {
            "no_double_figure": _figure(result.no_double),
            "double_take_figure": None
            if result.double_take is None
            else _figure(result.double_take),
            "gain_figure": None if result.gain is None else _figure(result.gain),
            "confidence": round(result.confidence, 4),
        }
        return [_figures(result.chances, result.no_double, negated=False)], cube


def _figure(figure: Figure, *, negated: bool = False) -> dict[str, float]:
    low, high = figure.interval
    mean = -figure.mean if negated else figure.mean
    low, high = (-high, -low) if negated else (low, high)
    named = {"mean": mean, "error": figure.error, "low": low, "high": high}
    return {name: round(float(value), 6) for name, value in named.items()}


def _figures(chances: Sequence[Figure], equity: Figure, *, negated: bool) -> dict[str, Any]:
    """Equity with its interval and the chances, seen by the one who decides."""
    means = np.array([figure.mean for figure in chances])
    errors = [figure.error for figure in chances]
    if negated:
        means = swap_chances(means)
        errors = [errors[0], *errors[3:], *errors[1:3]]
    return {
        "of": "on_roll",
        "equity": _figure(equity, negated=negated),
        "chances": chances_fields(means),
        "errors": dict(zip(CHANCES, (round(error, 6) for error in errors), strict=True)),
    }


class Jobs:
    """The rollouts of a server: few run at once, some wait, the rest is refused."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(limits.jobs, thread_name_prefix="bgai-rollout")

    def start(self, request: RolloutRequest) -> Job:
        """Queue a rollout. Raises ``Refusal`` 429 when too many wait."""
        job = Job(request)
        with self._lock:
            active = sum(not each.is_finished for each in self._jobs.values())
            most = self.limits.jobs + self.limits.waiting_jobs
            if active >= most:
                raise Refusal(429, f"rollouts: at most {most} may run and wait at once")
            self._jobs[job.name] = job
            for name in [n for n, each in self._jobs.items() if each.is_finished]:
                if len(self._jobs) <= self.limits.kept_jobs:
                    break
                del self._jobs[name]
        self._pool.submit(job.run)
        return job

    def find(self, name: str) -> Job:
        """The job of that name. Refuses 404 where there is none."""
        with self._lock:
            job = self._jobs.get(name)
        if job is None:
            raise Refusal(404, "rollout: there is no such rollout", "rollout")
        return job

    def close(self) -> None:
        """Cancel everything."""
        with self._lock:
            for job in self._jobs.values():
                job.cancel()
        self._pool.shutdown(wait=False, cancel_futures=True)
