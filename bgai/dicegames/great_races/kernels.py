"""Compiled loops of the Great Races: exact endings, and games by tables of the races.

Races are numbered 0-10 (totals 2-12). ``sheet`` is ``(4, 11)``: length, line, first, second.
An option is a pair of races; those of roll ``t`` are ``options[offsets[t]:offsets[t + 1]]``.

An ending is a few open races. In each of them its condition is a number: the seats' further
marks in mixed radix, then ``seats**2`` ways to be closed (first place times seats, plus second
place; second = first where nobody is second). A mark never lowers the number, so a pass
downwards over all conditions together meets what follows first.
"""

import math

import numpy as np
from numpy.typing import NDArray

from bgai.compiled import compiled
from bgai.dicegames.random_kernels import draw, draw_roll

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

BETTER = 1e-13
BEST, GREEDY, RANDOM = range(3)
RACES = 11


@compiled()
def second_place(marks: Ints, winner: int, line: int) -> int:
    """The farthest other seat past the line, the higher among equals; ``winner`` if none."""
    second, farthest = winner, line + 1
    for seat in range(len(marks)):
        if seat != winner and marks[seat] >= farthest:
            second, farthest = seat, marks[seat]
    return second


@compiled()
def marked_condition(
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
def solve_ending(
    marks: Ints,
    sheet: Ints,
    points: Ints,
    room: Ints,
    options: Ints,
    offsets: Ints,
    ways: Ints,
) -> Floats:
    """Win chances ``(conditions, seat to roll, seat)`` of an ending.

    ``marks`` ``(k, seats)`` and ``sheet`` ``(4, k)`` of the ``k`` open races, ``points`` of the
    seats from closed ones; ``options`` are pairs of places in these ``k``, -1 for no mark;
    ``offsets`` and ``ways`` group them by roll.
    """
    races, seats = marks.shape
    strides = np.ones(races + 1, np.int64)
    for race in range(races):
        strides[race + 1] = strides[race] * (room[race] + seats * seats)
    values = np.zeros((strides[races], seats, seats))
    constant = np.zeros((seats, seats))
    staying = np.zeros(seats)
    total = float(ways.sum())
    best_after = np.zeros((seats, len(ways)), np.int64)
    can_stay = np.zeros((seats, len(ways)), np.bool_)
    conditions = np.zeros(races, np.int64)
    current = np.zeros(seats, np.int64)
    scores = np.zeros(seats, np.int64)
    for index in range(strides[races] - 1, -1, -1):
        over = True
        for race in range(races):
            conditions[race] = index // strides[race] % (room[race] + seats * seats)
            over = over and conditions[race] >= room[race]
        if over:
            _finish(index, conditions, room, sheet, points, scores, values)
            continue
        for mover in range(seats):
            following = (mover + 1) % seats
            for roll in range(len(ways)):
                best_after[mover, roll] = -1
                can_stay[mover, roll] = False
                for row in range(offsets[roll], offsets[roll + 1]):
                    after = _after_option(
                        index, conditions, strides, options[row], mover, marks, sheet, room, current
                    )
                    if after == index:
                        can_stay[mover, roll] = True
                        continue
                    best = best_after[mover, roll]
                    if best < 0 or (
                        values[after, following, mover] > values[best, following, mover]
                    ):
                        best_after[mover, roll] = after
        _close_loop(index, best_after, can_stay, ways, total, constant, staying, values)
    return values


@compiled()
def _after_option(
    index: int,
    conditions: Ints,
    strides: Ints,
    option: Ints,
    mover: int,
    marks: Ints,
    sheet: Ints,
    room: Ints,
    current: Ints,
) -> int:
    """The conditions after marking both races of an option."""
    first, second = option[0], option[1]
    after = index
    if first >= 0:
        condition = marked_condition(conditions[first], mover, first, marks, sheet, room, current)
        if second == first:
            condition = marked_condition(condition, mover, first, marks, sheet, room, current)
        after += (condition - conditions[first]) * strides[first]
    if second >= 0 and second != first:
        condition = marked_condition(conditions[second], mover, second, marks, sheet, room, current)
        after += (condition - conditions[second]) * strides[second]
    return after


@compiled()
def _finish(
    index: int,
    conditions: Ints,
    room: Ints,
    sheet: Ints,
    points: Ints,
    scores: Ints,
    values: Floats,
) -> None:
    """All races closed: the highest score wins, the higher seat among equals."""
    seats = len(points)
    scores[:] = points
    for race in range(len(conditions)):
        first, second = divmod(conditions[race] - room[race], seats)
        scores[first] += sheet[2, race]
        if second != first:
            scores[second] += sheet[3, race]
    winner = 0
    for seat in range(seats):
        if scores[seat] >= scores[winner]:
            winner = seat
    values[index, :, winner] = 1.0


@compiled()
def _close_loop(
    index: int,
    best_after: Ints,
    can_stay: NDArray[np.bool_],
    ways: Ints,
    total: float,
    constant: Floats,
    staying: Floats,
    values: Floats,
) -> None:
    """Value one condition for every seat to roll: without a mark the roll passes on.

    Marking nothing on purpose is an act too; policies are improved until none is better.
    """
    seats = len(staying)
    for sweep in range(20):
        changed = False
        for mover in range(seats):
            following = (mover + 1) % seats
            constant[mover] = 0.0
            staying[mover] = 0.0
            for roll in range(len(ways)):
                after = best_after[mover, roll]
                stay = after < 0
                if not stay and can_stay[mover, roll] and sweep:
                    passed = values[index, following, mover]
                    stay = passed > values[after, following, mover] + BETTER
                if stay:
                    staying[mover] += ways[roll] / total
                    changed = changed or after >= 0
                else:
                    for seat in range(seats):
                        constant[mover, seat] += ways[roll] / total * values[after, following, seat]
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
        if sweep and not changed:
            return


# before an ending: a table a race


@compiled()
def pair_worth(
    mover: int, other: int, marks: Ints, scores: Ints, open_race: NDArray[np.bool_], net: Floats
) -> float:
    """Chance that ``mover``, having just marked, ends ahead of ``other``.

    ``net`` ``(2, 11, marks of the one, marks of the other)``: mean and variance of the points
    in an open race, the one's less the other's. The sum is taken to be normal; equal scores
    go to the higher seat.
    """
    mean = float(scores[mover] - scores[other])
    mean += 0.5 if mover > other else -0.5
    variance = 0.05
    for race in range(RACES):
        if open_race[race]:
            mean += net[0, race, marks[mover, race], marks[other, race]]
            variance += net[1, race, marks[mover, race], marks[other, race]]
    return 0.5 * math.erfc(-mean / math.sqrt(2.0 * variance))


@compiled()
def worth(
    mover: int, marks: Ints, scores: Ints, open_race: NDArray[np.bool_], net: Floats
) -> float:
    """Chance that ``mover`` ends ahead of everyone, the others taken one by one."""
    product = 1.0
    for other in range(len(scores)):
        if other != mover:
            product *= pair_worth(mover, other, marks, scores, open_race, net)
    return product


@compiled()
def mark(
    race: int, mover: int, marks: Ints, scores: Ints, open_race: NDArray[np.bool_], sheet: Ints
) -> None:
    """Mark a space, and close the race with its last one."""
    if not open_race[race]:
        return
    marks[mover, race] += 1
    if marks[mover, race] == sheet[0, race]:
        open_race[race] = False
        second = second_place(marks[:, race], mover, sheet[1, race])
        scores[mover] += sheet[2, race]
        if second != mover:
            scores[second] += sheet[3, race]


@compiled()
def greedy_worth(mover: int, before: Ints, after: Ints, gained: int, sheet: Ints) -> float:
    """For a greedy seat: points won at once, then first-place points per space marked."""
    total = 1000.0 * gained
    for race in range(RACES):
        spaces = after[mover, race] - before[mover, race]
        if spaces:
            total += spaces * sheet[2, race] / sheet[0, race]
    return total


@compiled()
def play_until(
    seed: np.uint64,
    kinds: Ints,
    streams: Ints,
    ending: int,
    tables: tuple[Ints, Ints, Ints, Ints],
    net: Floats,
    marks: Ints,
    turn: int,
) -> int:
    """Play from ``marks`` (changed) until at most ``ending`` races are open; the turns made.

    ``tables``: sheet, options, offsets, ways; ``net`` as in :func:`pair_worth`.
    """
    sheet, options, offsets, ways = tables
    seats = len(kinds)
    scores = np.zeros(seats, np.int64)
    open_race = np.ones(RACES, np.bool_)
    left = _count(marks, scores, open_race, sheet)
    tried_marks, tried_scores = marks.copy(), scores.copy()
    tried_open = open_race.copy()
    while left > ending:
        mover = turn % seats
        roll = draw_roll(seed, streams[mover], turn // seats, ways)
        start, count = offsets[roll], offsets[roll + 1] - offsets[roll]
        chosen, most = start, -1.0
        if kinds[mover] == RANDOM:
            chosen = start + draw(seed, streams[mover] + 1000, turn, count)
        elif count > 1:
            for row in range(start, start + count):
                tried_marks[:] = marks
                tried_scores[:] = scores
                tried_open[:] = open_race
                for race in options[row]:
                    mark(race, mover, tried_marks, tried_scores, tried_open, sheet)
                if kinds[mover] == BEST:
                    value = worth(mover, tried_marks, tried_scores, tried_open, net)
                else:
                    gained = tried_scores[mover] - scores[mover]
                    value = greedy_worth(mover, marks, tried_marks, gained, sheet)
                if value > most:
                    chosen, most = row, value
        for race in options[chosen]:
            mark(race, mover, marks, scores, open_race, sheet)
        left = open_race.sum()
        turn += 1
    return turn


@compiled()
def _count(marks: Ints, scores: Ints, open_race: NDArray[np.bool_], sheet: Ints) -> int:
    """Fill scores and open races from the marks; the number of open races."""
    scores[:] = 0
    for race in range(RACES):
        for seat in range(len(scores)):
            if marks[seat, race] == sheet[0, race]:
                open_race[race] = False
                scores[seat] += sheet[2, race]
                second = second_place(marks[:, race], seat, sheet[1, race])
                if second != seat:
                    scores[second] += sheet[3, race]
    return open_race.sum()


@compiled()
def winner_of(marks: Ints, sheet: Ints) -> int:
    """The winning seat once all races are closed."""
    scores = np.zeros(len(marks), np.int64)
    _count(marks, scores, np.ones(RACES, np.bool_), sheet)
    winner = 0
    for seat in range(len(scores)):
        if scores[seat] >= scores[winner]:
            winner = seat
    return winner


@compiled()
def roll_out(
    seeds: NDArray[np.uint64],
    marks: Ints,
    roller: int,
    tables: tuple[Ints, Ints, Ints, Ints],
    net: Floats,
) -> Ints:
    """Wins per seat over games played on from ``marks`` by the race tables."""
    seats = len(marks)
    kinds = np.zeros(seats, np.int64)
    streams = np.arange(seats)
    wins = np.zeros(seats, np.int64)
    for game in range(len(seeds)):
        current = marks.copy()
        play_until(seeds[game], kinds, streams, 0, tables, net, current, roller)
        wins[winner_of(current, tables[0])] += 1
    return wins


@compiled()
def play_ending(
    seed: np.uint64,
    kinds: Ints,
    streams: Ints,
    tables: tuple[Ints, Ints, Ints, Ints],
    races: Ints,
    start: Ints,
    room: Ints,
    values: Floats,
    marks: Ints,
    turn: int,
) -> int:
    """Play an ending out from ``marks`` (changed): best seats by ``values``, the others as in
    :func:`play_until`. ``races`` are the open ones, ``start`` their marks at its start."""
    sheet, options, offsets, ways = tables
    seats = len(kinds)
    place = np.full(RACES, -1)
    strides = np.ones(len(races) + 1, np.int64)
    for number in range(len(races)):
        place[races[number]] = number
        strides[number + 1] = strides[number] * (room[number] + seats * seats)
    few = np.ascontiguousarray(sheet[:, races])
    scores = np.zeros(seats, np.int64)
    open_race = np.ones(RACES, np.bool_)
    _count(marks, scores, open_race, sheet)
    conditions = np.zeros(len(races), np.int64)
    current = np.zeros(seats, np.int64)
    inner = np.zeros(2, np.int64)
    index = 0
    while open_race.any():
        mover = turn % seats
        roll = draw_roll(seed, streams[mover], turn // seats, ways)
        begin, end = offsets[roll], offsets[roll + 1]
        chosen, most = begin, -1.0
        for number in range(len(races)):
            conditions[number] = index // strides[number] % (room[number] + seats * seats)
        for row in range(begin, end):
            inner[0], inner[1] = place[options[row, 0]], place[options[row, 1]]
            after = _after_option(
                index, conditions, strides, inner, mover, start, few, room, current
            )
            if kinds[mover] == BEST:
                value = values[after, (mover + 1) % seats, mover]
            elif kinds[mover] == GREEDY:
                value = _greedy_option(options[row], mover, marks, open_race, sheet)
            else:
                value = float(draw(seed, streams[mover] + 1000, turn * 4 + row - begin, 1000))
            if value > most:
                chosen, most = row, value
        inner[0], inner[1] = place[options[chosen, 0]], place[options[chosen, 1]]
        index = _after_option(index, conditions, strides, inner, mover, start, few, room, current)
        for race in options[chosen]:
            mark(race, mover, marks, scores, open_race, sheet)
        turn += 1
    return turn


@compiled()
def _greedy_option(
    option: Ints, mover: int, marks: Ints, open_race: NDArray[np.bool_], sheet: Ints
) -> float:
    after, scores, still_open = marks.copy(), np.zeros(len(marks), np.int64), open_race.copy()
    for race in option:
        mark(race, mover, after, scores, still_open, sheet)
    return greedy_worth(mover, marks, after, scores[mover], sheet)
