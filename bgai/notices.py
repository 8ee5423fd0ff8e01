"""What the program is busy with before it can answer, for whoever wants to show it.

Kernels are compiled and tables built at their first use, once; that can take a minute. Code
that takes so long says so with :func:`busy`. Nobody is told unless something listens: the
terminal commands do (:mod:`bgai.ui.terminal.notice`), libraries and tests don't.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import RLock


@dataclass(eq=False, slots=True)
class Work:
    """Something under way; ``text`` says what in a few words, and may change."""

    text: str


Listener = Callable[[str | None], None]
"""Called with the text of the work begun last that is still under way, None after all of it."""

_under_way: list[Work] = []
_listener: Listener | None = None
_lock = RLock()


def listen(listener: Listener | None) -> None:
    """Tell ``listener`` from now on, and nobody else; None tells nobody."""
    global _listener
    _listener = listener


def begin(work: Work) -> None:
    """Say that work is under way; :func:`end` must follow."""
    with _lock:
        _under_way.append(work)
        changed()


def end(work: Work) -> None:
    """Say that work is done."""
    with _lock:
        _under_way.remove(work)
        changed()


def changed() -> None:
    """Tell the listener again, after the text of some work has changed."""
    with _lock:
        if _listener is not None:
            _listener(_under_way[-1].text if _under_way else None)


@contextmanager
def busy(text: str) -> Iterator[None]:
    """Say what takes time while it does."""
    work = Work(text)
    begin(work)
    try:
        yield
    finally:
        end(work)
