"""Somebody at the keyboard of the program, in the tests' own process."""

from collections.abc import Callable

import pytest

from bgai.ui.cli import main
from bgai.ui.terminal.screen import InputEnded, Screen

Reply = Callable[[str], str | None]


class Keyboard:
    """Sees what is shown and answers prompts; ``None`` ends the input, ``^C`` interrupts."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.lines: list[str] = []
        self.reply: Reply = lambda prompt: None
        monkeypatch.setattr(Screen, "show", lambda _, *lines: self.see(*lines))
        monkeypatch.setattr(Screen, "ask", lambda _, prompt: self.ask(prompt))

    def see(self, *lines: str) -> None:
        self.lines += "\n".join(lines).split("\n")

    def ask(self, prompt: str) -> str:
        self.lines.append(prompt)
        answer = self.reply(prompt)
        if answer is None:
            raise InputEnded
        if answer == "^C":
            raise KeyboardInterrupt
        self.lines[-1] += answer
        return answer

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def run(self, *words: str, reply: Reply | None = None) -> int:
        """Run a command with these answers; its exit code."""
        self.reply = reply or (lambda prompt: None)
        with pytest.raises(SystemExit) as stopped:
            main(list(words))
        return int(stopped.value.code or 0)
