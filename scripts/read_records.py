"""Read every match file of a folder and say by program how many could be read.

    python scripts/read_records.py FOLDER

The program is the one that a file names (SGF's AP, a Site heading of .mat), or else its format's.
Prints a table: files, matches and games read, those read without complaint, plays against the
rules, broken games, and files refused; below it the first complaint of every file that has one.
"""

import argparse
import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from bgai.errors import InputError
from bgai.notation.record_files import READABLE
from bgai.sessions.session_record import read_any

_HEAD = 4096  # bytes of a file in which it names its program
_NAMES = (
    (".sgf", re.compile(rb"AP\[([^:\]]+)")),
    (".mat", re.compile(rb'; \[Site "([^"]+)"\]')),
    (".txt", re.compile(rb'; \[Site "([^"]+)"\]')),
)
_FORMATS = {".xg": "eXtreme Gammon", ".bgf": "BGBlitz", ".json": "bgai"}
_HEADINGS = ("files", "clean", "matches", "games", "illegal", "broken", "refused")


@dataclass
class Counts:
    """What was found in the files of one program, the fields as the table's headings."""

    files: int = 0
    clean: int = 0
    matches: int = 0
    games: int = 0
    illegal: int = 0
    broken: int = 0
    refused: int = 0


def program_of(path: Path) -> str:
    """The program that wrote a file, as far as the file tells; else its extension."""
    suffix = path.suffix.lower()
    if suffix in _FORMATS:
        return _FORMATS[suffix]
    with path.open("rb") as file:
        head = file.read(_HEAD)
    for ending, pattern in _NAMES:
        found = pattern.search(head) if ending == suffix else None
        if found:
            return found[1].decode("utf-8", "replace").strip()
    return f"{suffix}, no program named"


def read_folder(folder: Path) -> tuple[dict[str, Counts], list[str]]:
    """The counts by program, and the first complaint of each file that has one."""
    table: dict[str, Counts] = defaultdict(Counts)
    complaints = []
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() not in READABLE or not path.is_file():
            continue
        counts = table[program_of(path)]
        counts.files += 1
        try:
            readings = read_any(path)
        except InputError as error:
            counts.refused += 1
            complaints.append(str(error))
            continue
        problems = [str(problem) for reading in readings for problem in reading.problems]
        games = [game for reading in readings for game in reading.record.games]
        counts.clean += not problems
        counts.matches += len(readings)
        counts.games += len(games)
        counts.illegal += sum(len(game.illegal) for game in games)
        counts.broken += sum(game.broken is not None for game in games)
        complaints += problems[:1]
    return dict(table), complaints


def table_text(table: dict[str, Counts]) -> str:
    """A row for each program, and one for all of them."""
    width = max(map(len, (*table, "program")))
    lines = [f"{'program':<{width}}" + "".join(f"{each:>9}" for each in _HEADINGS)]
    total = [sum(getattr(counts, each) for counts in table.values()) for each in _HEADINGS]
    rows = [(name, [getattr(table[name], each) for each in _HEADINGS]) for name in sorted(table)]
    for name, cells in (*rows, ("all", total)):
        lines.append(f"{name:<{width}}" + "".join(f"{cell:>9}" for cell in cells))
    return "\n".join(lines)


def main() -> None:
    """The table of a folder."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    if not folder.is_dir():
        parser.error(f"{folder} is no folder")
    table, complaints = read_folder(folder)
    print(table_text(table))
    for complaint in complaints:
        print(complaint)


if __name__ == "__main__":
    main()
