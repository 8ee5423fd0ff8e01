"""Sessions at a real board: matches or money games in table mode, with the record of incidents."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bgai.errors import InputError
from bgai.rules.game import Game, IllegalAct
from bgai.rules.game_json import terms_from_json, terms_to_json
from bgai.rules.match import Standing, Terms
from bgai.sessions.game_series import GameSeries, replay_games
from bgai.sessions.json_files import read_json, write_json
from bgai.sessions.table_mode import (
    Incident,
    TableEvent,
    TableGame,
    table_event_from_json,
    table_event_to_json,
)

FORMAT = "bgai table"
VERSION = 1


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


def table_session_to_json(session: TableSession) -> dict[str, Any]:
    """The session as a JSON object; lossless. Incidents are written out for readers."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "terms": terms_to_json(session.terms),
        "names": list(session.names),
        "over": session.is_over,
        "points": list(session.standing.points),
        "incidents": [
            {
                "game": number,
                "after_events": each.events,
                "kind": each.kind.value,
                "by": None if each.seat is None else session.names[each.seat],
                "dice": each.roll and list(each.roll),
                "fault": each.fault and each.fault.value,
                "why": each.why,
            }
            for number, each in session.incidents
        ],
        "games": [
            {
                "points": list(record.standing.points),
                "events": [table_event_to_json(event) for event in record.events],
            }
            for record in session.records
        ],
    }


def table_session_from_json(data: Any) -> TableSession:
    """Read :func:`table_session_to_json`; every event is checked. Raises ``InputError``."""
    try:
        first, second = (str(name) for name in data["names"])
        games = [
            [table_event_from_json(event) for event in game["events"]] for game in data["games"]
        ]
        over = bool(data["over"])
    except InputError:
        raise
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"not a saved table: {type(error).__name__} {error}") from None
    session = TableSession(terms_from_json(data.get("terms")), (first, second))
    session.replay(games)
    if over and not session.is_over:
        session.close()
    return session


def save_table(session: TableSession, path: Path) -> None:
    """Write the session to ``path``, whole or not at all."""
    write_json(table_session_to_json(session), path)


def load_table(path: Path) -> TableSession:
    """Read a saved session. Raises ``InputError`` naming the file and what is wrong in it."""
    return read_json(path, FORMAT, VERSION, table_session_from_json)
