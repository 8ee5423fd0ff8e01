"""The speed of each release, side by side: python scripts/bench_release.py [--keep]

Measures a fixed workload in CPU time on one core and prints it beside the figures kept in
scripts/release_figures.json, where --keep puts this version's. Machines differ, so every figure
is also divided by that of a fixed computation, the yardstick, and the ratios between releases are
of those. A figure that is 1.25 times as slow as in the release before ends with exit code 1.
Repeat on an idle machine before you believe it.
"""

import argparse
import json
import platform
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import bgai
from bgai.analysis.benchmark import measure, workloads
from bgai.api import engine
from bgai.files import write_text
from bgai.rules.dice import roll_of

FIGURES = Path(__file__).with_name("release_figures.json")
SLOWER = 1.25
"""How many times as slow as the release before is a regression."""
DECISIONS = {0: 400, 1: 60, 2: 16}
"""Decisions timed at each depth."""
CUBE = "XGID=-b-bBBC-BB--cB---bAb--b-bA:0:0:1:00:0:0:3:0:10"

Figures = dict[str, float]


def seconds(work: Callable[[], object], repeats: int = 3) -> float:
    """The shortest CPU time of several goes."""
    best = float("inf")
    for _ in range(repeats):
        begin = process_time()
        work()
        best = min(best, process_time() - begin)
    return best


def yardstick() -> float:
    """Seconds of a fixed computation of both kinds: interpreted, and in arrays."""
    numbers = np.linspace(0.0, 1.0, 200_000)

    def work() -> float:
        total = sum(number * number % 7 for number in range(400_000))
        values = numbers
        for _ in range(60):
            values = np.sort(np.sqrt(values * values + 0.5) - 0.2)
        return float(total + values.sum())

    return seconds(work, 5)


def figures() -> Figures:
    """Milliseconds of CPU time by what was done."""
    workload = workloads()[1]
    found: Figures = {"yardstick": 1e3 * yardstick()}
    speed = measure(workload, clock=process_time)
    found["legal plays of 1,000 rolls"] = 1e6 / speed.rolls_per_second
    network = engine("expert@0").lookahead
    contact = workload.positions[:20_000]
    network.evaluate(contact[:100])
    found["1,000 evaluations"] = 1e3 * seconds(lambda: network.evaluate(contact)) / 20
    rng = np.random.default_rng(1)
    rows = rng.permutation(len(workload))
    for plies, count in DECISIONS.items():
        search = engine(f"expert@{plies}").lookahead
        turns = [
            (workload.positions[row], roll_of(*map(int, workload.rolls[row])))
            for row in rows[:count]
        ]
        search.best_play(*turns[0])

        def decide(search: Any = search, turns: Any = turns) -> None:
            for position, roll in turns:
                search.best_play(position, roll)

        found[f"a {plies}-ply play"] = 1e3 * seconds(decide) / count
    judge = engine("expert@2")
    bgai.cube(CUBE, engine=judge)
    found["a 2-ply cube decision"] = 1e3 * seconds(lambda: bgai.cube(CUBE, engine=judge))
    return found


def kept() -> dict[str, dict[str, Any]]:
    """The figures of each release, oldest first."""
    if not FIGURES.exists():
        return {}
    read: dict[str, dict[str, Any]] = json.loads(FIGURES.read_text(encoding="utf-8"))
    return read


def relative(now: Figures, before: Figures) -> Figures:
    """How many times as slow as before, both measured by their yardsticks."""
    scale = before["yardstick"] / now["yardstick"]
    return {
        name: scale * value / before[name]
        for name, value in now.items()
        if name in before and name != "yardstick"
    }


def print_figures(now: Figures, releases: dict[str, dict[str, Any]]) -> None:
    """A row a figure, a column a release."""
    table = Table("ms of CPU time", *releases, f"{bgai.__version__} now", "times the last")
    last = relative(now, [*releases.values()][-1]["milliseconds"]) if releases else {}
    for name, value in now.items():
        old = [
            f"{each['milliseconds'][name]:.3f}" if name in each["milliseconds"] else ""
            for each in releases.values()
        ]
        times = f"{last[name]:.2f}" if name in last else ""
        table.add_row(name, *old, f"{value:.3f}", times)
    Console().print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--keep", action="store_true", help="put these figures in the file")
    keep = parser.parse_args().keep
    now, releases = figures(), kept()
    print_figures(now, releases)
    others = {name: each for name, each in releases.items() if name != bgai.__version__}
    if keep:
        rounded = {name: round(value, 4) for name, value in now.items()}
        machine = f"{platform.machine()}, Python {platform.python_version()}"
        releases[bgai.__version__] = {"machine": machine, "milliseconds": rounded}
        write_text(FIGURES, json.dumps(releases, indent=1) + "\n")
    if others:
        last = relative(now, [*others.values()][-1]["milliseconds"])
        slow = [name for name, times in last.items() if times > SLOWER]
        if slow:
            print(f"slower than {[*others][-1]}: {', '.join(slow)}", file=sys.stderr)
            raise SystemExit(1)


if __name__ == "__main__":
    main()
