"""What a saved game of any kind says about itself."""

from pathlib import Path

from bgai.codec import format_name
from bgai.dicegames.series import SERIES, Series
from bgai.sessions.chouette import CHOUETTES, Chouette
from bgai.sessions.consultation import CONSULTATIONS, Consultation
from bgai.sessions.session import Session
from bgai.sessions.session_file import SESSIONS
from bgai.sessions.table_session import TABLES, TableSession
from bgai.sessions.team import TEAM_MATCHES, TeamMatch
from bgai.table_answers import (
    ChouetteAnswer,
    ChouetteRow,
    DiceSeat,
    DiceSheetAnswer,
    IncidentAnswer,
    PairsAnswer,
    PairsGame,
    SavedAnswer,
    SessionAnswer,
    TableAnswer,
    TeamAnswer,
)
from bgai.ui.terminal import words
from bgai.ui.terminal.chouette_words import sheet_lines
from bgai.ui.terminal.dice_words import sheet_of
from bgai.ui.terminal.real_board import incident_text
from bgai.ui.terminal.shared import pairs_lines, team_lines


def saved_summary(path: Path) -> tuple[list[str], SavedAnswer]:
    """Lines for people, and the answer. Raises ``InputError``."""
    match format_name(path):
        case SERIES.name:
            series = SERIES.read(path)
            return sheet_of(series), dice_answer(series)
        case CHOUETTES.name:
            chouette = CHOUETTES.read(path)
            return sheet_lines(chouette), chouette_answer(chouette)
        case CONSULTATIONS.name:
            pairs = CONSULTATIONS.read(path)
            return pairs_lines(pairs), pairs_answer(pairs)
        case TEAM_MATCHES.name:
            team = TEAM_MATCHES.read(path)
            return team_lines(team), team_answer(team)
        case TABLES.name:
            table = TABLES.read(path)
            return _table_lines(table), table_answer(table)
    session = SESSIONS.read(path)
    names = [seat.name for seat in session.seats]
    lines = [words.score_text(session.terms, session.standing, names) + "."]
    return lines, session_answer(session)


def dice_answer(series: Series) -> DiceSheetAnswer:
    """A series of a dice game."""
    sheet = [DiceSeat(name=name, won=won, points=points) for name, won, points in series.sheet()]
    return DiceSheetAnswer(over=series.is_over, game=series.kit.name, sheet=sheet)


def chouette_answer(table: Chouette) -> ChouetteAnswer:
    """A chouette's sheet."""
    names = [seat.name for seat in table.seats]
    rows = [
        ChouetteRow(box=names[row.box], captain=names[row.captain], points=list(row.points))
        for row in table.sheet
    ]
    totals = dict(zip(names, table.totals(), strict=True))
    return ChouetteAnswer(over=table.is_over, games=len(rows), totals=totals, sheet=rows)


def pairs_answer(table: Consultation) -> PairsAnswer:
    """Consultation pairs."""
    return PairsAnswer(
        over=table.session.is_over,
        pairs=[[seat.name for seat in pair.members] for pair in table.pairs],
        points=list(table.session.standing.points),
        games=[
            PairsGame(rolled=list(rollers), points=list(points))
            for _, rollers, points in table.sheet()
        ],
    )


def team_answer(table: TeamMatch) -> TeamAnswer:
    """A team match."""
    winner = table.winner
    return TeamAnswer(
        over=table.is_over,
        teams=[each.name for each in table.teams],
        boards_won=[table.boards_won(0), table.boards_won(1)],
        points=[list(board.standing.points) for board in table.sessions],
        winner=None if winner is None else table.teams[winner].name,
    )


def table_answer(table: TableSession) -> TableAnswer:
    """A game at a real board."""
    return TableAnswer(
        over=table.is_over,
        names=list(table.names),
        points=list(table.standing.points),
        incidents=[
            IncidentAnswer(
                game=game,
                after_events=each.events,
                kind=each.kind.value,
                by=None if each.seat is None else table.names[each.seat],
                dice=None if each.roll is None else str(each.roll),
                fault=each.fault,
                why=each.why,
            )
            for game, each in table.incidents
        ],
    )


def session_answer(session: Session) -> SessionAnswer:
    """A match or money game of two."""
    return SessionAnswer(
        over=session.is_over,
        names=[seat.name for seat in session.seats],
        points=list(session.standing.points),
        games=session.game_number,
    )


def _table_lines(table: TableSession) -> list[str]:
    lines = [words.score_text(table.terms, table.standing, table.names) + "."]
    return lines + (
        [
            f"  game {number}: {incident_text(incident, table.names)}"
            for number, incident in table.incidents
        ]
        or ["  No incidents."]
    )
