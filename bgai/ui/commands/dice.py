"""`bgai dice`: the five dice games: play, advice, simulation, known values."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bgai.dicegames.words import STATE_WORDS
from bgai.errors import InputError
from bgai.ui.options import AsJson, DiceOptions, KeptOptions, Seed, bundled

if TYPE_CHECKING:
    from bgai.dicegames.kit import AnyKit
    from bgai.dicegames.series import Seat, Terms
    from bgai.dicegames.simulate import Simulation

dice = typer.Typer(no_args_is_help=True, help="Five dice games with best or near-best players.")

GAMES = "centennial, everest, great-races, ship-captain-crew or cubilete"

Game = Annotated[str, typer.Argument(help=f"{GAMES}.")]
OptionList = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME[=VALUE]", help="A rule option; see `bgai dice list`."),
]


def _advise_help() -> str:
    """The help of ``bgai dice advise``, with the words of every game's states."""
    games = (
        "\n".join(("\b", name, *(f"  {line}" for line in words.help_lines())))
        for name, words in STATE_WORDS.items()
    )
    return "\n\n".join(
        (
            "Best act, the value of every act and the win chances in a STATE.",
            "STATE is one argument of words key=value, the first of which has to be there; seats"
            " count from 1.",
            *games,
        )
    )


def register(app: typer.Typer) -> None:
    """Add ``bgai dice`` to the program."""
    app.add_typer(dice, name="dice")


def read_options(words: list[str] | None) -> dict[str, str]:
    """``NAME`` and ``NAME=VALUE`` as a table; a flag's value is empty."""
    options: dict[str, str] = {}
    for word in words or []:
        name, _, value = word.partition("=")
        if name in options:
            raise InputError(f"the option '{name}' is given twice")
        options[name] = value
    return options


@dice.command("list")
def list_games(as_json: AsJson = False) -> None:
    """The games, how many can play, their options and players."""
    from bgai.dicegames.catalogue import KITS

    games = [
        {
            "name": kit.name,
            "title": kit.title,
            "seats": [kit.least_seats, kit.most_seats],
            "options": dict(kit.option_help),
            "players": list(kit.players),
        }
        for kit in KITS.values()
    ]
    if as_json:
        _print_json({"games": games})
        return
    for kit in KITS.values():
        most = f"to {kit.most_seats}" if kit.most_seats else "or more"
        typer.echo(f"{kit.name:18} {kit.title}, {kit.least_seats} {most} seats")
        typer.echo(f"{'':18} players: {', '.join(kit.players)}")
        for name, text in kit.option_help.items():
            typer.echo(f"{'':18} --option {name + ('...' if name.endswith('=') else '')}: {text}")


PLAY_HELP = """Play at the terminal, people and programs mixed, one game after another.

Everything is explained on the screen; type help at any prompt. Who starts is rolled for, later
as the rules of the game say. Every roll and choice is saved at once, and --resume goes on
exactly where it stopped.

--players names who sits where: me, a level, NAME=LEVEL, or NAME=person for somebody else at
this terminal, commas between; --seats, --humans and --level are the short way.
"""


@dataclass(frozen=True)
class SeatOptions:
    """Who sits where."""

    seats: Annotated[int | None, typer.Option(help="How many play (default 2).")] = None
    humans: Annotated[
        int | None, typer.Option(min=0, help="How many are people, in the first seats (default 1).")
    ] = None
    level: Annotated[str, typer.Option(help="The programs; --levels lists them.")] = "best"
    players: Annotated[
        str | None, typer.Option(help="Who sits where, e.g. me,casual,Ann=person.")
    ] = None

    def who(self) -> "list[Seat]":
        """The seats in order. Raises ``InputError``."""
        from bgai.dicegames.series import Seat
        from bgai.sessions.seating import parse_seats

        if self.players is not None:
            if self.seats is not None or self.humans is not None:
                raise InputError("--players says who sits where: leave out --seats and --humans")
            read = parse_seats(self.players, program=lambda name: name)
            return [Seat(each.name, each.level) for each in read]
        count = 2 if self.seats is None else self.seats
        people = min(1, count) if self.humans is None else self.humans
        if people > count:
            raise InputError(f"{people} people can't sit on {count} seats")
        mine = ["You"] if people == 1 else [f"Player {n + 1}" for n in range(people)]
        programs = ["bgai", *(f"bgai {n}" for n in range(2, count - people + 1))][: count - people]
        return [*map(Seat, mine), *(Seat(name, self.level) for name in programs)]


@dataclass(frozen=True)
class SeriesOptions:
    """What a series is about."""

    first: Annotated[
        int | None, typer.Option(min=1, help="The seat that starts the first game, unrolled.")
    ] = None
    games: Annotated[
        int | None, typer.Option(min=1, help="Stop after so many games (default: you are asked).")
    ] = None
    stake: Annotated[int, typer.Option(min=0, help="What each loser pays the winner.")] = 0

    @property
    def terms(self) -> "Terms":
        from bgai.dicegames.series import Terms

        return Terms(None if self.first is None else self.first - 1, self.games, self.stake)


@dice.command("play", help=PLAY_HELP)
@bundled
def play(
    seated: SeatOptions,
    played: SeriesOptions,
    rolled: DiceOptions,
    kept: KeptOptions,
    game: Annotated[str | None, typer.Argument(help=f"{GAMES}.")] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the last unfinished game, or --file.")
    ] = False,
    levels: Annotated[bool, typer.Option("--levels", help="List the levels and stop.")] = False,
    option: OptionList = None,
) -> None:
    from bgai.ui.terminal.sitting import saved_table, sit_down, sit_down_to_new

    if levels:
        _list_levels()
        return
    screen = kept.screen()
    if resume:
        from bgai.dicegames.series import SERIES

        path = kept.to_resume(SERIES.name)
        sit_down(screen, lambda: saved_table(screen, path, ours=kept.file is None))
        return
    if game is None:
        raise InputError(f"which game? {GAMES}; or --resume")
    from bgai.dicegames.series import Series
    from bgai.sessions.dice import SeededDice
    from bgai.ui.terminal.dice_game import DiceTable

    source = rolled.source()
    seed = source.seed if isinstance(source, SeededDice) else None
    who = seated.who()
    series = Series(_kit(game, who, read_options(option)), who, seed, played.terms)
    sit_down_to_new(DiceTable, series, screen, kept.file)


def _kit(game: str, who: "list[Seat]", options: dict[str, str]) -> "AnyKit":
    """The game for these players. Raises ``InputError``."""
    from bgai.dicegames.catalogue import make_kit

    kit = make_kit(game, len(who), options)
    for seat in who:
        if seat.player is not None:
            kit.check_player(seat.player)
    return kit


def _list_levels() -> None:
    from bgai.dicegames.kit import LEVELS

    for name, words in LEVELS.items():
        typer.echo(f"{name:<10} {words}")


@dice.command("rules")
def rules(game: Game) -> None:
    """The rules of a game, a page."""
    from bgai.dicegames.catalogue import kit_named

    typer.echo(kit_named(game).rules_text(), nl=False)


@dice.command("review")
def review(
    file: Annotated[
        Path | None, typer.Argument(dir_okay=False, help="By default the dice game saved last.")
    ] = None,
    game: Annotated[
        int | None, typer.Option(min=1, help="The number of the game (default: the last played).")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """What each choice of a saved game gave away, the costliest first."""
    from dataclasses import asdict

    from tqdm import tqdm

    from bgai.dicegames.review import review as judged
    from bgai.dicegames.series import SERIES
    from bgai.sessions.saves import latest_path
    from bgai.ui.terminal.dice_words import review_lines

    path = file or latest_path(SERIES.name)
    series = SERIES.read(path)
    played = [number for number, each in enumerate(series.records, 1) if each.events]
    number = game or max(played, default=0)
    if number not in played:
        raise InputError(f"{path}: game {number or 1} has not been played")
    record = series.records[number - 1]
    count = sum(series.chose(record, place) is not None for place in range(len(record.events)))
    with tqdm(total=count, unit="choices", leave=False, disable=None) as bar:
        choices = judged(series, record, bar.update)
    if as_json:
        rows = [asdict(choice) | {"seat": choice.seat + 1} for choice in choices]
        _print_json({"game": series.kit.name, "number": number, "choices": rows})
        return
    typer.echo("\n".join(review_lines(series, number, choices)))


@dice.command("advise", help=_advise_help())
def advise(
    game: Game,
    state: Annotated[str, typer.Argument(help="The state, quoted as one argument.")],
    option: OptionList = None,
    as_json: AsJson = False,
) -> None:
    from bgai.dicegames.catalogue import kit_named

    kind = kit_named(game)
    kit = kind(kind.seats_in(state), read_options(option))
    found = find_advice(kit, kit.parse_state(state))
    if as_json:
        _print_json(found)
        return
    _print_advice(found)


def find_advice(kit: "AnyKit", state: Any) -> dict[str, Any]:
    """Advice as the JSON object of ``bgai dice advise --json``.

    ``chances``: win chances by seat; ``acts``: each act with the win chance of the seat to act,
    its standard error where it was sampled, the expected turns left for a seat alone, and the
    chances of all seats, the best first (none where a roll is next); ``notes``: what the
    figures assume.
    """
    advice = kit.advisor.advise(state)
    seat = kit.game.seat(state)
    errors = advice.errors or (None,) * len(advice.acts)
    turns = advice.turns or (None,) * len(advice.acts)
    return {
        "game": kit.name,
        "state": kit.state_text(state),
        "seat": seat + 1,
        "exact": advice.exact,
        "best": None if not advice.acts else kit.act_text(state, advice.acts[0][0]),
        "acts": [
            {
                "act": kit.act_text(state, act),
                "chance": values[seat],
                "error": error,
                "turns": left,
                "chances": list(values),
            }
            for (act, values), error, left in zip(advice.acts, errors, turns, strict=True)
        ],
        "chances": list(advice.chances),
        "notes": list(advice.notes),
    }


def _print_advice(found: dict[str, Any]) -> None:
    if not found["acts"]:
        typer.echo(f"seat {found['seat']} is about to roll")
    width = max((len(row["act"]) for row in found["acts"]), default=0)
    for row in found["acts"]:
        error = f" ± {row['error']:.2%}" if row["error"] is not None else ""
        worth = f"{row['chance']:8.4%}" if not error else f"{row['chance']:7.2%}{error}"
        if row["turns"] is not None:
            worth = f"{row['turns']:8.4f} turns"
        typer.echo(f"{worth}  {row['act']:{width}}")
    shares = "  ".join(f"seat {n} {chance:.4%}" for n, chance in enumerate(found["chances"], 1))
    typer.echo(f"{'win chances' if found['exact'] else 'win chances (approximate)'}: {shares}")
    for note in found["notes"]:
        typer.echo(note)


@dice.command("simulate")
def simulate(
    game: Game,
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 1000,
    players: Annotated[
        str, typer.Option(help="The players by seat, such as best,greedy; see `bgai dice list`.")
    ] = "best,greedy",
    seed: Seed = None,
    mirror: Annotated[
        bool, typer.Option(help="Play the same dice with the players in each other's seats too.")
    ] = False,
    option: OptionList = None,
    as_json: AsJson = False,
) -> None:
    """Games between programs: win shares and standard errors."""
    from tqdm import tqdm

    from bgai.dicegames.catalogue import make_kit
    from bgai.dicegames.simulate import simulate as play_games

    names = [name.strip() for name in players.split(",")]
    kit = make_kit(game, len(names), read_options(option))
    for name in names:
        kit.check_player(name)
    used = _seed(seed)
    with tqdm(total=games, unit="games", disable=True if as_json else None) as bar:
        result = play_games(kit, names, games, used, mirror=mirror, progress=bar.update)
    _print_simulation(result, used, as_json)


def _print_simulation(result: "Simulation", seed: int, as_json: bool) -> None:
    if as_json:
        rows = zip(result.players, result.shares, result.errors, strict=True)
        _print_json(
            {
                "games": result.games,
                "seed": seed,
                "players": [
                    {"player": name, "share": share, "error": None if error != error else error}
                    for name, share, error in rows
                ],
                "seats": list(result.seat_shares),
            }
        )
        return
    typer.echo(f"{result.games} games, seed {seed}")
    for name, share, error in zip(result.players, result.shares, result.errors, strict=True):
        typer.echo(f"  {name:8} {share:8.3%} ± {error:.3%}")
    seats = "  ".join(f"{n}: {share:.3%}" for n, share in enumerate(result.seat_shares, 1))
    typer.echo(f"  by seat  {seats}")


@dice.command("values")
def values(game: Game, option: OptionList = None, as_json: AsJson = False) -> None:
    """The known figures of a game, computed here."""
    from fractions import Fraction

    from bgai.dicegames.catalogue import kit_named, make_kit

    kit = make_kit(game, max(2, kit_named(game).least_seats), read_options(option))
    figures = kit.reference_values()
    if as_json:
        rows = [
            {
                "name": name,
                "value": float(value),
                "fraction": str(value) if isinstance(value, Fraction) else None,
            }
            for name, value in figures
        ]
        _print_json({"game": kit.name, "values": rows})
        return
    width = max(len(name) for name, _ in figures)
    for name, value in figures:
        exact = f"  {value}" if isinstance(value, Fraction) else ""
        typer.echo(f"{name:{width}}  {float(value):.10f}{exact}")


def _seed(seed: int | None) -> int:
    import numpy as np

    return seed if seed is not None else int(np.random.SeedSequence().generate_state(1)[0])


def _print_json(found: dict[str, Any]) -> None:
    import json

    typer.echo(json.dumps(found))
