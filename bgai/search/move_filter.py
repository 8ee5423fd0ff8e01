"""Move filters: which plays are worth a deeper look.

A search of n plies judges all plays at 0-ply, keeps some, judges those at 1-ply, keeps some,
and so on to n. A filter keeps the best ``always`` plays and up to ``extra`` more whose worth
is within ``within`` points of the best.
"""

from dataclasses import dataclass

from bgai.errors import InputError

EVERYTHING = 4096
"""More plays than one roll can have."""


@dataclass(frozen=True)
class MoveFilter:
    """Keeps the best ``always`` plays, then up to ``extra`` within ``within`` points."""

    always: int = 1
    extra: int = 0
    within: float = 0.0

    def __post_init__(self) -> None:
        if self.always < 1 or self.extra < 0 or self.within < 0:
            raise InputError(
                f"a move filter keeps at least one play and never less than none more: {self}"
            )


KEEP_ALL = MoveFilter(always=EVERYTHING)
Filters = tuple[MoveFilter, ...]
"""One filter for each ply from 0: ``filters[k]`` chooses who goes from ply k to ply k + 1."""

FILTER_SETS: dict[str, Filters] = {
    "narrow": (MoveFilter(1, 4, 0.08), MoveFilter(1, 1, 0.03), MoveFilter(1, 1, 0.02)),
    "normal": (MoveFilter(1, 7, 0.16), MoveFilter(1, 3, 0.06), MoveFilter(1, 1, 0.04)),
    "wide": (MoveFilter(2, 14, 0.32), MoveFilter(2, 6, 0.16), MoveFilter(2, 2, 0.08)),
    "all": (KEEP_ALL,) * 3,
}
"""Filters by name, each for up to three plies."""


def filters_named(name: str) -> Filters:
    """A set of ``FILTER_SETS``. Raises ``InputError``."""
    if name not in FILTER_SETS:
        raise InputError(f"no move filters '{name}'; there are {', '.join(FILTER_SETS)}")
    return FILTER_SETS[name]
