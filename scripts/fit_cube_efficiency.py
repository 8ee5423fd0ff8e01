"""Fit the cube efficiency of races that the package carries, and print that of contact.

Races: a small network reads how many rolls either side needs (``bgai.equity.efficiency``). It
is fitted to exact equities with the cube: bear-offs of few checkers, stacks on the low points
(``bgai_training.exact_races``), and the one-checker race, in which each side moves a single
checker home by the full count of every roll, for everything longer. Few rolls, long races,
narrow and wide distributions all occur.

Contact: one number for each owner, with the least squared error over the rollouts of
``scripts/sample_cube_worths.py``: the constants for networks without a cube part of their
own. The same rollouts give the two numbers of a cube without risk (``SURE_LOSS`` and
``SURE_EXPONENT`` of the kernels). All of these are printed.

    python scripts/fit_cube_efficiency.py [--steps 22000] [--contact FILE...] [--write]
"""

import argparse
import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from bgai_training.exact_races import home_sides, low_sides, solve
from bgai_training.small_network import fit_small, small_outputs
from numpy.typing import NDArray

import bgai.equity
from bgai.compiled import compiled
from bgai.equity import efficiency_kernels as kernels
from bgai.equity.cubeful import cube_points, model_worths
from bgai.equity.efficiency import features_of, one_checker_tails
from bgai.equity.stakes import match_stakes, money_stakes
from bgai.evaluation.bearoff import load_bearoff_tables
from bgai.evaluation.bearoff_kernels import pair_chances
from bgai.evaluation.checkpoint import CUBE_ARRAYS
from bgai.evaluation.composite import SmallNetwork
from bgai.rules.cube import Cube, CubeOwner, HouseRules
from bgai.rules.match import MatchScore

Floats = NDArray[np.float64]

LONGEST = 160
PAIRS = 250_000  # of each kind of race
LIKELY = (0.03, 0.97)
FEWEST_ROLLS = 4.5  # of both sides together; shorter ones are in the exact table for money
HIDDEN = (32, 32)
OWNERS = (CubeOwner.CENTRED, CubeOwner.ON_ROLL, CubeOwner.OPPONENT)
PLAIN = HouseRules(jacoby=False, beaver_turns=0)
OUT = Path(bgai.equity.__file__).parent / "data" / "race-efficiency.safetensors"


class Races(NamedTuple):
    """Features ``(n, SIDE_FEATURES)`` of both sides, winning chance, equities by owner."""

    mine: Floats
    theirs: Floats
    wins: Floats
    equities: Floats


@compiled()
def one_checker_race(longest: int) -> Any:
    """Equities ``(longest + 1, longest + 1, 4)`` by distances, before a double of the first.

    Columns: cubeless, cube centred, owned by the side on roll, owned by the other.
    """
    chance = np.zeros(25)
    for first in range(1, 7):
        for second in range(1, 7):
            chance[(first + second) * (2 if first == second else 1)] += 1 / 36
    waiting = np.zeros((longest + 1, longest + 1, 4))
    waiting[0, 1:] = 1.0
    waiting[1:, 0] = -1.0
    decided = waiting.copy()
    for total in range(2, 2 * longest + 1):
        for mine in range(max(1, total - longest), min(longest, total - 1) + 1):
            theirs = total - mine
            here = waiting[mine, theirs]
            for pips in range(3, 25):
                after = decided[theirs, max(mine - pips, 0)]
                here[0] -= chance[pips] * after[0]
                here[1] -= chance[pips] * after[1]
                here[2] -= chance[pips] * after[3]
                here[3] -= chance[pips] * after[2]
            doubled = min(2 * here[3], 1.0)
            decided[mine, theirs] = here
            decided[mine, theirs, 1] = max(here[1], doubled)
            decided[mine, theirs, 2] = max(here[2], doubled)
    return waiting


@compiled()
def _wins(mine: Any, theirs: Any, tails: Any, first_tails: Any) -> Any:
    wins = np.empty(mine.shape[0])
    chances = np.empty(5, dtype=np.float32)
    for i in range(mine.shape[0]):
        pair_chances(mine[i], theirs[i], tails, first_tails, chances)
        wins[i] = chances[0]
    return wins


def exact_races(rng: np.random.Generator, first: tuple[int, int], second: tuple[int, int]) -> Races:
    """Pairs of sides of two kinds, each at most so many checkers on so many low points."""
    tables, stakes = load_bearoff_tables(), money_stakes(rules=PLAIN)
    ranks = low_sides(*first), low_sides(*second)
    worths = solve(*ranks, stakes)
    rows = tuple(rng.integers(1, len(part), 2 * PAIRS) for part in ranks)
    view = rng.integers(0, 2, 2 * PAIRS)
    columns = np.array([[list(owner).index(int(x)) for x in OWNERS] for owner in stakes.owner])
    found = np.take_along_axis(worths[view, rows[0], rows[1]], columns[view], axis=1)
    sides = np.where(view == 0, ranks[0][rows[0]], ranks[1][rows[1]])
    others = np.where(view == 0, ranks[1][rows[1]], ranks[0][rows[0]])
    started = home_sides()[:, 0] > 0  # no gammons
    kept = started[sides] & started[others]
    sides, others, found = sides[kept], others[kept], found[kept]
    wins = _wins(sides, others, tables.tails, tables.first_tails)
    features = features_of(tables.tails)
    return _likely(Races(features[sides], features[others], wins, found))


def long_races(rng: np.random.Generator) -> Races:
    """Pairs of distances of the one-checker race, near enough for both sides to have chances."""
    equities, features = one_checker_race(LONGEST), features_of(one_checker_tails(LONGEST + 1))
    mine = rng.integers(1, LONGEST + 1, 2 * PAIRS)
    apart = rng.normal(0, 1, len(mine)) * (0.13 * mine + 4)
    theirs = np.clip(mine + apart, 1, LONGEST).astype(np.int64)
    found = equities[mine, theirs]
    return _likely(Races(features[mine], features[theirs], (found[:, 0] + 1) / 2, found[:, 1:]))


def _likely(races: Races) -> Races:
    rolls = races.mine[:, kernels.MEAN] + races.theirs[:, kernels.MEAN]
    kept = (races.wins > LIKELY[0]) & (races.wins < LIKELY[1]) & (rolls > FEWEST_ROLLS)
    return Races(*(part[kept][:PAIRS] for part in races))


def spans_and_gains(races: Races) -> tuple[Floats, Floats]:
    """Live and exact equity ``(n, 3)`` by owner, each less the dead cube's."""
    chances = np.zeros((len(races.wins), 5))
    chances[:, 0] = races.wins
    dead = (2 * races.wins - 1)[:, None]
    live = [model_worths(chances, money_stakes(Cube(1, o), PLAIN), np.ones(3)) for o in OWNERS]
    return np.stack([worths[:, 0] for worths in live], axis=1) - dead, races.equities - dead


def fit_race(steps: int) -> SmallNetwork:
    """The network of races; prints the error it leaves on races held out."""
    rng = np.random.default_rng(1)
    kinds = {
        "8 checkers": exact_races(rng, (8, 6), (8, 6)),
        "12 on 4 points": exact_races(rng, (12, 4), (12, 4)),
        "8 against 15 on 3": exact_races(rng, (8, 6), (15, 3)),
        "one checker": long_races(rng),
    }
    parts = []
    for name, races in kinds.items():
        inputs = np.empty((len(races.wins), kernels.RACE_INPUTS), dtype=np.float32)
        kernels.all_race_inputs(races.mine, races.theirs, races.wins, inputs)
        parts.append((inputs, *spans_and_gains(races)))
        print(f"{name}: {len(inputs)} pairs", flush=True)
    learnt = [[array[: len(array) * 9 // 10] for array in part] for part in parts]
    inputs, spans, gains = (np.concatenate(arrays) for arrays in zip(*learnt, strict=True))
    network = fit_small(inputs, spans, gains, np.ones(len(inputs)), hidden=HIDDEN, steps=steps)
    for name, (inputs, spans, gains) in zip(kinds, parts, strict=True):
        rest = slice(len(inputs) * 9 // 10, None)
        found = np.clip(small_outputs(inputs[rest], network), kernels.LEAST, kernels.MOST)
        missed = found * spans[rest] - gains[rest]
        print(f"{name}: RMS error {np.sqrt((missed**2).mean(axis=0)).round(4)}")
    return network


def fit_contact(rows: list[dict[str, Any]]) -> tuple[Floats, Floats]:
    """Efficiency ``(3,)`` by owner and the RMS error ``(3,)`` it leaves."""
    stakes = money_stakes(rules=HouseRules(jacoby=False, beaver_turns=0))
    chances = np.array([row["chances"] for row in rows])
    worths = np.array([row["worths"] for row in rows])
    dead = model_worths(chances, stakes, np.zeros(3))
    span = model_worths(chances, stakes, np.ones(3)) - dead
    gain = worths - dead
    found = (gain * span).sum(axis=0) / (span**2).sum(axis=0)
    left = np.sqrt(((gain - found * span) ** 2).mean(axis=0))
    order = [rows[0]["owners"].index(int(owner)) for owner in OWNERS]
    return found[order], left[order]


def fit_free_cube(rows: list[dict[str, Any]], efficiency: float) -> tuple[float, int, float]:
    """``SURE_LOSS``, ``SURE_EXPONENT`` and the RMS error they leave, in normalised equity."""
    way, span, gain = np.array([_free_cube(row["free"]) for row in rows]).T
    tried = [
        (float(np.sqrt(((gain - _share(way, loss, k, efficiency) * span) ** 2).mean())), loss, k)
        for loss in np.linspace(0.3, 1.2, 19)
        for k in range(1, 17)
    ]
    error, loss, exponent = min(tried)
    return float(loss), exponent, error


def _share(way: Floats, loss: float, exponent: int, efficiency: float) -> Floats:
    return np.asarray(1 - loss * (1 - efficiency) * way**exponent)


def _free_cube(row: dict[str, Any]) -> tuple[float, float, float]:
    """Share of the way to the cash point, live less dead equity, rolled-out less dead equity."""
    value, owner = row["cube"]
    cube = Cube(value, CubeOwner(owner))
    stakes = match_stakes(cube, MatchScore(*row["score"]))
    chances = np.array(row["chances"])
    live = float(stakes.equity(model_worths(chances[None], stakes, np.ones(3)))[0, 0])
    dead = float(stakes.dead_equity(chances))
    cash = cube_points(chances, stakes, np.ones(3)).cash or 1.0
    return min(chances[0] / cash, 1.0), live - dead, row["equity"] - dead


def main() -> None:
    """Fit, print what the fit leaves, write the package's network with ``--write``."""
    from safetensors.numpy import save_file

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--contact", nargs="+", type=Path, default=[], help="rollouts")
    parser.add_argument("--steps", type=int, default=22_000, help="of the network of races")
    parser.add_argument("--write", action="store_true", help=f"write {OUT.name}")
    arguments = parser.parse_args()
    if arguments.contact:
        lines = [line for file in arguments.contact for line in file.read_text().splitlines()]
        rows = [json.loads(line) for line in lines]
        found, left = fit_contact(rows)
        print(f"contact, {len(rows)} positions: {found.round(3)}, RMS error {left.round(4)}")
        print("loss, exponent and RMS error of a free cube:", fit_free_cube(rows, found[1]))
    network = fit_race(arguments.steps)
    if arguments.write:
        temporary = OUT.with_name(OUT.name + ".tmp")
        save_file(dict(zip(CUBE_ARRAYS, network, strict=True)), temporary)
        temporary.replace(OUT)
        print(f"wrote {OUT.name}")


if __name__ == "__main__":
    main()
