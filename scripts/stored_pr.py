"""PR by the verdicts stored in match files beside ours: python scripts/stored_pr.py FOLDER

Prints a row for each match of the folder whose file holds verdicts of another program: both
players' PR by those, counted as ours is, and by `bgai analyse` at 2-ply (--engine for others),
with the number of decisions that count. What is found is kept as by `bgai analyse`.
"""

import argparse
import sys
from pathlib import Path

from bgai.analysis.analyse import Job, analyse
from bgai.analysis.review import Figures
from bgai.analysis.store import Store, store_path
from bgai.analysis.stored_review import judges, stored_figures
from bgai.errors import InputError
from bgai.notation.record_files import READABLE
from bgai.players.engines import engine
from bgai.search.executors import open_executor
from bgai.sessions.session_record import read_any


def shown(found: Figures) -> str:
    rating = "-" if found.rating is None else f"{found.rating:.2f}"
    return f"{rating} ({found.counted})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--engine", default="expert@2")
    parser.add_argument("--matches", action="store_true", help="no money sessions")
    given = parser.parse_args()
    settings = engine(given.engine).settings
    paths = sorted(each for each in given.folder.rglob("*") if each.suffix.lower() in READABLE)
    print("| match | length | judge | first player | second | bgai: first | second |")
    print("|---|---|---|---|---|---|---|")
    with Store(store_path()) as store, open_executor(None) as executor:
        for path in paths:
            try:
                readings = read_any(path)
            except InputError as error:
                print(error, file=sys.stderr)
                continue
            for reading in readings:
                record = reading.record
                if not judges(record) or (given.matches and record.terms.length is None):
                    continue
                (review,) = analyse([Job(record, str(path))], settings, store, executor)
                ours = [shown(review.player(seat).all) for seat in (0, 1)]
                for by in judges(record):
                    theirs = [shown(each) for each in stored_figures(record, by)]
                    length = record.terms.length or "money"
                    print(f"| {path.stem} | {length} | {by} | {' | '.join([*theirs, *ours])} |")


if __name__ == "__main__":
    main()
