"""Sessions on disk: one versioned JSON file each."""

from dataclasses import dataclass, replace
from typing import Annotated

from bgai.codec import Format
from bgai.errors import InputError
from bgai.notation.identifiers import parse_identifier
from bgai.notation.situation import Seat as Seats
from bgai.notation.xgid import format_xgid
from bgai.players.situation import game_situation, situation_game
from bgai.rules.acts import Act
from bgai.rules.game import Game
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
    start: str | None = None
    """The XGID of the position the first game was set up in, seat 0 at the bottom."""


def _contents(session: Session) -> _Contents:
    games = [
        _Game(each.standing.points, each.standing.crawford, each.acts) for each in session.records
    ]
    start = session.records[0].start
    return _Contents(
        session.terms, session.seats, session.starter, session.dice, session.is_over, games,
        None if start is None else format_xgid(game_situation(start)),
    )  # fmt: skip


def _build(saved: _Contents) -> Session:
    if not saved.games:
        raise InputError("games: there is none")
    if saved.starter not in (None, 0, 1):
        raise InputError(f"starter: must be 0, 1 or null, not {saved.starter}")
    start = None if saved.start is None else _start(saved.start, saved.terms)
    session = Session(saved.terms, saved.seats, saved.dice, starter=saved.starter, start=start)
    session.replay(game.acts for game in saved.games)
    if saved.over and not session.is_over:
        session.close()
    return session


def _start(text: str, terms: Terms) -> Game:
    try:
        situation = parse_identifier(text)
        game = situation_game(situation, 0 if situation.seat is Seats.BOTTOM else 1)
    except InputError as error:
        raise InputError(f"start: {error}") from None
    if game.standing.length != terms.length:
        raise InputError("start: its match is of another length than the terms")
    return replace(game, rules=terms.rules)


SESSIONS = Format("bgai session", 1, _Contents, _contents, _build)
"""Saved sessions; every act is checked on reading."""
SavedSession = Annotated[Session, SESSIONS.leaf]
"""A session inside another file."""
