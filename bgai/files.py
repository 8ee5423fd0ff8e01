"""Writing files: whole or not at all, and on the disk before they count.

A file is written under a temporary name in its folder, flushed to the disk and renamed; then
the folder is flushed. Whoever reads meets the old file or the new one, after a power cut too.
"""

import contextlib
import os
import secrets
import stat
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import BinaryIO

from bgai.errors import FileError

_PREFIX, _SUFFIX = ".bgai-", ".part"
_LEFT_BEHIND = 3600  # seconds after which a temporary file is one of a killed program


def write_text(path: Path, text: str) -> None:
    """Write a text file in UTF-8. Raises ``FileError``; then the file is as it was."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, data: bytes, *, before: Path | None = None) -> None:
    """Write a file. Raises ``FileError``; then the file is as it was.

    The file there was is kept under the name ``before``, if that is given.
    """
    with replacing(path, before=before) as file:
        file.write(data)


@contextlib.contextmanager
def replacing(path: Path, *, before: Path | None = None) -> Iterator[BinaryIO]:
    """A stream whose contents become the file at the end of the block, unless it fails.

    Missing folders are made. The file keeps its permissions, and a link stays a link to the
    file that is replaced. A device or a pipe is written to directly. Raises ``FileError``.
    """
    try:
        target = path.resolve() if path.is_symlink() else path
        mode = target.stat().st_mode if target.exists() else None
        if mode is not None and not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            with target.open("wb") as file:
                yield file
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        with _temporary(target.parent) as temporary:
            with temporary.open("wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            if mode is not None:
                temporary.chmod(stat.S_IMODE(mode))
            if before is not None and mode is not None:
                os.replace(target, before)
            os.replace(temporary, target)
        _flush_folder(target.parent)
    except OSError as error:
        raise FileError(path, error, writing=True) from None


@contextlib.contextmanager
def _temporary(folder: Path) -> Iterator[Path]:
    """A new file with the permissions of any new file; removed if it is still there."""
    _remove_left_behind(folder)
    path = folder / f"{_PREFIX}{secrets.token_hex(8)}{_SUFFIX}"
    path.touch(exist_ok=False)
    try:
        yield path
    except BaseException:
        with contextlib.suppress(OSError):
            path.unlink()
        raise


@cache
def _remove_left_behind(folder: Path) -> None:
    """Remove, once, what programs killed while writing have left in the folder."""
    with contextlib.suppress(OSError):
        for path in folder.glob(f"{_PREFIX}*{_SUFFIX}"):
            if time.time() - path.stat().st_mtime > _LEFT_BEHIND:
                path.unlink()


def _flush_folder(folder: Path) -> None:
    """Have the new name on the disk; some systems and file systems can't, or needn't."""
    with contextlib.suppress(PermissionError, NotImplementedError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            with contextlib.suppress(OSError):
                os.fsync(descriptor)
        finally:
            os.close(descriptor)
