"""An engine's side of the talk: lines in, lines out, and who thinks in between.

:class:`Session` turns each line into the lines that answer it; :func:`serve` joins it to two
streams. Only Python's own library is used, see ``talk``.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from bgai.players.ubgi import talk
else:  # beside this file in an interpreter that has no bgai
    try:
        from bgai.players.ubgi import talk
    except ImportError:
        import talk


class Thinker(Protocol):
    """What decides. All methods raise ``talk.TalkError`` for what can't be done."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    @property
    def keys(self) -> "tuple[talk.Key, ...]": ...

    def set(self, name: str, value: str) -> None:
        """A setting has changed; the value is one of the key's."""
        ...

    def check(self, kind: str, position: str) -> None:
        """Whether it reads such a position."""
        ...

    def decide(self, question: "talk.Question") -> "talk.Reply": ...


class Session:
    """The talk with one controller: settings, the position and its dice."""

    def __init__(self, thinker: Thinker) -> None:
        self.thinker = thinker
        self.values = {key.name: key.default for key in thinker.keys}
        self.context = talk.Context()
        self.position: tuple[str, str] | None = None
        self.dice: tuple[int, int] | None = None
        self.over = False

    def answer(self, line: str) -> "list[str]":
        """The lines that answer one line; none for most settings."""
        line = line.strip()
        try:
            return self._answer(line, line.split()) if line else []
        except talk.TalkError as error:
            return [error.line]

    def _answer(self, line: str, words: "list[str]") -> "list[str]":
        match words:
            case ["ubgi"]:
                return self._handshake()
            case ["isready"]:
                return ["readyok"]
            case ["quit"]:
                self.over = True
                return []
            case ["stop"]:
                return []  # one question at a time: it has been answered
            case ["newgame"]:
                self.position = self.dice = None
                return []
            case ["position", ("gnubgid" | "xgid") as kind, text]:
                self.position = self.dice = None
                self.thinker.check(kind, text)
                self.position = (kind, text)
                return []
            case ["dice", *dice]:
                self.dice = talk.read_dice(dice)
                return []
            case ["go", *rest]:
                return self._go(rest)
            case ["keys"]:
                return [key.line for key in self.thinker.keys]
            case ["get", name]:
                return [f"value {name} {self.values[self._key(name).name]}"]
            case ["set" | "setoption", *_]:
                self._set(*talk.read_setting(line))
                return []
            case ["newsession" | "setscore" | "setcube" | "setturn", *_]:
                self.context = talk.read_session(self.context, words)
                return []
            case [text] if text.upper().startswith("XGID="):
                return [self._first_draft(text)]
        raise talk.TalkError(talk.Fault.COMMAND, line[:60])

    def _handshake(self) -> "list[str]":
        thinker = self.thinker
        return [
            f"id name {thinker.name}",
            "id author the bgai authors",
            f"id version {thinker.version}",
            f"proto {talk.PROTOCOL}",
            *(key.option for key in thinker.keys),
            "ubgiok",
        ]

    def _key(self, name: str) -> "talk.Key":
        found = next((key for key in self.thinker.keys if key.name == name), None)
        if found is None:
            raise talk.TalkError(talk.Fault.UNSUPPORTED, f"key {name}")
        return found

    def _set(self, name: str, value: str) -> None:
        value = self._key(name).check(value)
        self.thinker.set(name, value)
        self.values[name] = value

    def _go(self, words: "list[str]") -> "list[str]":
        role, seconds, depth = talk.read_go(words)
        if self.position is None:
            raise talk.TalkError(talk.Fault.STATE, "missing position")
        kind, text = self.position
        question = talk.Question(kind, text, role, self.dice, seconds, depth, self.context)
        reply = self.thinker.decide(question)
        return reply.lines(role or (talk.CHEQUER if reply.move else talk.CUBE))

    def _first_draft(self, text: str) -> str:
        """The best action in a word, as draft 0.01 has it; a blank line for a lost turn."""
        reply = self.thinker.decide(talk.Question("xgid", text, ""))
        words = {"nodouble": "roll", "pass": "drop"}
        if reply.move:
            return "" if reply.move == "pass" else reply.move
        return words.get(reply.cube, reply.cube)


def serve(thinker: Thinker, lines: "Any", write: "Callable[[str], object]") -> None:
    """Answer the lines of a stream until ``quit`` or its end."""
    session = Session(thinker)
    for line in lines:
        for each in session.answer(line):
            write(each)
        if session.over:
            return
