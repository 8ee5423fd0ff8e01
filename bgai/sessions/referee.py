"""The referee plays a session between two players and reports every event."""

from collections.abc import Iterator
from dataclasses import dataclass

from bgai.players.player import Player, decide
from bgai.rules.acts import Act
from bgai.rules.game import Game, Outcome, Phase
from bgai.rules.match import Standing
from bgai.sessions.session import Session


@dataclass(frozen=True, slots=True)
class GameStarted:
    """A game begins at this standing."""

    number: int
    standing: Standing


@dataclass(frozen=True, slots=True)
class Acted:
    """An act; ``seat`` made it (None: the opening dice of both)."""

    seat: int | None
    act: Act
    before: Game
    after: Game


@dataclass(frozen=True, slots=True)
class GameEnded:
    """A game is over; ``standing`` counts its points."""

    number: int
    outcome: Outcome
    standing: Standing


@dataclass(frozen=True, slots=True)
class SessionEnded:
    """No further game follows."""

    standing: Standing


Event = GameStarted | Acted | GameEnded | SessionEnded


def step(session: Session, players: tuple[Player, Player]) -> Acted:
    """One act of the current game: the roll it waits for, or what the player decides.

    Raises ``IllegalAct`` when a player breaks the rules or the game is over.
    """
    before = session.game
    seat = before.actor
    act = None if seat is None else decide(players[seat], before)
    if act is None:
        act = session.roll()
    else:
        session.do(act)
    return Acted(seat, act, before, session.game)


def play(session: Session, players: tuple[Player, Player]) -> Iterator[Event]:
    """Play the session from where it stands to its end, yielding each event after it happened.

    A money session without an end goes on until the caller stops asking.
    """
    while True:
        if session.game.phase is Phase.OPENING and not session.records[-1].acts:
            yield GameStarted(session.game_number, session.standing)
        while not session.game.is_over:
            yield step(session, players)
        outcome = session.game.outcome
        assert outcome is not None
        yield GameEnded(session.game_number, outcome, session.standing)
        if session.is_over:
            yield SessionEnded(session.standing)
            return
        session.next_game()
