"""What a person types at the table: command words, their short forms, dice, list numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bgai.errors import InputError
from bgai.notation.play_text import parse_play
from bgai.rules.acts import MakePlay
from bgai.rules.dice import parse_roll
from bgai.rules.game import Game
from bgai.rules.outcome import Result
from bgai.rules.play import Play, recover_play
from bgai.sessions.dice import Pair

HELP: dict[str, str] = {
    "roll": "roll the dice (or just Enter)",
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
    "throw": "roll",
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


def read_command(
    line: str,
    available: tuple[str, ...],
    known_words: Mapping[str, str] = HELP,
    game: Game | None = None,
) -> Typed:
    """Like :func:`read_line`, but a command that is not ``available`` is refused.

    The ``game`` tells why there is no double. Raises ``InputError``.
    """
    typed = read_line(line, available, known_words)
    if typed.word and typed.word not in available:
        reason = game.why_no_double() if game is not None and typed.word == "double" else None
        can = reason or f"you can {', '.join(available)}"
        raise InputError(f"{typed.word} is not possible now: {can}")
    return typed


def _fitting(start: str, known: tuple[str, ...]) -> list[str]:
    """The known commands that ``start`` may stand for, by their own or another name."""
    names = {word: word for word in known}
    names |= {other: word for other, word in _OTHER_NAMES.items() if word in known}
    if len(start) < _RESIGN_LETTERS:  # r is for roll; nobody resigns by a slip
        names.pop("resign", None)
    return list(dict.fromkeys(word for name, word in names.items() if name.startswith(start)))


def dice_typed(text: str) -> Pair:
    """Two dice in the order typed. Raises ``InputError``."""
    parse_roll(text)
    first, second = (int(character) for character in text if character.isdigit())
    return first, second


def level_typed(text: str, game: Game) -> Result:
    """The level after ``resign``: the start of its name, or its number. Raises ``InputError``."""
    names = {level.name.lower(): level for level in game.resignation_levels}
    wanted = text.strip().lower()
    for name, level in names.items():
        if wanted and (name.startswith(wanted) or wanted == str(int(level))):
            return level
    raise InputError(f"resign what? Type resign with one of: {', '.join(names)}")


def numbered_plays(game: Game) -> list[tuple[Play, MakePlay]]:
    """The legal plays in the order they are listed in; none where no roll is to be played."""
    if game.roll is None:
        return []
    made = [(recover_play(game.position, each, game.roll), each) for each in game.plays]
    made.sort(key=lambda pair: pair[0], reverse=True)
    return [(play, MakePlay(after)) for play, after in made]


def play_typed(text: str, game: Game, listed: Sequence[tuple[Play, MakePlay]]) -> MakePlay:
    """The play meant: its number in the list, its text, or Enter for the only one.

    Raises ``InputError``.
    """
    if not text and len(listed) == 1:
        return listed[0][1]
    if not text:
        raise InputError("type a play such as 8/5 6/5, or its number ('plays' lists them)")
    if text.isdecimal():
        number = int(text) if len(text) < 5 else 0
        if not 1 <= number <= len(listed):
            short = text if len(text) < 5 else "with so long a number"
            raise InputError(f"there is no play {short}: the list has 1 to {len(listed)}")
        return listed[number - 1][1]
    assert game.roll is not None
    wanted = parse_play(text, game.position, game.roll)
    return next(act for play, act in listed if play == wanted)
