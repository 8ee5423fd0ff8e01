"""Who asks: on this machine alone one person; where others reach it, each visitor by a cookie.

A visitor's key is drawn at random and lies in a cookie that scripts can't read. Games, analyses
and rollouts belong to the visitor who began them; nobody else finds them, and there is no way to
list visitors. On disk a visitor is a folder named by the digest of the key, so that the folder's
name lets nobody in.
"""

import hashlib
import os
import re
import secrets
import threading
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

from bgai.ui.web.errors import Refusal
from bgai.ui.web.guard import App, Message, Receive, Send, answer_refused
from bgai.ui.web.limits import Limits
from bgai.ui.web.tables import Tables

COOKIE = "bgai-visitor"
_KEY = re.compile(r"[A-Za-z0-9_-]{32}\Z")
_SECONDS = 365 * 24 * 3600
_LATEST = 256  # visitors kept in memory; the others are read from their folders again
_FOLDER = "visitors"


class Visitor:
    """One person's part of the server. ``name`` is empty for the person of this machine."""

    def __init__(self, name: str, folder: Path, limits: Limits) -> None:
        self.name = name
        self.folder = folder
        self.tables = Tables(folder, limits)


class Visitors:
    """Everybody's part. Without ``apart`` there is one person, and the folder is theirs."""

    def __init__(self, folder: Path, limits: Limits, *, apart: bool) -> None:
        self._folder = folder
        self._limits = limits
        self._owner = None if apart else Visitor("", folder, limits)
        self._latest: OrderedDict[str, Visitor] = OrderedDict()
        # A visitor in use must not be made a second time: two of them could write one game.
        self._open: WeakValueDictionary[str, Visitor] = WeakValueDictionary()
        self._lock = threading.Lock()

    def find(self, key: str | None) -> Visitor:
        """The visitor with that key. Refuses 503 where there are too many with games kept."""
        if self._owner is not None:
            return self._owner
        assert key is not None
        name = hashlib.sha256(key.encode()).hexdigest()[:32]
        with self._lock:
            visitor = self._open.get(name)
            if visitor is None:
                folder = self._folder / _FOLDER / name
                if not folder.is_dir() and self._is_full():
                    raise Refusal(
                        503, f"visitors: {self._limits.visitors} have games here, the most"
                    )
                visitor = Visitor(name, folder, self._limits.of_a_visitor())
            self._open[name] = self._latest[name] = visitor
            self._latest.move_to_end(name)
            while len(self._latest) > _LATEST:
                self._latest.popitem(last=False)
        return visitor

    def _is_full(self) -> bool:
        """Whether as many folders are there as may be: one is made with the first thing kept."""
        place = self._folder / _FOLDER
        return place.is_dir() and len(os.listdir(place)) >= self._limits.visitors


class KnowsVisitors:
    """ASGI middleware: every request carries its visitor's key, in a cookie if none is there yet.

    A visitor has at most ``at_once`` requests under way.
    """

    def __init__(self, app: App, *, at_once: int) -> None:
        self.app = app
        self.at_once = at_once
        self._under_way: Counter[str] = Counter()

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith("/api/"):
            await self.app(scope, receive, send)
            return
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        known = _key_in(headers.get(b"cookie", ""))
        key = known or secrets.token_urlsafe(24)
        if self._under_way[key] >= self.at_once:
            await answer_refused(send, 429, f"visitor: at most {self.at_once} requests at once")
            return
        secure = "https" in (scope.get("scheme"), headers.get(b"x-forwarded-proto"))
        scope.setdefault("state", {})["visitor"] = key
        self._under_way[key] += 1
        try:
            await self.app(scope, receive, send if known else _with_cookie(send, key, secure))
        finally:
            self._under_way[key] -= 1
            if not self._under_way[key]:
                del self._under_way[key]


def _with_cookie(send: Send, key: str, secure: bool) -> Callable[[Message], Awaitable[None]]:
    cookie = f"{COOKIE}={key}; Path=/; Max-Age={_SECONDS}; HttpOnly; SameSite=Lax"
    header = (b"set-cookie", (cookie + ("; Secure" if secure else "")).encode())

    async def with_cookie(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], header]
        await send(message)

    return with_cookie


def _key_in(cookies: str) -> str | None:
    """The key in a cookie header; None where there is none that could be ours."""
    try:
        found = SimpleCookie(cookies).get(COOKIE)
    except CookieError:
        return None
    return found.value if found is not None and _KEY.match(found.value) else None
