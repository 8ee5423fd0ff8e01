"""What a person types at the table: command words, their short forms, dice, list numbers."""

from collections.abc import Mapping
from dataclasses import dataclass

from bgai.errors import InputError

HELP: dict[str, str] = {
    "throw": "throw the dice (or just Enter)",
    "double": "offer the cube at twice its value",
    "take": "accept the cube",
    "pass": "give up the game at the value before the double",
    "beaver": "redouble at once and keep the cube",
    "raccoon": "redouble at once after a beaver",
    "accept": "accept the resignation",
    "refuse": "refuse the resignation and play on",
    "plays": "list every legal play with its number",
    "hint": "what the program would do in your place",
    "resign": "offer to resign: resign single, resign gammon or resign backgammon",
    "undo": "take back your last decision (the same dice come again)",
    "dice": "correct the dice just entered",
    "next": "start the next game (or just Enter)",
    "board": "draw the board again",
    "ids": "show the XGID and GNU ID of this moment",
    "save": "save now; save FILE keeps the game in that file from now on",
    "quit": "stop; the game is saved and bgai play --resume goes on with it",
    "help": "this list",
}
_RESIGN_LETTERS = 3
_OTHER_NAMES = {
    "roll": "throw",
    "drop": "pass",
    "fold": "pass",
    "redouble": "double",
    "list": "plays",
    "moves": "plays",
    "exit": "quit",
    "yes": "next",
    "no": "quit",
    "?": "help",
}


@dataclass(frozen=True, slots=True)
class Typed:
    """A command word with what followed it; ``word`` is empty where no command was meant."""

    word: str
    rest: str


def read_line(
    line: str, available: tuple[str, ...], known_words: Mapping[str, str] = HELP
) -> Typed:
    """Find the command in a line. Words may be shortened as long as one fits.

    Commands that are ``available`` now win over others; an exact word always counts. A line
    that starts with a digit or a move is no command. ``known_words`` are all words of this
    table. Raises ``InputError``.
    """
    words = line.strip().split(maxsplit=1)
    if not words:
        return Typed("", "")
    first, rest = words[0].lower(), words[1] if len(words) > 1 else ""
    if "/" in first or first[0].isdigit():
        return Typed("", line.strip())
    if first in known_words or first in _OTHER_NAMES:
        return Typed(_OTHER_NAMES.get(first, first), rest)
    for known in (available, tuple(known_words)):
        fitting = _fitting(first, known)
        if len(fitting) == 1:
            return Typed(fitting[0], rest)
        if fitting:
            raise InputError(f"'{first}' may mean {' or '.join(fitting)}")
    raise InputError(f"'{first}' is no command and no play; now you can: {', '.join(available)}")


def _fitting(start: str, known: tuple[str, ...]) -> list[str]:
    """The known commands that ``start`` may stand for, by their own or another name."""
    names = {word: word for word in known}
    names |= {other: word for other, word in _OTHER_NAMES.items() if word in known}
    if len(start) < _RESIGN_LETTERS:  # r is for roll; nobody resigns by a slip
        names.pop("resign", None)
    return list(dict.fromkeys(word for name, word in names.items() if name.startswith(start)))
