"""Any engine that talks the Universal Backgammon Interface, as a player at our table.

The engine is a program of its own, started by a command. It is asked about one decision at a
time, each with the whole situation as an XGID, so that it needn't know what came before. An
engine that reads position IDs alone can play without the cube.
"""

import contextlib
import queue
import shlex
import subprocess
import tempfile
import threading
import weakref
from collections.abc import Mapping, Sequence
from typing import IO

from bgai.errors import InputError
from bgai.notation.play_text import parse_play
from bgai.notation.position_id import format_position_id
from bgai.notation.situation import Situation
from bgai.notation.xgid import format_xgid
from bgai.players.situation import game_situation
from bgai.players.ubgi import talk
from bgai.rules.acts import Answer, CubeAct, MakePlay
from bgai.rules.game import Game, Phase
from bgai.rules.outcome import Result
from bgai.rules.play import apply_play
from bgai.rules.position import starting_position

START_SECONDS = 120.0
ANSWER_SECONDS = 600.0
_ID_LENGTH = 14
_CUBE = {"take": CubeAct.TAKE, "beaver": CubeAct.BEAVER, "raccoon": CubeAct.RACCOON}
_CUBE |= dict.fromkeys(("pass", "drop"), CubeAct.PASS)


class EngineProcess:
    """A running engine: lines to it, lines from it."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str] | None = None) -> None:
        """``env`` is its whole environment, by default ours. Raises ``InputError``."""
        self.called = " ".join(shlex.join(command).split())
        self._complaints = tempfile.TemporaryFile(  # noqa: SIM115  closed with the engine
            "w+", encoding="utf-8", errors="replace"
        )
        try:
            # In a session of its own Ctrl-C doesn't reach it; it ends with its standard input.
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._complaints,
                text=True, encoding="utf-8", errors="replace", bufsize=1, env=env,
                start_new_session=True,
            )  # fmt: skip
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise InputError(f"can't start the engine {self.called}: {reason}") from None
        self._lines: queue.Queue[str | None] = queue.Queue()
        # The thread doesn't know this object, so that the engine's input ends with it.
        arguments = (self._process.stdout, self._lines)
        threading.Thread(target=_read, args=arguments, daemon=True).start()
        assert self._process.stdin is not None
        weakref.finalize(self, _close, self._process.stdin)

    def send(self, line: str) -> None:
        """Write a line to it."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # reading tells what became of it
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()

    def next(self, seconds: float = ANSWER_SECONDS) -> str:
        """Its next line. Raises ``InputError`` where none comes."""
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            raise InputError(f"no answer in {seconds:.0f} s from {self.called}") from None
        if line is None:
            self._lines.put(None)
            code = self._process.wait()
            raise InputError(
                f"the engine {self.called} has ended (exit code {code}){self._last_words()}"
            )
        return line

    def _last_words(self) -> str:
        """The last line it wrote to its standard error."""
        self._complaints.seek(0)
        lines = self._complaints.read().split("\n")
        return next((f": {line.strip()}" for line in reversed(lines) if line.strip()), "")

    def until(self, *words: str, seconds: float = ANSWER_SECONDS) -> list[str]:
        """Its lines before the one that is one of the ``words``."""
        found = []
        while (line := self.next(seconds)) not in words:
            found.append(line)
        return found

    def close(self) -> None:
        """Have it quit."""
        self.send("quit")
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._complaints.close()


def _close(stream: IO[str]) -> None:
    with contextlib.suppress(OSError):
        stream.close()


def _read(stream: IO[str], lines: "queue.Queue[str | None]") -> None:
    with contextlib.suppress(ValueError, OSError):
        for line in stream:
            lines.put(line.strip())
    lines.put(None)


class UbgiPlayer:
    """A ``Player`` that asks an engine. It never resigns and never accepts a resignation."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        settings: Mapping[str, str] | None = None,
        seconds: float | None = None,
        name: str | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        """``settings`` are keys of the engine and their values, ``seconds`` those of a decision.

        Raises ``InputError`` where the command starts no such engine.
        """
        self.process = EngineProcess(command, env)
        self._go = "go role"
        self._limit = "" if seconds is None else f" movetime {max(1, round(1000 * seconds))}"
        try:
            self.name = self._shake_hands(name)
            for key, value in (settings or {}).items():
                self._set(key, value)
            self.process.send("newgame")
            start = format_xgid(Situation(starting_position()))
            self.reads_xgid = not self._refused(f"position xgid {start}")
        except InputError:
            self.process.close()
            raise

    def _shake_hands(self, name: str | None) -> str:
        """Its name, or the one it is given."""
        self.process.send("ubgi")
        told = self.process.until("ubgiok", "readyok", seconds=START_SECONDS)
        if any(line.startswith("proto ") for line in told):  # since 0.2
            self._go = "go"
        names = [line.removeprefix("id name ") for line in told if line.startswith("id name ")]
        return name or (names[0] if names else "ubgi")

    def _set(self, key: str, value: str) -> None:
        for line in (f"set {key} {value}", f"setoption name {key} value {value}"):
            refused = self._refused(line)
            if not refused:
                return
        raise InputError(f"{self.name}: {key} can't be {value}: {refused}")

    def _refused(self, line: str) -> str:
        """What the engine has against a line; nothing where it takes it."""
        self.process.send(line)
        self.process.send("isready")
        lines = self.process.until("readyok", seconds=START_SECONDS)
        return next((line for line in lines if line.startswith("error")), "")

    def _ask(self, game: Game, role: str) -> list[str]:
        """The words of the answer to ``go``, the first one ``bestmove`` or the like."""
        situation = game_situation(game)
        if self.reads_xgid:
            self.process.send(f"position xgid {format_xgid(situation)}")
        else:
            self.process.send(f"position gnubgid {format_position_id(game.position)}")
        if game.roll is not None:
            self.process.send(f"dice {game.roll.high} {game.roll.low}")
        self.process.send(f"{self._go} {role}{self._limit}")
        while True:
            words = self.process.next().split()
            if words and words[0].startswith("best") and len(words) > 1:
                return words
            if words and words[0] == "error":
                raise self._wrong(situation, " ".join(words))

    def _wrong(self, situation: Situation, answer: str) -> InputError:
        return InputError(f"{self.name} answers '{answer}' to {format_xgid(situation)}")

    # -- the player ---------------------------------------------------------------------------

    def offers_resignation(self, game: Game) -> Result | None:
        return None

    def answer_resignation(self, game: Game) -> Answer:
        return Answer.REFUSE

    def doubles(self, game: Game) -> bool:
        if not self.reads_xgid:
            return False
        words = self._ask(game, talk.CUBE)
        if words[:1] != ["bestcube"] or words[1] not in ("double", "nodouble"):
            raise self._wrong(game_situation(game), " ".join(words))
        return words[1] == "double"

    def answer_double(self, game: Game) -> CubeAct:
        assert game.phase is Phase.DOUBLED
        if not self.reads_xgid:
            raise InputError(f"{self.name} reads no XGID: it can only play without the cube")
        words = self._ask(game, talk.CUBE)
        act = _CUBE.get(words[1]) if words[0] == "bestcube" else None
        if act is None or act.kind not in game.legal_kinds():
            raise self._wrong(game_situation(game), " ".join(words))
        return act

    def choose_play(self, game: Game) -> MakePlay:
        assert game.roll is not None
        words = self._ask(game, talk.CHEQUER)
        text = " ".join(words[1:])
        if len(text) == _ID_LENGTH:
            for after in game.plays:
                if format_position_id(after) == text:
                    return MakePlay(after)
        try:
            play = parse_play(text, game.position, game.roll)
        except InputError as error:
            wrong = self._wrong(game_situation(game), " ".join(words))
            raise InputError(f"{wrong}: {error}") from None
        return MakePlay(apply_play(game.position, play))

    def close(self) -> None:
        """End the engine."""
        self.process.close()
