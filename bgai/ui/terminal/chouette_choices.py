"""What a player of a chouette may do at this moment, and how they are asked for it."""

from collections.abc import Sequence

from bgai.errors import InputError
from bgai.notation.play_text import format_play
from bgai.rules.acts import MakePlay
from bgai.rules.play import Play
from bgai.sessions.chouette_game import Ask, ChouetteGame, Waiting
from bgai.ui.terminal.chouette_words import Names, side_names
from bgai.ui.terminal.keys import HELP
from bgai.ui.terminal.words import says

WORDS = {
    **HELP,
    "double": "double your cube; the box: double, double all or double NAME NAME",
    "hold": "don't double this turn (or just Enter)",
    "opinions": "what the programs on your side think, with numbers",
    "sheet": "the score sheet",
}
ALWAYS = ("sheet", "board", "ids", "save", "quit", "help")


def available_words(waiting: Waiting) -> tuple[str, ...]:
    """The commands of the one who is asked."""
    game = waiting.game
    first: tuple[str, ...]
    match waiting.ask:
        case Ask.DOUBLE:
            first = ("double", "hold")
        case Ask.PLAY:
            first = ("plays",)
        case _:
            first = tuple(kind.value for kind in game.legal_kinds())
    resign = ("resign",) if game.resignation_levels else ()
    return (*first, *resign, "opinions", *ALWAYS)


def help_lines(available: Sequence[str]) -> list[str]:
    """A line for each command."""
    lines = [f"  {word:<8} {WORDS[word]}" for word in available]
    return [*lines, "A play: its number in the list, or from/to such as 8/5 6/5, bar/20, 6/off."]


def pending_cubes(game: ChouetteGame, seat: int) -> list[int]:
    """The cubes this seat may turn now."""
    return [
        cube
        for cube in game.open_cubes
        if cube not in game.held
        and game.games[cube].why_no_double() is None
        and game.speaker(cube, game.games[cube].turn) == seat
    ]


def cubes_named(text: str, game: ChouetteGame, seat: int, names: Names) -> list[int]:
    """The cubes meant by the names after ``double``. Raises ``InputError``."""
    pending = pending_cubes(game, seat)
    if seat != game.box or text.lower() in ("", "all"):
        return pending
    byname = {names[game.holders[cube][0]].lower(): cube for cube in pending}
    left, cubes = text.lower().replace(",", " ").strip(), []
    for name in sorted(byname, key=len, reverse=True):
        if f" {name} " in f" {left} ":
            cubes.append(byname[name])
            left = f" {left} ".replace(f" {name} ", " ", 1).strip()
    if left:
        raise InputError(f"'{left}' can't be doubled now, only: {', '.join(byname)}")
    return cubes


def prompt_text(
    state: ChouetteGame,
    waiting: Waiting,
    seat: int,
    names: Names,
    listed: Sequence[tuple[Play, MakePlay]],
) -> str:
    """The question to a seat; ``listed`` are the plays where it has the roll to play."""
    name, game = names[seat], waiting.game
    match waiting.ask:
        case Ask.DOUBLE if seat == state.box:
            cubes = ", ".join(
                _cube_label(state, cube, names) for cube in pending_cubes(state, seat)
            )
            return f"{name}: double {cubes}? Enter for none, or double all / NAMES (help): "
        case Ask.DOUBLE:
            return f"{name}: Enter for no double, or double to {2 * game.cube_value} (help): "
        case Ask.ANSWER:
            assert waiting.cube is not None
            who = side_names(state, names, waiting.cube)
            offer = says(who[1 if seat == state.box else 0], "offer")
            choices = ", ".join(kind.value for kind in game.legal_kinds())
            return f"{name}: {offer} the cube at {game.offered_value}: {choices}? "
        case Ask.RESIGNATION:
            assert game.offer is not None
            return f"{name}: resignation of {game.points_for(game.offer)}: accept or refuse? "
    if len(listed) == 1:
        only = format_play(listed[0][0])
        return f"{name}: only {only}; Enter to play it (help): "
    return f"{name}: your play of {game.roll}, its number or typed (help): "


def _cube_label(game: ChouetteGame, cube: int, names: Names) -> str:
    holders = game.holders[cube]
    who = "the team" if len(holders) > 1 else names[holders[0]]
    return f"{who} to {2 * game.games[cube].cube_value}"
