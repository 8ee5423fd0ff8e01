"""The table of strength: bgai, GNU Backgammon and Open Sage by the same measures, on one machine.

    python scripts/strength_table.py runs/strength --data DATA --engines engines/bin/python
    python scripts/strength_table.py runs/strength --only page

DATA has decisions.jsonl, xg-plays.jsonl and xg-cubes.jsonl, which are no part of the project. The
other engines live in an environment of their own (`python3 -m venv engines; engines/bin/pip
install gnubg-nn bgsage`); GNU Backgammon itself must be installed too. Everything found stays in
the folder: the same command goes on, contests for --minutes more. The page is docs/strength.md
with its pictures.
"""

import argparse
import os
import sys
from pathlib import Path

from strength_page import write_page
from strength_parts import contests, decisions, families, verdicts

from bgai.errors import InputError
from bgai.players.opponents import SAGE_VARIABLE

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("decisions", "verdicts", "families", "contests", "page")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="what is found is kept here")
    parser.add_argument("--data", type=Path, help="folder of the rolled-out decisions")
    parser.add_argument("--engines", default=sys.executable, help="Python with gnubg-nn, bgsage")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--minutes", type=float, default=30, help="for the contests")
    parser.add_argument("--workers", type=int, default=1, help="processes that play them")
    options = parser.parse_args()
    os.environ.setdefault(SAGE_VARIABLE, options.engines)

    def say(text: str) -> None:
        print(text, flush=True)

    try:
        if options.data is None and {"decisions", "verdicts"} & set(options.only):
            raise InputError("--data is needed for decisions and verdicts")
        for part in options.only:
            match part:
                case "decisions":
                    decisions(options.folder, options.data, options.engines, say)
                case "verdicts":
                    verdicts(options.folder, options.data, say)
                case "families":
                    map_ = ROOT / "training" / "error-map.safetensors"
                    families(options.folder, map_, options.engines, say)
                case "contests":
                    contests(options.folder, options.minutes, options.workers, say)
                case "page":
                    write_page(options.folder, ROOT / "docs")
    except InputError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
