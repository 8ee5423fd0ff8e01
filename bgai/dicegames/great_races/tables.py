"""The tables of the Great Races as the compiled code takes them.

Races are numbered 0-10 (totals 2-12).
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bgai.dicegames.chance_game import rolls_of
from bgai.dicegames.great_races.rules import DICE, RACES, pairings
from bgai.dicegames.great_races.sheet import NUMBERS, Sheet
from bgai.dicegames.random_kernels import by_ways

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

ENDING_RACES = 3
USED = 0.85
"""Share of its chances to mark a race that a seat is taken to use (0.85 and 1 did best against
greedy play among 0.3 to 1)."""


class Tables(NamedTuple):
    """A sheet, what each roll may mark, and what an open race is worth."""

    sheet: Ints
    """``(4, 11)``: length, line, first and second of every race."""
    options: Ints
    """Pairs of races; those of roll ``t`` are ``options[offsets[t]:offsets[t + 1]]``."""
    offsets: Ints
    rolls: Ints
    """Each roll by its number as often as it has ways."""
    net: Floats
    """See :func:`race_net`."""


class Standing(NamedTuple):
    """Where a game stands."""

    marks: Ints
    """``(seats, 11)``"""
    scores: Ints
    """``(seats,)``, of the closed races."""
    open_race: Bools
    """``(11,)``"""


class Options(NamedTuple):
    """Codes of options, grouped by roll: group ``t`` is ``codes[offsets[t]:offsets[t + 1]]``."""

    codes: Ints
    offsets: Ints
    ways: Ints


class Endings(NamedTuple):
    """The options of all endings, one ending after another."""

    options: Options
    begin: Ints
    """Where those of an ending begin, by a bit for each open race."""


def sheet_array(sheet: Sheet) -> Ints:
    """``(4, 11)``: length, line, first and second of every race."""
    rows = [(race.length, race.line, race.first, race.second) for race in sheet.races]
    return np.ascontiguousarray(np.array(rows, dtype=np.int64).T)


def kernel_tables(sheet: Sheet) -> Tables:
    """The tables of a sheet."""
    options: list[tuple[int, int]] = []
    offsets = [0]
    for roll, _ in rolls_of(DICE):
        options += [(a - NUMBERS[0], b - NUMBERS[0]) for a, b in pairings(roll)]
        offsets.append(len(options))
    ways = [count for _, count in rolls_of(DICE)]
    array = sheet_array(sheet)
    return Tables(array, np.array(options), np.array(offsets), by_ways(ways), race_net(array))


def race_net(sheet: Ints) -> Floats:
    """``(2, 11, marks, marks)``: mean and variance of one seat's points over another's,
    the other about to roll. ``sheet`` as in :class:`Tables`."""
    size = int(sheet[0].max()) + 1
    net = np.zeros((2, RACES, size, size))
    for race, (one, two) in enumerate(mark_chances()):
        length, line, first, second = sheet[:, race].tolist()
        chances = (USED * one, USED * two)
        prizes = np.where(np.arange(length) > line, first - second, first).astype(np.float64)
        mean = _race_table(length, prizes, chances, -1)
        square = _race_table(length, prizes**2, chances, 1)
        net[0, race, :length, :length] = mean
        net[1, race, :length, :length] = np.maximum(square - mean**2, 0.0)
    return net


@cache
def grouped_options(races: tuple[int, ...]) -> Options:
    """The options within a few races, grouped by the rolls that leave the same choice."""
    place = {race + NUMBERS[0]: number for number, race in enumerate(races)}
    groups: dict[tuple[int, ...], int] = {}
    for roll, ways in rolls_of(DICE):
        pairs = ((place.get(a, -1), place.get(b, -1)) for a, b in pairings(roll))
        codes = {(max(pair) + 1) * (len(races) + 1) + min(pair) + 1 for pair in pairs}
        key = tuple(sorted(codes))
        groups[key] = groups.get(key, 0) + ways
    offsets = np.cumsum([0, *(len(key) for key in groups)])
    every = np.array([code for key in groups for code in key])
    return Options(every, offsets, np.array([*groups.values()]))


@cache
def ending_tables() -> Endings:
    """The options of all endings of one to three races, as the compiled games take them."""
    codes: list[Ints] = []
    offsets: list[Ints] = []
    ways: list[Ints] = []
    begin, before = [0], 0
    for number in range(2**RACES):
        races = tuple(race for race in range(RACES) if number >> race & 1)
        if 0 < len(races) <= ENDING_RACES:
            own, groups, counts = grouped_options(races)
            codes.append(own)
            offsets.append(groups + before)
            ways.append(np.append(counts, 0))
            before += len(own)
        begin.append(begin[-1] + (len(offsets[-1]) if 0 < len(races) <= ENDING_RACES else 0))
    join = np.concatenate
    return Endings(Options(join(codes), join(offsets), join(ways)), np.array(begin))


def mark_chances() -> list[tuple[float, float]]:
    """For each race the chances that a roll can mark it (but not twice), and twice."""
    total = 6**DICE
    chances = []
    for number in NUMBERS:
        twice = sum(ways for roll, ways in rolls_of(DICE) if (number, number) in pairings(roll))
        able = sum(
            ways
            for roll, ways in rolls_of(DICE)
            if any(number in pairing for pairing in pairings(roll))
        )
        chances.append(((able - twice) / total, twice / total))
    return chances


def _race_table(length: int, prizes: Floats, chances: tuple[float, float], sign: int) -> Floats:
    """``(length, length)``: what a race gives one seat by the marks of it and another, who
    rolls next. ``prizes`` by the loser's marks; the other's gain counts ``sign`` times.

    With nothing marked the roles change, so the values of two states follow together.
    """
    one, two = chances
    nothing = 1 - one - two
    table = np.zeros((length, length))

    def after(marks: int, other: int) -> float:
        return float(prizes[other] if marks >= length else table[marks, other])

    def marked(mine: int, theirs: int) -> float:
        return sign * (one * after(theirs + 1, mine) + two * after(theirs + 2, mine))

    for total in range(2 * (length - 1), -1, -1):
        for mine in range(max(0, total - length + 1), min(total, length - 1) + 1):
            ahead, back = marked(mine, total - mine), marked(total - mine, mine)
            value = (ahead + sign * nothing * back) / (1 - nothing**2)
            table[mine, total - mine] = value
    return table
