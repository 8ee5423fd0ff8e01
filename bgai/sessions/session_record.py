"""Sessions played here as match records."""

from bgai.notation.record import MatchRecord, RecordedGame, Result
from bgai.rules.game import Game
from bgai.sessions.session import GameRecord, Session


def session_record(session: Session) -> MatchRecord:
    """The record of a session so far; a game that has not begun is left out."""
    games = [_game(record, session) for record in session.records if record.acts]
    first, second = (seat.name for seat in session.seats)
    return MatchRecord((first, second), session.terms, tuple(games), {"source": "bgai play"})


def _game(record: GameRecord, session: Session) -> RecordedGame:
    game = Game(standing=record.standing, rules=session.terms.rules)
    for act in record.acts:
        game = game.after(act)
    won = game.outcome
    result = None if won is None else Result(won.winner, won.points, won.ending)
    return RecordedGame(record.standing, tuple(record.acts), result)
