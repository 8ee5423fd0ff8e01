"""Decision error against thinking time, for bgai, GNU Backgammon and Open Sage.

Decision error is that of scripts/decision_error.py on a file of rolled-out decisions. Time a
decision is the mean CPU time of choosing a play, on one core, over contact decisions of bgai's
own 0-ply games; time an evaluation that of judging one candidate of the file. Every engine runs
in this one run. The other engines live in an environment of their own:

    python3 -m venv engines
    engines/bin/pip install gnubg-nn bgsage
    .venv/bin/python scripts/bench_search.py decisions.jsonl --engines engines/bin/python \\
        --picture search.svg

Further measurements: --pruning (how often the small network and the move filters lose the
best), --network-speed (bare evaluations a second beside gnubg-nn), --rollout (the opening 31:
8/5 6/5, 1,296 games to the end with variance reduction).
"""

import argparse
import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from time import process_time

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table
from search_picture import Curve, draw

from bgai.analysis.decision_error import Decisions, load_decisions, score_decisions
from bgai.evaluation.composite import PositionClass, position_classes
from bgai.evaluation.evaluator import Chances, cubeless_equity
from bgai.rules.dice import Roll, roll_dice
from bgai.rules.legal_plays import legal_plays, legal_plays_batch
from bgai.rules.position import Positions, is_over, starting_position
from bgai.search.engine import EngineSettings, build_engine
from bgai.search.lookahead import Lookahead
from bgai.search.pruning import every_reply
from bgai.search.rollout import Rollout
from bgai.search.rollout_run import RolloutSettings
from bgai.search.utility import MONEY

WORKER = Path(__file__).with_name("search_engines.py")
Turns = list[tuple[Positions, Roll]]


@dataclass(frozen=True)
class Row:
    """One engine at one depth; milliseconds of CPU time."""

    engine: str
    plies: int
    error: float
    standard_error: float
    rmse: float
    evaluation_ms: float
    decision_ms: float


class Given:
    """Chances somebody else has worked out, as an evaluator of exactly those positions."""

    def __init__(self, chances: Chances) -> None:
        self.chances = chances

    def evaluate(self, positions: Positions) -> Chances:
        return self.chances


def contact_decisions(player: Lookahead, count: int, seed: int) -> Turns:
    """Decisions with contact and a choice, drawn from the player's own games."""
    rng = np.random.default_rng(seed)
    games = np.repeat(starting_position()[None], 24, axis=0)
    turns: Turns = []
    while len(turns) < 8 * count:
        rolls = roll_dice(rng, len(games))
        _, offsets = legal_plays_batch(games, rolls)
        good = (position_classes(games) == PositionClass.CONTACT) & (np.diff(offsets) > 1)
        turns += [(games[i], Roll(*map(int, rolls[i]))) for i in np.flatnonzero(good)]
        games = player.choose(games, rolls)
        games[is_over(games)] = starting_position()
    return [turns[i] for i in rng.choice(len(turns), count, replace=False)]


def measure_bgai(engine: Lookahead, decisions: Decisions, turns: Turns) -> Row:
    """Error and times of one of our searches."""
    for position, roll in turns[:3]:  # compiling is not thinking
        engine.best_play(position, roll)
    start = process_time()
    judged = Given(engine.evaluate(decisions.positions))
    evaluating = process_time() - start
    start = process_time()
    for position, roll in turns:
        engine.best_play(position, roll)
    deciding = process_time() - start
    return _row("bgai", engine.plies, judged, decisions, evaluating, deciding / len(turns))


def measure_other(python: str, name: str, plies: int, decisions: Decisions, turns: Turns) -> Row:
    """The same of another engine, which runs in a process of its own."""
    judged, evaluating, deciding = ask_other(python, name, plies, decisions.positions, turns)
    return _row(name, plies, judged, decisions, evaluating, deciding / len(turns))


def ask_other(
    python: str, name: str, plies: int, positions: Positions, turns: Turns
) -> tuple[Given, float, float]:
    """Another engine's chances of positions, their CPU seconds, and those of all turns."""
    work = {
        "candidates": [[p[1].tolist(), p[0].tolist()] for p in positions],
        "turns": [[p[0].tolist(), p[1].tolist(), *roll] for p, roll in turns],
    }
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "work.json"
        path.write_text(json.dumps(work), encoding="utf-8")
        command = [python, str(WORKER), name, str(plies), str(path)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        except OSError as error:
            sys.exit(f"error: can't run {python}: {error.strerror}\n{__doc__}")
    if done.returncode != 0:
        sys.exit(f"error: {name} failed:\n{done.stderr}\n{__doc__}")
    answer = json.loads(done.stdout.splitlines()[-1])
    judged = Given(np.array(answer["chances"], dtype=np.float32))
    return judged, answer["evaluating"], answer["deciding"]


def _row(
    name: str, plies: int, judged: Given, decisions: Decisions, evaluating: float, deciding: float
) -> Row:
    score = score_decisions(judged, decisions)
    return Row(
        name,
        plies,
        score.mean_meq,
        score.standard_error,
        score.rmse,
        1000 * evaluating / len(decisions.positions),
        1000 * deciding,
    )


def print_rows(rows: list[Row]) -> None:
    table = Table(
        "engine", "plies", "decision error, mEq", "RMSE", "ms an evaluation", "ms a decision"
    )
    for column in table.columns[1:]:
        column.justify = "right"
    for row in rows:
        table.add_row(
            row.engine,
            str(row.plies),
            f"{row.error:.2f} ± {row.standard_error:.2f}",
            f"{row.rmse:.4f}",
            f"{row.evaluation_ms:.4g}",
            f"{row.decision_ms:.4g}",
        )
    Console(width=110).print(table)


def measure_pruning(settings: EngineSettings, turns: Turns) -> None:
    """How often the small network, and the move filters, lose the best play."""
    engine = build_engine(settings)
    assert engine.pruner is not None, "this engine has no pruner"
    positions = np.stack([position for position, _ in turns])
    after, offsets = every_reply(positions)
    kept, kept_offsets = engine.pruner.replies(positions, MONEY.other())
    best = _least(engine, after, offsets)
    best_kept = _least(engine, kept, kept_offsets)
    lost = best_kept - best
    print(
        f"pruner: {len(kept) / len(after):.1%} of {len(after):,} replies kept; the best one is "
        f"lost in {np.mean(lost > 1e-6):.2%} of {len(lost):,} rolls, "
        f"{1000 * lost.mean():.3f} mEq a roll"
    )
    rolls = np.array([roll for _, roll in turns], dtype=np.int8)
    quick = build_engine(EngineSettings(settings.network)).choose(positions, rolls)
    full = Lookahead(engine.evaluator, 0).choose(positions, rolls)
    given_up = cubeless_equity(engine.evaluator.evaluate(quick))
    given_up -= cubeless_equity(engine.evaluator.evaluate(full))
    print(
        f"pruning at 0-ply: another play than with all evaluated in "
        f"{np.mean(given_up > 1e-6):.1%} of {len(given_up):,} decisions, "
        f"{1000 * given_up.mean():.3f} mEq a decision"
    )
    for plies in range(1, settings.plies + 1):
        deep = build_engine(EngineSettings(settings.network, plies, "all", settings.keep))
        fast = build_engine(
            EngineSettings(settings.network, plies, settings.filters, settings.keep)
        )
        gaps = []
        for position, roll in turns:
            ranked = deep.best_plays(position, roll)
            chosen = fast.best_play(position, roll).tobytes()
            worth = next(play.worth for play in ranked if play.after.tobytes() == chosen)
            gaps.append(ranked[0].worth - worth)
        print(
            f"filters '{settings.filters}' at {plies}-ply: another play than the full search in "
            f"{np.mean(np.array(gaps) > 1e-6):.1%} of {len(gaps)} decisions, "
            f"{1000 * np.mean(gaps):.3f} mEq a decision"
        )


def _least(engine: Lookahead, after: Positions, offsets: NDArray[np.int64]) -> NDArray[np.float32]:
    equities = cubeless_equity(engine.evaluator.evaluate(after))
    return np.minimum.reduceat(equities, offsets[:-1])


def measure_network(settings: EngineSettings, python: str | None, turns: Turns) -> None:
    """Bare contact evaluations a second, on the positions after the plays of the turns."""
    engine = build_engine(settings)
    after = np.concatenate([legal_plays(position, roll) for position, roll in turns])
    after = after[position_classes(after) == PositionClass.CONTACT]
    rounds = -(-20_000 // len(after))
    engine.evaluator.evaluate(after)
    start = process_time()
    for _ in range(rounds):
        engine.evaluator.evaluate(after)
    ours = rounds * len(after) / (process_time() - start)
    print(f"bgai: {ours:,.0f} evaluations/s")
    if python is not None:
        none = np.zeros(len(after), dtype=np.float32)
        given = Decisions(after, none, np.array([0, len(after)]))
        row = measure_other(python, "gnubg", 0, given, turns[:1])
        theirs = 1000 / row.evaluation_ms
        print(
            f"gnubg-nn: {theirs:,.0f} evaluations/s; bgai makes {ours / theirs:.1f} times as many"
        )


def measure_rollout(settings: EngineSettings) -> None:
    """The opening 31: 8/5 6/5 played out, CPU time and standard error."""
    engine = build_engine(EngineSettings(settings.network, 0, keep=settings.keep))
    after = engine.best_play(starting_position(), Roll(3, 1))
    Rollout(after[None], engine, RolloutSettings(36)).run()
    start = process_time()
    result = Rollout(after[None], engine, RolloutSettings(1296)).run()
    seconds = process_time() - start
    equity = result.summaries[0].equity
    print(
        f"rollout of 31: 8/5 6/5, {result.trials} games, 0-ply, luck subtracted at 0-ply: "
        f"{seconds:.1f} s of CPU time, {-equity.mean:+.4f} ± {equity.error:.4f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("decisions", nargs="?", help="file of rolled-out decisions")
    parser.add_argument("--engines", help="interpreter of the environment with the others")
    parser.add_argument("--network", help="bgai's network, default the best released")
    parser.add_argument("--plies", type=int, nargs="+", default=[0, 1, 2, 3])
    parser.add_argument("--other-plies", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--filters", default="normal")
    parser.add_argument("--keep", type=int, default=EngineSettings.keep)
    parser.add_argument("--turns", type=int, default=100, help="decisions to time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--picture", type=Path, help="write an SVG")
    parser.add_argument("--pruning", action="store_true")
    parser.add_argument("--network-speed", action="store_true")
    parser.add_argument("--rollout", action="store_true")
    options = parser.parse_args()

    settings = EngineSettings(options.network, max(options.plies), options.filters, options.keep)
    player = build_engine(EngineSettings(options.network, 0))
    turns = contact_decisions(player, options.turns, options.seed)
    if options.network_speed:
        measure_network(settings, options.engines, turns)
    if options.pruning:
        measure_pruning(settings, turns)
    if options.rollout:
        measure_rollout(settings)
    if options.decisions is None:
        return
    decisions = load_decisions(options.decisions)
    rows = []
    for plies in options.plies:
        engine = build_engine(EngineSettings(options.network, plies, options.filters, options.keep))
        rows.append(measure_bgai(engine, decisions, turns))
        print_rows(rows[-1:])
    if options.engines:
        for name in ("gnubg", "bgsage"):
            for plies in options.other_plies:
                rows.append(measure_other(options.engines, name, plies, decisions, turns))
                print_rows(rows[-1:])
    print_rows(rows)
    if options.picture:
        names = dict.fromkeys(row.engine for row in rows)
        curves = [
            Curve(name, [(r.decision_ms, r.error, f"{r.plies}") for r in rows if r.engine == name])
            for name in names
        ]
        options.picture.write_text(draw(curves), encoding="utf-8")


if __name__ == "__main__":
    main()
