"""Rollouts in the background: progress, figures so far, cancelling."""

import secrets
import threading
import time
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor

from bgai.analysis.rolling import (
    CubeDecisionRollout,
    PlaysRollout,
    Rolling,
    about,
    chosen_plays,
)
from bgai.answers import CurveFigure, RolloutAnswer, RolloutJob
from bgai.errors import InputError
from bgai.players.engines import Engine, engine
from bgai.search.rollout_dice import SET
from bgai.search.rollout_run import RolloutSettings
from bgai.ui.web.engines import judge_for
from bgai.ui.web.errors import Refusal, naming
from bgai.ui.web.limits import Limits
from bgai.ui.web.requests import RolloutRequest
from bgai.ui.web.situations import game_of, shown_situation, situation_of

_CURVE_POINTS = 200  # points kept of the convergence curve


class Job:
    """One rollout of a visitor. ``state``: waiting, running, done, cancelled or failed."""

    def __init__(self, request: RolloutRequest, owner: str = "") -> None:
        self.name = secrets.token_urlsafe(12)
        self.owner = owner
        self.request = request
        with naming("id"):
            game = game_of(situation_of(request.id), request.dice)
        self.dice = game.roll
        self.situation = shown_situation(game)
        self.settings = RolloutSettings(
            trials=request.trials, seed=request.seed, truncate=request.truncate, batch=1
        )
        self._check(request)
        self.state = "waiting"
        self.error: str | None = None
        self.seconds = 0.0
        self.figures: RolloutAnswer | None = None
        self.curve: list[CurveFigure] = []
        self.lock = threading.Lock()
        self._rolling: Rolling | None = None
        self._cancelled = False

    def _check(self, request: RolloutRequest) -> None:
        """Refuse what would fail later."""
        if request.chosen:
            with naming("chosen"):
                if self.dice is None:
                    raise InputError("plays are chosen of a roll, and there are no dice")
                chosen_plays(self.situation, self.dice, request.chosen)
        if request.cubeless and self.dice is None:
            raise Refusal(400, "cubeless: a cube decision is rolled out with it", "cubeless")
        if request.leaf_plies and (request.truncate is None or request.cubeless):
            raise Refusal(400, "leaf_plies: for truncated games with the cube", "leaf_plies")

    @property
    def is_finished(self) -> bool:
        return self.state in ("done", "cancelled", "failed")

    def cancel(self) -> None:
        """Ask it to stop within a turn of its games; the trials done are kept."""
        with self.lock:
            self._cancelled = True
            if self.state == "waiting":
                self.state = "cancelled"
            elif self.state == "running" and self._rolling is not None:
                self._rolling.run.stop()

    def resume(self) -> bool:
        """Make a cancelled rollout wait again for its next trials; False where it isn't one."""
        with self.lock:
            if self.state != "cancelled":
                return False
            self.state, self._cancelled = "waiting", False
            return True

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

    @property
    def _engine(self) -> Engine:
        return engine(plies=self.request.plies)

    def _made(self) -> Rolling:
        named = (self.request.id, self.situation)
        leaf_plies = self.request.leaf_plies
        if self.dice is None:
            return CubeDecisionRollout(*named, self._engine, self.settings, leaf_plies=leaf_plies)
        return PlaysRollout(
            *named, self.dice, self._engine, self.settings, leaf_plies=leaf_plies,
            count=self.request.plays, plays=self.request.chosen, ranker=judge_for(None, None),
            cubeless=self.request.cubeless,
        )  # fmt: skip

    def _run(self) -> None:
        before, started = self.seconds, time.monotonic()
        rolling = self._rolling or self._made()
        every = max(1, self.settings.sets // _CURVE_POINTS)

        def progress(_: object) -> None:
            answer, finished = rolling.answer(), rolling.run.finished
            with self.lock:
                self.figures = answer
                self.seconds = before + time.monotonic() - started
                if answer.trials // SET % every == 0 or finished:
                    best = answer.rows[0].equity
                    self.curve.append(CurveFigure(trials=answer.trials, **dict(best)))

        with self.lock:
            self._rolling, cancelled = rolling, self._cancelled
        if not cancelled:
            try:
                rolling.run.run(progress, rolling.cores)
            except InputError:  # stopped before the first trials were done
                if rolling.run.trials_done:
                    raise
        with self.lock:
            self.state = "done" if rolling.run.finished else "cancelled"

    def answer(self) -> RolloutJob:
        """The job with its figures so far."""
        with self.lock:
            figures = self.figures or self._nothing_yet()
            return RolloutJob.model_validate(
                dict(figures)
                | {
                    "job": self.name,
                    "state": self.state,
                    "error": self.error,
                    "progress": figures.trials / (self.settings.sets * SET),
                    "seconds": self.seconds,
                    "curve": list(self.curve),
                }
            )

    def _nothing_yet(self) -> RolloutAnswer:
        return about(
            self.request.id,
            self.situation,
            self._engine,
            self.settings,
            kind="cube" if self.dice is None else "plays",
            dice=self.dice,
            ranker=None if self.dice is None or self.request.chosen else judge_for(None, None),
            cubeless=self.request.cubeless,
            leaf_plies=self.request.leaf_plies,
        )


class Jobs:
    """The rollouts of a server: few run at once, some wait, the rest is refused."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(limits.jobs, thread_name_prefix="bgai-rollout")

    def start(self, request: RolloutRequest, owner: str = "") -> Job:
        """Queue a rollout of a visitor. Raises ``Refusal`` 429 when too many wait."""
        job = Job(request, owner)
        with self._lock:
            self._check_room(owner)
            self._jobs[job.name] = job
            for name in [n for n, each in self._jobs.items() if each.is_finished]:
                if len(self._jobs) <= self.limits.kept_jobs:
                    break
                del self._jobs[name]
        self._pool.submit(job.run)
        return job

    def resume(self, name: str, owner: str = "") -> Job:
        """Let a cancelled rollout go on. Refuses 409 where it was not cancelled."""
        job = self.find(name, owner)
        with self._lock:
            self._check_room(owner)
            if not job.resume():
                raise Refusal(409, f"rollout: it is {job.state}, not cancelled", "rollout")
        self._pool.submit(job.run)
        return job

    def _check_room(self, owner: str) -> None:
        active = [each.owner for each in self._jobs.values() if not each.is_finished]
        most = self.limits.jobs + self.limits.waiting_jobs
        if len(active) >= most:
            raise Refusal(429, f"rollouts: at most {most} may run and wait at once")
        if owner and active.count(owner) >= self.limits.own_jobs:
            most = self.limits.own_jobs
            raise Refusal(429, f"rollouts: at most {most} of yours may run and wait at once")

    def find(self, name: str, owner: str = "") -> Job:
        """The visitor's job of that name. Refuses 404 where there is none."""
        with self._lock:
            job = self._jobs.get(name)
        if job is None or job.owner != owner:
            raise Refusal(404, "rollout: there is no such rollout", "rollout")
        return job

    def close(self) -> None:
        """Cancel everything."""
        with self._lock:
            for job in self._jobs.values():
                job.cancel()
        self._pool.shutdown(wait=False, cancel_futures=True)
