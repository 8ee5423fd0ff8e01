"""Compiled loops over Everest's 3^12 box states and its games.

A state's index is the sum of ``open[n] * 3**(n - 1)``; marking a box subtracts a power of
three, so a pass from index 0 upwards meets every successor first. Twenty-four bits say which
numbers have one (bits 0-11) and two (bits 12-23) open boxes; an option of a roll is a row of
the bits it needs, what it subtracts, how many boxes it marks, and which options extend it.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bgai.compiled import compiled
from bgai.dicegames.random_kernels import Seats, draw, draw_from

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

NUMBERS = 12


class Markings(NamedTuple):
    """What every roll may mark: rows ``options[offsets[t]:offsets[t + 1]]`` for roll ``t``;
    ``rolls`` as :func:`draw_from` takes them."""

    options: Ints
    offsets: Ints
    rolls: Ints


@compiled()
def open_bits(state: int) -> int:
    """The bits of a state."""
    bits = 0
    for number in range(NUMBERS):
        boxes = state % 3
        state //= 3
        if boxes:
            bits |= (1 << number) | ((boxes - 1) << (number + NUMBERS))
    return bits


@compiled()
def best_marking(state: int, closed: int, options: Ints, turns: Floats) -> int:
    """The state after the option that leaves the fewest expected turns (itself if none)."""
    best = state
    for row in range(len(options)):
        if not options[row, 0] & closed:
            after = state - options[row, 1]
            if turns[after] < turns[best]:
                best = after
    return best


@compiled()
def solve_alone(options: Ints, offsets: Ints, ways: Ints, survival: NDArray[np.float32]) -> Floats:
    """Expected turns of every state; fills ``survival`` ``(states, turns)`` where it has rows.

    ``survival[s, t]`` is the chance to be unfinished after ``t`` turns of that best play.
    """
    states = 3**NUMBERS
    turns = np.zeros(states)
    total_ways = ways.sum()
    after = np.zeros(len(ways), np.int64)
    length = survival.shape[1]
    for state in range(1, states):
        turns[state] = np.inf
        total = float(total_ways)
        can = 0
        closed = ~open_bits(state)
        for roll in range(len(ways)):
            row = options[offsets[roll] : offsets[roll + 1]]
            after[roll] = best_marking(state, closed, row, turns)
            if after[roll] != state:
                total += ways[roll] * turns[after[roll]]
                can += ways[roll]
        turns[state] = total / can
        if len(survival):
            _follow(state, after, ways, can / total_ways, survival, length)
    return turns


@compiled(fastmath=True)
def _follow(
    state: int,
    after: Ints,
    ways: Ints,
    can: float,
    survival: NDArray[np.float32],
    length: int,
) -> None:
    total = float(ways.sum())
    row = survival[state]
    for turn in range(length):
        row[turn] = 0.0
    for roll in range(len(ways)):
        if after[roll] != state:
            share = np.float32(ways[roll] / total)
            source = survival[after[roll]]
            for turn in range(1, length):
                row[turn] += share * source[turn - 1]
    row[0] = 1.0
    stay = np.float32(1.0 - can)
    for turn in range(1, length):
        row[turn] += stay * row[turn - 1]


@compiled(fastmath=True)
def first_weights(mover: int, seats: Ints, survival: NDArray[np.float32], weights: Floats) -> None:
    """Fill ``weights[t]``: chance that no other seat finishes in ``t`` turns."""
    weights[:] = 1.0
    for seat in range(len(seats)):
        if seat != mover:
            weights *= survival[seats[seat]]


@compiled(fastmath=True)
def chance_first(state: int, survival: NDArray[np.float32], weights: Floats) -> float:
    """Win chance of a seat in ``state`` with its turn just over; the others roll before it."""
    row = survival[state]
    total = 1.0 - row[0]
    for turn in range(1, len(row)):
        total += (row[turn - 1] - row[turn]) * weights[turn]
    return total + row[-1] * weights[-1] / 2


@compiled()
def best_against(
    state: int, closed: int, options: Ints, survival: NDArray[np.float32], weights: Floats
) -> int:
    """The state after the option with the greatest chance to finish first.

    Options that another one extends are left out: a box more is never worse, though the
    estimate may say so.
    """
    best, most = state, 0.0
    fitting = 0
    for row in range(len(options)):
        if not options[row, 0] & closed:
            fitting |= 1 << row
    for row in range(len(options)):
        if not options[row, 0] & closed and not options[row, 3] & fitting:
            chance = chance_first(state - options[row, 1], survival, weights)
            if chance > most:
                best, most = state - options[row, 1], chance
    return best


@compiled()
def greedy_marking(state: int, closed: int, options: Ints) -> int:
    """Most boxes at once; among equals the highest numbers (the largest index subtracted)."""
    best, most = state, 0
    for row in range(len(options)):
        if not options[row, 0] & closed:
            worth = (options[row, 2] << 32) + options[row, 1]
            if worth > most:
                best, most = state - options[row, 1], worth
    return best


@compiled()
def play_games(
    seeds: NDArray[np.uint64],
    players: Seats,
    markings: Markings,
    turns: Floats,
    survival: NDArray[np.float32],
) -> NDArray[np.int64]:
    """Winners of games; kinds of seats: 0 best, 1 solo-optimal, 2 greedy, 3 random."""
    kinds, streams = players
    options, offsets, rolls = markings
    winners = np.zeros(len(seeds), np.int64)
    seats = np.zeros(len(kinds), np.int64)
    weights = np.zeros(survival.shape[1])
    for game in range(len(seeds)):
        seats[:] = 3**NUMBERS - 1
        turn = 0
        over = False
        while not over:
            for seat in range(len(kinds)):
                roll = draw_from(seeds[game], streams[seat], turn, rolls)
                row = options[offsets[roll] : offsets[roll + 1]]
                state = seats[seat]
                closed = ~open_bits(state)
                if kinds[seat] == 0:
                    first_weights(seat, seats, survival, weights)
                    seats[seat] = best_against(state, closed, row, survival, weights)
                elif kinds[seat] == 1:
                    seats[seat] = best_marking(state, closed, row, turns)
                elif kinds[seat] == 2:
                    seats[seat] = greedy_marking(state, closed, row)
                elif len(row):
                    picked = draw(seeds[game], streams[seat] + len(kinds), turn, len(row))
                    if not row[picked, 0] & closed:
                        seats[seat] = state - row[picked, 1]
                if seats[seat] == 0:
                    winners[game] = seat
                    over = True
                    break
            turn += 1
    return winners
