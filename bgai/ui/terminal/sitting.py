"""Sitting down at a table in the terminal: a new one or a saved one, of whatever kind."""

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Protocol, TypeVar

import typer

from bgai.claims import Claim
from bgai.errors import InputError
from bgai.program import INTERRUPTED, apart
from bgai.ui.terminal.screen import InputEnded, Screen
from bgai.ui.terminal.table import KeptTable, Leave

G = TypeVar("G", contravariant=True)
SETTING_UP = "Setting up the board ..."


class Lay(Protocol[G]):
    """Lays a table for a game of its kind."""

    def __call__(
        self, game: G, screen: Screen, path: Path, /, *, path_is_ours: bool
    ) -> KeptTable: ...


def sit_down(screen: Screen, lay: Callable[[], KeptTable]) -> None:
    """Lay the table and play; how to go on is said when somebody leaves before the end."""
    with screen.busy(SETTING_UP):
        table = apart(lay)
        apart(table.warm_up)
    code = 0
    try:
        table.run()
    except Leave:
        screen.show(_how_to_resume(table))
    except (KeyboardInterrupt, InputEnded) as stopped:
        screen.show("", _how_to_resume(table))
        code = INTERRUPTED if isinstance(stopped, KeyboardInterrupt) else 1
    finally:
        table.claim.release()
    if table.unsaved is not None and code != INTERRUPTED:
        raise table.unsaved
    if code:
        raise typer.Exit(code)


def sit_down_to_new(lay: Lay[G], game: G, screen: Screen, file: Path | None) -> None:
    """Begin a game at a table of its kind, kept in ``file`` or where nobody chose one.

    Raises ``InputError`` where that file exists.
    """
    path, ours = file_for_new(file)
    sit_down(screen, lambda: lay(game, screen, path, path_is_ours=ours))


def saved_table(screen: Screen, path: Path, *, ours: bool) -> KeptTable:
    """The table a saved game was played at.

    Raises ``InputError`` where it is finished or another program goes on with it.
    """
    with Claim(path):
        return _laid(screen, path, ours=ours)


def _laid(screen: Screen, path: Path, *, ours: bool) -> KeptTable:
    from bgai.codec import format_name
    from bgai.sessions import chouette, consultation, table_session, team

    table: KeptTable
    match format_name(path):
        case "bgai dice games":
            from bgai.dicegames.series import SERIES
            from bgai.ui.terminal.dice_game import DiceTable

            series = SERIES.read(path)
            _refuse_finished(path, series.is_over)
            table = DiceTable(series, screen, path, path_is_ours=ours)
        case chouette.CHOUETTES.name:
            from bgai.ui.terminal.chouette import ChouetteTable

            loaded = chouette.CHOUETTES.read(path)
            _refuse_finished(path, loaded.is_over)
            table = ChouetteTable(loaded, screen, path, path_is_ours=ours)
        case consultation.CONSULTATIONS.name:
            from bgai.ui.terminal.shared import PairsTable

            pairs = consultation.CONSULTATIONS.read(path)
            _refuse_finished(path, pairs.session.is_over)
            table = PairsTable(pairs, screen, path, path_is_ours=ours)
        case team.TEAM_MATCHES.name:
            from bgai.ui.terminal.shared import TeamTable

            match_ = team.TEAM_MATCHES.read(path)
            _refuse_finished(path, match_.is_over)
            table = TeamTable(match_, screen, path, path_is_ours=ours)
        case table_session.TABLES.name:
            from bgai.ui.terminal.real_board import RealBoard

            board = table_session.TABLES.read(path)
            _refuse_finished(path, board.is_over)
            table = RealBoard(board, screen, path, path_is_ours=ours)
        case _:
            from bgai.sessions.session_file import SESSIONS
            from bgai.ui.terminal.game import TerminalTable

            session = SESSIONS.read(path)
            _refuse_finished(path, session.is_over)
            table = TerminalTable(session, screen, path, path_is_ours=ours)
    return table


def _refuse_finished(path: Path, over: bool) -> None:
    if over:
        raise InputError(f"{path}: that game is finished")


def file_for_new(file: Path | None) -> tuple[Path, bool]:
    """Where a new game is kept, and whether nobody chose it. Raises ``InputError``."""
    if file is not None and file.exists():
        raise InputError(f"{file} exists; bgai session resume {file} goes on with it")
    if file is not None:
        return file, False
    from bgai.sessions.saves import new_path

    return new_path(), True


def _how_to_resume(table: KeptTable) -> str:
    if table.unsaved is not None:
        return "The game is not saved."
    how = "--resume" if table.path_is_ours else f"--file {shlex.quote(str(table.path))}"
    return f"The game is saved: {table.command} {how} goes on with it."
