"""Cube error of bgai and of GNU Backgammon on a file of rolled-out cube decisions.

    python scripts/bench_cube.py cube.jsonl [--plies 0 1 2] [--network NAME] [--gnubg PROGRAM]

Prints the equity given up (see bgai.analysis.cube_error) and the processor time of a verdict on
one core; bgai's includes the market chart at 1-ply and deeper. GNU Backgammon is run as a
program of its own (``--gnubg gnubg``), by its embedded Python. The decisions are no part of
the project: the file's path is an argument.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import process_time

from bgai.analysis.cube_error import CubeReference, cube_error, load_cube_reference
from bgai.errors import InputError
from bgai.notation.xgid import parse_xgid
from bgai.search.cube_verdict import cube_verdict
from bgai.search.engine import EngineSettings, build_engine, default_network, plies_label

Row = tuple[float, float, float]

_GNUBG_SCRIPT = """
import gnubg, json, time
rows = []
for xgid in json.load(open({xgids!r})):
    gnubg.command("set xgid " + xgid)
    board, cube = gnubg.board(), gnubg.cubeinfo()
    settings = dict(cubeful=1, plies={plies}, deterministic=1, noise=0.0, prune=1)
    start = time.process_time()
    found = gnubg.cfevaluate(board, cube, settings)
    rows.append(list(found[1:4]) + [time.process_time() - start])
json.dump(rows, open({answers!r}, "w"))
"""


def judged_by_bgai(reference: CubeReference, network: str, plies: int) -> tuple[list[Row], float]:
    """Equities of every position and the seconds a verdict took."""
    engine = build_engine(EngineSettings(network=network, plies=plies))
    situations = [parse_xgid(xgid) for xgid in reference.xgids]
    cube_verdict(situations[0], engine, market=plies > 0)  # compiles and loads tables
    start = process_time()
    decisions = [cube_verdict(each, engine, market=plies > 0).decision for each in situations]
    seconds = (process_time() - start) / len(situations)
    nan = float("nan")
    rows = [
        (each.no_double, nan if each.double_take is None else each.double_take, 1.0)
        for each in decisions
    ]
    return rows, seconds


def judged_by_gnubg(reference: CubeReference, program: str, plies: int) -> tuple[list[Row], float]:
    """The same by GNU Backgammon."""
    found = shutil.which(program)
    if found is None:
        raise InputError(f"there is no program {program}")
    with tempfile.TemporaryDirectory() as folder:
        xgids, answers, script = (Path(folder) / name for name in ("xgids", "answers", "judge.py"))
        xgids.write_text(json.dumps(reference.xgids))
        script.write_text(_GNUBG_SCRIPT.format(xgids=str(xgids), answers=str(answers), plies=plies))
        subprocess.run(
            [found, "-t", "-q", "-p", str(script)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
            timeout=1800,
        )
        if not answers.exists():
            raise InputError(f"{program} gave no answer: it needs a build with Python")
        rows = json.loads(answers.read_text())
    return [(row[0], row[1], row[2]) for row in rows], sum(row[3] for row in rows) / len(rows)


def _report(name: str, reference: CubeReference, rows: Sequence[Row], seconds: float) -> None:
    everything = cube_error(rows, reference.equities)
    matches = [xgid.split(":")[8] != "0" for xgid in reference.xgids]
    parts = []
    for word, wanted in (("money", False), ("matches", True)):
        chosen = [i for i, match in enumerate(matches) if match == wanted]
        if chosen:
            part = cube_error([rows[i] for i in chosen], reference.equities[chosen])
            parts.append(f"{word} {part.total:.2f}")
    print(
        f"{name:<28} {everything.total:6.2f} ± {everything.standard_error:.2f} mEq "
        f"(doubler {everything.doubler:.2f}, taker {everything.taker:.2f}; "
        f"{', '.join(parts)}; {everything.wrong} wrong)  {1000 * seconds:.2f} ms",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("decisions", help="path of cube.jsonl")
    parser.add_argument("--plies", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--network", help="a released name or a checkpoint folder")
    parser.add_argument("--gnubg", metavar="PROGRAM", help="GNU Backgammon beside it")
    options = parser.parse_args()
    try:
        reference = load_cube_reference(options.decisions)
        network = options.network or default_network()
        print(f"{len(reference)} cube decisions")
        for plies in options.plies:
            rows, seconds = judged_by_bgai(reference, network, plies)
            _report(f"{network} {plies_label(plies)}", reference, rows, seconds)
            if options.gnubg:
                rows, seconds = judged_by_gnubg(reference, options.gnubg, plies)
                _report(f"gnubg {plies_label(plies)}", reference, rows, seconds)
    except (InputError, OSError) as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
