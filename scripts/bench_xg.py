"""Plays and cubes against the verdicts of eXtreme Gammon stored in public match files.

    python scripts/bench_xg.py plays xg-plays.jsonl [expert@2 expert@roller ...]
    python scripts/bench_xg.py cubes xg-cubes.jsonl [expert@0 expert@2 ...]

A play is charged XG's equity of its best candidate minus that of the stored candidate our search
ranks first; a cube as in bgai.analysis.cube_error. Bias and RMS are of the equities against XG's.
Differences of plays are paired, against the first engine; times are of the CPU, a decision.
The files are no part of the project.
"""

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from bgai.analysis.cube_error import cube_error
from bgai.errors import InputError
from bgai.notation.position_id import format_position_id
from bgai.notation.xgid import parse_xgid
from bgai.players.engines import Engine, engine
from bgai.rules.dice import parse_roll
from bgai.search.cube_verdict import cube_verdict, cubeful_plays
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


def bench_plays(path: Path, engines: list[Engine]) -> None:
    """Print the error in checker plays of each engine, against the first one."""
    lines = _lines(path)
    levels = np.array([line["level"] for line in lines])
    masks = {
        "all": np.ones(len(lines), dtype=bool),
        "without the book": levels != "book",
        "Roller+ and ++": np.isin(levels, _SHARP),
    }
    first: np.ndarray[Any, Any] | None = None
    for judge in engines:
        losses, times = [], []
        for line in lines:
            begun = time.process_time()
            losses.append(1000 * _play_lost(judge.lookahead, line))
            times.append(time.process_time() - begun)
        lost = np.array(losses)
        first = lost if first is None else first
        text = ", ".join(
            f"{name} ({mask.sum()}) {_mean(lost[mask])} (paired {_mean((lost - first)[mask], '+')})"
            for name, mask in masks.items()
            if mask.sum() > 1
        )
        slow = np.quantile(times, 0.9)
        print(
            f"{judge.label}: plays, mEq: {text}; {np.mean(times):.3f} s, 90% within {slow:.3f}",
            flush=True,
        )


def _mean(values: np.ndarray[Any, Any], sign: str = "") -> str:
    return f"{values.mean():{sign}.2f} ± {values.std(ddof=1) / len(values) ** 0.5:.2f}"


def bench_cubes(path: Path, engines: list[Engine]) -> None:
    """Print the error in cube decisions of each engine."""
    for judge in engines:
        _bench_cubes_of(judge, _lines(path))


def _bench_cubes_of(judge: Engine, lines: list[dict[str, Any]]) -> None:
    decisions = [
        cube_verdict(parse_xgid(line["id"]), judge.lookahead, market=False).decision
        for line in lines
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
        f"{judge.label}: cubes ({len(lines)}), mEq: {error.total:.2f} ± "
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
    parser.add_argument("engines", nargs="*", default=["expert@0", "expert@2"])
    options = parser.parse_args()
    bench = bench_plays if options.what == "plays" else bench_cubes
    try:
        bench(options.file, [engine(name) for name in options.engines])
    except InputError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
