"""Plays and cubes against the verdicts of eXtreme Gammon stored in public match files.

    python scripts/bench_xg.py plays xg-plays.jsonl [expert@2 expert@roller ...]
    python scripts/bench_xg.py cubes xg-cubes.jsonl [expert@0 expert@2 ...]
    python scripts/bench_xg.py levels xg-plays.jsonl expert@2 expert@roller --cubes xg-cubes.jsonl

A play is charged XG's equity of its best candidate minus that of the stored candidate our search
ranks first; a cube as in bgai.analysis.cube_error. Bias and RMS are of the equities against XG's.
Differences are paired, against the first engine; times are of the CPU, a decision. `levels` prints
the table of docs/search.md.
The files are no part of the project.
"""

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgai.analysis.cube_error import cube_error, equity_lost
from bgai.errors import InputError
from bgai.notation.position_id import format_position_id
from bgai.notation.xgid import parse_xgid
from bgai.players.engines import Engine, engine
from bgai.rules.dice import parse_roll
from bgai.search.cube_verdict import cube_verdict, cubeful_plays
from bgai.search.lookahead import Lookahead

Floats = NDArray[np.float64]

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


def play_losses(judge: Engine, lines: list[dict[str, Any]]) -> tuple[Floats, Floats]:
    """What each decision gives up, in mEq, and its seconds of CPU time."""
    losses, times = [], []
    for line in lines:
        begun = time.process_time()
        losses.append(1000 * _play_lost(judge.lookahead, line))
        times.append(time.process_time() - begun)
    return np.array(losses), np.array(times)


def cube_losses(judge: Engine, lines: list[dict[str, Any]]) -> tuple[Floats, Floats, Floats]:
    """What doubler and taker give up together, in mEq, seconds, and the equities found."""
    found, times = [], []
    for line in lines:
        begun = time.process_time()
        verdict = cube_verdict(parse_xgid(line["id"]), judge.lookahead, market=False)
        times.append(time.process_time() - begun)
        decision = verdict.decision
        taken = float("nan") if decision.double_take is None else decision.double_take
        found.append((decision.no_double, taken, 1.0))
    equities = np.array(found)
    return 1000 * equity_lost(equities, _stored(lines)).sum(axis=1), np.array(times), equities


def _stored(lines: list[dict[str, Any]]) -> Floats:
    return np.array([[line["nd"], line["dt"], line["dp"]] for line in lines])


def bench_plays(lines: list[dict[str, Any]], engines: list[Engine]) -> None:
    """Print the error in checker plays of each engine, against the first one."""
    first: Floats | None = None
    for judge in engines:
        lost, times = play_losses(judge, lines)
        first = lost if first is None else first
        text = ", ".join(
            f"{name} ({mask.sum()}) {_mean(lost[mask])} (paired {_mean((lost - first)[mask], '+')})"
            for name, mask in _masks(lines).items()
            if mask.sum() > 1
        )
        slow = np.quantile(times, 0.9)
        print(
            f"{judge.label}: plays, mEq: {text}; {np.mean(times):.3f} s, 90% within {slow:.3f}",
            flush=True,
        )


def _masks(lines: list[dict[str, Any]]) -> dict[str, NDArray[np.bool_]]:
    levels = np.array([line["level"] for line in lines])
    return {
        "all": np.ones(len(lines), dtype=bool),
        "without the book": levels != "book",
        "Roller+ and ++": np.isin(levels, _SHARP),
    }


def _mean(values: Floats, sign: str = "") -> str:
    return f"{values.mean():{sign}.2f} ± {values.std(ddof=1) / len(values) ** 0.5:.2f}"


def bench_cubes(lines: list[dict[str, Any]], engines: list[Engine]) -> None:
    """Print the error in cube decisions of each engine, against the first one."""
    first: Floats | None = None
    for judge in engines:
        lost, times, found = cube_losses(judge, lines)
        first = lost if first is None else first
        error = cube_error(found, _stored(lines))
        text = []
        for name, column in (("no double", 0), ("double/take", 1)):
            off = 1000 * (found[:, column] - _stored(lines)[:, column])
            off = off[np.isfinite(off)]
            spread = off.std(ddof=1) / len(off) ** 0.5
            text.append(
                f"{name}: bias {off.mean():+.1f} ± {spread:.1f}, RMS {(off**2).mean() ** 0.5:.1f}"
            )
        print(
            f"{judge.label}: cubes ({len(lines)}), mEq: {_mean(lost)} (paired "
            f"{_mean(lost - first, '+')}; doubling {error.doubler:.2f}, taking {error.taker:.2f}); "
            f"{'; '.join(text)}; {np.mean(times):.3f} s",
            flush=True,
        )


def bench_levels(
    plays: list[dict[str, Any]], cubes: list[dict[str, Any]], engines: list[Engine]
) -> None:
    """Print the table of docs/search.md: both kinds of decision, differences from the first."""
    sharp = _masks(plays)["Roller+ and ++"]
    heads = (
        f"plays ({len(plays)})", "difference", f"rolled out by XG ({sharp.sum()})", "difference",
        "s a play, 90% within", f"cubes ({len(cubes)})", "difference", "s a cube",
    )  # fmt: skip
    print("| engine | " + " | ".join(heads) + " |\n" + "|---" * (len(heads) + 1) + "|")
    first: tuple[Floats, Floats] | None = None
    for judge in engines:
        lost, times = play_losses(judge, plays)
        cube_lost, cube_times, _ = cube_losses(judge, cubes)
        before = first
        first = (lost, cube_lost) if first is None else first
        gaps = [lost - first[0], (lost - first[0])[sharp], cube_lost - first[1]]
        all_gap, sharp_gap, cube_gap = ("" if before is None else _mean(gap, "+") for gap in gaps)
        cells = (
            f"`{judge.name}`", _mean(lost), all_gap, _mean(lost[sharp]), sharp_gap,
            f"{times.mean():.3f}, {np.quantile(times, 0.9):.3f}", _mean(cube_lost), cube_gap,
            f"{cube_times.mean():.3f}",
        )  # fmt: skip
        print("| " + " | ".join(cells) + " |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("plays", "cubes", "levels"))
    parser.add_argument("file", type=Path, help="path of xg-plays.jsonl or xg-cubes.jsonl")
    parser.add_argument("engines", nargs="*", default=["expert@0", "expert@2"])
    parser.add_argument("--cubes", type=Path, help="levels: path of xg-cubes.jsonl")
    options = parser.parse_args()
    try:
        lines, engines = _lines(options.file), [engine(name) for name in options.engines]
        if options.what == "levels":
            if options.cubes is None:
                parser.error("levels needs --cubes FILE too")
            bench_levels(lines, _lines(options.cubes), engines)
        else:
            {"plays": bench_plays, "cubes": bench_cubes}[options.what](lines, engines)
    except InputError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
