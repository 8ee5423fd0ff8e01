"""How far players' values are off on rolled-out positions, such as back games or races.

    python scripts/value_error.py backgames.jsonl NAME...

A line of the file is {"id": position ID, "probs": [five chances of the player on roll]}. NAME is
a network's name or folder, or NAME@N for an N-ply lookahead; `gnubg` is GNU Backgammon at 0-ply
and needs --gnubg PYTHON, the interpreter of an environment that has gnubg-nn. The file is no part
of the project.
"""

import argparse
import json
import sys
from pathlib import Path

import numpy as np
from decision_error import player
from numpy.typing import NDArray

from bgai.errors import InputError
from bgai.evaluation.evaluator import Chances, cubeless_equity
from bgai.notation.position_id import parse_position_id
from bgai.rules.position import Positions


def load_positions(path: Path) -> tuple[Positions, Chances]:
    """Positions ``(n, 2, 26)`` and chances ``(n, 5)``. Raises ``InputError`` naming the line."""
    positions, chances = [], []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    for number, line in enumerate(lines, 1):
        try:
            entry = json.loads(line)
            positions.append(parse_position_id(entry["id"]))
            chances.append([float(chance) for chance in entry["probs"]])
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(
                f"{path} line {number}: not a rolled-out position: {error!r}"
            ) from None
    return np.stack(positions), np.array(chances, dtype=np.float32)


def _rms(off: NDArray[np.floating]) -> float:
    return float((off.astype(np.float64) ** 2).mean() ** 0.5)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("players", nargs="+", metavar="NAME")
    parser.add_argument("--gnubg", metavar="PYTHON", help="interpreter that has gnubg-nn")
    options = parser.parse_args()
    try:
        positions, wanted = load_positions(options.file)
        print(f"{len(positions)} positions")
        for name in options.players:
            found = player(name, options.gnubg).evaluate(positions)
            equity = cubeless_equity(found) - cubeless_equity(wanted)
            print(
                f"{name}: RMSE of equity {_rms(equity):.4f} (bias {equity.mean():+.4f}), "
                f"of the winning chance {_rms(found[:, 0] - wanted[:, 0]):.4f}",
                flush=True,
            )
    except InputError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
