"""Texts from files of any origin: how much is read, numbers, names, excerpts for messages.

Whoever reads a record or a line from outside uses these. Every reader takes time and memory in
proportion to the file, and no file above ``LARGEST_FILE`` is read at all.
"""

import re
import zlib

from bgai.errors import InputError

LARGEST_FILE = 8 << 20
"""Bytes of the largest record read; real ones with all their analysis stay well below."""
LARGEST_UNPACKED = 32 << 20
"""Bytes a packed file may unpack to."""
MOST_GAMES = 5000
LONGEST_GAME = 5000
"""Rows of one game; the longest real ones have a few hundred."""
LONGEST_NAME = 100
LONGEST_MATCH = 999
MOST_POINTS = 999_999
"""Points of one game; a score may be that many times the games."""
_BLOCK = 1 << 20


class TooLarge(InputError):
    """A file beyond the limits."""


def read_whole(text: str, most: int) -> int | None:
    """The whole number from 0 to ``most`` that a text of plain digits says, else None.

    ``int`` alone takes the digits of other scripts and fails on very long numbers, and
    ``str.isdigit`` takes superscripts, which ``int`` doesn't.
    """
    digits = text.strip()
    if not (digits.isascii() and digits.isdigit()) or len(digits.lstrip("0")) > len(str(most)):
        return None
    number = int(digits[-len(str(most)) :])
    return number if number <= most else None


def one_line(text: str, most: int = LONGEST_NAME) -> str:
    """A text as one line that any file can hold, cut after ``most`` characters.

    Blanks and ends of lines become single blanks, the halves of characters (lone surrogates)
    a question mark; control characters go.
    """
    kept = [
        each for each in encodable(text) if each.isspace() or each > "\x9f" or each.isprintable()
    ]
    return " ".join("".join(kept).split())[:most].strip()


def encodable(text: str) -> str:
    """The text with two halves of a character joined and single ones replaced by ``?``."""
    if not re.search("[\ud800-\udfff]", text):
        return text
    units = text.encode("utf-16-le", "surrogatepass")
    return units.decode("utf-16-le", "replace").replace("\ufffd", "?")


def excerpt(text: str, most: int = 40) -> str:
    """The beginning of a text for a message, in quotes, on one line."""
    line = one_line(text, most + 1)
    return f"'{line[:most]}…'" if len(line) > most else f"'{line}'"


def unpacked(packed: bytes) -> bytes | None:
    """What zlib or gzip data unpack to; None where they are neither, or damaged.

    Raises ``TooLarge`` before more than ``LARGEST_UNPACKED`` bytes are held.
    """
    unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 32)  # either header
    parts, size, rest = [], 0, packed
    try:
        while rest and not unpacker.eof:
            part = unpacker.decompress(rest, _BLOCK)
            rest = unpacker.unconsumed_tail
            parts.append(part)
            size += len(part)
            if size > LARGEST_UNPACKED:
                raise TooLarge(f"unpacks to more than {LARGEST_UNPACKED >> 20} MB")
    except zlib.error:
        return None
    return b"".join(parts) if unpacker.eof else None
