"""The lines of the Universal Backgammon Interface: reading and writing them.

Three drafts are in use. The first (0.01) sends a bare XGID and wants the best action in one word
or play. 0.1 has ``setoption``, ``newsession``, ``setscore``, ``setcube``, ``setturn`` and ``go role
chequer``; 0.2 has keys (``set``, ``get``, ``keys``), ``go chequer`` and four codes of errors. All
are understood here; answers are those of 0.2, which readers of 0.1 understand too.

Where the drafts are silent this program adds: a position given as an XGID may wait for the answer
to a double (``D``, ``B``, ``R`` in its dice), and ``bestcube`` then says ``take``, ``pass``,
``beaver`` or ``raccoon``; ``movetime`` and ``depth`` of 0.1 stand behind any ``go``.

Only Python's own library is used: other programs' interpreters load this file.
"""

from dataclasses import dataclass, field, replace
from enum import Enum

PROTOCOL = "0.2"
CHEQUER, CUBE, TURN = "chequer", "cube", "turn"
PASS = "pass"
"""The move where no play is legal."""
_ROLES = {"chequer": CHEQUER, "checker": CHEQUER, "cube": CUBE, "turn": TURN}
_LIMITS = ("movetime", "depth", "nodes", "trials")
LONGEST_LINE = 4096


class Fault(Enum):
    """The codes of errors."""

    COMMAND = "bad_command"
    VALUE = "bad_value"
    STATE = "bad_state"
    UNSUPPORTED = "unsupported"


class TalkError(ValueError):
    """What is answered with an ``error`` line."""

    def __init__(self, fault: Fault, detail: str) -> None:
        super().__init__(detail)
        self.fault = fault

    @property
    def line(self) -> str:
        """The ``error`` line."""
        return f"error {self.fault.value} {' '.join(str(self).split())}"


@dataclass(frozen=True)
class Key:
    """A setting of an engine. ``kind``: int, bool, enum or string.

    ``values`` are those of an enum, or the lowest and highest number. ``minor``: no change of
    strength, such as threads.
    """

    name: str
    kind: str
    default: str
    values: tuple[str, ...] = ()
    minor: bool = False
    about: str = ""

    @property
    def line(self) -> str:
        """As ``keys`` lists it."""
        domain = {"int": "..".join(self.values), "enum": "|".join(self.values)}.get(self.kind, "")
        if self.kind == "string":
            domain = "*"
        parts = ["key", self.name, self.kind, domain, self.default, "!" * self.minor, self.about]
        return " ".join(part for part in parts if part)

    @property
    def option(self) -> str:
        """As the handshake of 0.1 lists it."""
        kind = {"int": "spin", "bool": "check", "enum": "combo"}.get(self.kind, "string")
        line = f"option name {self.name} type {kind} default {self.default}"
        if self.kind == "int":
            line += f" min {self.values[0]} max {self.values[1]}"
        return line + "".join(f" var {value}" for value in self.values if self.kind == "enum")

    def check(self, value: str) -> str:
        """The value if it is one of this key's. Raises ``TalkError``."""
        match self.kind:
            case "int":
                low, high = (int(each) for each in self.values)
                number = whole(value)
                if number is None or not low <= number <= high:
                    raise TalkError(Fault.VALUE, f"{self.name} must_be {low}..{high}")
                return str(number)
            case "bool" if value not in ("true", "false"):
                raise TalkError(Fault.VALUE, f"{self.name} must_be true|false")
            case "enum" if value not in self.values:
                raise TalkError(Fault.VALUE, f"{self.name} must_be {'|'.join(self.values)}")
        return value


@dataclass(frozen=True)
class Context:
    """What the commands of 0.1 say about the session; a position as an XGID says it itself."""

    length: int = 0
    jacoby: bool = False
    crawford: bool = False
    score: tuple[int, int] = (0, 0)
    cube: int = 1
    owner: str = "center"
    turn: str = "p0"


@dataclass(frozen=True)
class Question:
    """What an engine is asked: the text of a position, and which decision of it.

    ``kind`` of the position is ``xgid`` or ``gnubgid``. ``dice`` are those of a ``dice`` line since
    the position. ``seconds`` and ``depth`` limit the thinking where they are given.
    """

    kind: str
    position: str
    role: str
    dice: "tuple[int, int] | None" = None
    seconds: "float | None" = None
    depth: "int | None" = None
    context: Context = field(default_factory=Context)


@dataclass(frozen=True)
class Reply:
    """An engine's decision, as asked: ``move`` or ``cube`` or both.

    A move is a play, ``PASS``, or the position ID after it, the opponent on roll.

    ``info`` are lines of numbers without the word itself.
    """

    move: str = ""
    cube: str = ""
    info: "tuple[str, ...]" = ()

    def lines(self, role: str) -> "list[str]":
        """The answer to ``go``."""
        told = [f"info {each}" for each in self.info]
        if role == TURN:
            return [*told, f"bestturn cube={self.cube} move={self.move}"]
        if role == CUBE:
            return [*told, f"bestcube {self.cube}"]
        by_id = self.move != PASS and "/" not in self.move
        return [*told, f"{'bestmoveid' if by_id else 'bestmove'} {self.move}"]


def whole(text: str) -> "int | None":
    """A number from 0 up, or None."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def read_go(words: "list[str]") -> "tuple[str, float | None, int | None]":
    """Role ("" where none is named), seconds and depth of ``go``. Raises ``TalkError``."""
    role, limits = "", {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "role" and rest:
            word = rest.pop(0)
        if word in _LIMITS:
            number = whole(rest.pop(0)) if rest else None
            if number is None:
                raise TalkError(Fault.VALUE, f"{word} must_be a number")
            limits[word] = number
        elif word in _ROLES and not role:
            role = _ROLES[word]
        else:
            raise TalkError(Fault.COMMAND, "expected: go [chequer|cube|turn] [movetime MS]")
    for name in ("nodes", "trials"):
        if name in limits:
            raise TalkError(Fault.UNSUPPORTED, f"go {name}")
    seconds = limits["movetime"] / 1000 if "movetime" in limits else None
    return role, seconds, limits.get("depth")


def read_dice(words: "list[str]") -> "tuple[int, int]":
    """Two dice. Raises ``TalkError``."""
    dice = [whole(word) for word in words]
    if len(dice) != 2 or not all(die is not None and 1 <= die <= 6 for die in dice):
        raise TalkError(Fault.VALUE, "dice must_be two of 1..6")
    return int(words[0]), int(words[1])


def read_setting(line: str) -> "tuple[str, str]":
    """Name and value of ``set`` or ``setoption``. Raises ``TalkError``."""
    word, _, rest = line.partition(" ")
    if word == "setoption":
        words = rest.split()
        if len(words) < 2 or words[0] != "name" or "value" not in words:
            raise TalkError(Fault.COMMAND, "expected: setoption name NAME value VALUE")
        at = words.index("value")
        return " ".join(words[1:at]), " ".join(words[at + 1 :])
    name, _, value = rest.strip().partition(" ")
    if not name or not value.strip():
        raise TalkError(Fault.COMMAND, "expected: set KEY VALUE")
    return name, value.strip()


def read_session(context: Context, words: "list[str]") -> Context:
    """The context after one of 0.1's lines about the session. Raises ``TalkError``."""
    match words:
        case ["newsession", "type", "money", *rest] if len(rest) % 2 == 0:
            return Context(jacoby="jacoby on" in " ".join(rest))
        case ["newsession", "type", "match", "length", length, *rest] if len(rest) % 2 == 0:
            return Context(_number(length), crawford="crawford on" in " ".join(rest))
        case ["setscore", first, second]:
            return replace(context, score=(_number(first), _number(second)))
        case ["setcube", "value", value, "owner", ("center" | "p0" | "p1") as owner]:
            return replace(context, cube=_number(value), owner=owner)
        case ["setturn", ("p0" | "p1") as turn]:
            return replace(context, turn=turn)
    raise TalkError(Fault.COMMAND, f"{words[0]} is not written so")


def _number(text: str) -> int:
    number = whole(text)
    if number is None:
        raise TalkError(Fault.VALUE, f"'{text}' is no number")
    return number
