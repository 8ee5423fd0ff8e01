"""Sessions at a real board: matches or money games in table mode, with the record of incidents."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from bgai.codec import Format
from bgai.errors import InputError
from bgai.rules.dice import Roll
from bgai.rules.game import Game, IllegalAct
from bgai.rules.match import Standing, Terms
from bgai.sessions.game_series import GameSeries, replay_games
from bgai.sessions.irregular import Fault
from bgai.sessions.table_mode import Incident, TableEvent, TableGame


@dataclass(slots=True)
class TableRecord:
    """One game: the standing it began with and its events."""

    standing: Standing
    events: list[TableEvent] = field(default_factory=list)


class TableSession(GameSeries[TableRecord]):
    """The games of two people at a real board up to the present moment."""

    def __init__(self, terms: Terms, names: tuple[str, str]) -> None:
        if names[0].lower() == names[1].lower():
            raise InputError(f"two players are called {names[0]}; give one another name")
        self.terms = terms
        self.names = names
        self.closed = False
        self.records = [TableRecord(Standing.start(terms.length))]
        self.finished: list[tuple[int, Incident]] = []
        self.table = self._new_game()

    def _new_game(self) -> TableGame:
        return TableGame(Game(standing=self.records[-1].standing, rules=self.terms.rules))

    @property
    def game(self) -> Game:
        """The state of the current game; a play not yet final isn't in it."""
        return self.table.game

    @property
    def incidents(self) -> list[tuple[int, Incident]]:
        """Every incident with the number of its game."""
        return [*self.finished, *((self.game_number, each) for each in self.table.incidents)]

    def do(self, event: TableEvent) -> TableGame:
        """Note an event; the state after it. Raises ``InputError`` where it can't happen."""
        self.table = self.table.after(event)
        self.records[-1].events.append(event)
        return self.table

    def take_back(self) -> bool:
        """Strike the last event of the current game (a slip in typing); False if there is none."""
        events = self.records[-1].events
        if not events:
            return False
        kept = events[:-1]
        events.clear()
        self.closed = False
        self.table = self._new_game()
        for event in kept:
            self.do(event)
        return True

    def next_game(self) -> TableGame:
        """Start the next game. Raises ``IllegalAct`` while one is on or after the last."""
        if not self.game.is_over or self.is_over:
            raise IllegalAct("no game follows" if self.is_over else "the game isn't over")
        self.finished = self.incidents
        self.records.append(TableRecord(self.standing))
        self.table = self._new_game()
        return self.table

    def replay(self, games: Iterable[Iterable[TableEvent]]) -> None:
        """Note recorded events again. Raises ``InputError`` naming game and event."""
        replay_games(self, games, each_is="event")


@dataclass(frozen=True)
class _Incident:
    """An incident written out for readers; it follows from the events."""

    game: int
    after_events: int
    kind: str
    by: str | None
    dice: Roll | None
    fault: Fault | None
    why: str


@dataclass(frozen=True)
class _Game:
    points: tuple[int, int]
    events: list[TableEvent]


@dataclass(frozen=True)
class _Contents:
    terms: Terms
    names: tuple[str, str]
    over: bool
    points: tuple[int, int]
    incidents: list[_Incident]
    games: list[_Game]


def _contents(session: TableSession) -> _Contents:
    incidents = [
        _Incident(
            number,
            each.events,
            each.kind.value,
            None if each.seat is None else session.names[each.seat],
            each.roll,
            each.fault,
            each.why,
        )
        for number, each in session.incidents
    ]
    games = [_Game(record.standing.points, record.events) for record in session.records]
    return _Contents(
        session.terms, session.names, session.is_over, session.standing.points, incidents, games
    )


def _build(saved: _Contents) -> TableSession:
    session = TableSession(saved.terms, saved.names)
    session.replay(game.events for game in saved.games)
    if saved.over and not session.is_over:
        session.close()
    return session


TABLES = Format("bgai table", 1, _Contents, _contents, _build)
"""Saved sessions at a real board; every event is checked on reading."""
