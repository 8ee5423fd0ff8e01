"""What a saved game of any kind says about itself."""

from pathlib import Path
from typing import Any

from bgai.codec import format_name
from bgai.dicegames.series import SERIES
from bgai.sessions import chouette, consultation, table_session, team
from bgai.sessions.session_file import SESSIONS
from bgai.ui.terminal import words
from bgai.ui.terminal.chouette_words import sheet_lines
from bgai.ui.terminal.dice_words import sheet_of
from bgai.ui.terminal.real_board import incident_text
from bgai.ui.terminal.shared import pairs_lines, team_lines

Summary = tuple[list[str], dict[str, Any]]


def saved_summary(path: Path) -> Summary:
    """Lines for people and the fields of a JSON object. Raises ``InputError``."""
    match format_name(path):
        case SERIES.name:
            series = SERIES.read(path)
            game = {"game": series.kit.name, "sheet": series.sheet()}
            return sheet_of(series), {"kind": "dice", "over": series.is_over, **game}
        case chouette.CHOUETTES.name:
            return _chouette(path)
        case consultation.CONSULTATIONS.name:
            pairs = consultation.CONSULTATIONS.read(path)
            data = consultation.CONSULTATIONS.dump(pairs)
            points = list(pairs.session.standing.points)
            fields = {"pairs": data["pairs"], "points": points}
            return pairs_lines(pairs), {"kind": "pairs", "over": pairs.session.is_over, **fields}
        case team.TEAM_MATCHES.name:
            match_ = team.TEAM_MATCHES.read(path)
            won = [match_.boards_won(0), match_.boards_won(1)]
            names = [each.name for each in match_.teams]
            fields = {"teams": names, "boards_won": won}
            return team_lines(match_), {"kind": "team", "over": match_.is_over, **fields}
        case table_session.TABLES.name:
            return _table(path)
    return _session(path)


def _chouette(path: Path) -> Summary:
    table = chouette.CHOUETTES.read(path)
    names = [seat.name for seat in table.seats]
    fields = {
        "totals": dict(zip(names, table.totals(), strict=True)),
        "sheet": [list(row.points) for row in table.sheet],
    }
    return sheet_lines(table), {"kind": "chouette", "over": table.is_over, **fields}


def _table(path: Path) -> Summary:
    table = table_session.TABLES.read(path)
    lines = [words.score_text(table.terms, table.standing, table.names) + "."]
    lines += [
        f"  game {number}: {incident_text(incident, table.names)}"
        for number, incident in table.incidents
    ] or ["  No incidents."]
    data = table_session.TABLES.dump(table)
    fields = {key: data[key] for key in ("names", "points", "incidents")}
    return lines, {"kind": "table", "over": table.is_over, **fields}


def _session(path: Path) -> Summary:
    session = SESSIONS.read(path)
    names = [seat.name for seat in session.seats]
    lines = [words.score_text(session.terms, session.standing, names) + "."]
    points = list(session.standing.points)
    fields = {"names": names, "points": points, "games": session.game_number}
    return lines, {"kind": "session", "over": session.is_over, **fields}
