"""Speed of training on one core: self-play games a second with learning, exact targets a second.

Run it on an idle machine: ``python scripts/bench_training.py CHECKPOINT``, for example
``runs/quick/checkpoint``, whose contact network is 256-64-32. Under ``torchrun
--nproc-per-node 2`` the processes train together and the games of all are counted.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import resource
import time

import numpy as np
import torch
from bgai_training import distributed
from bgai_training.config import Recipe, SelfPlay, TdStage
from bgai_training.selfplay import Games
from bgai_training.start import load_networks
from bgai_training.targets import one_roll_targets
from bgai_training.td import TdRunner

from bgai.evaluation.checkpoint import load_checkpoint
from bgai.rules.position import has_contact
from bgai.search.greedy import reply_player


def games_per_second(checkpoint: str, seconds: float) -> float:
    """Finished games a second while the network plays and learns from them by TD(lambda)."""
    stage = TdStage(games=10**9, decay=((0.0, 0.1), (1.0, 0.1)), unpruned=0.0)
    recipe = Recipe("bench", selfplay=SelfPlay(varied=0.0, rare=0.0))
    runner = TdRunner(recipe, stage, np.random.SeedSequence(1), start=load_networks(checkpoint))
    rounds = runner.run()
    for _ in range(20):  # the first games start at different depths; let them settle
        next(rounds)
    began, games = time.perf_counter(), runner.played
    while not any(distributed.any_of(time.perf_counter() - began > seconds)):
        next(rounds)
    return (runner.played - games) / (time.perf_counter() - began)


def targets_per_second(checkpoint: str, count: int) -> float:
    """Exact one-roll targets a second of contact positions met in self-play."""
    networks = load_checkpoint(checkpoint)
    pruning = Recipe("bench").pruning
    players = reply_player(
        networks.contact, networks.race, networks.pruner, pruning.keep, pruning.window
    )
    games = Games(SelfPlay(), np.random.SeedSequence(2))
    for _ in range(60):
        games.play(players)
        games.record(1.0)
    rows = games.rows[has_contact(games.rows.reshape(-1, 2, 26))]
    one_roll_targets(rows[:8], players)
    began = time.perf_counter()
    done = 0
    while done < count:
        one_roll_targets(rows, players)
        done += len(rows)
    return done / (time.perf_counter() - began)


def main() -> None:
    """Print both figures and the peak memory."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", help="released name or folder")
    parser.add_argument("--seconds", type=float, default=30)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    rank, count = distributed.start("cpu")
    widths = load_checkpoint(arguments.checkpoint).card["architecture"]["contact"]
    games = games_per_second(arguments.checkpoint, arguments.seconds)
    distributed.stop()
    if rank > 0:
        return
    print(
        "contact network", "-".join(map(str, widths)), f"- {count} process{'es'[: 2 * count - 2]}"
    )
    print(f"self-play with learning {games:8.0f} games/s")
    if count > 1:
        return
    print(
        f"exact one-roll targets {targets_per_second(arguments.checkpoint, 20_000):8.0f} a second"
    )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"peak memory             {peak:8.2f} GiB")


if __name__ == "__main__":
    main()
