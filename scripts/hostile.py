"""Hostile files, kills, full disks and interruptions, in numbers; prints a table.

    python scripts/hostile.py [--scale 0.1] [NAME ...]

Every driver runs in a process of its own, so that its memory is its own. A *crash* is anything
but success or one line of error, *wrong* is something lost or accepted that should not be.
"""

import argparse
import importlib
import multiprocessing
import resource
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import Any

MODULES = ("hostile_files", "hostile_records")


@dataclass
class Outcome:
    """What came of some inputs; ``notes`` are about the first few failures."""

    tried: int = 0
    refused: int = 0
    crashes: int = 0
    hangs: int = 0
    wrong: int = 0
    notes: list[str] = field(default_factory=list)

    def failed(self, kind: str, note: str) -> None:
        """Count a failure: ``crashes``, ``hangs`` or ``wrong``."""
        setattr(self, kind, getattr(self, kind) + 1)
        if len(self.notes) < 5:
            self.notes.append(f"{kind}: {note[:300]}")


Driver = Callable[[int], Outcome]


def all_drivers() -> list[tuple[str, str, int]]:
    """Each driver's module, name and count at full scale."""
    return [
        (module, name, count)
        for module in MODULES
        for name, _, count in importlib.import_module(module).drivers()
    ]


def carry_out(module: str, name: str, count: int) -> tuple[Any, float, float]:
    """The outcome of one driver, its seconds and the most memory it had in MiB."""
    driver = next(each[1] for each in importlib.import_module(module).drivers() if each[0] == name)
    begun = time.monotonic()
    outcome = driver(count)
    used = [
        resource.getrusage(who).ru_maxrss
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    ]
    return outcome, time.monotonic() - begun, max(used) / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", help="drivers; all by default")
    parser.add_argument("--scale", type=float, default=1.0, help="share of the full counts")
    options = parser.parse_args()
    chosen = [each for each in all_drivers() if not options.names or each[1] in options.names]
    print("| | tried | refused | crashes | hangs | wrong | s | MiB |\n|" + "---|" * 8)
    bad = 0
    context = multiprocessing.get_context("spawn")
    for module, name, count in chosen:
        with ProcessPoolExecutor(1, mp_context=context) as pool:
            wanted = max(1, round(count * options.scale))
            found, seconds, memory = pool.submit(carry_out, module, name, wanted).result()
        print(
            f"| {name} | {found.tried:,} | {found.refused:,} | {found.crashes} | {found.hangs} "
            f"| {found.wrong} | {seconds:.0f} | {memory:.0f} |",
            flush=True,
        )
        for note in found.notes:
            print(f"  {name}: {note}", file=sys.stderr)
        bad += found.crashes + found.hangs + found.wrong
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
