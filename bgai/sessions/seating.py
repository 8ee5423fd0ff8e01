"""Who sits at a table of several players, read from words; who goes first, by dice."""

import re
from collections.abc import Callable, Sequence

from bgai.errors import InputError
from bgai.players.engines import engine
from bgai.sessions.dice import DiceSource, Pair
from bgai.sessions.session import Seat

ME = "me"
PERSON = "person"
YOU = "You"
_NAME = re.compile(r"[^\W_][\w .'-]{0,23}")


def engine_name(name: str) -> str:
    """The full name of an engine. Raises ``InputError``."""
    return engine(name).name


def parse_seats(
    text: str,
    seed: int = 0,
    taken: Sequence[str] = (),
    program: Callable[[str], str] = engine_name,
) -> tuple[Seat, ...]:
    """Players separated by commas: ``me``, an engine, ``NAME=ENGINE`` or ``NAME=person``.

    Unnamed programs are named after their engine and numbered where several would have the
    same name. ``seed`` makes the judgement of weak levels reproducible, each seat its own;
    ``taken`` are the names of players read before; ``program`` checks and names a program.
    Raises ``InputError`` naming the player that is unknown or there twice.
    """
    words = [word.strip() for word in text.split(",")]
    if not all(words):
        raise InputError(f"'{text}': a player is missing between two commas")
    seats: list[Seat] = []
    for number, word in enumerate(words):
        names = [*taken, *(seat.name for seat in seats)]
        seats.append(_seat(word, names, seed + len(taken) + number, program))
    return tuple(seats)


def _seat(word: str, taken: Sequence[str], seed: int, program: Callable[[str], str]) -> Seat:
    named, _, kind = word.rpartition("=")
    kind = kind.strip()
    if not named and kind.lower() == ME:
        return Seat(_free(YOU, taken), None, seed)
    level = None if named and kind.lower() == PERSON else _level(kind, word, program)
    if named:
        return Seat(_free(checked_name(named.strip()), taken), level, seed)
    assert level is not None
    name, number = level, 1
    while name in taken:
        number += 1
        name = f"{level}-{number}"
    return Seat(name, level, seed)


def _level(kind: str, word: str, program: Callable[[str], str]) -> str:
    try:
        return program(kind)
    except InputError as error:
        raise InputError(
            f"there is no player '{word}': write me, a program, NAME=PROGRAM, or NAME=person for "
            f"somebody at this terminal; {error}"
        ) from None


def checked_name(name: str) -> str:
    """A name people can be called by. Raises ``InputError``."""
    if not _NAME.fullmatch(name):
        raise InputError(
            f"'{name}' is no name: a letter or digit first, at most 24 letters, digits, . ' - _"
        )
    return name


def _free(name: str, taken: Sequence[str]) -> str:
    if name.lower() in {each.lower() for each in taken}:
        raise InputError(f"two players are called {name}; give one another name")
    return name


def check_names(seats: Sequence[Seat]) -> None:
    """Raise ``InputError`` where two players of different sides have one name."""
    taken: list[str] = []
    for seat in seats:
        taken.append(_free(seat.name, taken))


def roll_for_order(dice: DiceSource, seats: int) -> list[dict[int, Pair]]:
    """Rolls that put the players in order: rounds of ``{seat: dice}``.

    Everybody rolls; those who tie roll again among themselves until nobody ties.
    """
    rounds = []
    waiting = [list(range(seats))]
    while waiting:
        rolled: dict[int, Pair] = {}
        ties: list[list[int]] = []
        for group in waiting:
            shown = {seat: dice.roll(seat) for seat in group}
            rolled |= shown
            ties += _tied(shown)
        rounds.append(rolled)
        waiting = ties
    return rounds


def _tied(shown: dict[int, Pair]) -> list[list[int]]:
    by_total: dict[int, list[int]] = {}
    for seat, pair in shown.items():
        by_total.setdefault(sum(pair), []).append(seat)
    return [group for group in by_total.values() if len(group) > 1]


def order_of(rounds: Sequence[dict[int, Pair]]) -> tuple[int, ...]:
    """The seats from the highest to the lowest. Raises ``InputError`` if a tie is left."""
    keys = {
        seat: tuple(sum(rolled[seat]) for rolled in rounds if seat in rolled)
        for seat in (rounds[0] if rounds else ())
    }
    if len(set(keys.values())) < len(keys) or not keys:
        raise InputError("the rolls for the order leave a tie")
    return tuple(sorted(keys, key=lambda seat: keys[seat], reverse=True))
