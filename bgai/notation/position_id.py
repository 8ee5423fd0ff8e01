"""GNU Backgammon position IDs: 14 characters for the checkers of both sides.

80 bits, the least significant bit of each byte first, written in Base64 without padding.
The side *not* on roll comes first. Each side gives its points 1-24 and then its bar, in
its own numbering: as many 1 bits as checkers, then a 0.
"""

import base64
import binascii

import numpy as np

from bgai.errors import InputError
from bgai.rules.position import BAR, CHECKERS, OFF, SLOTS, Positions, check_position

LENGTH = 14
_BYTES = 10


class IdentifierError(InputError):
    """An identifier that can't be read; the message names the field."""


def format_position_id(position: Positions) -> str:
    """The position ID of one ``(2, 26)`` position, the player on roll first."""
    bits = at = 0
    for side in (1, 0):
        for count in position[side, 1:].tolist():
            bits |= ((1 << count) - 1) << at
            at += count + 1
    return encode(bits, _BYTES)


def parse_position_id(text: str) -> Positions:
    """The ``(2, 26)`` position of an ID, the player on roll first.

    Checkers that are not on the board are borne off. Raises ``IdentifierError`` or
    ``PositionError``.
    """
    bits = decode(text, LENGTH, "position ID")
    position = np.zeros((2, SLOTS), dtype=np.int64)
    for side, name in ((1, "opponent"), (0, "player on roll")):
        for slot in range(1, SLOTS):
            count = (~bits & (bits + 1)).bit_length() - 1  # trailing 1 bits
            bits >>= count + 1
            position[side, slot] = count
        total = int(position[side].sum())
        if total > CHECKERS:
            raise IdentifierError(
                f"position ID '{text}': {total} checkers of the {name}, at most {CHECKERS}"
            )
        position[side, OFF] = CHECKERS - total
    if bits:
        raise IdentifierError(f"position ID '{text}': bits after the {name}'s point {BAR}")
    return check_position(position)


def encode(bits: int, size: int) -> str:
    """Base64 without padding of an integer's ``size`` bytes, the lowest byte first."""
    return base64.b64encode(bits.to_bytes(size, "little")).decode().rstrip("=")


def decode(text: str, length: int, name: str) -> int:
    """The integer behind an ID of ``length`` characters; ``IdentifierError`` names ``name``."""
    if len(text) != length:
        raise IdentifierError(f"{name} '{text}' has {len(text)} characters, it needs {length}")
    try:
        data = base64.b64decode(text + "=" * (-length % 4), validate=True)
    except (binascii.Error, ValueError):
        raise IdentifierError(
            f"{name} '{text}' has characters other than A-Z, a-z, 0-9, + and /"
        ) from None
    if base64.b64encode(data).decode().rstrip("=") != text:
        raise IdentifierError(f"{name} '{text}': its last character has bits that mean nothing")
    return int.from_bytes(data, "little")
