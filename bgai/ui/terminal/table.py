"""What every table at the terminal has: a screen, the file the game is kept in, save and quit."""

from abc import ABC, abstractmethod
from pathlib import Path

from bgai.ui.terminal.screen import Screen


class Leave(Exception):
    """The person leaves the table; the game is saved."""


class KeptTable(ABC):
    """A table whose game is kept in the file ``path``.

    The file is removed when the person names another one, if ``path_is_ours`` says that nobody
    chose it. Commands answer whether the state changed.
    """

    def __init__(self, screen: Screen, path: Path, *, path_is_ours: bool) -> None:
        self.screen = screen
        self.path = path
        self.path_is_ours = path_is_ours

    @abstractmethod
    def _write(self, path: Path) -> None:
        """Write the game to a file."""

    def _save(self) -> None:
        self._write(self.path)

    def _say(self, *lines: str) -> bool:
        self.screen.show(*lines)
        return False

    def _save_as(self, text: str) -> bool:
        path = Path(text).expanduser().absolute() if text else self.path
        self._write(path)
        if path != self.path and self.path_is_ours:
            self.path.unlink(missing_ok=True)
        if path != self.path:
            self.path, self.path_is_ours = path, False
        return self._say(f"Saved in {path}")

    def _quit(self) -> bool:
        raise Leave
