"""`bgai play`: a game, match or money session against the program in the terminal."""

import secrets
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bgai.errors import InputError
from bgai.program import INTERRUPTED
from bgai.ui.options import DiceOptions, KeptOptions, TermsOptions, bundled

if TYPE_CHECKING:
    from bgai.rules.match import Terms
    from bgai.sessions.dice import DiceSource
    from bgai.sessions.session import Session
    from bgai.ui.terminal.screen import Screen


class Starter(StrEnum):
    """Who plays first in each game."""

    DICE = "dice"
    ME = "me"
    PROGRAM = "program"


def register(app: typer.Typer) -> None:
    """Add ``bgai play`` to the program."""
    app.command()(bundled(play))


def play(
    played: TermsOptions,
    rolled: DiceOptions,
    kept: KeptOptions,
    level: Annotated[
        str, typer.Option(help="The program: a level (--levels lists them) or NETWORK@PLIES.")
    ] = "best",
    levels: Annotated[bool, typer.Option("--levels", help="List the levels and stop.")] = False,
    first: Annotated[
        Starter, typer.Option(help="Who starts each game; by the rules the opening dice decide.")
    ] = Starter.DICE,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the last unfinished game.")
    ] = False,
    new: Annotated[
        bool, typer.Option("--new", help="Start a new game without asking about an unfinished one.")
    ] = False,
    chouette: Annotated[
        str | None,
        typer.Option(
            metavar="PLAYERS",
            help="Chouette of 3 to 8 players, commas between: me, a level, NAME=LEVEL or "
            "NAME=person. See also bgai session.",
        ),
    ] = None,
    one_cube: Annotated[
        bool, typer.Option("--one-cube", help="Chouette: one cube for the whole team.")
    ] = False,
) -> None:
    """Play backgammon against the program: money, or a match with --match N.

    Everything is explained on the screen; type help at any prompt. The game is saved after
    every act, and bgai play --resume goes on with it exactly where it stopped.

    With --chouette me,strong,casual several play, one against all the others; bgai session
    has chouettes too, pairs, team matches and a table mode for people with a real board.
    """
    from bgai.ui.terminal.sitting import SETTING_UP, saved_table, sit_down

    if levels:
        _list_levels()
        return
    if resume and new:
        raise InputError("give either --resume or --new, not both")
    screen, file = kept.screen(), kept.file
    path = _path_to_resume(screen, resume, new, kept)
    if path is not None:
        with screen.busy(SETTING_UP):
            saved = saved_table(screen, path, ours=file is None)
        sit_down(screen, lambda: saved)
        return
    if file is not None and file.exists():
        raise InputError(f"{file} exists; without --new that game goes on")
    if chouette is not None:
        from bgai.ui.commands.session import start_chouette

        _refuse_with_chouette(played, first)
        start_chouette(chouette, played, rolled, kept, played.games, one_cube)
        return
    if one_cube:
        raise InputError("--one-cube is for a chouette: give --chouette PLAYERS too")
    session = _new_session(played.terms, level, rolled.source(), first)
    from bgai.sessions.saves import new_path
    from bgai.ui.terminal.game import TerminalTable

    place, ours = file or new_path(), file is None
    sit_down(screen, lambda: TerminalTable(session, screen, place, path_is_ours=ours))


def _refuse_with_chouette(played: TermsOptions, first: Starter) -> None:
    """Raise ``InputError`` for options that have no meaning among several players."""
    given = {"--match": played.match is not None, "--margin": played.margin is not None}
    given["--first"] = first is not Starter.DICE
    for name, there in given.items():
        if there:
            raise InputError(f"{name} has no meaning in a chouette")


def _list_levels() -> None:
    from bgai.evaluation.plugins import OFFERED, plugin_names
    from bgai.players.engines import BEST, LEVELS

    for name in plugin_names():
        typer.echo(f"{name:<12} {OFFERED}")
    for row in LEVELS:
        typer.echo(f"{row.name:<12} {row.description}")
    typer.echo(f"{BEST:<12} the strongest, now {LEVELS[-1].name}; the default")


def _path_to_resume(screen: "Screen", resume: bool, new: bool, kept: KeptOptions) -> Path | None:
    """The saved game to go on with, or None for a new one; asks where that isn't said."""
    from bgai.sessions.saves import latest_unfinished

    if resume:
        return kept.to_resume()
    if kept.file is not None:
        return kept.file if kept.file.exists() and not new else None
    # Only a person can be asked: a script that pipes in plays begins a new game.
    found = None if new or not screen.is_terminal else latest_unfinished()
    if found is None:
        return None
    from bgai.ui.terminal.screen import InputEnded

    try:
        answer = screen.ask("There is an unfinished game. Go on with it? [Y/n] ")
    except (KeyboardInterrupt, InputEnded):
        raise typer.Exit(INTERRUPTED) from None
    return None if answer.strip().lower().startswith("n") else found


def _new_session(terms: "Terms", level: str, source: "DiceSource", first: Starter) -> "Session":
    from bgai.players.engines import engine
    from bgai.sessions.dice import SeededDice
    from bgai.sessions.session import Seat, Session

    name = engine(level).name
    # The same --seed gives the same game from a weak level too, whose misjudgements are seeded.
    seed = source.seed if isinstance(source, SeededDice) else secrets.randbelow(10**9)
    seats = (Seat("You"), Seat("bgai", name, seed))
    starter = {Starter.DICE: None, Starter.ME: 0, Starter.PROGRAM: 1}[first]
    return Session(terms, seats, source, starter=starter)
