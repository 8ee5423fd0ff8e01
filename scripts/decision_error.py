"""Decision error of players on a file of rolled-out decisions.

    python scripts/decision_error.py decisions.jsonl NAME...

NAME is a network's name or folder, a level, or NAME@N for an N-ply lookahead; `gnubg` is GNU
Backgammon at 0-ply and needs --gnubg PYTHON, the interpreter of an environment that has
gnubg-nn. The decisions are no part of the project: the file's path is an argument.
"""

import argparse
import sys
from time import perf_counter

from gnubg_engine import GnubgEvaluator

from bgai.analysis.decision_error import load_decisions, score_by_plan, score_decisions
from bgai.errors import InputError
from bgai.evaluation.evaluator import Evaluator
from bgai.players.engines import engine


def player(name: str, gnubg: str | None) -> Evaluator:
    """The evaluator of an engine's name; of GNU Backgammon for `gnubg`. Raises ``InputError``."""
    if name != "gnubg":
        return engine(name, plies=0).lookahead
    if gnubg is None:
        raise InputError("gnubg needs --gnubg PYTHON")
    return GnubgEvaluator(gnubg)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("decisions", help="path of decisions.jsonl")
    parser.add_argument("players", nargs="+", metavar="NAME")
    parser.add_argument("--gnubg", metavar="PYTHON", help="interpreter that has gnubg-nn")
    parser.add_argument("--by-plan", action="store_true", help="split by kind of position")
    options = parser.parse_args()
    try:
        decisions = load_decisions(options.decisions)
        print(f"{len(decisions)} decisions, {len(decisions.positions)} candidates")
        for name in options.players:
            evaluator = player(name, options.gnubg)
            start = perf_counter()
            found = score_decisions(evaluator, decisions)
            seconds = perf_counter() - start
            print(
                f"{name}: decision error {found.mean_meq:.2f} ± {found.standard_error:.2f} mEq, "
                f"RMSE of equity {found.rmse:.4f} ({seconds:.1f} s)"
            )
            if options.by_plan:
                for plan, part in score_by_plan(evaluator, decisions).items():
                    print(
                        f"  {plan:14} {part.decisions:4} decisions {part.mean_meq:6.2f} "
                        f"± {part.standard_error:.2f} mEq, RMSE {part.rmse:.4f}"
                    )
    except InputError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
