"""Times searches of a library of many matches: python scripts/bench_library.py [STORE]

Without a file it first plays 100 matches to 7 points by the handmade evaluator and judges them by
the best network at 0-ply (some minutes); with one it searches that, and makes it where it is not
there.
"""

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from bgai.analysis.analyse import Job, analyse
from bgai.analysis.library import find, read_search
from bgai.analysis.store import Store
from bgai.api import engine, play
from bgai.search.executors import InlineExecutor

MATCHES, POINTS, RUNS = 100, 7, 20
SEARCHES = (
    "kind:cube cost>=0.08 away:2",
    "kind:cube cost>=0.08 plan:back-game",
    "player:white mark:??",
    "match-50.mat",
    "dice:66 error:checker",
    "",
)


def fill(store: Store) -> None:
    """Play and judge the matches."""
    judge = engine(plies=0).settings
    for number in range(1, MATCHES + 1):
        record = play("handmade@0", "handmade@0", length=POINTS, seed=number)
        job = Job(record, f"match-{number}.mat")
        analyse([job], judge, store, InlineExecutor())


def bench(path: Path) -> None:
    """Print each search's median and longest time, the store opened anew each time."""
    with Store(path) as store:
        decisions, matches = (
            store.connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in ("decisions", "listed")
        )
    print(f"{matches} matches, {decisions} decisions")
    for text in SEARCHES:
        times, found = [], 0
        for _ in range(RUNS):
            start = time.perf_counter()
            with Store(path) as store:
                found = len(find(store, read_search(text), 20))
            times.append(1000 * (time.perf_counter() - start))
        print(f"{text or '(all)':<40} {found:>3} shown  median {statistics.median(times):6.1f} ms"
              f"  longest {max(times):6.1f} ms")  # fmt: skip


def main() -> None:
    """Make the library where needed and time the searches."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store", nargs="?", type=Path)
    given = parser.parse_args().store
    with tempfile.TemporaryDirectory() as folder:
        path = given or Path(folder) / "library.sqlite"
        if not path.exists():
            with Store(path) as store:
                fill(store)
        bench(path)


if __name__ == "__main__":
    main()
