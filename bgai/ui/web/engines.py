"""Bots and judges, built once and shared, and the few threads that run them."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeVar

from bgai.players.bot import Bot
from bgai.players.levels import BEST, find_level, make_bot
from bgai.players.search_cube import SearchCubePolicy
from bgai.players.search_ranker import SearchRanker
from bgai.search.engine import EngineSettings, build_engine, engine_label
from bgai.search.lookahead import Lookahead
from bgai.ui.web.errors import Refusal, naming
from bgai.ui.web.limits import Limits

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class Judge:
    """A bot that gives opinions, the search inside it, its name for people, and a lock."""

    bot: Bot
    lookahead: Lookahead
    label: str
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def plies(self) -> int:
        """The depth of the search."""
        return self.lookahead.plies


def _judge(bot: Bot, label: str) -> Judge:
    inside = bot.evaluator
    return Judge(bot, inside if isinstance(inside, Lookahead) else Lookahead(inside, 0), label)


def judge_for(level: str | None, plies: int | None) -> Judge:
    """The judge of a level or of a number of plies; the best level without either."""
    if level is not None and plies is not None:
        raise Refusal(400, "level: give either level or plies, not both", "level")
    if plies is not None:
        return _judge_at(plies)
    with naming("level"):
        name = find_level(level or BEST).name
    return _judge_of_level(name)


@lru_cache(maxsize=32)
def _judge_of_level(name: str) -> Judge:
    return _judge(make_bot(name), f"level {name}")


@lru_cache(maxsize=8)
def _judge_at(plies: int) -> Judge:
    settings = EngineSettings(plies=plies)
    lookahead = build_engine(settings)
    bot = Bot(lookahead, ranker=SearchRanker(lookahead), cube=SearchCubePolicy(lookahead))
    return _judge(bot, engine_label(settings))


@lru_cache(maxsize=64)
def opponent(level: str, seed: int) -> Judge:
    """The bot that sits at a table; its lock keeps two requests from asking it at once."""
    return _judge(make_bot(level, seed), level)


def lookahead_at(plies: int) -> Lookahead:
    """A search of its own, for a rollout that runs for long. Never shared."""
    return build_engine(EngineSettings(plies=plies))


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
