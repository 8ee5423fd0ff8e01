"""Batches: a line in, a JSON object out, bad lines reported and the rest answered."""

import sys
from collections.abc import Callable, Iterator
from typing import Any

from bgai.answers import Answer, BatchError
from bgai.errors import InputError

FAILED = 1
"""Exit code when some lines were bad."""


def run_batch(source: str, answer: Callable[[str], Answer]) -> int:
    """Answer every line of a file (``-``: standard input) as it comes; returns the exit code.

    A line that raises ``InputError`` becomes ``{"line": N, "error": "..."}``. Blank lines are
    skipped and counted.
    """
    failed = False
    said: Answer
    for number, line in _numbered_lines(source):
        try:
            said = answer(line.decode("utf-8").strip())
        except UnicodeDecodeError:
            said, failed = BatchError(line=number, error="not UTF-8 text"), True
        except InputError as error:
            said, failed = BatchError(line=number, error=str(error)), True
        print(said.to_json(), flush=True)
    return FAILED if failed else 0


def id_and_dice(line: str) -> tuple[str, str | None]:
    """The identifier and the dice of a line, words around the identifier or none."""
    from bgai.notation.identifiers import parse_identifier
    from bgai.rules.dice import parse_roll

    words = line.split()
    first, *rest = line.split(maxsplit=1)
    if len(words) < 3 or _is(parse_identifier, first):
        return first, rest[0] if rest else None
    if _is(parse_roll, words[-1]):
        return line[: line.rindex(words[-1])], words[-1]
    return line, None


def _is(read: Callable[[str], object], text: str) -> bool:
    try:
        read(text)
    except InputError:
        return False
    return True


def _numbered_lines(source: str) -> Iterator[tuple[int, bytes]]:
    if source == "-":
        yield from _not_blank(sys.stdin.buffer)
    else:
        with open(source, "rb") as file:
            yield from _not_blank(file)


def _not_blank(lines: Any) -> Iterator[tuple[int, bytes]]:
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield number, line
