"""Compiled rules of what a game can still end in; they are written down in ``possible``.

Rows are positions of 52 ``int8``, the player on roll first. A result is a number of points to
that player, -3 to 3. Results still possible are given by the lowest and the highest.
"""

from typing import Any

import numpy as np

from bgai.compiled import compiled
from bgai.evaluation.bits_kernels import mirrored, more_than

_SIDE = 26
_FIRST_FAR = 19  # the opponent's home board is a side's points 19 to 24
_CHECKERS = 15

# What a checker on each slot adds to three sums at once: pips, dice to its home (from bit 10),
# one if it is far back (from bit 18).
_SLOTS = np.arange(_SIDE)
_COUNTED = (_SLOTS + ((_SLOTS + 5) // 6 - 1 << 10) + ((_SLOTS >= _FIRST_FAR) << 18)).astype(
    np.int32
)


@compiled()
def in_contact(row: Any) -> Any:
    """Whether the sides can still hit each other (see ``position.has_contact``)."""
    mine = more_than(row, 0, 0) & ~np.int64(1)  # type: ignore[call-arg]
    theirs = mirrored(more_than(row, 1, 0) & ~np.int64(1))  # type: ignore[call-arg]
    # The furthest back of mine stands on or behind the furthest back of theirs.
    return mine != 0 and theirs != 0 and mine >= (theirs & -theirs)


@compiled(inline="always")
def _count(row: Any, side: Any) -> Any:
    """Of one side: pips, checkers left, dice that bring everybody home, checkers far back.

    A die moves one checker by at most six points; far back is in the opponent's home.
    """
    total = np.int32(0)
    for point in range(1, 25):
        total = np.int32(total + np.int32(row[_SIDE * side + point]) * _COUNTED[point])
    pips = np.int64(total & 1023)
    return pips, _CHECKERS - row[_SIDE * side], np.int64((total >> 10) & 255), np.int64(total >> 18)


@compiled(inline="always")
def _rolls(dice: Any) -> Any:
    """Rolls for so many dice at least: doubles have four."""
    return (dice + 3) >> 2


@compiled(inline="always")
def _sixths(pips: Any, left: Any) -> Any:
    """Six times the rolls, rounded down, in which a side is off for certain without contact."""
    return 2 * pips + left + (4 if pips > left else 3)


@compiled(inline="always")
def possible_in_race(row: Any) -> tuple[int, int]:
    """Lowest and highest result possible without contact; nobody is off yet.

    Rolls in sixths and thirds aren't divided: whole rolls ``n`` exceed ``x / 6``, rounded down,
    where ``6 * n > x``.
    """
    pips, left, outside, far = _count(row, 0)
    their_pips, their_left, their_outside, their_far = _count(row, 1)
    soonest = _rolls(left + outside)
    latest = _sixths(pips, left)
    their_soonest = _rolls(their_left + their_outside)
    their_latest = _sixths(their_pips, their_left)

    lowest = -1
    highest = 1
    if 6 * soonest > their_latest:  # lost for certain
        highest = -1
        if left == _CHECKERS and 6 * _rolls(outside + 1) > their_latest:
            highest = -3 if 6 * _rolls(far) > their_latest else -2
    elif their_left == _CHECKERS:
        if their_pips - 15 >= 3 * (soonest - 1):
            highest = 2
        if their_far > 0 and their_pips - 33 >= 3 * (soonest - 1):
            highest = 3
    if 6 * (their_soonest + 1) > latest:  # won for certain
        lowest = 1
        if their_left == _CHECKERS and 6 * (_rolls(their_outside + 1) + 1) > latest:
            lowest = 3 if 6 * (_rolls(their_far) + 1) > latest else 2
    elif left == _CHECKERS:
        if pips - 15 >= 3 * their_soonest:
            lowest = -2
        if far > 0 and pips - 33 >= 3 * their_soonest:
            lowest = -3
    return lowest, highest


@compiled()
def possible_in_contact(row: Any) -> tuple[int, int]:
    """Lowest and highest result possible in contact; nobody is off yet."""
    highest = 3 if row[_SIDE] == 0 else 1
    if row[0] >= _CHECKERS - 2 and row[0] + row[1] == _CHECKERS:  # the others are on the bar
        return highest, highest
    return -3 if row[0] == 0 else -1, highest


@compiled()
def finished_result(row: Any) -> int:
    """Points of a finished game; a loser with a checker at the winner's home or on the bar, 3."""
    won = row[0] == _CHECKERS
    loser = _SIDE if won else 0
    points = 1
    if row[loser] == 0:
        points = 2
        for slot in range(_FIRST_FAR, _SIDE):
            if row[loser + slot] > 0:
                points = 3
    return points if won else -points


@compiled(inline="always")
def hold_to(lowest: int, highest: int, chances: Any) -> None:
    """Make chances ``(5,)`` exact where the results possible decide them."""
    if highest < 0:
        chances[0] = 0.0
    if highest < 2:
        chances[1] = 0.0
    if highest < 3:
        chances[2] = 0.0
    if lowest > -2:
        chances[3] = 0.0
    if lowest > -3:
        chances[4] = 0.0
    if lowest > 0:
        chances[0] = 1.0
        if lowest > 1:
            chances[1] = 1.0
        if lowest > 2:
            chances[2] = 1.0
    elif highest < -1:
        chances[3] = 1.0
        if highest < -2:
            chances[4] = 1.0


@compiled()
def hold_finished(row: Any, chances: Any) -> None:
    """Chances ``(5,)`` of a row where the game is over."""
    points = finished_result(row)
    hold_to(points, points, chances)


@compiled(inline="always")
def hold_race(row: Any, chances: Any) -> None:
    """Chances ``(5,)`` of a row without contact, held to what is possible."""
    lowest, highest = possible_in_race(row)
    hold_to(lowest, highest, chances)


@compiled(inline="always")
def hold_contact(row: Any, chances: Any) -> None:
    """Chances ``(5,)`` of a row in contact, held to what is possible."""
    if row[0] > 0 or row[_SIDE] > 0:
        lowest, highest = possible_in_contact(row)
        hold_to(lowest, highest, chances)


@compiled()
def possible_rows(rows: Any, lowest: Any, highest: Any) -> None:
    """Results possible in each of ``rows (n, 52)`` into two arrays ``(n,)``."""
    for i in range(rows.shape[0]):
        row = rows[i]
        if row[0] == _CHECKERS or row[_SIDE] == _CHECKERS:
            points = finished_result(row)
            lowest[i] = points
            highest[i] = points
        elif in_contact(row):
            lowest[i], highest[i] = possible_in_contact(row)
        else:
            lowest[i], highest[i] = possible_in_race(row)
