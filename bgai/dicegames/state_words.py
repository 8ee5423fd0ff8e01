"""Words that the states of several games have in common: seats, turns, rolls, claims."""

from bgai.dicegames.chance_game import Roll, StateError
from bgai.dicegames.kit import Fields, dice_in, number_in


def both_or_neither(fields: Fields, first: str, second: str) -> bool:
    """Whether two words that go together are there. Raises ``StateError`` where only one is."""
    if (first in fields) != (second in fields):
        raise StateError(f"{first} and {second} go together")
    return first in fields


def is_claim(fields: Fields) -> bool:
    """Whether something overlooked (``left``) is offered to the seat ``asked``, after a roll."""
    if "roll" in fields and ("left" in fields or "asked" in fields):
        raise StateError("roll: not together with left and asked")
    return both_or_neither(fields, "left", "asked")


def roll_in(fields: Fields, dice: int) -> Roll:
    """The dice of the word ``roll``; empty where a roll is next."""
    return dice_in(fields["roll"], "roll", (dice,)) if "roll" in fields else ()


def turn_in(fields: Fields, seats: int) -> tuple[int, int]:
    """The seat that began the round (``first``), and how many turns after it ``seat`` comes."""
    first = number_in(fields, "first", 1, seats, 1) - 1
    return first, (number_in(fields, "seat", 1, seats, first + 1) - 1 - first) % seats
