"""The move generator beside those of GNU Backgammon and Open Sage, each on one core.

All three are called from Python and get the same positions of random play (those of
`bgai bench`). Seconds are CPU time, so other programs at work disturb little. The other two
live in an environment of their own:

    python3 -m venv engines
    engines/bin/pip install gnubg-nn bgsage
    .venv/bin/python scripts/bench_movegen.py engines/bin/python
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from time import process_time

from rich.console import Console
from rich.table import Table

from bgai.analysis.benchmark import Workload, measure, workloads

WORKER = Path(__file__).with_name("movegen_engines.py")


def other_engines(python: str, workload: Workload, passes: int) -> list[dict[str, object]]:
    """What the worker measured, one record an engine; ends the program if it can't run."""
    turns = [
        [*position, *map(int, roll)]
        for position, roll in zip(workload.positions.tolist(), workload.rolls, strict=True)
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "turns.json"
        path.write_text(json.dumps(turns), encoding="utf-8")
        command = [python, str(WORKER), str(path), str(passes)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        except OSError as error:
            sys.exit(f"error: can't run {python}: {error.strerror}\n{__doc__}")
    if done.returncode != 0:
        sys.exit(f"error: the other engines failed:\n{done.stderr}\n{__doc__}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("python", help="interpreter of the environment with both engines")
    parser.add_argument("--passes", type=int, default=5, help="the fastest counts (default 5)")
    options = parser.parse_args()

    workload = workloads()[0]
    speed = measure(workload, passes=options.passes, clock=process_time)
    records: list[dict[str, object]] = [
        {
            "engine": "bgai",
            "rolls": speed.rolls,
            "positions_after": speed.positions_after,
            "seconds": speed.seconds,
        }
    ]
    records += other_engines(options.python, workload, options.passes)

    table = Table("engine", "rolls/s", "positions/s", "bgai is faster by", "positions after")
    for column in table.columns[1:]:
        column.justify = "right"
    for record in records:
        seconds = float(str(record["seconds"]))
        rolls, after = int(str(record["rolls"])), int(str(record["positions_after"]))
        table.add_row(
            str(record["engine"]),
            f"{rolls / seconds:,.0f}",
            f"{after / seconds:,.0f}",
            f"{seconds / speed.seconds:.1f}x",
            f"{after:,}",
        )
    Console(width=110).print(table)
    print(f"{speed.rolls:,} rolls, one core each, the fastest of {options.passes} passes")


if __name__ == "__main__":
    main()
