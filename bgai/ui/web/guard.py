"""What stands before every route: size of bodies, foreign pages, headers of answers."""

import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from bgai.notation.texts import read_whole

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1", "testserver"})

_HEADERS = {
    b"content-security-policy": (
        b"default-src 'self'; img-src 'self' data: blob:; base-uri 'none'; "
        b"form-action 'none'; frame-ancestors 'none'"
    ),
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-resource-policy": b"same-origin",
}


class _TooLong(Exception):
    """A body beyond the limit."""


class Guard:
    """ASGI middleware.

    Bodies above ``body`` bytes are refused. With ``loopback_only`` so are requests by another
    host name than this machine's own (a page elsewhere whose name was made to point here). What
    changes something is refused when a page of another origin asks for it.
    """

    def __init__(self, app: App, *, body: int, loopback_only: bool) -> None:
        self.app = app
        self.body = body
        self.loopback_only = loopback_only

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        refused = self._refusal(scope["method"], headers)
        if refused is not None:
            await answer_refused(send, *refused)
            return
        await self._pass_on(scope, receive, send)

    def _refusal(self, method: str, headers: dict[bytes, str]) -> tuple[int, str] | None:
        host = headers.get(b"host", "")
        if self.loopback_only and _host_name(host) not in LOOPBACK:
            return 421, f"host: this server answers as localhost only, not as '{host[:80]}'"
        origin = headers.get(b"origin")
        if method not in ("GET", "HEAD") and origin and _origin_host(origin) != host:
            return 403, "origin: a page of another origin may not change anything here"
        length = headers.get(b"content-length", "0")
        if read_whole(length, self.body) is None:
            return 413, f"body: at most {self.body} bytes"
        return None

    async def _pass_on(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        read, started = 0, False

        async def limited() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > self.body:
                raise _TooLong
            return message

        async def with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                message["headers"] = [*message["headers"], *_HEADERS.items()]
            await send(message)

        try:
            await self.app(scope, limited, with_headers)
        except _TooLong:
            if not started:
                await answer_refused(send, 413, f"body: at most {self.body} bytes")


def _host_name(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _origin_host(origin: str) -> str | None:
    """Host and port of an origin; None where it is none."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


async def answer_refused(send: Send, status: int, message: str) -> None:
    """Answer with a refusal; the message begins with the field at fault and a colon."""
    body = json.dumps({"error": message, "field": message.partition(":")[0]}).encode()
    headers = [(b"content-type", b"application/json"), *_HEADERS.items()]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
