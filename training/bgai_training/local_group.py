"""Sums over the processes of one machine, through memory that they share.

Gloo sends 460 KB of gradients through the loopback network at every step, which took longer
than the step. Here each process writes its numbers into a mapped file, waits for the others
(one byte each way over a local connection) and adds up what all have written.
"""

import secrets
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_FASTEST = Path("/dev/shm")  # in memory where there is one

_SLEEPLESS = 3e-4  # seconds

Tell = Callable[[Any], Any]
"""Gives every process what the first one passes."""


def _receive(connection: Connection) -> None:
    """Take a byte; at first without sleeping, since to be woken takes longer than most waits."""
    sleepless = time.perf_counter() + _SLEEPLESS
    while not connection.poll(0) and time.perf_counter() < sleepless:
        pass
    connection.recv_bytes()


class LocalGroup:
    """All processes of a run on one machine; every method is called by all of them in step."""

    def __init__(self, rank: int, count: int, tell: Tell) -> None:
        self.rank = rank
        self.count = count
        self.tell = tell
        self.connections = self._connect()
        self.room = np.empty((2, count, 0), dtype=np.float32)
        self.turn = 0

    def _connect(self) -> list[Connection]:
        """The first process holds a connection to each other one, the others one to it."""
        if self.rank > 0:
            address, key = self.tell(None)
            return [Client(address, authkey=key)]
        key = secrets.token_bytes(16)
        with Listener(authkey=key, backlog=self.count) as listener:
            self.tell((listener.address, key))
            return [listener.accept() for _ in range(self.count - 1)]

    def wait(self) -> None:
        """Go on when all processes are here."""
        if self.rank > 0:
            self.connections[0].send_bytes(b".")
            _receive(self.connections[0])
            return
        for connection in self.connections:
            _receive(connection)
        for connection in self.connections:
            connection.send_bytes(b".")

    def add_up(self, values: NDArray[np.float32]) -> None:
        """Replace ``values (n,)`` by their sum over all processes, the same in each."""
        size = len(values)
        if size > self.room.shape[2]:
            self._make_room(size)
        # Two rooms by turns: nobody overwrites what a slower process still reads.
        room = self.room[self.turn % 2]
        self.turn += 1
        room[self.rank, :size] = values
        self.wait()
        np.add(room[0, :size], room[1, :size], out=values)
        for rank in range(2, self.count):
            values += room[rank, :size]

    def _make_room(self, size: int) -> None:
        shape = (2, self.count, size)
        path = None
        if self.rank == 0:
            folder = _FASTEST if _FASTEST.is_dir() else None
            with tempfile.NamedTemporaryFile(dir=folder, prefix="bgai-", delete=False) as file:
                file.truncate(4 * int(np.prod(shape)))
            path = file.name
        path = self.tell(path)
        self.room = np.memmap(path, dtype=np.float32, mode="r+", shape=shape)
        self.wait()
        if self.rank == 0:
            with suppress(OSError):  # mapped files can't be removed everywhere
                Path(path).unlink()

    def close(self) -> None:
        """Close the connections."""
        for connection in self.connections:
            connection.close()
