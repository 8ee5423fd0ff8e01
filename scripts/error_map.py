"""A map of errors: how far a player's equities are off in each family of positions.

    python scripts/error_map.py show training/error-map.safetensors expert expert@1 expert@2
    python scripts/error_map.py make training/error-map.safetensors --each 64 --trials 36

NAME is a network's name or folder, or NAME@N for an N-ply lookahead; `gnubg` is GNU Backgammon
at 0-ply and needs --gnubg PYTHON, the interpreter of an environment that has gnubg-nn. "Bias" is
what the side ahead is given too much. Making a map rolls its positions out to the end.
"""

import argparse
import sys
from pathlib import Path

from bgai_training.error_map import ErrorMap, family_errors, roll_out, sample_positions
from decision_error import player
from rich.console import Console
from rich.table import Table

from bgai.errors import InputError
from bgai.evaluation.checkpoint import load_checkpoint
from bgai.search.engine import EngineSettings, build_engine
from bgai.search.greedy import reply_player


def _make(options: argparse.Namespace) -> None:
    checkpoint = load_checkpoint(options.network)
    players = reply_player(checkpoint.contact, checkpoint.race, checkpoint.pruner, 8, 0.3)
    rows = sample_positions(players, options.each, options.seed)
    roller = build_engine(EngineSettings(network=options.network))
    for grown in roll_out(rows, roller, options.trials, options.seed):
        grown.save(options.map)
        print(f"{len(grown.errors)} of {len(rows)} positions", flush=True)


def _show(options: argparse.Namespace) -> None:
    reference = ErrorMap.load(options.map)
    found = [family_errors(player(n, options.gnubg), reference) for n in options.players]
    table = Table("family", "positions", title="RMSE of equity and bias, thousandths of a point")
    table.columns[1].justify = "right"
    for name in options.players:
        table.add_column(name, justify="right")
    for row in zip(*found, strict=True):
        cells = [
            f"{1000 * e.rmse:.0f} ± {1000 * e.rmse_error:.0f}  {1000 * e.bias:+.0f}" for e in row
        ]
        table.add_row(row[0].family, str(row[0].positions), *cells)
    spread = float((reference.errors**2).mean() ** 0.5)
    Console(width=40 + 22 * len(options.players)).print(table)
    print(f"Standard error of a position's reference: {1000 * spread:.0f} (taken off).")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    make = commands.add_parser("make", help="sample positions and roll them out")
    make.add_argument("map", type=Path)
    make.add_argument("--network", default="expert", help="who plays and rolls out, at 0-ply")
    make.add_argument("--each", type=int, default=120, help="positions of a family")
    make.add_argument("--trials", type=int, default=36, help="trials of a position")
    make.add_argument("--seed", type=int, default=1)
    make.set_defaults(run=_make)
    show = commands.add_parser("show", help="measure players")
    show.add_argument("map", type=Path)
    show.add_argument("players", nargs="+", metavar="NAME")
    show.add_argument("--gnubg", metavar="PYTHON", help="interpreter that has gnubg-nn")
    show.set_defaults(run=_show)
    options = parser.parse_args()
    try:
        options.run(options)
    except InputError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
