"""How the page's server holds many visitors: python scripts/bench_web.py [--visitors 50]

Starts `bgai serve --visitors` on this machine and has as many callers at once, each with a cookie
of its own, open the page, begin a game, play some turns with the tutor, and ask for hints, the
plays of a roll and a cube decision. Prints how long answers took, in milliseconds, and what was
refused. Callers and server share the cores.
"""

import argparse
import re
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import numpy as np
from rich.console import Console
from rich.table import Table

ID = "XGID=-b-bBBC-BB--cB---bAb--b-bA:0:0:1:00:0:0:3:0:10"
OPENING = {"id": "4HPwATDgc/ABMA", "dice": "31"}

Times = dict[str, list[float]]


class Caller:
    """A visitor who times every answer."""

    def __init__(self, address: str, times: Times, refused: dict[int, int]) -> None:
        self._client = httpx.Client(base_url=address, timeout=120)
        self._times, self._refused = times, refused

    def ask(self, name: str, method: str, path: str, body: object = None) -> httpx.Response:
        begin = time.perf_counter()
        said = self._client.request(method, path, json=body)
        self._times[name].append(1e3 * (time.perf_counter() - begin))
        if said.is_error:
            self._refused[said.status_code] += 1
        return said

    def visit(self, turns: int) -> None:
        """The page, a game of some turns, and an analysis."""
        self.ask("the page", "GET", "/")
        game = self.ask("a new game", "POST", "/api/games", {"level": "expert"}).json()
        for _ in range(turns):
            game = self._turn(game)
        self.ask("plays at 2-ply", "POST", "/api/best", OPENING)
        self.ask("a cube decision at 2-ply", "POST", "/api/cube", {"id": ID})

    def _turn(self, game: dict[str, Any]) -> dict[str, Any]:
        """Do the first thing that is possible, as a person in a hurry would."""
        path = f"/api/games/{game['id']}"
        legal = game["legal"]
        if not legal:
            return game
        if "play" in legal:
            self.ask("a hint", "GET", f"{path}/hint")
            play = game["plays"][0]["play"] if game["plays"] else "no play"
            act = {"act": "play", "play": play, "tutor": True}
        else:
            act = {"act": next(each for each in ("roll", "take", "refuse") if each in legal)}
        said = self.ask("an act with its answer", "POST", f"{path}/acts", act)
        return game if said.is_error else dict(said.json())


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """The address of a server for visitors, in a process of its own."""
    command = [sys.executable, "-u", "-m", "bgai", "serve", "--visitors", "--port", "0"]
    server = subprocess.Popen([*command, "--games", folder], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        found = re.search(r"http://[\d.]+:\d+", server.stdout.readline())
        assert found is not None
        yield found[0]
    finally:
        server.terminate()
        server.wait(timeout=30)


def print_times(times: Times) -> None:
    """A row for each kind of answer."""
    table = Table("answer", "number", "median", "95%", "longest")
    for column in table.columns[1:]:
        column.justify = "right"
    for name, values in times.items():
        shown = (f"{value:.0f}" for value in np.quantile(values, (0.5, 0.95, 1.0)))
        table.add_row(name, str(len(values)), *shown)
    Console().print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--visitors", type=int, default=50)
    parser.add_argument("--turns", type=int, default=8)
    given = parser.parse_args()
    times: Times = defaultdict(list)
    refused: dict[int, int] = defaultdict(int)
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as address:
        callers = [Caller(address, times, refused) for _ in range(given.visitors)]
        callers[0].visit(2)  # what the first visitor of all waits for is compiled here
        times.clear()
        begin = time.perf_counter()
        with ThreadPoolExecutor(given.visitors) as pool:
            list(pool.map(lambda caller: caller.visit(given.turns), callers))
        seconds = time.perf_counter() - begin
    print_times(times)
    count = sum(map(len, times.values()))
    print(
        f"{given.visitors} visitors, {count} answers in {seconds:.1f} s; refused: {dict(refused)}"
    )


if __name__ == "__main__":
    main()
