"""Players by name: engines of bgai, GNU Backgammon, Open Sage, any engine a command starts.

- ``expert@1``: an engine of bgai (:mod:`bgai.players.engines`)
- ``ubgi:COMMAND``: a program that talks the Universal Backgammon Interface
- ``gnubg@2``: GNU Backgammon, the whole program, 2-ply; ``$BGAI_GNUBG`` may say which program
- ``sage@1``: Open Sage at our 1-ply; ``$BGAI_SAGE`` is the Python that has its package

Settings of a program that is not bgai stand behind a question mark, as in
``gnubg@2?engine.filter=large`` and ``ubgi:wildbg --ubgi?Threads=2``.
"""

import os
import re
import shlex
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bgai.errors import InputError
from bgai.players.engines import engine
from bgai.players.player import Player
from bgai.players.timed_bot import TimedBot
from bgai.players.ubgi.client import UbgiPlayer

UBGI = "ubgi:"
GNUBG_VARIABLE, SAGE_VARIABLE = "BGAI_GNUBG", "BGAI_SAGE"
_WORKERS = Path(__file__).parent / "ubgi"
_PROGRAM = re.compile(r"(gnubg|sage)(?:@(\d+))?")
_SETTINGS = re.compile(r"(.*)\?([\w.]+=[^&?]*(?:&[\w.]+=[^&?]*)*)", re.DOTALL)
_PLACES = "/usr/games"


@dataclass(frozen=True)
class Program:
    """A program that is not bgai: its command, its settings, and its surroundings."""

    command: tuple[str, ...]
    settings: Mapping[str, str] = field(default_factory=dict)
    env: Mapping[str, str] = field(default_factory=dict)

    def start(self, name: str, seconds: float | None) -> UbgiPlayer:
        """The player. Raises ``InputError`` where there is no such program."""
        env = {**os.environ, **self.env}
        return UbgiPlayer(self.command, settings=self.settings, seconds=seconds, name=name, env=env)


def is_program(name: str) -> bool:
    """Whether the name is that of a program that is not bgai."""
    return name.startswith(UBGI) or _PROGRAM.fullmatch(_split(name)[0]) is not None


def player_named(name: str, *, seed: int = 0, seconds: float | None = None) -> Player:
    """The player of a name; a network whose name says no depth plays at 0-ply.

    ``seconds`` are those of a decision, for as deep a search as they allow; without them it is
    as deep as the name says. ``seed`` fixes the misjudgements of weak levels. Raises
    ``InputError``.
    """
    if is_program(name):
        return _program(name).start(name, seconds)
    found = engine(name, plies=0, seed=seed)
    return found.bot if seconds is None else TimedBot.of(found, seconds)


def _split(name: str) -> tuple[str, dict[str, str]]:
    """A name and the settings behind it."""
    match = _SETTINGS.fullmatch(name)
    if match is None:
        return name, {}
    return match[1], dict(each.split("=", 1) for each in match[2].split("&"))


def _program(name: str) -> Program:
    called, settings = _split(name)
    if called.startswith(UBGI):
        try:
            command = tuple(shlex.split(called.removeprefix(UBGI)))
        except ValueError as error:
            raise InputError(f"'{name}': {error}") from None
        if not command:
            raise InputError(f"'{name}': a command is expected behind {UBGI}")
        return Program(command, settings)
    match = _PROGRAM.fullmatch(called)
    assert match is not None
    if match[2] is not None:
        settings = {"engine.plies": match[2], **settings}
    return (_gnubg if match[1] == "gnubg" else _sage)(settings)


def _gnubg(settings: dict[str, str]) -> Program:
    path = os.pathsep.join([os.environ.get("PATH", ""), _PLACES])
    found = shutil.which(os.environ.get(GNUBG_VARIABLE, "gnubg"), path=path)
    if found is None:
        raise InputError(f"GNU Backgammon isn't installed, or ${GNUBG_VARIABLE} is not its program")
    command = (found, "-t", "-q", "-r", "-p", str(_WORKERS / "gnubg_worker.py"))
    return Program(command, settings, {"BGAI_UBGI": str(_WORKERS), "LANG": "C.UTF-8"})


def _sage(settings: dict[str, str]) -> Program:
    python = os.environ.get(SAGE_VARIABLE, sys.executable)
    return Program((python, str(_WORKERS / "sage_worker.py")), settings)
