"""The ladder of opponents by performance rating: how each errs, and what it was measured at.

``ladder.json`` is written by scripts/measure_levels.py.
"""

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources

from bgai.players.rated import Slips

FILE = "ladder.json"


@dataclass(frozen=True, slots=True)
class Measured:
    """Performance ratings by the judge, with the standard error of all, over so many games."""

    rating: float
    error: float
    plays: float
    cube: float
    games: int


@dataclass(frozen=True, slots=True)
class Rung:
    """One opponent: its name, the rating it stands for, who plays like it, and how it errs."""

    name: str
    rating: float
    who: str
    plies: int
    slips: Slips
    measured: Measured | None = None

    @property
    def words(self) -> str:
        """What the card says: ``PR 8, a good club player (measured 8.2 ± 0.3)``."""
        found = self.measured
        said = "" if found is None else f" (measured {found.rating:.1f} ± {found.error:.1f})"
        return f"PR {self.rating:g}, {self.who}{said}"


@cache
def rungs() -> tuple[Rung, ...]:
    """The opponents, the weakest first."""
    text = resources.files("bgai.players").joinpath(FILE).read_text(encoding="utf-8")
    return tuple(
        Rung(
            name=row["name"],
            rating=row["rating"],
            who=row["who"],
            plies=row["plies"],
            slips=Slips(row["spread"], row["most"], row["patience"]),
            measured=Measured(**row["measured"]) if row.get("measured") else None,
        )
        for row in json.loads(text)
    )
