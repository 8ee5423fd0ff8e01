"""Errors for input that can't be accepted, files that can't be used and packages not there."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager

BAD_INPUT, IO_FAILURE = 2, 74
"""Exit codes; 74 is EX_IOERR of sysexits.h."""

_FAILURES = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ENOMEM, errno.ESTALE}


class InputError(ValueError):
    """Input from a person or a file that can't be accepted.

    The message names what was wrong and where; the command line prints it and ends with
    ``exit_code``.
    """

    exit_code = BAD_INPUT


class FileError(InputError):
    """What the system says about a file.

    A full disk or a broken one ends with exit code 74, a file that isn't there or may not be
    touched with 2.
    """

    def __init__(self, path: object, error: OSError, *, writing: bool = False) -> None:
        doing = "can't write " if writing else ""
        super().__init__(f"{doing}{path}: {error.strerror or error}")
        self.exit_code = IO_FAILURE if error.errno in _FAILURES else BAD_INPUT


@contextmanager
def needs(extra: str, what: str) -> Iterator[None]:
    """Imports of packages that not every installation has.

    Raises ``InputError`` saying that ``what`` needs the package, and which ``extra`` has it.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package in ("", "bgai", "bgai_training"):
            raise
        raise InputError(
            f"{what} needs the package {package}: pip install 'bgai[{extra}]'"
        ) from None
