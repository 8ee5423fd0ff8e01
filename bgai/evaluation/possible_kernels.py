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


@compiled()
def in_contact(row: Any) -> Any:
    """Whether the sides can still hit each other (see ``position.has_contact``)."""
    mine = more_than(row, 0, 0) & ~np.int64(1)  # type: ignore[call-arg]
    theirs = mirrored(more_than(row, 1, 0) & ~np.int64(1))  # type: ignore[call-arg]
    # The furthest back of mine stands on or behind the furthest back of theirs.
    return mine != 0 and theirs != 0 and mine >= (theirs & -theirs)


@compiled(inline="always")
def _count(row: Any, side: Any) -> Any:
    """Of one side: pips, checkers left, dice to be off at least, those beyond its home, far ones.

    ``outside`` are the dice that bring everybody home, ``far`` the checkers in the opponent's
    home. A die moves one checker by at most six points.
    """
    pips = np.int64(0)
    home = np.int64(0)
    outer = np.int64(0)
    beyond = np.int64(0)
    far = np.int64(0)
    base = _SIDE * side
    for point in range(1, 7):
        pips += (
            point * np.int64(row[base + point])
            + (point + 6) * np.int64(row[base + point + 6])
            + (point + 12) * np.int64(row[base + point + 12])
            + (point + 18) * np.int64(row[base + point + 18])
        )
        home += row[base + point]
        outer += row[base + point + 6]
        beyond += row[base + point + 12]
        far += row[base + point + 18]
    left = home + outer + beyond + far
    outside = outer + 2 * beyond + 3 * far
    return pips, left, left + outside, outside, far


@compiled(inline="always")
def _longest(pips: Any, left: Any) -> Any:
    """Rolls after which a side is off for certain, without contact."""
    return (2 * pips + left + (4 if pips > left else 3)) // 6


@compiled()
def possible_in_race(row: Any) -> tuple[int, int]:
    """Lowest and highest result possible without contact; nobody is off yet."""
    pips, left, dice, outside, far = _count(row, 0)
    their_pips, their_left, their_dice, their_outside, their_far = _count(row, 1)
    soonest = (dice + 3) // 4
    latest = _longest(pips, left)
    their_soonest = (their_dice + 3) // 4
    their_latest = _longest(their_pips, their_left)

    lowest = -1
    highest = 1
    if soonest > their_latest:  # lost for certain
        highest = -1
        if left == _CHECKERS and (outside + 1 + 3) // 4 > their_latest:
            highest = -2
            if (far + 3) // 4 > their_latest:
                highest = -3
    elif their_left == _CHECKERS:
        if (their_pips - 15) // 3 >= soonest - 1:
            highest = 2
        if their_far > 0 and (their_pips - 33) // 3 >= soonest - 1:
            highest = 3
    if latest <= their_soonest:  # won for certain
        lowest = 1
        if their_left == _CHECKERS and (their_outside + 1 + 3) // 4 >= latest:
            lowest = 2
            if (their_far + 3) // 4 >= latest:
                lowest = 3
    elif left == _CHECKERS:
        if (pips - 15) // 3 >= their_soonest:
            lowest = -2
        if far > 0 and (pips - 33) // 3 >= their_soonest:
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


@compiled()
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


@compiled()
def hold_race(row: Any, chances: Any) -> None:
    """Chances ``(5,)`` of a row without contact, held to what is possible."""
    lowest, highest = possible_in_race(row)
    hold_to(lowest, highest, chances)


@compiled()
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
