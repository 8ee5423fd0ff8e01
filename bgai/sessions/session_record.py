"""Sessions played here as match records, and records from any file people have."""

from pathlib import Path

from bgai.codec import format_name
from bgai.notation.entries import Reading
from bgai.notation.record import MatchRecord, RecordedGame, Result
from bgai.notation.record_files import read_records
from bgai.rules.game import Game
from bgai.sessions.session import GameRecord, Session
from bgai.sessions.session_file import SESSIONS


def session_record(session: Session) -> MatchRecord:
    """The record of a session so far.

    A game that has not begun is left out, and so is one from a position set up: no record has a
    place for it.
    """
    games = [
        _game(record, session) for record in session.records if record.acts and not record.start
    ]
    first, second = (seat.name for seat in session.seats)
    return MatchRecord((first, second), session.terms, tuple(games), {"source": "bgai play"})


def _game(record: GameRecord, session: Session) -> RecordedGame:
    game = Game(standing=record.standing, rules=session.terms.rules)
    for act in record.acts:
        game = game.after(act)
    won = game.outcome
    result = None if won is None else Result(won.winner, won.points, won.ending)
    return RecordedGame(record.standing, tuple(record.acts), result)


def read_any(path: Path) -> list[Reading]:
    """The records of a file, and what was wrong in each. Raises ``InputError``."""
    if path.suffix.lower() == ".json" and format_name(path) == SESSIONS.name:
        return [Reading(session_record(SESSIONS.read(path)))]
    return read_records(path)
