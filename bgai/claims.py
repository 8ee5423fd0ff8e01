"""Claims: one program at a time writes a saved game or works in a folder."""

import os
from pathlib import Path

from filelock import FileLock, Timeout

from bgai.errors import InputError


class Claim:
    """The sole use of a file or folder until :meth:`release` or the end of the process.

    Raises ``InputError`` where another process has it. Claims of one process don't hinder each
    other. A hidden file beside it stays behind. Where none can be written (a read-only folder)
    there is nothing to claim, as the file can't be written either.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        place = path.resolve()
        name = place / ".lock" if place.is_dir() else place.with_name(f".{place.name}.lock")
        self._lock = FileLock(name, timeout=0, is_singleton=True, thread_local=False)
        try:
            name.parent.mkdir(parents=True, exist_ok=True)
            self._lock.acquire()
        except Timeout:
            if os.access(name, os.W_OK):
                raise InputError(f"{path} is in use by another program") from None
        except OSError:
            pass

    def release(self) -> None:
        """Give it back."""
        self._lock.release()

    def __enter__(self) -> "Claim":
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def is_claimed(path: Path) -> bool:
    """Whether another process has a claim on a file or folder."""
    try:
        Claim(path).release()
    except InputError:
        return True
    return False
