"""The performance rating of the ladder's opponents: python scripts/measure_levels.py [LEVEL ...]

Every opponent plays money games with the cube against itself. Each decision is judged at 0-ply,
and a random share of them (--share) at --plies too; what the deeper judge finds otherwise corrects
the mean, so that the rating is the deeper judge's. Games are kept in --state as they are judged;
the same command goes on. bgai/players/ladder.json gets the ratings of the LEVELs, or of all.

--spread tries another spread of errors for one LEVEL and keeps nothing.
"""

import argparse
import hashlib
import json
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bgai.analysis.judging import Place, judge_act
from bgai.analysis.review import Decision, Kind
from bgai.evaluation.checkpoint import MODEL_FILE, find_checkpoint
from bgai.files import write_text
from bgai.players import ladder
from bgai.players.engines import engine
from bgai.players.ladder import Measured, Rung, rungs
from bgai.players.rated import RatedBot
from bgai.rules.match import Terms
from bgai.search.lookahead import Lookahead
from bgai.sessions.dice import SeededDice
from bgai.sessions.referee import play
from bgai.sessions.session import Seat, Session
from bgai.sessions.session_record import session_record

BLOCK = 25
FILE = Path(ladder.__file__).with_name(ladder.FILE)

Row = list[float]
"""Of a game: equity lost and decisions that count, of plays and of the cube."""


def play_game(rung: Rung, seed: int) -> Session:
    """A money game of an opponent against itself."""
    search = engine(f"expert@{rung.plies}").lookahead
    bots = (RatedBot(search, rung.slips, seed=seed), RatedBot(search, rung.slips, seed=seed + 1))
    seats = (Seat("White", rung.name, seed), Seat("Black", rung.name, seed + 1))
    session = Session(Terms(None, games=1), seats, SeededDice(seed))
    for _ in play(session, bots):
        pass
    return session


def judged(session: Session, deep: Lookahead, share: float, rng: np.random.Generator) -> Row:
    """The figures of a game by the deeper judge, as far as a share of its decisions tells."""
    quick = engine("expert@0").lookahead
    record = session_record(session)
    row = np.zeros(4)
    for game in record.games:
        for index, (state, act) in enumerate(game.states(record.terms)):
            first = judge_act(quick, state, act, Place(act=index))
            if first is None:
                continue
            column = 0 if first.kind is Kind.PLAY else 2
            row[column : column + 2] += _worth(first)
            if rng.random() < share:
                second = judge_act(deep, state, act, Place(act=index))
                assert second is not None
                row[column : column + 2] += (_worth(second) - _worth(first)) / share
    return [float(each) for each in row]


def _worth(decision: Decision) -> NDArray[np.float64]:
    return np.array([decision.cost if decision.counts else 0.0, float(decision.counts)])


def rating(rows: list[Row]) -> Measured:
    """Ratings from games; the error by leaving each game out."""
    table = np.array(rows)
    total = table.sum(axis=0)

    def of(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        lost, counted = sums[..., 0] + sums[..., 2], sums[..., 1] + sums[..., 3]
        return np.asarray(500 * lost / counted)

    without = of(total - table)
    error = float(np.sqrt((len(rows) - 1) * without.var()))
    plays, cube = 500 * total[0] / total[1], 500 * total[2] / total[3]
    return Measured(
        round(float(of(total)), 2), round(error, 2), round(plays, 2), round(cube, 2), len(rows)
    )


def measure(rung: Rung, games: int, rows: list[Row], plies: int, share: float) -> None:
    """Play and judge up to so many games, adding a row for each."""
    deep = engine(f"expert@{plies}").lookahead
    for number in range(len(rows), games):
        seed = 1000 * (1 + number) + round(10 * rung.rating)
        rng = np.random.default_rng([seed, plies])
        rows.append(judged(play_game(rung, seed), deep, share, rng))
        if len(rows) % BLOCK == 0:
            yield_progress(rung, rows)


def yield_progress(rung: Rung, rows: list[Row]) -> None:
    print(f"{rung.name}: {rating(rows)}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("levels", nargs="*", metavar="LEVEL")
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--plies", type=int, default=2)
    parser.add_argument("--share", type=float, default=0.1)
    parser.add_argument("--spread", type=float)
    parser.add_argument("--state", type=Path, default=Path("levels.json"))
    given = parser.parse_args()
    names = given.levels or [rung.name for rung in rungs()]
    chosen = [rung for rung in rungs() if rung.name in names]
    if len(chosen) != len(names):
        parser.error(f"LEVEL: there are {', '.join(rung.name for rung in rungs())}")
    if given.spread is not None:
        for rung in chosen:
            tried = replace(rung, slips=replace(rung.slips, spread=given.spread))
            measure(tried, given.games, [], given.plies, given.share)
        return
    model = find_checkpoint("expert") / MODEL_FILE  # games of another network are not gone on from
    network = hashlib.sha256(model.read_bytes()).hexdigest()
    kept: dict[str, dict[str, object]] = {}
    if given.state.exists():
        kept = json.loads(given.state.read_text(encoding="utf-8"))
    for rung in chosen:
        how = {
            "slips": asdict(rung.slips),
            "plies": [rung.plies, given.plies],
            "share": given.share,
            "network": network,
        }
        known = kept.get(rung.name)
        rows: list[Row] = known["rows"] if known and known["how"] == how else []  # type: ignore[assignment]
        while len(rows) < given.games:
            measure(rung, min(given.games, len(rows) + BLOCK), rows, given.plies, given.share)
            kept[rung.name] = {"how": how, "rows": rows}
            write_text(given.state, json.dumps(kept))
    write_ladder({rung.name: kept[rung.name]["rows"] for rung in chosen})  # type: ignore[misc]


def write_ladder(found: dict[str, list[Row]]) -> None:
    """Put what was measured into the ladder's file."""
    table = json.loads(FILE.read_text(encoding="utf-8"))
    for row in table:
        if row["name"] in found:
            row["measured"] = asdict(rating(found[row["name"]]))
    write_text(FILE, json.dumps(table, indent=1) + "\n")


if __name__ == "__main__":
    main()
