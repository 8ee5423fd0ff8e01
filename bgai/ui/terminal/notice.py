"""Shows on standard error what takes long while it does, with the time it has taken."""

import atexit
import sys
import time
from threading import RLock, Timer
from typing import Any

from bgai import notices

_DELAY = 0.3  # seconds; what is done sooner is not shown
_ONE_GO = 2.0  # pauses shorter than this don't set the clock back


def show_notices() -> None:
    """Show them from now on, if standard error is a terminal."""
    if sys.stderr.isatty():
        notice = TerminalNotice()
        atexit.register(notice.close)  # leaves no line behind and the cursor visible
        notices.listen(notice)


class TerminalNotice:
    """One line that comes and goes; on terminals that can't go back, a line for the first."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._text: str | None = None
        self._progress: Any = None  # rich is loaded when there is something to show
        self._task: Any = None
        self._timer: Timer | None = None
        self._shown = False
        self._hidden_at = -_ONE_GO

    def __call__(self, text: str | None) -> None:
        """Show a text, or hide the line."""
        with self._lock:
            self._text = text
            if text is None:
                self._hide()
            elif self._shown:
                self._progress.update(self._task, description=text)
            elif self._goes_on:
                self._show()
            elif self._timer is None:
                self._timer = Timer(_DELAY, self._show)
                self._timer.daemon = True
                self._timer.start()

    def close(self) -> None:
        """Hide the line and show nothing more."""
        notices.listen(None)
        self(None)

    @property
    def _goes_on(self) -> bool:
        return time.monotonic() - self._hidden_at < _ONE_GO

    def _show(self) -> None:
        progress = self._progress or _new_progress()
        with self._lock:
            self._timer = None
            if self._shown or self._text is None:
                return
            if self._task is None:
                self._progress, self._task = progress, progress.add_task("", total=None)
            elif not self._goes_on:
                progress.reset(self._task, total=None)
            progress.update(self._task, description=self._text)
            if not progress.console.is_dumb_terminal:
                progress.start()
            elif not self._goes_on:
                print(self._text, file=sys.stderr, flush=True)
            self._shown = True

    def _hide(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._shown:
            if self._progress.live.is_started:
                self._progress.stop()
            self._shown = False
            self._hidden_at = time.monotonic()


def _new_progress() -> Any:
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
