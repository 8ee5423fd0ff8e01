"""What the commands that judge positions share: the engine, the stakes, words and numbers."""

from collections.abc import Sequence
from typing import Any

from bgai.errors import InputError
from bgai.evaluation.evaluator import Chances
from bgai.notation.situation import Situation
from bgai.rules.dice import Roll, parse_roll
from bgai.rules.position import is_over

CHANCE_KEYS = ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon")
CHANCE_HEADINGS = ("win", "gammon", "bg", "lose g", "bg")


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

    return json.dumps(fields, allow_nan=False)
