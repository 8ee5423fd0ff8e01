"""Sessions on disk: one versioned JSON file each."""

from dataclasses import dataclass
from typing import Annotated

from bgai.codec import Format
from bgai.errors import InputError
from bgai.rules.acts import Act
from bgai.rules.match import Terms
from bgai.sessions.dice import Dice
from bgai.sessions.session import Seat, Session


@dataclass(frozen=True)
class _Game:
    """A game, with the standing before it for readers; it follows from the games before."""

    points: tuple[int, int]
    crawford: bool
    acts: list[Act]


@dataclass(frozen=True)
class _Contents:
    terms: Terms
    seats: tuple[Seat, Seat]
    starter: int | None
    dice: Dice
    over: bool
    games: list[_Game]


def _contents(session: Session) -> _Contents:
    games = [
        _Game(each.standing.points, each.standing.crawford, each.acts) for each in session.records
    ]
    return _Contents(
        session.terms, session.seats, session.starter, session.dice, session.is_over, games
    )


def _build(saved: _Contents) -> Session:
    if not saved.games:
        raise InputError("games: there is none")
    if saved.starter not in (None, 0, 1):
        raise InputError(f"starter: must be 0, 1 or null, not {saved.starter}")
    session = Session(saved.terms, saved.seats, saved.dice, starter=saved.starter)
    session.replay(game.acts for game in saved.games)
    if saved.over and not session.is_over:
        session.close()
    return session


SESSIONS = Format("bgai session", 1, _Contents, _contents, _build)
"""Saved sessions; every act is checked on reading."""
SavedSession = Annotated[Session, SESSIONS.leaf]
"""A session inside another file."""
