"""Positions: where the checkers of both sides stand.

A position is an ``int8`` array of shape ``(..., 2, 26)``. Side 0 is the player on roll
(about to roll), side 1 the opponent. Each side is numbered by its own player: index 0
counts checkers borne off, 1-24 are the points from the home outwards, 25 is the bar.
My point ``p`` is the opponent's point ``25 - p``. Passing the turn swaps the two sides.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgai.errors import InputError

Positions = NDArray[np.int8]

CHECKERS = 15
POINTS = 24
OFF = 0
BAR = 25
SLOTS = 26

STARTING_POINTS: Mapping[int, int] = {24: 2, 13: 5, 8: 3, 6: 5}

# Pips a checker still has to travel from each slot; the bar counts 25.
_PIPS = np.arange(SLOTS, dtype=np.int32)


class PositionError(InputError):
    """A position that can't occur; the message names the side and the point."""


def position_from_points(
    on_roll: Mapping[int, int], opponent: Mapping[int, int], *, complete: bool = True
) -> Positions:
    """Build one ``(2, 26)`` position from ``{slot: checkers}`` of each side.

    With ``complete`` the checkers not named are borne off. Raises ``PositionError``.
    """
    position = np.zeros((2, SLOTS), dtype=np.int64)
    for side, points in enumerate((on_roll, opponent)):
        for slot, count in points.items():
            if not 0 <= slot <= BAR:
                raise PositionError(f"{_SIDE[side]}: there is no point {slot}")
            position[side, slot] = count
        if complete:
            position[side, OFF] = CHECKERS - position[side, 1:].sum()
    return check_position(position)


def starting_position() -> Positions:
    """The ``(2, 26)`` position every game starts from."""
    return position_from_points(STARTING_POINTS, STARTING_POINTS)


def swap_sides(positions: Positions) -> Positions:
    """The same positions seen by the other player; a copy of the same shape."""
    return np.ascontiguousarray(positions[..., ::-1, :])


def pip_counts(positions: Positions) -> NDArray[np.int32]:
    """Pips each side still needs, shape ``(..., 2)``; a checker on the bar counts 25."""
    return np.asarray(positions.astype(np.int32) @ _PIPS, dtype=np.int32)


def has_contact(positions: Positions) -> NDArray[np.bool_]:
    """Whether the sides can still hit each other, shape ``(...)``.

    Contact is over when each side's rearmost checker has passed the other's: the highest
    occupied slots of the two sides sum to less than 25. A side that is all off has none.
    """
    occupied = positions[..., 1:] > 0
    reach = np.where(occupied, np.arange(1, SLOTS), 0).max(axis=-1)
    contact = reach.sum(axis=-1) >= POINTS + 1
    return np.asarray(contact & (reach.min(axis=-1) > 0))


def is_over(positions: Positions) -> NDArray[np.bool_]:
    """Whether either side has borne off all its checkers, shape ``(...)``."""
    return np.asarray((positions[..., OFF] == CHECKERS).any(axis=-1))


_SIDE = ("player on roll", "opponent")


def check_position(position: NDArray[Any]) -> Positions:
    """One ``(2, 26)`` position as ``int8``; raises ``PositionError`` saying what is wrong."""
    if position.shape != (2, SLOTS):
        raise PositionError(f"a position has shape (2, {SLOTS}), this one {position.shape}")
    for side, name in enumerate(_SIDE):
        if (position[side] < 0).any():
            slot = int(np.argmax(position[side] < 0))
            raise PositionError(f"{name}: {position[side, slot]} checkers on point {slot}")
        total = int(position[side].sum())
        if total != CHECKERS:
            raise PositionError(f"{name}: {total} checkers, there must be {CHECKERS}")
    shared = (position[0, 1:BAR] > 0) & (position[1, BAR - 1 : 0 : -1] > 0)
    if shared.any():
        point = int(np.argmax(shared)) + 1
        raise PositionError(f"both sides have checkers on the {point} point of the player on roll")
    if (position[:, OFF] == CHECKERS).all():
        raise PositionError("both sides have borne off all their checkers")
    return position.astype(np.int8)
