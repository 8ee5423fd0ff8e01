"""Compiled games of Cubilete, many at once."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bgai.compiled import compiled
from bgai.dicegames.cubilete.kernels import allowed
from bgai.dicegames.cubilete.tables import STOP, Ints, Tables
from bgai.dicegames.random_kernels import Seats, draw

BEST, GREEDY, RANDOM = range(3)
EARLIER, VOID, ROLL_OFF = range(3)
TARGET, DICE, ROLLS = 10, 5, 3
FIRST_WHOLE = 210
"""The first of the keeps that are whole rolls."""
KINGS = 5
"""The least hand that ends the round."""
_STOP = STOP


class Policies(NamedTuple):
    """Turns of best seats, and of greedy ones.

    A best seat's turn is row ``table * rows + places[standing]``: ``table`` has the scores in
    the order of the places as its decimal digits, the first place's highest; ``standing`` is
    ``((place * 5 + best hand) * 2**seats + places that hold it) * 3 + rolls allowed - 1``.
    ``first`` and ``second`` are as in ``Turn``; a greedy seat's turns stand in ``greedy_first``
    and ``greedy_second`` by the rolls allowed.
    """

    places: Ints
    rows: int
    first: NDArray[np.int16]
    second: NDArray[np.int16]
    greedy_first: NDArray[np.int16]
    greedy_second: NDArray[np.int16]


class Rules(NamedTuple):
    """What a table has agreed on, and the points of each hand."""

    ties: int
    same_rolls: bool
    strict: bool
    points: Ints


class Dice(NamedTuple):
    """The dice of one game: how many numbers each seat has drawn from its stream."""

    seed: np.uint64
    streams: Ints
    drawn: Ints


@compiled()
def _draw(dice: Dice, seat: int, below: int) -> int:
    """The next number of a seat, from 0 to ``below - 1``."""
    number = draw(dice.seed, dice.streams[seat], dice.drawn[seat], below)
    dice.drawn[seat] += 1
    return number


@compiled()
def play_games(
    seeds: NDArray[np.uint64], players: Seats, rules: Rules, policies: Policies, tables: Tables
) -> Ints:
    """The winning seats."""
    seats = len(players.kinds)
    winners = np.zeros(len(seeds), np.int64)
    for game in range(len(seeds)):
        scores = np.zeros(seats, np.int64)
        dice = Dice(seeds[game], players.streams, np.zeros(seats, np.int64))
        first = 0
        while scores.max() < TARGET:
            first = _play_round(dice, players.kinds, scores, first, rules, policies, tables)
        winners[game] = np.argmax(scores)
    return winners


@compiled()
def _play_round(
    dice: Dice, kinds: Ints, scores: Ints, first: int, rules: Rules, policies: Policies,
    tables: Tables,
) -> int:  # fmt: skip
    """Play a round, changing ``scores``; the seat that starts the next."""
    seats = len(kinds)
    table = 0
    for place in range(seats):
        table = table * TARGET + scores[(first + place) % seats]
    best, holders, most = 0, 0, ROLLS
    for place in range(seats):
        seat = (first + place) % seats
        turns, row = (policies.greedy_first, policies.greedy_second), most - 1
        if kinds[seat] == BEST:
            standing = ((place * KINGS + best) * 2**seats + holders) * ROLLS + most - 1
            turns = (policies.first, policies.second)
            row = table * policies.rows + policies.places[standing]
        hand, made = _play_turn(
            dice, seat, kinds[seat] == RANDOM, (turns[0][row], turns[1][row]), most, rules.strict,
            tables,
        )  # fmt: skip
        if hand >= KINGS:
            scores[seat] += rules.points[hand]
            return seat
        if hand > best:
            best, holders = hand, 1 << place
        elif hand == best and hand and rules.ties != EARLIER:
            holders |= 1 << place
        if rules.same_rolls and not place:
            most = made
    last = (first + seats - 1) % seats
    count = 0
    for place in range(seats):
        count += holders >> place & 1
    if count == 0 or (count > 1 and rules.ties == VOID):
        return last
    picked = 0
    if count > 1:
        for place in range(seats):
            if holders >> place & 1:  # the first holder's stream decides
                seat = (first + place) % seats
                picked = _draw(dice, seat, count)
                break
    for place in range(seats):
        if holders >> place & 1:
            if picked == 0:
                scores[(first + place) % seats] += rules.points[best]
                break
            picked -= 1
    return last


@compiled()
def _play_turn(
    dice: Dice, seat: int, random: bool, keeps: tuple[NDArray[np.int16], NDArray[np.int16]],
    most: int, strict: bool, tables: Tables,
) -> tuple[int, int]:  # fmt: skip
    """The hand of one turn and the rolls it took; ``keeps`` after the first and the second."""
    keep, size = 0, 0
    for made in range(1, most + 1):
        held = keep
        for _ in range(DICE - size):
            keep = tables.added[keep, _draw(dice, seat, 6)]
        roll = keep - FIRST_WHOLE
        if made == most:
            return tables.hands[roll], made
        if random:
            keep = _any_keep(dice, seat, roll, held, strict, tables)
        elif made == 1:
            keep = int(keeps[0][roll])
        else:
            keep = int(keeps[1][tables.lead_of[held, roll] if strict else roll])
        if keep == _STOP:
            return tables.hands[roll], made
        size = tables.counts[keep].sum()
    return 0, most


@compiled()
def _any_keep(dice: Dice, seat: int, roll: int, held: int, strict: bool, tables: Tables) -> int:
    """Any dice that may be kept, or a stop, each as likely as the others."""
    ways = 1
    for place in range(tables.choice_offsets[roll], tables.choice_offsets[roll + 1]):
        ways += not strict or allowed(tables.choices[place], held, tables)
    picked = draw(dice.seed, dice.streams[seat] + 1000, dice.drawn[seat], ways)
    for place in range(tables.choice_offsets[roll], tables.choice_offsets[roll + 1]):
        keep = tables.choices[place]
        if not strict or allowed(keep, held, tables):
            picked -= 1
            if picked < 0:
                return keep
    return _STOP
