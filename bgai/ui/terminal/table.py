"""What every table at the terminal has: a screen, the file the game is kept in, save and quit."""

from abc import ABC, abstractmethod
from pathlib import Path

from bgai.claims import Claim
from bgai.errors import FileError
from bgai.ui.terminal.screen import Screen


class Leave(Exception):
    """The person leaves the table; the game is saved."""


class KeptTable(ABC):
    """A table whose game is kept in the file ``path``, which no other program uses meanwhile.

    Where it can't be written the game goes on in memory, and ``unsaved`` says why. The file is
    removed when the person names another one, if ``path_is_ours`` says that nobody chose it.
    Commands answer whether the state changed. Raises ``InputError`` where another program has
    the file.
    """

    def __init__(self, screen: Screen, path: Path, *, path_is_ours: bool) -> None:
        self.screen = screen
        self.path = path
        self.path_is_ours = path_is_ours
        self.claim = Claim(path)
        self.unsaved: FileError | None = None
        self.announced: list[str] = []
        """Lines to be seen with the board that is drawn next."""
        self._warned = False

    command = "bgai play"
    """What goes on with a saved game of this kind."""

    def warm_up(self) -> None:
        """Have what takes long the first time done before anybody waits for it."""
        from bgai.rules.dice import ROLLS
        from bgai.rules.legal_plays import legal_plays
        from bgai.rules.position import starting_position

        legal_plays(starting_position(), ROLLS[0])

    @abstractmethod
    def run(self) -> None:
        """Play until the session is over. Raises ``Leave`` or ``InputEnded`` when it isn't."""

    @abstractmethod
    def _write(self, path: Path) -> None:
        """Write the game to a file."""

    def _save(self) -> None:
        """Save; where that fails say so, once."""
        before, self.unsaved = self.unsaved, None
        try:
            self._write(self.path)
        except FileError as error:
            self.unsaved = error
            if before is None:
                where = "The game goes on unsaved; save FILE keeps it elsewhere."
                self.announced.append(f"{error}. {where}")

    def _say(self, *lines: str) -> bool:
        self.screen.show(*lines)
        return False

    def _save_as(self, text: str) -> bool:
        path = Path(text).expanduser().absolute() if text else self.path
        claim = Claim(path)
        try:
            self._write(path)
        except FileError:
            claim.release()
            raise
        self.claim.release()
        self.claim, self.unsaved = claim, None
        if path != self.path and self.path_is_ours:
            self.path.unlink(missing_ok=True)
        if path != self.path:
            self.path, self.path_is_ours = path, False
        return self._say(f"Saved in {path}")

    def _quit(self) -> bool:
        if self.unsaved is not None:
            self._save()
        if self.unsaved is not None and not self._warned:
            self._warned = True
            return self._say(f"  {self.unsaved}. save FILE keeps the game; quit again loses it.")
        raise Leave
