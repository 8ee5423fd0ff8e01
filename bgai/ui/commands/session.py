"""`bgai session`: chouettes, consultation pairs, team matches, and table mode for a real board."""

import secrets
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bgai.errors import InputError
from bgai.ui import options

if TYPE_CHECKING:
    from bgai.sessions.dice import DiceSource
    from bgai.sessions.session import Seat
    from bgai.sessions.team import Team
    from bgai.ui.terminal.screen import Screen

session = typer.Typer(
    no_args_is_help=True,
    help="More than one against one: chouette, pairs, teams, and a real board (table mode).",
)

PLAYERS_HELP = """
Players are written with commas between them: me; a level of the program (bgai play --levels);
NAME=LEVEL for a program with a name; NAME=person for somebody else at this terminal.
Programs alone are simulated; where people sit, the game is played here and saved after every
act (bgai play --resume, or bgai session resume FILE, goes on with it).
"""


class RollsOption(StrEnum):
    """Who of a pair rolls."""

    FIRST = "first"
    ALTERNATING = "alternating"


JsonAlone = Annotated[bool, typer.Option("--json", help="Programs alone: print one JSON object.")]


def register(app: typer.Typer) -> None:
    """Add ``bgai session`` to the program."""
    app.add_typer(session, name="session")


# --- chouette ------------------------------------------------------------------------------------


@session.command(
    "chouette",
    help="Chouette of 3 to 8 PLAYERS: the box against a team, a cube for every member.\n\n"
    "A roll orders the players: the highest is the box, the next the captain, who plays for "
    "the team. Every member doubles, takes, passes, beavers and settles for themselves. If the "
    "box beats the captain, the captain goes to the back of the line; if the captain wins, the "
    "captain becomes the box and the old box goes to the back. The captain meant is the one "
    "the game began with; when that one's cube is settled the next in line plays on.\n"
    + PLAYERS_HELP,
)
@options.bundled
def chouette(
    players: Annotated[str, typer.Argument(help="e.g. me,Ann=person,strong,casual")],
    house: options.RulesOptions,
    rolled: options.DiceOptions,
    kept: options.KeptOptions,
    games: options.Games = None,
    one_cube: Annotated[bool, typer.Option("--one-cube", help="One cube for the team.")] = False,
    as_json: JsonAlone = False,
) -> None:
    start_chouette(players, house, rolled, kept, games, one_cube, as_json=as_json)


def start_chouette(
    players: str,
    house: options.RulesOptions,
    rolled: options.DiceOptions,
    kept: options.KeptOptions,
    games: int | None,
    one_cube: bool,
    *,
    as_json: bool = False,
) -> None:
    """Begin a chouette: at the terminal, or simulated where no person plays."""
    from bgai.sessions.chouette import Chouette, ChouetteTerms
    from bgai.sessions.dice import ManualDice
    from bgai.sessions.seating import parse_seats
    from bgai.ui.terminal.chouette import ChouetteTable
    from bgai.ui.terminal.sitting import sit_down_to_new

    dice, screen = rolled.source(), kept.screen()
    seats = parse_seats(players, _seed_of(dice))
    people = any(seat.is_person for seat in seats)
    if not people and games is None:
        raise InputError("programs alone would never stop: give --games N")
    if as_json and people:
        raise InputError("--json is for programs alone")
    if isinstance(dice, ManualDice):
        dice.ask = lambda seat: _dice_for_order(screen, seats[seat or 0].name)
    table = Chouette(ChouetteTerms(house.rules, one_cube, games), seats, dice)
    if not people:
        from bgai.ui.terminal.simulations import simulate_chouette

        simulate_chouette(table, kept.file, as_json)
        return
    sit_down_to_new(ChouetteTable, table, screen, kept.file)


def _dice_for_order(screen: "Screen", name: str) -> tuple[int, int]:
    from bgai.rules.dice import parse_roll

    while True:
        try:
            roll = parse_roll(screen.ask(f"For the order {name} rolls, e.g. 31: "))
        except InputError as error:
            screen.show(f"  {error}")
        else:
            return roll.high, roll.low


# --- pairs ---------------------------------------------------------------------------------------


@session.command(
    "pairs",
    help="Consultation: two pairs at one board, a match (--match N) or money.\n\n"
    "One partner rolls always, or they alternate by game. A person decides, and hint asks the "
    "program in the pair for its opinion, with numbers; two programs play what is best on "
    "their average, and the one who rolls decides about the cube.\n" + PLAYERS_HELP,
)
@options.bundled
def pairs(
    first: Annotated[str, typer.Argument(help="A pair, e.g. me,strong; the first one rolls.")],
    second: Annotated[str, typer.Argument(help="The other pair, e.g. casual,beginner.")],
    played: options.TermsOptions,
    rolled: options.DiceOptions,
    kept: options.KeptOptions,
    rolls: Annotated[
        RollsOption, typer.Option(help="Who of a pair rolls: always the first, or by turns.")
    ] = RollsOption.FIRST,
    as_json: JsonAlone = False,
) -> None:
    from bgai.sessions.consultation import Consultation, Pair, Rolls
    from bgai.sessions.seating import parse_seats
    from bgai.ui.terminal.shared import PairsTable
    from bgai.ui.terminal.sitting import sit_down_to_new

    source = rolled.source()
    one = Pair(parse_seats(first, _seed_of(source)), Rolls(rolls))
    taken = [seat.name for seat in one.members]
    other = Pair(parse_seats(second, _seed_of(source), taken), Rolls(rolls))
    terms = played.terms
    table = Consultation(terms, (one, other), source)
    if not one.people and not other.people:
        if (terms.length, terms.games, terms.margin) == (None, None, None):
            raise InputError("programs alone would never stop: give --match, --games or --margin")
        from bgai.ui.terminal.simulations import simulate_pairs

        simulate_pairs(table, kept.file, as_json)
        return
    if as_json:
        raise InputError("--json is for programs alone")
    sit_down_to_new(PairsTable, table, kept.screen(), kept.file)


# --- teams ---------------------------------------------------------------------------------------


@session.command(
    "team",
    help="Team match: three players a side at three boards, each a match to --match points.\n\n"
    "The side that wins two of the three boards wins. A team is NAME:P,P,P or just three "
    "players, the first at the first board. The boards go on side by side, a game at each in "
    "turn; those between programs are played while you watch your own.\n" + PLAYERS_HELP,
)
@options.bundled
def team(
    first: Annotated[str, typer.Argument(help="e.g. Reds:me,strong,casual")],
    second: Annotated[str, typer.Argument(help="e.g. Blues:strong,strong,beginner")],
    kept: options.KeptOptions,
    match: Annotated[int, typer.Option("--match", min=1, help="Points of each match.")] = 5,
    matches: Annotated[
        int, typer.Option(min=1, help="Programs alone: play so many team matches.")
    ] = 1,
    max_cube: options.MaxCube = None,
    seed: options.Seed = None,
    as_json: JsonAlone = False,
) -> None:
    from bgai.sessions.team import TeamMatch
    from bgai.ui.terminal.shared import TeamTable
    from bgai.ui.terminal.sitting import sit_down_to_new

    seed = secrets.randbelow(10**9) if seed is None else seed
    one = _team(first, "Team 1", seed, ())
    other = _team(second, "Team 2", seed, one.members)
    people = any(seat.is_person for each in (one, other) for seat in each.members)
    if people and (matches > 1 or as_json):
        raise InputError("--matches and --json are for programs alone")
    if matches > 1 and kept.file is not None:
        raise InputError("--file keeps one match: leave out --matches")
    tables = [
        TeamMatch((one, other), match, seed=seed + number, max_cube=max_cube)
        for number in range(matches)
    ]
    if not people:
        from bgai.ui.terminal.simulations import simulate_team

        simulate_team(tables, kept.file, as_json)
        return
    sit_down_to_new(TeamTable, tables[0], kept.screen(), kept.file)


def _team(text: str, name: str, seed: int, others: "tuple[Seat, ...]") -> "Team":
    from bgai.sessions.seating import parse_seats
    from bgai.sessions.team import Team

    named, colon, players = text.rpartition(":")
    if colon and not named.strip():
        raise InputError(f"'{text}': a name is missing before the colon")
    taken = [seat.name for seat in others]
    return Team(named.strip() or name, parse_seats(players, seed, taken))


# --- table mode ----------------------------------------------------------------------------------


@session.command("table")
@options.bundled
def table(
    first: Annotated[str, typer.Argument(help="The name of one player.")],
    second: Annotated[str, typer.Argument(help="The name of the other.")],
    played: options.TermsOptions,
    kept: options.KeptOptions,
) -> None:
    """Table mode: two people at a real board, the program keeps the record.

    Type the dice as they fall and the plays as they are made. Cocked dice are rolled again.
    A play is final when the dice are picked up; an illegal or incomplete one is accepted as
    made (also by rolling or doubling) or a legal one demanded. A roll before the dice are
    picked up (early 64) is void, except where the play was forced or no contact is left.
    The record tells every such incident: bgai session show FILE.
    """
    from bgai.sessions.seating import checked_name
    from bgai.sessions.table_session import TableSession
    from bgai.ui.terminal.real_board import RealBoard
    from bgai.ui.terminal.sitting import sit_down_to_new

    names = (checked_name(first.strip()), checked_name(second.strip()))
    record = TableSession(played.terms, names)
    sit_down_to_new(RealBoard, record, kept.screen(), kept.file)


# --- saved ones ----------------------------------------------------------------------------------


@session.command("resume")
def resume(
    file: Annotated[
        Path | None, typer.Argument(dir_okay=False, help="By default the one saved last.")
    ] = None,
    ascii_only: options.Ascii = False,
) -> None:
    """Go on with a saved game of any kind."""
    from bgai.sessions.saves import unfinished_path
    from bgai.ui.terminal.screen import Screen
    from bgai.ui.terminal.sitting import saved_table, sit_down

    screen = Screen(ascii_only=ascii_only)
    path = file or unfinished_path()
    sit_down(screen, lambda: saved_table(screen, path, ours=file is None))


@session.command("show")
def show(
    file: Annotated[Path, typer.Argument(dir_okay=False, help="A saved game of any kind.")],
    as_json: options.AsJson = False,
) -> None:
    """Print the score sheet, boards or incidents of a saved game."""
    from bgai.ui.terminal.saved_words import saved_summary

    lines, answer = saved_summary(file)
    typer.echo(answer.to_json() if as_json else "\n".join(lines))


def _seed_of(dice: "DiceSource") -> int:
    """The seed of the weak levels' judgement: that of the dice where there is one."""
    from bgai.sessions.dice import SeededDice

    return dice.seed if isinstance(dice, SeededDice) else secrets.randbelow(10**9)
