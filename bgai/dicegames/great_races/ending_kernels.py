"""Exact endings of the Great Races: compiled solution and play.

An ending is a few open races, in rising order. In each of them its condition is a number: the
seats' further marks in mixed radix, then ``seats**2`` ways to be closed (first place times
seats, plus second place; second = first where nobody is second). A mark never lowers the
number, so a pass downwards over all conditions together meets what follows first.

An option within ``k`` open races is a code ``(a + 1) * (k + 1) + b + 1`` of the places ``a >= b``
of its two marks, -1 for a mark that is lost.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bgai.compiled import compiled
from bgai.dicegames.great_races.tables import Options

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

TIE = 1e-10
"""Choices that differ less in the win chance of the seat to act are equal to it: any of them may
be made, each as likely as the others. (Between two seats it makes no difference.)"""
MOST_SWEEPS = 20


class Acts(NamedTuple):
    """What each seat does in one condition."""

    chosen: Ints
    """``(seats, rolls)``: a bit for each option taken."""
    constant: Floats
    """``(seats, seats)``: win chances from what leads on."""
    staying: Floats
    """``(seats,)``: chance to mark nothing."""


@compiled()
def second_place(marks: Ints, winner: int, line: int) -> int:
    """The farthest other seat past the line, the higher among equals; ``winner`` if none."""
    second, farthest = winner, line + 1
    for seat in range(len(marks)):
        if seat != winner and marks[seat] >= farthest:
            second, farthest = seat, marks[seat]
    return second


@compiled()
def strides_of(room: Ints, seats: int) -> Ints:
    """What a condition of each race counts in the number of all, and how many numbers."""
    strides = np.ones(len(room) + 1, np.int64)
    for race in range(len(room)):
        strides[race + 1] = strides[race] * (room[race] + seats * seats)
    return strides


@compiled()
def _marked(
    condition: int, seat: int, race: int, marks: Ints, sheet: Ints, room: Ints, current: Ints
) -> int:
    """A race's condition after a mark. ``marks`` ``(races, seats)`` are those at the start of
    the ending, ``room`` the open conditions of each race, ``sheet`` ``(4, races)``."""
    seats = marks.shape[1]
    if condition >= room[race]:
        return condition
    rest, radix, step = condition, 1, 1
    for other in range(seats):
        size = sheet[0, race] - marks[race, other]
        current[other] = marks[race, other] + rest % size
        rest //= size
        if other == seat:
            step = radix
        radix *= size
    if current[seat] + 1 < sheet[0, race]:
        return condition + step
    return room[race] + seat * seats + second_place(current, seat, sheet[1, race])


@compiled()
def _following(
    index: int, mover: int, marks: Ints, sheet: Ints, room: Ints, strides: Ints, after: Ints
) -> None:
    """Fill ``after``: the number of the conditions after every option, by its code."""
    races, seats = marks.shape
    current = np.zeros(seats, np.int64)
    once, twice = np.zeros(races, np.int64), np.zeros(races, np.int64)
    for race in range(races):
        condition = index // strides[race] % (room[race] + seats * seats)
        one = _marked(condition, mover, race, marks, sheet, room, current)
        two = _marked(one, mover, race, marks, sheet, room, current)
        once[race] = (one - condition) * strides[race]
        twice[race] = (two - condition) * strides[race]
    after[0] = index
    for a in range(races):
        after[(a + 1) * (races + 1)] = index + once[a]
        for b in range(a):
            after[(a + 1) * (races + 1) + b + 1] = index + once[a] + once[b]
        after[(a + 1) * (races + 1) + a + 1] = index + twice[a]


@compiled()
def solve_ending(marks: Ints, sheet: Ints, points: Ints, room: Ints, options: Options) -> Floats:
    """Win chances ``(conditions, seat to roll, seat)`` of an ending.

    ``marks`` ``(k, seats)`` and ``sheet`` ``(4, k)`` of the ``k`` open races, ``points`` of the
    seats from closed ones.
    """
    races, seats = marks.shape
    strides = strides_of(room, seats)
    values = np.zeros((strides[races], seats, seats))
    after = np.zeros((seats, (races + 1) ** 2), np.int64)
    chosen = np.zeros((seats, len(options.ways)), np.int64)
    acts = Acts(chosen, np.zeros((seats, seats)), np.zeros(seats))
    for index in range(strides[races] - 1, -1, -1):
        over = True
        for race in range(races):
            condition = index // strides[race] % (room[race] + seats * seats)
            over = over and condition >= room[race]
        if over:
            _finish(index, strides, room, sheet, points, values)
            continue
        chosen[:] = 0
        for mover in range(seats):
            _following(index, mover, marks, sheet, room, strides, after[mover])
        for sweep in range(MOST_SWEEPS):
            changed = False
            for mover in range(seats):
                changed |= _choose(index, mover, after[mover], options, sweep > 0, values, acts)
            if sweep and not changed:
                break
            _close(index, acts.constant, acts.staying, values)
            if not changed:
                break
    return values


@compiled()
def _choose(
    index: int, mover: int, after: Ints, options: Options, may_stay: bool, values: Floats,
    acts: Acts,
) -> bool:  # fmt: skip
    """What ``mover`` does with every roll, by ``values`` after it, equal choices alike.

    Fills in the mover's ``acts``. Marking nothing on purpose is an act too, once its value is
    known (``may_stay``). Returns whether a choice has changed, or may if that is.
    """
    codes, offsets, ways = options
    chosen, constant, staying = acts.chosen[mover], acts.constant, acts.staying
    seats = len(staying)
    following = (mover + 1) % seats
    passed = values[index, following, mover]
    total = float(ways.sum())
    changed = False
    constant[mover] = 0.0
    staying[mover] = 0.0
    for roll in range(len(ways)):
        most, leading = -1.0, 0
        for row in range(offsets[roll], offsets[roll + 1]):
            reached = after[codes[row]]
            leading += reached != index
            if reached != index:
                most = max(most, values[reached, following, mover])
        optional = 0 < leading < offsets[roll + 1] - offsets[roll]
        if optional and may_stay:
            most = max(most, passed)
        taken, count = 0, 0
        for row in range(offsets[roll], offsets[roll + 1]):
            reached = after[codes[row]]
            worth = values[reached, following, mover] if reached != index else passed
            fits = worth >= most - TIE and (reached != index or may_stay)
            if fits or not leading:
                taken |= 1 << (row - offsets[roll])
                count += 1
        if taken != chosen[roll]:
            changed = changed or may_stay or optional
            chosen[roll] = taken
        share = ways[roll] / total / count
        for row in range(offsets[roll], offsets[roll + 1]):
            if taken >> (row - offsets[roll]) & 1:
                reached = after[codes[row]]
                if reached == index:
                    staying[mover] += share
                else:
                    for seat in range(seats):
                        constant[mover, seat] += share * values[reached, following, seat]
    return changed


@compiled()
def _close(index: int, constant: Floats, staying: Floats, values: Floats) -> None:
    """Value one condition for every seat to roll: without a mark the roll passes on."""
    seats = len(staying)
    once = 1.0
    for seat in range(seats):
        values[index, 0, seat] = 0.0
    for mover in range(seats):
        for seat in range(seats):
            values[index, 0, seat] += once * constant[mover, seat]
        once *= staying[mover]
    for seat in range(seats):
        values[index, 0, seat] /= 1.0 - once
    for mover in range(seats - 1, 0, -1):
        following = (mover + 1) % seats
        for seat in range(seats):
            values[index, mover, seat] = (
                constant[mover, seat] + staying[mover] * values[index, following, seat]
            )


@compiled()
def _finish(
    index: int, strides: Ints, room: Ints, sheet: Ints, points: Ints, values: Floats
) -> None:
    """All races closed: the highest score wins, the higher seat among equals."""
    seats = len(points)
    scores = points.copy()
    for race in range(len(room)):
        condition = index // strides[race] % (room[race] + seats * seats)
        first, second = divmod(condition - room[race], seats)
        scores[first] += sheet[2, race]
        if second != first:
            scores[second] += sheet[3, race]
    winner = 0
    for seat in range(seats):
        if scores[seat] >= scores[winner]:
            winner = seat
    values[index, :, winner] = 1.0
