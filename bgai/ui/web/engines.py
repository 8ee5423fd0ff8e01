"""Engines that callers may name, and the few threads that run them."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from bgai.analysis.judging import JUDGE_PLIES
from bgai.evaluation.checkpoint import released_checkpoints
from bgai.evaluation.plugins import plugin_names
from bgai.players.engines import BEST, LEVELS, PLAY_PLIES, Engine, engine
from bgai.ui.web.errors import Refusal, naming
from bgai.ui.web.limits import Limits

T = TypeVar("T")


def known_engine(name: str, plies: int = PLAY_PLIES) -> Engine:
    """The engine of a level, a released network or an evaluator that a package offers.

    No caller opens folders of this machine or imports its modules. Raises ``InputError``.
    """
    base = name.partition("@")[0].removeprefix("level:")
    known = (BEST, *(level.name for level in LEVELS), *released_checkpoints(), *plugin_names())
    if base not in known:
        engine("level:" + base)  # says what there is
    return engine(name, plies=plies)


def judge_for(name: str | None, plies: int | None) -> Engine:
    """The engine a caller named, or the best at a number of plies. Raises ``Refusal``."""
    if name is not None and plies is not None:
        raise Refusal(400, "engine: give either engine or plies, not both", "engine")
    with naming("engine"):
        return known_engine(name or BEST) if plies is None else engine(plies=plies)


def tutor_engine() -> Engine:
    """The judge of the tutor and the summary: the one of ``bgai analyse``."""
    return engine(plies=JUDGE_PLIES)


class Workers:
    """Runs the engine's work in a few threads and refuses when too much of it waits."""

    def __init__(self, limits: Limits) -> None:
        self.most = limits.pending
        self.waiting = 0
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(limits.workers, thread_name_prefix="bgai-web")

    async def run(self, work: Callable[..., T], *arguments: Any, **named: Any) -> T:
        """The result of ``work(*arguments, **named)``. Raises ``Refusal`` 503 when busy."""
        with self._lock:
            if self.waiting >= self.most:
                raise Refusal(503, "the server is busy: try again in a moment")
            self.waiting += 1
        future = self._pool.submit(work, *arguments, **named)
        future.add_done_callback(self._done)
        return await asyncio.wrap_future(future)

    def _done(self, _: "Future[Any]") -> None:
        with self._lock:
            self.waiting -= 1

    def close(self) -> None:
        """Stop taking work; what runs is finished."""
        self._pool.shutdown(wait=False, cancel_futures=True)
