"""Two networks on the same decisions of self-play: what either gives up against the other.

    python scripts/compare_networks.py NEW OLD [--decisions 5000] [--plies 2]

Both choose at 0-ply in contact decisions out of games of both; where their plays differ, both
plays are judged by both networks at --plies, and the mean of the two is believed. Prints the
equity NEW gains (cubeless money) in mEq a decision, with its standard error. NEW and OLD are
names of networks or folders of checkpoints.
"""

import argparse
import sys

import numpy as np
from bench_search import contact_decisions

from bgai.errors import InputError
from bgai.evaluation.evaluator import cubeless_equity
from bgai.search.engine import EngineSettings, build_engine


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("new", metavar="NEW")
    parser.add_argument("old", metavar="OLD")
    parser.add_argument("--decisions", type=int, default=5000)
    parser.add_argument("--plies", type=int, default=2, help="depth of the judges")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    try:
        players = [build_engine(EngineSettings(n, keep=0)) for n in (options.new, options.old)]
        judges = [
            build_engine(EngineSettings(n, plies=options.plies)) for n in (options.new, options.old)
        ]
    except InputError as error:
        sys.exit(f"error: {error}")
    half = options.decisions // 2
    turns = [
        turn
        for number, player in enumerate(players)
        for turn in contact_decisions(player, half, options.seed + number)
    ]
    positions = np.stack([position for position, _ in turns])
    dice = np.array([roll for _, roll in turns], dtype=np.int8)
    new, old = (player.choose(positions, dice) for player in players)
    differ = (new != old).any(axis=(1, 2))
    # The opponent is on roll after the play: what it has more is given up.
    gains = np.zeros(len(turns))
    judged = [
        cubeless_equity(judge.evaluate(old[differ])) - cubeless_equity(judge.evaluate(new[differ]))
        for judge in judges
    ]
    gains[differ] = 1000 * np.mean(judged, axis=0)
    print(
        f"{len(turns)} decisions, {differ.mean():.1%} played differently: {options.new} gains "
        f"{gains.mean():+.2f} ± {gains.std(ddof=1) / len(gains) ** 0.5:.2f} mEq a decision "
        f"(judged by {options.new} {1000 * judged[0].sum() / len(gains):+.2f}, "
        f"by {options.old} {1000 * judged[1].sum() / len(gains):+.2f})"
    )


if __name__ == "__main__":
    main()
