"""Compiled loops of the Great Races: games and rollouts, by tables of the races and exact ends."""

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
from bgai.dicegames.great_races.tables import (
    Endings,
    Floats,
    Ints,
    Options,
    Standing,
    Tables,
)
from bgai.dicegames.random_kernels import Seats, draw, draw_from

BEST, GREEDY, RANDOM = range(3)
RACES = 11
SPREAD = 0.05
"""Variance added to that of the points, so that there is some with all races closed."""


@compiled()
def margin(mover: int, other: int, standing: Standing, net: Floats) -> tuple[float, float]:
    """Mean and variance of the points by which ``mover``, who has just marked, will end ahead.

    The sum over the races is taken to be normal; equal scores go to the higher seat.
    """
    marks = standing.marks
    mean = float(standing.scores[mover] - standing.scores[other])
    mean += 0.5 if mover > other else -0.5
    variance = SPREAD
    for race in range(RACES):
        if standing.open_race[race]:
            mean += net[0, race, marks[mover, race], marks[other, race]]
            variance += net[1, race, marks[mover, race], marks[other, race]]
    return mean, variance


@compiled()
def ahead(mean: float, variance: float) -> float:
    """Chance that a normal number is above 0."""
    return 0.5 * math.erfc(-mean / math.sqrt(2.0 * variance))


@compiled()
def option_worth(
    mover: int, option: Ints, standing: Standing, tables: Tables, means: Floats, variances: Floats
) -> float:
    """Chance that ``mover`` ends ahead of everyone after an option, the others taken one by one.

    ``means`` and ``variances``: the margins over the others before it.
    """
    marks, sheet, net = standing.marks, tables.sheet, tables.net
    product = 1.0
    pairs = 1 if option[0] == option[1] else 2
    for other in range(len(marks)):
        if other == mover:
            continue
        mean, variance = means[other], variances[other]
        for number in range(pairs):
            race = option[number]
            if not standing.open_race[race]:
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
def greedy_worth(mover: int, option: Ints, standing: Standing, sheet: Ints) -> float:
    """For a greedy seat: points won at once, then first-place points per space marked."""
    total = 0.0
    pairs = 1 if option[0] == option[1] else 2
    for number in range(pairs):
        race = option[number]
        if standing.open_race[race]:
            marked = standing.marks[mover, race]
            spaces = min(3 - pairs, sheet[0, race] - marked)
            total += spaces * sheet[2, race] / sheet[0, race]
            if marked + spaces == sheet[0, race]:
                total += 1000.0 * sheet[2, race]
    return total


@compiled()
def mark(race: int, mover: int, standing: Standing, sheet: Ints) -> None:
    """Mark a space, and close the race with its last one."""
    marks, scores, open_race = standing
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
    seed: np.uint64, players: Seats, turn: int, roll: int, standing: Standing, tables: Tables
) -> int:
    """The row of the option that the seat of a turn takes, by the tables where it plays best."""
    seats = len(players.kinds)
    mover = turn % seats
    kind = players.kinds[mover]
    start, count = tables.offsets[roll], tables.offsets[roll + 1] - tables.offsets[roll]
    if kind == RANDOM:
        return start + draw(seed, players.streams[mover] + 1000, turn, count)
    if count == 1:
        return start
    means, variances = np.zeros(seats), np.zeros(seats)
    if kind == BEST:
        for other in range(seats):
            if other != mover:
                means[other], variances[other] = margin(mover, other, standing, tables.net)
    chosen, most = start, -1.0
    for row in range(start, start + count):
        if kind == BEST:
            worth = option_worth(mover, tables.options[row], standing, tables, means, variances)
        else:
            worth = greedy_worth(mover, tables.options[row], standing, tables.sheet)
        if worth > most:
            chosen, most = row, worth
    return chosen


@compiled()
def play_until(
    seed: np.uint64, players: Seats, ending: int, tables: Tables, marks: Ints, turn: int
) -> int:
    """Play from ``marks`` (changed) until at most ``ending`` races are open; the turns made."""
    seats = len(players.kinds)
    standing = standing_of(marks, tables.sheet)
    while standing.open_race.sum() > ending:
        mover = turn % seats
        roll = draw_from(seed, players.streams[mover], turn // seats, tables.rolls)
        row = choose(seed, players, turn, roll, standing, tables)
        for race in tables.options[row]:
            mark(race, mover, standing, tables.sheet)
        turn += 1
    return turn


@compiled()
def standing_of(marks: Ints, sheet: Ints) -> Standing:
    """Where a game stands by its marks, which are not copied."""
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
    return Standing(marks, scores, open_race)


@compiled()
def winner_of(marks: Ints, sheet: Ints) -> int:
    """The winning seat once all races are closed."""
    scores = standing_of(marks, sheet).scores
    winner = 0
    for seat in range(len(scores)):
        if scores[seat] >= scores[winner]:
            winner = seat
    return winner


@compiled()
def roll_out(seeds: NDArray[np.uint64], marks: Ints, roller: int, tables: Tables) -> Ints:
    """The winning seats of games played on from ``marks`` by the race tables.

    A turn's dice go by its number: the same for all states with the same seat to roll.
    """
    seats = len(marks)
    players = Seats(np.zeros(seats, np.int64), np.arange(seats))
    winners = np.zeros(len(seeds), np.int64)
    for game in range(len(seeds)):
        current = marks.copy()
        play_until(seeds[game], players, 0, tables, current, roller)
        winners[game] = winner_of(current, tables.sheet)
    return winners


@compiled()
def play_games(
    seeds: NDArray[np.uint64], players: Seats, tables: Tables, endings: Endings, work: int
) -> Ints:
    """Winners of whole games; best seats play endings of at most ``work`` exactly."""
    winners = np.zeros(len(seeds), np.int64)
    seats = len(players.kinds)
    some_best = (players.kinds == BEST).any()
    for game in range(len(seeds)):
        marks = np.zeros((seats, RACES), np.int64)
        turn = 0
        for few in range(3 if some_best else 0, -1, -1):
            turn = play_until(seeds[game], players, few, tables, marks, turn)
            if not few or _play_ending(seeds[game], players, tables, endings, work, marks, turn):
                break
        winners[game] = winner_of(marks, tables.sheet)
    return winners


@compiled()
def _play_ending(
    seed: np.uint64, players: Seats, tables: Tables, endings: Endings, work: int, marks: Ints,
    turn: int,
) -> bool:  # fmt: skip
    """Play an ending out from ``marks`` (changed), best seats by its solution, the others as in
    :func:`play_until`. False, and nothing is done, where it is larger than ``work``."""
    sheet, options, offsets, rolls, _ = tables
    kinds, streams = players
    seats = len(kinds)
    standing = standing_of(marks, sheet)
    races = np.flatnonzero(standing.open_race)
    few = np.ascontiguousarray(sheet[:, races])
    start = np.ascontiguousarray(marks[:, races].T)
    (codes, groups, ways), begin = endings
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
    values = solve_ending(start, few, standing.scores, room, Options(codes, inner, ways))
    strides = strides_of(room, seats)
    place_of = np.full(RACES, -1)
    place_of[races] = np.arange(len(races))
    after = np.zeros((len(races) + 1) ** 2, np.int64)
    index = 0
    while standing.open_race.any():
        mover = turn % seats
        roll = draw_from(seed, streams[mover], turn // seats, rolls)
        _following(index, mover, start, few, room, strides, after)
        chosen, most = offsets[roll], -1.0
        for row in range(offsets[roll], offsets[roll + 1]):
            if kinds[mover] == BEST:
                reached = after[_code(options[row], place_of, len(races))]
                worth = values[reached, (mover + 1) % seats, mover]
            elif kinds[mover] == GREEDY:
                worth = greedy_worth(mover, options[row], standing, sheet)
            else:
                count = turn * 4 + row - offsets[roll]
                worth = float(draw(seed, streams[mover] + 1000, count, 1000))
            if worth > most:
                chosen, most = row, worth
        index = after[_code(options[chosen], place_of, len(races))]
        for race in options[chosen]:
            mark(race, mover, standing, sheet)
        turn += 1
    return True


@compiled()
def _code(option: Ints, place_of: Ints, races: int) -> int:
    """The code of an option in an ending."""
    a, b = place_of[option[0]], place_of[option[1]]
    return (max(a, b) + 1) * (races + 1) + min(a, b) + 1
