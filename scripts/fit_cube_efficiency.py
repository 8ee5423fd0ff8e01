"""Fit the cube efficiencies that the package carries, from exact solutions of our own.

Races: the one-checker race, in which each side moves a single checker home by the full count
of every roll, is solved exactly with the cube for every pair of distances. In each band of
pips and of winning chance the efficiency of a centred cube, of the player on roll's and of
the opponent's is the one with the least squared error. The model so fitted is then held
against the exact bear-off table (six checkers a side), which gives the pips to add for the
waste of a real bear-off.

Contact: one number for each owner, with the least squared error over the rollouts of
``scripts/sample_cube_worths.py``; on those neither the winning chance nor pips, gammons or the
swing of the next roll improved it by more than a few per cent. The same rollouts give the two
numbers of a cube without risk (``SURE_LOSS`` and ``SURE_EXPONENT`` of the kernels), which are
printed. Without rollouts 2/3, the value Janowski proposes ("Take-Points in Money Games", 1993).

    python scripts/fit_cube_efficiency.py [--contact FILE...] [--write]
"""

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import bgai.equity
from bgai.compiled import compiled
from bgai.equity.bearoff_cube import CUBE_CHECKERS, CUBE_POSITIONS, load_cube_table
from bgai.equity.cubeful import cube_points, model_worths
from bgai.equity.efficiency import EfficiencyTable
from bgai.equity.stakes import match_stakes, money_stakes
from bgai.evaluation.bearoff_kernels import home_unrank
from bgai.rules.cube import Cube, CubeOwner, HouseRules
from bgai.rules.match import MatchScore

Floats = NDArray[np.float64]

LONGEST = 160
WINS = np.linspace(0.1, 0.9, 9)
PIPS = np.array([12.0, 16, 20, 25, 30, 40, 50, 65, 80, 100, 120])
OWNERS = (CubeOwner.CENTRED, CubeOwner.ON_ROLL, CubeOwner.OPPONENT)
CONTACT = 2 / 3
OUT = Path(bgai.equity.__file__).parent / "data" / "cube-efficiency.json"


@compiled()
def one_checker_race(longest: int) -> Any:
    """Equities ``(longest + 1, longest + 1, 4)`` as in the bear-off table, by distances."""
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


def dead_and_live(wins: Floats, owner: CubeOwner) -> tuple[Floats, Floats]:
    """Dead-cube and live-cube equities of positions without gammons."""
    chances = np.zeros((len(wins), 5))
    chances[:, 0] = wins
    stakes = money_stakes(Cube(1, owner))
    return 2 * wins - 1, model_worths(chances, stakes, np.ones(3))[:, 0]


def fit_race() -> Floats:
    """Efficiencies ``(pips, wins, 3)`` with the least squared error around each knot."""
    equities = one_checker_race(LONGEST)[1:, 1:]
    pips = np.broadcast_to(np.arange(1, LONGEST + 1)[:, None], equities.shape[:2])
    wins = (equities[..., 0] + 1) / 2
    fitted = np.zeros((len(PIPS), len(WINS), 3))
    for column, owner in enumerate(OWNERS):
        dead, live = (part.reshape(wins.shape) for part in dead_and_live(wins.ravel(), owner))
        gain, span = equities[..., 1 + column] - dead, live - dead
        for i, knot in enumerate(PIPS):
            for j, win in enumerate(WINS):
                # the nearer the knot, the more a pair of distances counts
                near = np.clip(1 - np.abs(pips / knot - 1) / 0.15, 0, None)
                near = near * np.clip(1 - np.abs(wins - win) / 0.08, 0, None)
                weight = (near * span * span).sum()
                fitted[i, j, column] = (near * gain * span).sum() / weight
    return np.clip(fitted, 0, 1.25)


def race_error(table: EfficiencyTable, extra: float) -> Floats:
    """RMS errors ``(3,)`` of the model on the exact bear-off table, reading pips + extra."""
    from bgai.equity import efficiency

    exact = load_cube_table().astype(np.float64)[1:, 1:]
    side = np.zeros((CUBE_POSITIONS, 26), dtype=np.int64)
    for rank in range(CUBE_POSITIONS):
        home_unrank(rank, CUBE_CHECKERS, side[rank])
    pips = np.broadcast_to((side @ np.arange(26))[1:, None], exact.shape[:2]).ravel()
    wins = (exact[..., 0].ravel() + 1) / 2
    chosen = np.nonzero((pips >= 8) & (wins > 0.05) & (wins < 0.95))[0]
    row, part = efficiency._between(table.race_pips, pips[chosen] + extra)
    at, share = efficiency._between(table.wins, wins[chosen])
    mix = efficiency._mix
    shares = mix(
        mix(table.race[row, at], table.race[row, at + 1], share),
        mix(table.race[row + 1, at], table.race[row + 1, at + 1], share),
        part,
    )
    errors = []
    for column, owner in enumerate(OWNERS):
        dead, live = dead_and_live(wins[chosen], owner)
        model = dead + shares[:, column] * (live - dead)
        errors.append(np.sqrt(((model - exact[..., 1 + column].ravel()[chosen]) ** 2).mean()))
    return np.array(errors)


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
    """Fit, print what the fit leaves, write the package's table with ``--write``."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--contact", nargs="+", type=Path, default=[], help="rollouts")
    parser.add_argument("--write", action="store_true", help=f"write {OUT.name}")
    arguments = parser.parse_args()
    contact, source = np.full((len(WINS), 3), CONTACT), "2/3 (Janowski 1993)"
    if arguments.contact:
        lines = [line for file in arguments.contact for line in file.read_text().splitlines()]
        rows = [json.loads(line) for line in lines]
        found, left = fit_contact(rows)
        contact, source = np.tile(found, (len(WINS), 1)), f"{len(rows)} positions rolled out"
        print(f"contact, {source}: {found.round(3)}, RMS error {left.round(4)}")
        print("loss, exponent and RMS error of a free cube:", fit_free_cube(rows, found[1]))
    race = fit_race()
    table = EfficiencyTable(WINS, PIPS, race, contact)
    errors = {extra: race_error(table, extra) for extra in range(-2, 9)}
    for extra, error in errors.items():
        print(f"exact bear-offs, pips + {extra}: RMS error", np.round(error, 4))
    best = min(errors, key=lambda extra: float(errors[extra].sum()))
    flat = EfficiencyTable(WINS, PIPS, np.full_like(race, 2 / 3), contact)
    print("the same with 2/3 throughout:", np.round(race_error(flat, 0), 4), "best extra", best)
    if arguments.write:
        entries = {
            "source": "scripts/fit_cube_efficiency.py: races from the exact one-checker race, "
            f"read at pips + {best}; contact: {source}",
            "wins": WINS.round(3).tolist(),
            "race_pips": (PIPS - best).tolist(),
            "race": race.round(3).tolist(),
            "contact": contact.round(3).tolist(),
        }
        text = json.dumps(entries).replace("], [[", "],\n[[").replace(', "', ',\n"')
        OUT.write_text(text + "\n", encoding="utf-8")
        print(f"wrote {OUT.name}")


if __name__ == "__main__":
    main()
