"""Plays and cubes against the verdicts of eXtreme Gammon stored in public match files.

    python scripts/bench_xg.py plays xg-plays.jsonl [--plies 0 2] [--network NAME]
    python scripts/bench_xg.py cubes xg-cubes.jsonl [--plies 2] [--network NAME]

A play is charged XG's equity of its best candidate minus that of the stored candidate our search
ranks first; a cube as in bgai.analysis.cube_error. Bias and RMS are of the equities against XG's.
The files are no part of the project.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from bgai.analysis.cube_error import cube_error
from bgai.errors import InputError
from bgai.notation.position_id import format_position_id
from bgai.notation.xgid import parse_xgid
from bgai.rules.dice import parse_roll
from bgai.search.cube_verdict import cube_verdict, cubeful_plays
from bgai.search.engine import EngineSettings, build_engine, default_network, plies_label
from bgai.search.lookahead import Lookahead

_SHARP = ("Roller+", "Roller++")


def _lines(path: Path) -> list[dict[str, Any]]:
    try:
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: can't be read: {error}") from None


def _play_lost(engine: Lookahead, line: dict[str, Any]) -> float:
    """Equity given up in a decision, by XG's figures."""
    equities = {play["next"]: float(play["equity"]) for play in line["plays"]}
    roll = parse_roll(line["throw"])
    for play in cubeful_plays(parse_xgid(line["id"]), roll, engine):
        equity = equities.get(format_position_id(play.after))
        if equity is not None:
            return max(equities.values()) - equity
    raise InputError(f"none of the plays stored for {line['id']} {line['throw']} is legal")


def bench_plays(path: Path, network: str, plies: int) -> None:
    """Print the error in checker plays at one depth."""
    engine = build_engine(EngineSettings(network=network, plies=plies))
    lines = _lines(path)
    lost = 1000 * np.array([_play_lost(engine, line) for line in lines])
    levels = np.array([line["level"] for line in lines])
    parts = [
        ("all", lost),
        ("without the book", lost[levels != "book"]),
        ("Roller+ and ++", lost[np.isin(levels, _SHARP)]),
    ]
    text = ", ".join(
        f"{name} ({len(part)}) {part.mean():.2f} ± {part.std(ddof=1) / len(part) ** 0.5:.2f}"
        for name, part in parts
        if len(part) > 1
    )
    print(f"{network} {plies_label(plies)}: plays, mEq: {text}", flush=True)


def bench_cubes(path: Path, network: str, plies: int) -> None:
    """Print the error in cube decisions at one depth."""
    engine = build_engine(EngineSettings(network=network, plies=plies))
    lines = _lines(path)
    decisions = [
        cube_verdict(parse_xgid(line["id"]), engine, market=False).decision for line in lines
    ]
    nan = float("nan")
    found = np.array(
        [(d.no_double, nan if d.double_take is None else d.double_take, 1.0) for d in decisions]
    )
    wanted = np.array([[line["nd"], line["dt"], line["dp"]] for line in lines])
    error = cube_error(found, wanted)
    text = []
    for name, column in (("no double", 0), ("double/take", 1)):
        off = 1000 * (found[:, column] - wanted[:, column])
        off = off[np.isfinite(off)]
        spread = off.std(ddof=1) / len(off) ** 0.5
        text.append(
            f"{name}: bias {off.mean():+.1f} ± {spread:.1f}, RMS {(off**2).mean() ** 0.5:.1f}"
        )
    print(
        f"{network} {plies_label(plies)}: cubes ({len(lines)}), mEq: {error.total:.2f} ± "
        f"{error.standard_error:.2f} (doubling {error.doubler:.2f}, taking {error.taker:.2f}); "
        f"{'; '.join(text)}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("plays", "cubes"))
    parser.add_argument("file", type=Path, help="path of xg-plays.jsonl or xg-cubes.jsonl")
    parser.add_argument("--plies", type=int, nargs="+", default=[0, 2])
    parser.add_argument("--network", help="a released name or a checkpoint folder")
    options = parser.parse_args()
    bench = bench_plays if options.what == "plays" else bench_cubes
    try:
        for plies in options.plies:
            bench(options.file, options.network or default_network(), plies)
    except InputError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
