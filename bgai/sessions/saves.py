"""Where sessions are kept when nobody names a file, and which one to go on with."""

import json
import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from bgai.claims import is_claimed
from bgai.errors import InputError

GAMES_DIR_VARIABLE = "BGAI_GAMES_DIR"


def games_dir() -> Path:
    """``$BGAI_GAMES_DIR``, else the folder ``games`` of the user's data directory."""
    chosen = os.environ.get(GAMES_DIR_VARIABLE)
    if chosen:
        return Path(chosen)
    import platformdirs

    return Path(platformdirs.user_data_dir("bgai", appauthor=False)) / "games"


def new_path() -> Path:
    """A file that doesn't exist yet, named after the time, for a session that begins."""
    folder = games_dir()
    stamp = datetime.now().strftime("%Y-%m-%d-%H%M%S")
    number = 1
    while True:
        path = folder / (f"{stamp}.json" if number == 1 else f"{stamp}-{number}.json")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path.touch(exist_ok=False)
        except FileExistsError:
            number += 1
        except OSError:  # whoever saves there will hear why not
            return path
        else:
            return path


def _saved() -> Iterator[tuple[Path, dict[str, Any]]]:
    """The saved games, the one saved last first; other files are passed over."""
    paths = sorted(games_dir().glob("*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in paths:
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        if isinstance(data, dict):
            yield path, data


def latest_unfinished(kind: str | None = None) -> Path | None:
    """The unfinished game saved last, of a format or of any, or None.

    Files that aren't games, and those another program goes on with, are passed over.
    """
    for path, data in _saved():
        fits = kind is None or data.get("format") == kind
        if fits and data.get("over") is False and not is_claimed(path):
            return path
    return None


def unfinished_path(kind: str | None = None) -> Path:
    """Like :func:`latest_unfinished`. Raises ``InputError`` where there is none."""
    path = latest_unfinished(kind)
    if path is None:
        raise InputError(f"there is no unfinished game in {games_dir()}")
    return path


def latest_path(kind: str) -> Path:
    """The game of a format saved last, finished or not. Raises ``InputError``."""
    for path, data in _saved():
        if data.get("format") == kind:
            return path
    raise InputError(f"there is no saved game of this kind in {games_dir()}")
