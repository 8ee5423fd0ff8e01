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

    python scripts/fit_cube_efficiency.py [--steps 18000] [--contact FILE...] [--write]
"""

import argparse
import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from bgai_training.exact_races import (
    Plays,
    home_sides,
    low_sides,
    plays_of,
    plays_of_a_runner,
    solve_plays,
)
from bgai_training.small_network import fit_small, small_outputs
from numpy.typing import NDArray

import bgai.equity
from bgai.equity import efficiency_kernels as kernels
from bgai.equity.cubeful import cube_points, model_worths
from bgai.equity.efficiency import features_of, one_checker_tails
from bgai.equity.stakes import match_stakes, money_stakes
from bgai.evaluation.bearoff import load_bearoff_tables
from bgai.evaluation.checkpoint import CUBE_ARRAYS
from bgai.evaluation.composite import SmallNetwork
from bgai.rules.cube import Cube, CubeOwner, HouseRules
from bgai.rules.match import MatchScore

Floats = NDArray[np.float64]

LONGEST = 160
PAIRS = 120_000  # of each kind of race, either kind on roll
LIKELY = (0.03, 0.97)
FEWEST_ROLLS = 4.5  # of both sides together; shorter ones are in the exact table for money
HIDDEN = (32, 32)
OWNERS = (CubeOwner.CENTRED, CubeOwner.ON_ROLL, CubeOwner.OPPONENT)
PLAIN = HouseRules(jacoby=False, beaver_turns=0)
LAST = HouseRules(jacoby=False, beaver_turns=0, max_cube=2)  # a cube of 1 can be turned once
OUT = Path(bgai.equity.__file__).parent / "data" / "race-efficiency.safetensors"


class Races(NamedTuple):
    """Features ``(n, SIDE_FEATURES)`` of both sides, winning chance ``(n,)``.

    ``equities`` ``(n, 6)`` of a cube centred, of the player on roll, of the opponent, and the
    same of a cube that nobody can turn again.
    """

    mine: Floats
    theirs: Floats
    wins: Floats
    equities: Floats


class Sides(NamedTuple):
    """Sides of one kind: their plays, and their chances of t rolls or more ``(n, 64)``.

    ``started`` ``(n,)``: where no gammon can be lost any more.
    """

    plays: Plays
    tails: Floats
    started: NDArray[np.bool_]


def home(checkers: int, points: int) -> Sides:
    """At most so many checkers on so many low points."""
    ranks = low_sides(checkers, points)
    tails = np.pad(load_bearoff_tables().tails[ranks].astype(np.float64), ((0, 0), (0, 32)))
    return Sides(plays_of(ranks), tails, home_sides()[ranks][:, 0] > 0)


def runners(longest: int) -> Sides:
    """A single checker with fewer pips than ``longest`` to go."""
    return Sides(plays_of_a_runner(longest), one_checker_tails(longest), np.ones(longest, bool))


def exact_races(rng: np.random.Generator, first: Sides, second: Sides) -> Races:
    """Pairs of sides of two kinds, in half of which the first kind is on roll."""
    parts = [_pairs(rng, first, second)]
    if second is not first:
        parts.append(_pairs(rng, second, first))
    return Races(*(np.concatenate(each) for each in zip(*parts, strict=True)))


def _pairs(rng: np.random.Generator, ours: Sides, others: Sides) -> Races:
    count = 4 * PAIRS  # few of them leave both sides a chance
    mine = rng.integers(1, len(ours.tails), count)
    theirs = rng.integers(1, len(others.tails), count)
    wins = _wins(ours.tails[mine], others.tails[theirs])
    rolls = ours.tails[mine, 1:].sum(axis=1) + others.tails[theirs, 1:].sum(axis=1)
    kept = (wins > LIKELY[0]) & (wins < LIKELY[1]) & (rolls > FEWEST_ROLLS)
    kept &= ours.started[mine] & others.started[theirs]
    mine, theirs, wins = (part[kept][:PAIRS] for part in (mine, theirs, wins))
    plays, against = ours.plays, others.plays
    live = solve_plays(plays, against, money_stakes(rules=PLAIN))[0, mine, theirs]
    centred = solve_plays(plays, against, money_stakes(rules=LAST))[0, mine, theirs, 0]
    owned = money_stakes(Cube(1, CubeOwner.ON_ROLL), LAST)
    own = solve_plays(plays, against, owned)[0, mine, theirs, 0]
    # the other's cube: the other is the player of the stakes, who is not on roll now
    held = solve_plays(against, plays, owned)[1, theirs, mine, 0]
    owners = list(money_stakes(rules=PLAIN).owner[0])
    columns = [owners.index(int(owner)) for owner in OWNERS]
    equities = np.column_stack([live[:, columns], centred, own, held])
    return Races(features_of(ours.tails[mine]), features_of(others.tails[theirs]), wins, equities)


def _wins(mine: Floats, theirs: Floats) -> Floats:
    exactly = mine[:, 1:-1] - mine[:, 2:]
    return np.asarray((exactly * theirs[:, 1:-1]).sum(axis=1))


def spans_and_gains(races: Races) -> tuple[Floats, Floats]:
    """Live and exact equity ``(n, 6)``, each less the dead cube's."""
    chances = np.zeros((len(races.wins), 5))
    chances[:, 0] = races.wins
    dead = (2 * races.wins - 1)[:, None]
    stakes = [money_stakes(Cube(1, owner), rules) for rules in (PLAIN, LAST) for owner in OWNERS]
    live = [model_worths(chances, each, np.ones(3))[:, 0] for each in stakes]
    return np.stack(live, axis=1) - dead, races.equities - dead


def fit_race(steps: int) -> SmallNetwork:
    """The network of races; prints the error it leaves on races held out."""
    rng = np.random.default_rng(1)
    few, low, stacks, alone = home(7, 6), home(11, 4), home(15, 3), runners(LONGEST)
    kinds = {
        "7 checkers": exact_races(rng, few, few),
        "11 on 4 points": exact_races(rng, low, low),
        "7 against 15 on 3": exact_races(rng, few, stacks),
        "one checker": exact_races(rng, alone, alone),
        "7 against one": exact_races(rng, few, alone),
        "15 on 3 against one": exact_races(rng, stacks, alone),
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
    parser.add_argument("--steps", type=int, default=18_000, help="of the network of races")
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
