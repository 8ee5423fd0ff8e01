"""The screen and keyboard of a person at the terminal.

On a terminal the board is redrawn in place and lines can be edited; with input or output
redirected everything is printed one after another, so that games can be scripted.
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from shutil import get_terminal_size

from bgai import notices

_MIN_WIDTH = 40
_CLEAR = "\x1b[2J\x1b[3J\x1b[H"  # screen, what scrolled off, cursor to the top


class InputEnded(Exception):
    """No more input: the file or pipe ended, or Ctrl-D was pressed."""


class Screen:
    """Prints, asks and clears; ``ascii_only`` for terminals without the board's characters."""

    def __init__(self, *, ascii_only: bool = False) -> None:
        self.ascii_only = ascii_only or not _shows_unicode()
        self.is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
        if self.is_terminal:
            with suppress(ImportError):
                import readline  # noqa: F401  line editing and history in input()

    def show(self, *lines: str) -> None:
        """Print lines."""
        print(*lines, sep="\n", flush=True)

    def ask(self, prompt: str) -> str:
        """One line from the person. Raises ``InputEnded``."""
        try:
            line = input(prompt)
        except EOFError:
            print(flush=True)
            raise InputEnded from None
        if not self.is_terminal:
            print(line, flush=True)  # so that a script's output reads like the game
        return line

    def clear(self) -> None:
        """Empty the terminal, or leave a blank line where output is redirected."""
        print(_CLEAR if self.is_terminal else "\n", end="", flush=True)

    @contextmanager
    def busy(self, words: str) -> Iterator[None]:
        """Say what takes time while it does; on a terminal only."""
        if not self.is_terminal:
            yield
            return
        with notices.busy(words):
            yield

    def columns(self, texts: Sequence[str]) -> list[str]:
        """Numbered texts laid out in as many columns as the width allows."""
        width = max(_MIN_WIDTH, min(get_terminal_size().columns, 100))
        cells = [f"{number:>3} {text}" for number, text in enumerate(texts, 1)]
        size = max(len(cell) for cell in cells) + 2
        columns = max(1, width // size)
        rows = -(-len(cells) // columns)
        return [
            "".join(f"{cell:<{size}}" for cell in cells[row::rows]).rstrip() for row in range(rows)
        ]


def _shows_unicode() -> bool:
    try:
        "●○│─".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
