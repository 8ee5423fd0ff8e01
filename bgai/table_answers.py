"""Answers about kept and simulated games of every format: what ``bgai session … --json`` prints.

Points are counted in the format's own way: a chouette's and a money game's sum to nothing, a
match's are those of its score. Lists of one entry a seat are in the order of the seats.
"""

from typing import Literal

from bgai.answers import Answer, DiceText


class ChouetteRow(Answer):
    """One game of a chouette: who sat where, and what each seat won."""

    box: str
    captain: str
    points: list[int]


class ChouetteAnswer(Answer):
    """The score sheet of a chouette."""

    kind: Literal["chouette"] = "chouette"
    over: bool
    games: int
    totals: dict[str, int]
    sheet: list[ChouetteRow]


class PairsGame(Answer):
    """One game of pairs: who rolled for either pair, and the points of both."""

    rolled: list[str]
    points: list[int]


class PairsAnswer(Answer):
    """Consultation pairs."""

    kind: Literal["pairs"] = "pairs"
    over: bool
    pairs: list[list[str]]
    points: list[int]
    games: list[PairsGame]


class TeamAnswer(Answer):
    """A team match; ``points`` are those of each board."""

    kind: Literal["team"] = "team"
    over: bool
    teams: list[str]
    boards_won: list[int]
    points: list[list[int]]
    winner: str | None


class TeamMatchesAnswer(Answer):
    """Team matches that programs played one after another."""

    matches: list[TeamAnswer]


class IncidentAnswer(Answer):
    """Something at a real board that the strict rules don't know."""

    game: int
    after_events: int
    kind: str
    by: str | None
    dice: DiceText | None
    fault: str | None
    why: str


class TableAnswer(Answer):
    """A game at a real board."""

    kind: Literal["table"] = "table"
    over: bool
    names: list[str]
    points: list[int]
    incidents: list[IncidentAnswer]


class SessionAnswer(Answer):
    """A match or money game of two; ``games`` counts the one that is on."""

    kind: Literal["session"] = "session"
    over: bool
    names: list[str]
    points: list[int]
    games: int


class DiceSeat(Answer):
    """A seat of a dice game's running sheet; ``points`` are those of the stakes."""

    name: str
    won: int
    points: int


class DiceSheetAnswer(Answer):
    """A series of one of the five dice games."""

    kind: Literal["dice"] = "dice"
    over: bool
    game: str
    sheet: list[DiceSeat]


SavedAnswer = (
    ChouetteAnswer | PairsAnswer | TeamAnswer | TableAnswer | SessionAnswer | DiceSheetAnswer
)
"""What a saved game of any kind says about itself; ``kind`` tells which."""
