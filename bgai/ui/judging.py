"""What the commands that judge positions share: the engine, the stakes, words and numbers."""

from collections.abc import Sequence
from typing import Any

from bgai.errors import InputError, needs
from bgai.evaluation.evaluator import Chances
from bgai.notation.situation import Situation
from bgai.rules.dice import Roll, parse_roll
from bgai.rules.position import is_over
from bgai.search.engine import EngineSettings, build_engine, default_network, engine_label
from bgai.search.lookahead import Lookahead
from bgai.search.utility import MONEY, LinearUtility, dead_cube_utility

CHANCE_KEYS = ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon")
CHANCE_HEADINGS = ("win", "gammon", "bg", "lose g", "bg")


def engine_for(
    settings: EngineSettings, level: str | None, plies: int | None, device: str = "cpu"
) -> tuple[Lookahead, str]:
    """The search and its name, from ``--level`` or from plies and network.

    Raises ``InputError`` where both are given or a name is unknown.
    """
    if level is None:
        engine = build_engine(settings)
        if device != "cpu":
            _move_to(engine, settings, device)
        return engine, engine_label(settings)
    if plies is not None or settings.network is not None:
        raise InputError("give either --level or --plies and --network")
    from bgai.players.levels import find_level

    row = find_level(level)
    evaluator = row.make(0).evaluator
    if isinstance(evaluator, Lookahead):
        evaluator.threads = settings.threads
        return evaluator, f"level {row.name}"
    return Lookahead(evaluator, 0, threads=settings.threads), f"level {row.name}"


def _move_to(engine: Lookahead, settings: EngineSettings, device: str) -> None:
    from bgai.search.engine import HANDMADE

    with needs("train", f"--device {device}"):
        from bgai.evaluation.torch_evaluator import load_torch_evaluator

    name = settings.network or default_network()
    if name == HANDMADE:
        raise InputError(f"--device {device}: the hand-made evaluator runs on the CPU only")
    engine.evaluator = load_torch_evaluator(name, device)
    engine.piece = 512  # a GPU wants big batches


def utility_of(situation: Situation) -> LinearUtility:
    """What the player on roll plays for: points in money play, else the score.

    The cube stays where it is. In money play gammons count, with Jacoby too: the cube will be
    turned before most of them.
    """
    if situation.score is None:
        return MONEY
    from bgai.equity.stakes import match_stakes

    return dead_cube_utility(match_stakes(situation.cube, situation.score))


def roll_of_situation(situation: Situation, roll: str | None) -> Roll:
    """The roll given, else the one the identifier carries. Raises ``InputError``."""
    if is_over(situation.position):
        raise InputError("the game is over: one side has borne off all its checkers")
    if roll is not None:
        return parse_roll(roll)
    if situation.roll is None:
        raise InputError("no roll: give two dice after the ID, such as 31")
    return situation.roll


def chances_fields(chances: Chances, equity: float) -> dict[str, float]:
    """The six figures of a JSON answer."""
    figures = {
        key: round(float(chance), 6) for key, chance in zip(CHANCE_KEYS, chances, strict=True)
    }
    return figures | {"equity": round(equity, 6)}


def percent(chance: float) -> str:
    """``55.1``: a chance in per cent."""
    return f"{round(100 * chance, 1) + 0.0:.1f}"  # never -0.0


def chances_cells(chances: Sequence[float] | Chances) -> list[str]:
    """Five cells of a table row, in per cent."""
    return [percent(float(chance)) for chance in chances]


def print_table(headings: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> None:
    """A plain table; the first ``left`` columns are text, the others numbers."""
    widths = [max(len(row[i]) for row in (headings, *rows)) for i in range(len(headings))]
    for row in (headings, *rows):
        cells = [
            cell.ljust(width) if i < left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        print("  ".join(cells).rstrip())


def as_json(fields: dict[str, Any]) -> str:
    import json

    return json.dumps(fields)
