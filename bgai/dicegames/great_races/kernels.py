"""Compiled loops of the Great Races: games and rollouts, by tables of the races and exact ends.

Races are numbered 0-10 (totals 2-12). ``sheet`` is ``(4, 11)``: length, line, first, second.
An option is a pair of races; those of roll ``t`` are ``options[offsets[t]:offsets[t + 1]]``;
``rolls`` has each roll by its number as often as it has ways.

``net`` ``(2, 11, marks of the one, marks of the other)``: mean and variance of the points in an
open race, the one's less the other's, the other about to roll.
"""

import math

import numpy as np
from numpy.typing import NDArray

from bgai.compiled import compiled
from bgai.dicegames.great_races.ending_kernels import (
    _following,
    second_place,
    solve_ending,
    strides_of,
)
from bgai.dicegames.random_kernels import draw, draw_from

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Tables = tuple[Ints, Ints, Ints, Ints]
"""Sheet, options, offsets, rolls."""
Endings = tuple[Ints, Ints, Ints, Ints]
"""Options of all endings, one after another: codes, offsets, ways; and where those of an ending
begin, by a bit for each open race."""

BEST, GREEDY, RANDOM = range(3)
RACES = 11
SPREAD = 0.05
"""Variance added to that of the points, so that there is some with all races closed."""


@compiled()
def margin(mover: int, other: int, marks: Ints, scores: Ints, open_race: Bools, net: Floats) -> (
    tuple[float, float]
):  # fmt: skip
    """Mean and variance of the points by which ``mover``, who has just marked, will end ahead.

    The sum over the races is taken to be normal; equal scores go to the higher seat.
    """
    mean = float(scores[mover] - scores[other])
    mean += 0.5 if mover > other else -0.5
    variance = SPREAD
    for race in range(RACES):
        if open_race[race]:
            mean += net[0, race, marks[mover, race], marks[other, race]]
            variance += net[1, race, marks[mover, race], marks[other, race]]
    return mean, variance


@compiled()
def ahead(mean: float, variance: float) -> float:
    """Chance that a normal number is above 0."""
    return 0.5 * math.erfc(-mean / math.sqrt(2.0 * variance))


@compiled()
def option_worth(
    mover: int, option: Ints, marks: Ints, open_race: Bools, sheet: Ints, net: Floats,
    means: Floats, variances: Floats,
) -> float:  # fmt: skip
    """Chance that ``mover`` ends ahead of everyone after an option, the others taken one by one.

    ``means`` and ``variances``: the margins over the others before it.
    """
    product = 1.0
    pairs = 1 if option[0] == option[1] else 2
    for other in range(len(marks)):
        if other == mover:
            continue
        mean, variance = means[other], variances[other]
        for number in range(pairs):
            race = option[number]
            if not open_race[race]:
                continue
            mine, theirs = marks[mover, race], marks[other, race]
            grown = mine + 3 - pairs
            mean -= net[0, race, mine, theirs]
            variance -= net[1, race, mine, theirs]
            if grown < sheet[0, race]:
                mean += net[0, race, grown, theirs]
                variance += net[1, race, grown, theirs]
                continue
            mean += sheet[2, race]
            if second_place(marks[:, race], mover, sheet[1, race]) == other:
                mean -= sheet[3, race]
        product *= ahead(mean, max(variance, SPREAD))
    return product


@compiled()
def greedy_worth(mover: int, option: Ints, marks: Ints, open_race: Bools, sheet: Ints) -> float:
    """For a greedy seat: points won at once, then first-place points per space marked."""
    total = 0.0
    pairs = 1 if option[0] == option[1] else 2
    for number in range(pairs):
        race = option[number]
        if open_race[race]:
            spaces = min(3 - pairs, sheet[0, race] - marks[mover, race])
            total += spaces * sheet[2, race] / sheet[0, race]
            if marks[mover, race] + spaces == sheet[0, race]:
                total += 1000.0 * sheet[2, race]
    return total


@compiled()
def mark(race: int, mover: int, marks: Ints, scores: Ints, open_race: Bools, sheet: Ints) -> None:
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
def choose(
    seed: np.uint64, kind: int, stream: int, turn: int, roll: int, mover: int, marks: Ints,
    scores: Ints, open_race: Bools, tables: Tables, net: Floats,
) -> int:  # fmt: skip
    """The row of the option that a seat takes, by the tables where it plays its best."""
    sheet, options, offsets, _ = tables
    start, count = offsets[roll], offsets[roll + 1] - offsets[roll]
    if kind == RANDOM:
        return start + draw(seed, stream + 1000, turn, count)
    if count == 1:
        return start
    seats = len(scores)
    means, variances = np.zeros(seats), np.zeros(seats)
    if kind == BEST:
        for other in range(seats):
            if other != mover:
                means[other], variances[other] = margin(mover, other, marks, scores, open_race, net)
    chosen, most = start, -1.0
    for row in range(start, start + count):
        if kind == BEST:
            worth = option_worth(
                mover, options[row], marks, open_race, sheet, net, means, variances
            )
        else:
            worth = greedy_worth(mover, options[row], marks, open_race, sheet)
        if worth > most:
            chosen, most = row, worth
    return chosen


@compiled()
def play_until(
    seed: np.uint64, kinds: Ints, streams: Ints, ending: int, tables: Tables, net: Floats,
    marks: Ints, turn: int,
) -> int:  # fmt: skip
    """Play from ``marks`` (changed) until at most ``ending`` races are open; the turns made."""
    sheet, options, _, rolls = tables
    seats = len(kinds)
    scores, open_race = standing(marks, sheet)
    left = open_race.sum()
    while left > ending:
        mover = turn % seats
        roll = draw_from(seed, streams[mover], turn // seats, rolls)
        row = choose(
            seed, kinds[mover], streams[mover], turn, roll, mover, marks, scores, open_race, tables,
            net,
        )  # fmt: skip
        for race in options[row]:
            mark(race, mover, marks, scores, open_race, sheet)
        left = open_race.sum()
        turn += 1
    return turn


@compiled()
def standing(marks: Ints, sheet: Ints) -> tuple[Ints, Bools]:
    """Points of the closed races per seat, and which races are open."""
    scores = np.zeros(len(marks), np.int64)
    open_race = np.ones(RACES, np.bool_)
    for race in range(RACES):
        for seat in range(len(marks)):
            if marks[seat, race] == sheet[0, race]:
                open_race[race] = False
                scores[seat] += sheet[2, race]
                second = second_place(marks[:, race], seat, sheet[1, race])
                if second != seat:
                    scores[second] += sheet[3, race]
    return scores, open_race


@compiled()
def winner_of(marks: Ints, sheet: Ints) -> int:
    """The winning seat once all races are closed."""
    scores, _ = standing(marks, sheet)
    winner = 0
    for seat in range(len(scores)):
        if scores[seat] >= scores[winner]:
            winner = seat
    return winner


@compiled()
def roll_out(
    seeds: NDArray[np.uint64], marks: Ints, roller: int, tables: Tables, net: Floats
) -> Ints:
    """The winning seats of games played on from ``marks`` by the race tables.

    A turn's dice go by its number: the same for all states with the same seat to roll.
    """
    seats = len(marks)
    kinds, streams = np.zeros(seats, np.int64), np.arange(seats)
    winners = np.zeros(len(seeds), np.int64)
    for game in range(len(seeds)):
        current = marks.copy()
        play_until(seeds[game], kinds, streams, 0, tables, net, current, roller)
        winners[game] = winner_of(current, tables[0])
    return winners


@compiled()
def play_games(
    seeds: NDArray[np.uint64], kinds: Ints, streams: Ints, tables: Tables, net: Floats,
    endings: Endings, work: int,
) -> Ints:  # fmt: skip
    """Winners of whole games; best seats play endings of at most ``work`` exactly."""
    winners = np.zeros(len(seeds), np.int64)
    seats = len(kinds)
    some_best = (kinds == BEST).any()
    for game in range(len(seeds)):
        marks = np.zeros((seats, RACES), np.int64)
        turn = 0
        for few in range(3 if some_best else 0, -1, -1):
            turn = play_until(seeds[game], kinds, streams, few, tables, net, marks, turn)
            if not few or _play_ending(
                seeds[game], kinds, streams, tables, endings, work, marks, turn
            ):
                break
        winners[game] = winner_of(marks, tables[0])
    return winners


@compiled()
def _play_ending(
    seed: np.uint64, kinds: Ints, streams: Ints, tables: Tables, endings: Endings, work: int,
    marks: Ints, turn: int,
) -> bool:  # fmt: skip
    """Play an ending out from ``marks`` (changed), best seats by its solution, the others as in
    :func:`play_until`. False, and nothing is done, where it is larger than ``work``."""
    sheet, options, offsets, rolls = tables
    seats = len(kinds)
    scores, open_race = standing(marks, sheet)
    races = np.flatnonzero(open_race)
    few = np.ascontiguousarray(sheet[:, races])
    start = np.ascontiguousarray(marks[:, races].T)
    codes, groups, ways, begin = endings
    number = 0
    for race in races:
        number |= 1 << int(race)
    inner = groups[begin[number] : begin[number + 1]]
    ways = ways[begin[number] : begin[number + 1] - 1]
    size = seats * (inner[-1] - inner[0])
    room = np.ones(len(races), np.int64)
    for place in range(len(races)):
        for seat in range(seats):
            room[place] *= few[0, place] - start[place, seat]
        size *= room[place] + seats * seats
    if size > work or not len(races):
        return not len(races)
    values = solve_ending(start, few, scores, room, codes, inner, ways)
    strides = strides_of(room, seats)
    place_of = np.full(RACES, -1)
    place_of[races] = np.arange(len(races))
    after = np.zeros((len(races) + 1) ** 2, np.int64)
    index = 0
    while open_race.any():
        mover = turn % seats
        roll = draw_from(seed, streams[mover], turn // seats, rolls)
        _following(index, mover, start, few, room, strides, after)
        chosen, most = offsets[roll], -1.0
        for row in range(offsets[roll], offsets[roll + 1]):
            if kinds[mover] == BEST:
                reached = after[_code(options[row], place_of, len(races))]
                worth = values[reached, (mover + 1) % seats, mover]
            elif kinds[mover] == GREEDY:
                worth = greedy_worth(mover, options[row], marks, open_race, sheet)
            else:
                count = turn * 4 + row - offsets[roll]
                worth = float(draw(seed, streams[mover] + 1000, count, 1000))
            if worth > most:
                chosen, most = row, worth
        index = after[_code(options[chosen], place_of, len(races))]
        for race in options[chosen]:
            mark(race, mover, marks, scores, open_race, sheet)
        turn += 1
    return True


@compiled()
def _code(option: Ints, place_of: Ints, races: int) -> int:
    """The code of an option in an ending."""
    a, b = place_of[option[0]], place_of[option[1]]
    return (max(a, b) + 1) * (races + 1) + min(a, b) + 1
