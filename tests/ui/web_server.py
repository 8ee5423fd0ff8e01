"""A server of the page on this machine, for tests of the API and of the page."""

import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn

from bgai.analysis.store import STORE_VARIABLE
from bgai.ui.web.app import create_app
from bgai.ui.web.limits import Limits


@contextmanager
def running(games: Path, limits: Limits | None = None, *, warm: bool = False) -> Iterator[str]:
    """A running server's address, such as ``http://127.0.0.1:12345``."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(256)
    app = create_app(games, limits, warm=warm)
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(timeout=20)
        listener.close()


@contextmanager
def served(games: Path) -> Iterator[str]:
    """The address of ``bgai serve`` in a process of its own, as a person starts it."""
    command = [sys.executable, "-u", "-c", "from bgai.ui.cli import main; main()"]
    server = subprocess.Popen(
        [*command, "serve", "--port", "0", "--games", str(games)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1", STORE_VARIABLE: str(games / "analyses.sqlite")},
    )
    try:
        assert server.stdout is not None
        said = server.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+", said)
        assert found, said
        yield found[0]
    finally:
        server.terminate()
        server.wait(timeout=20)
