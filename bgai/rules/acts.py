"""Acts: everything that can happen in a game, small and immutable.

Dice are acts too, so a list of acts is a complete record of a game: played through again it
gives the same game without any generator. Each act has one JSON form, read back exactly.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

import numpy as np

from bgai.codec import Leaf
from bgai.errors import InputError
from bgai.rules.dice import Roll, roll_of
from bgai.rules.outcome import Result
from bgai.rules.position import SLOTS, Positions


class ActKind(StrEnum):
    """The kinds of acts; the names used in files and on the command line."""

    OPENING = "opening"
    ROLL = "roll"
    PLAY = "play"
    DOUBLE = "double"
    TAKE = "take"
    PASS = "pass"
    BEAVER = "beaver"
    RACCOON = "raccoon"
    RESIGN = "resign"
    ACCEPT = "accept"
    REFUSE = "refuse"


class CubeAct(StrEnum):
    """Offering the cube and answering it.

    A beaver is an immediate redouble by the player doubled, a raccoon one by the doubler; with
    a limit of three and more such turns the two names go on alternating.
    """

    DOUBLE = "double"
    TAKE = "take"
    PASS = "pass"
    BEAVER = "beaver"
    RACCOON = "raccoon"

    @property
    def kind(self) -> ActKind:
        return ActKind(self.value)


class Answer(StrEnum):
    """The answer to a resignation."""

    ACCEPT = "accept"
    REFUSE = "refuse"

    @property
    def kind(self) -> ActKind:
        return ActKind(self.value)


@dataclass(frozen=True, slots=True)
class OpeningDice:
    """One die each before the first turn: that of seat 0, that of seat 1."""

    dice: tuple[int, int]

    @property
    def kind(self) -> ActKind:
        return ActKind.OPENING


@dataclass(frozen=True, slots=True)
class RollDice:
    """The player on turn rolls."""

    roll: Roll

    @property
    def kind(self) -> ActKind:
        return ActKind.ROLL


@dataclass(frozen=True, slots=True, eq=False)
class MakePlay:
    """A play, named by the position after it, ``(2, 26)`` with the opponent on roll.

    A lost turn is the play that only swaps the sides.
    """

    after: Positions

    def __post_init__(self) -> None:
        after = np.array(self.after, dtype=np.int8)
        after.flags.writeable = False
        object.__setattr__(self, "after", after)

    @property
    def kind(self) -> ActKind:
        return ActKind.PLAY

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MakePlay) and bool(np.array_equal(self.after, other.after))

    def __hash__(self) -> int:
        return hash(self.after.tobytes())


@dataclass(frozen=True, slots=True)
class Resign:
    """Offer to lose the game as a single game, a gammon or a backgammon."""

    level: Result

    @property
    def kind(self) -> ActKind:
        return ActKind.RESIGN


def position_to_text(position: Positions) -> str:
    """52 hexadecimal digits in two groups, the counts of each slot 0-25 of side 0, side 1."""
    digits = np.ascontiguousarray(position, dtype=np.int8).tobytes().hex()[1::2]  # counts below 16
    return f"{digits[:SLOTS]}/{digits[SLOTS:]}"


def position_from_text(text: str) -> Positions:
    """Read :func:`position_to_text`. Raises ``InputError``."""
    sides = text.split("/") if isinstance(text, str) else []
    if len(sides) != 2 or any(len(side) != SLOTS for side in sides):
        raise InputError(f"'{text}' is not a position: two groups of {SLOTS} digits expected")
    try:
        counts = [[int(digit, 16) for digit in side] for side in sides]
    except ValueError as error:
        raise InputError(f"'{text}' is not a position: {error}") from None
    return np.array(counts, dtype=np.int8)


def act_to_json(act: "Act") -> dict[str, Any]:
    """The act as a JSON object, ``{"act": KIND, ...}``."""
    fields: dict[str, Any] = {"act": act.kind.value}
    match act:
        case OpeningDice(dice) | RollDice(dice):
            fields["dice"] = list(dice)
        case MakePlay(after):
            fields["after"] = position_to_text(after)
        case Resign(level):
            fields["level"] = int(level)
    return fields


def act_from_json(fields: Any) -> "Act":
    """Read :func:`act_to_json`. Raises ``InputError`` naming the field that is wrong."""
    match fields:
        case {"act": "opening", "dice": dice}:
            return OpeningDice(dice_pair(dice))
        case {"act": "roll", "dice": dice}:
            return RollDice(roll_of(*dice_pair(dice)))
        case {"act": "play", "after": after}:
            return MakePlay(position_from_text(after))
        case {"act": "resign", "level": 1 | 2 | 3 as level}:
            return Resign(Result(level))
        case {"act": "resign"}:
            raise InputError(f"level {fields.get('level')!r} must be 1, 2 or 3")
        case {"act": "accept" | "refuse" as answer}:
            return Answer(answer)
        case {"act": str(name)} if name in set(CubeAct):
            return CubeAct(name)
    raise InputError(f"{fields!r} is not an act")


def dice_pair(dice: Any) -> tuple[int, int]:
    """Two dice from JSON, in their order. Raises ``InputError``."""
    match dice:
        case [int(first), int(second)] if {type(first), type(second)} == {int}:
            if 1 <= first <= 6 and 1 <= second <= 6:
                return first, second
    raise InputError(f"dice {dice!r} must be two numbers from 1 to 6")


Act = Annotated[
    OpeningDice | RollDice | MakePlay | CubeAct | Resign | Answer, Leaf(act_from_json, act_to_json)
]
