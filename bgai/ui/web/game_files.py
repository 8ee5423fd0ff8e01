"""The folder of saved games: which are there, and which may go when there are too many.

Whatever else lies in the folder is left alone: only finished games that this server wrote
itself are ever removed, the oldest first, and the log says so.
"""

import contextlib
import json
import logging
import os
import re
import threading
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bgai.notation.texts import LARGEST_FILE
from bgai.sessions.session_file import SESSIONS

NAME = re.compile(r"[A-Za-z0-9_-]{16}\Z")
"""Names of games as ``secrets.token_urlsafe(12)`` makes them; no other program's saves."""

_log = logging.getLogger("bgai.web")


@dataclass(frozen=True, slots=True)
class SavedGame:
    """What a list shows of a game. ``points`` are those before its current or last game."""

    id: str
    saved: str
    length: int | None
    level: str | None
    points: tuple[int, int]
    game_number: int
    over: bool

    def fields(self) -> dict[str, Any]:
        """As JSON; ``saved`` is in UTC."""
        return asdict(self) | {"points": list(self.points)}


class GameFiles:
    """The saved games in ``folder``, of which ``most`` are kept, more only if unfinished."""

    def __init__(self, folder: Path, most: int) -> None:
        self.folder = folder
        self.most = most
        self.removed = 0
        self._lock = threading.Lock()
        self._known: dict[str, tuple[int, SavedGame | None]] = {}

    def path(self, name: str) -> Path:
        """The file of the game of that name."""
        return self.folder / f"{name}.json"

    def listed(self) -> list[SavedGame]:
        """The games, the one saved last first."""
        with self._lock:
            return [game for _, game in sorted(self._games(), reverse=True, key=lambda p: p[0])]

    def make_room(self) -> int:
        """Have room for one more: the oldest finished games beyond the limit are removed.

        Returns how many unfinished ones there are.
        """
        with self._lock:
            games = sorted(self._games(), key=lambda pair: pair[0])
            finished = [game for _, game in games if game.over]
            going = finished[: max(len(games) + 1 - self.most, 0)]
            gone = 0
            for game in going:
                with contextlib.suppress(OSError):
                    self.path(game.id).unlink()
                    gone += 1
            self.removed += gone
        if gone:
            games_word = "game" if gone == 1 else "games"
            _log.warning(
                "removed %d finished %s, the oldest, from %s: more than %d were kept",
                gone, games_word, self.folder, self.most,
            )  # fmt: skip
        return len(games) - len(finished)

    def _games(self) -> Iterator[tuple[int, SavedGame]]:
        """Each game with the time it was saved. Files that vanish meanwhile are passed over."""
        seen = {}
        if not self.folder.is_dir():  # nothing kept yet
            return
        with os.scandir(self.folder) as entries:
            for entry in entries:
                name, suffix = os.path.splitext(entry.name)
                if suffix != ".json" or not NAME.match(name):
                    continue
                with contextlib.suppress(OSError):
                    status = entry.stat()
                    if status.st_size > LARGEST_FILE:
                        continue
                    saved, known = status.st_mtime_ns, self._known.get(name)
                    if known is None or known[0] != saved:
                        known = saved, _read(name, Path(entry.path), saved)
                    seen[name] = known
        self._known = seen
        yield from ((saved, game) for saved, game in seen.values() if game is not None)


def _read(name: str, path: Path, saved: int) -> SavedGame | None:
    """What the list shows of a file; None where it is no session of a person and a program."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["format"] != SESSIONS.name or data["seats"][0]["level"] is not None:
            return None
        first, second = map(int, data["games"][-1]["points"])
        return SavedGame(
            id=name,
            saved=datetime.fromtimestamp(saved / 1e9, UTC).isoformat(timespec="seconds"),
            length=data["terms"]["length"],
            level=data["seats"][1]["level"],
            points=(first, second),
            game_number=len(data["games"]),
            over=data["over"] is True,
        )
    except (KeyError, IndexError, TypeError, ValueError, RecursionError):
        return None
