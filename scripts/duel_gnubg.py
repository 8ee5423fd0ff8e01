"""A player of bgai against GNU Backgammon at 0-ply: cubeless money games, luck taken out.

    python3 -m venv engines
    engines/bin/pip install gnubg-nn
    .venv/bin/python scripts/duel_gnubg.py NAME engines/bin/python --games 5000

NAME is a network's name or folder, a level, or NAME@N for an N-ply lookahead, as for
`bgai duel`.
"""

import argparse
import sys

from gnubg_engine import GnubgEvaluator
from tqdm import tqdm

from bgai.analysis.duel import duel
from bgai.errors import InputError
from bgai.players.engines import engine


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("player", metavar="NAME")
    parser.add_argument("python", help="interpreter of the environment that has gnubg-nn")
    parser.add_argument("--games", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--judge", metavar="NAME", help="by default the best network")
    parser.add_argument("--threads", type=int, default=1, help="threads of player and judge")
    options = parser.parse_args()
    try:
        gnubg = GnubgEvaluator(options.python)
        player = engine(options.player, plies=0, threads=options.threads).lookahead
        with tqdm(total=options.games, unit="game", disable=None) as bar:
            result = duel(
                player,
                gnubg,
                options.games,
                judge=engine(options.judge, plies=0, threads=options.threads).lookahead,
                seed=options.seed,
                threads=options.threads,
                progress=bar.update,
            )
        gnubg.close()
    except InputError as error:
        sys.exit(f"error: {error}")
    print(f"{options.player} against gnubg 0-ply (seed {options.seed}): {result}")
    print("games by points: " + ", ".join(f"{k:+d}: {v}" for k, v in result.results.items()))


if __name__ == "__main__":
    main()
