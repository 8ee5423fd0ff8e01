"""`bgai play`: a game, match or money session against the program in the terminal."""

import secrets
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bgai.errors import InputError

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


class Dice(StrEnum):
    """Who rolls the dice."""

    PROGRAM = "program"
    MANUAL = "manual"


def register(app: typer.Typer) -> None:
    """Add ``bgai play`` to the program."""
    app.command()(play)


def play(
    match: Annotated[
        int | None, typer.Option("--match", min=1, help="Match to so many points.")
    ] = None,
    games: Annotated[
        int | None, typer.Option(min=1, help="Money: stop after so many games.")
    ] = None,
    margin: Annotated[
        int | None, typer.Option(min=1, help="Money: stop when one is so many points ahead.")
    ] = None,
    level: Annotated[
        str, typer.Option(help="Strength of the program; --levels lists them.")
    ] = "best",
    levels: Annotated[bool, typer.Option("--levels", help="List the levels and stop.")] = False,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Seed of the dice; shown at the end.")
    ] = None,
    dice: Annotated[
        Dice, typer.Option(help="manual: you enter the dice of a real board.")
    ] = Dice.PROGRAM,
    first: Annotated[
        Starter, typer.Option(help="Who starts each game; by the rules the opening dice decide.")
    ] = Starter.DICE,
    jacoby: Annotated[bool, typer.Option(help="Money: gammons count only after a double.")] = True,
    beavers: Annotated[
        int, typer.Option(min=0, help="Money: redoubles at once: 0 none, 1 beavers, 2 raccoons.")
    ] = 1,
    automatic: Annotated[
        int, typer.Option(min=0, help="Money: how often equal opening dice double the cube.")
    ] = 0,
    max_cube: Annotated[int | None, typer.Option(min=1, help="Highest value of the cube.")] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the last unfinished game.")
    ] = False,
    new: Annotated[
        bool, typer.Option("--new", help="Start a new game without asking about an unfinished one.")
    ] = False,
    file: Annotated[
        Path | None,
        typer.Option(dir_okay=False, help="The file to keep the game in or go on from."),
    ] = None,
    ascii_only: Annotated[bool, typer.Option("--ascii", help="Plain characters only.")] = False,
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

    With --chouette me,expert,casual several play, one against all the others; bgai session
    has chouettes too, pairs, team matches and a table mode for people with a real board.
    """
    from bgai.rules.cube import HouseRules
    from bgai.rules.match import Terms
    from bgai.ui.terminal.screen import Screen
    from bgai.ui.terminal.sitting import SETTING_UP, saved_table, sit_down

    if levels:
        _list_levels()
        return
    if resume and new:
        raise InputError("give either --resume or --new, not both")
    screen = Screen(ascii_only=ascii_only)
    path = _path_to_resume(screen, resume, new, file)
    if path is not None:
        with screen.busy(SETTING_UP):
            saved = saved_table(screen, path, ours=file is None)
        sit_down(screen, lambda: saved)
        return
    if file is not None and file.exists():
        raise InputError(f"{file} exists; without --new that game goes on")
    rules = HouseRules(jacoby, beavers, automatic, max_cube)
    if chouette is not None:
        from bgai.ui.commands.session import start_chouette

        _refuse_with_chouette(match, margin, first)
        start_chouette(chouette, rules, one_cube, games, _source(dice, seed), file, screen)
        return
    if one_cube:
        raise InputError("--one-cube is for a chouette: give --chouette PLAYERS too")
    session = _new_session(Terms(match, rules, games, margin), level, _source(dice, seed), first)
    from bgai.sessions.saves import new_path
    from bgai.ui.terminal.game import TerminalTable

    kept, ours = file or new_path(), file is None
    sit_down(screen, lambda: TerminalTable(session, screen, kept, path_is_ours=ours))


def _refuse_with_chouette(match: int | None, margin: int | None, first: Starter) -> None:
    """Raise ``InputError`` for options that have no meaning among several players."""
    given = {"--match": match is not None, "--margin": margin is not None}
    given["--first"] = first is not Starter.DICE
    for name, there in given.items():
        if there:
            raise InputError(f"{name} has no meaning in a chouette")


def _list_levels() -> None:
    from bgai.players.levels import BEST, LEVELS

    for row in LEVELS:
        typer.echo(f"{row.name:<12} {row.description}")
    typer.echo(f"{BEST:<12} the strongest, now {LEVELS[-1].name}; the default")


def _path_to_resume(screen: "Screen", resume: bool, new: bool, file: Path | None) -> Path | None:
    """The saved game to go on with, or None for a new one; asks where that isn't said."""
    from bgai.sessions.saves import latest_unfinished, unfinished_path

    if file is not None:
        return file if resume or (file.exists() and not new) else None
    if resume:
        return unfinished_path()
    # Only a person can be asked: a script that pipes in plays begins a new game.
    found = None if new or not screen.is_terminal else latest_unfinished()
    if found is None:
        return None
    from bgai.ui.terminal.screen import InputEnded
    from bgai.ui.terminal.sitting import INTERRUPTED

    try:
        answer = screen.ask("There is an unfinished game. Go on with it? [Y/n] ")
    except (KeyboardInterrupt, InputEnded):
        raise typer.Exit(INTERRUPTED) from None
    return None if answer.strip().lower().startswith("n") else found


def _source(dice: Dice, seed: int | None) -> "DiceSource":
    from bgai.sessions.dice import ManualDice, SeededDice

    if dice is Dice.MANUAL:
        if seed is not None:
            raise InputError("--seed has no meaning with --dice manual")
        return ManualDice()
    return SeededDice(secrets.randbelow(10**9) if seed is None else seed)


def _new_session(terms: "Terms", level: str, source: "DiceSource", first: Starter) -> "Session":
    from bgai.players.levels import find_level
    from bgai.sessions.dice import SeededDice
    from bgai.sessions.session import Seat, Session

    name = find_level(level).name
    # The same --seed gives the same game from a weak level too, whose misjudgements are seeded.
    seed = source.seed if isinstance(source, SeededDice) else secrets.randbelow(10**9)
    seats = (Seat("You"), Seat("bgai", name, seed))
    starter = {Starter.DICE: None, Starter.ME: 0, Starter.PROGRAM: 1}[first]
    return Session(terms, seats, source, starter=starter)
