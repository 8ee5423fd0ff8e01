"""How much Everest's best player could lose to anybody: python scripts/everest_bound.py [BOXES ...]

Against others the best player looks one decision ahead: it takes that all seats go on as they
would alone. Games of two seats that begin with few enough open boxes can be solved against it:
the best response knows the rule and plays as well as anyone can. What it scores above one half,
the seats taking turns to start, bounds what the rule gives up there.

BOXES are twelve digits, the open boxes of 1 to 12 of both seats; by default three half games.
"""

import argparse
import time
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bgai.compiled import compiled
from bgai.dicegames.chance_game import rolls_of
from bgai.dicegames.everest.rules import DICE, NUMBERS
from bgai.dicegames.everest.solver import Tables

HALVES = ("111111111111", "222222000000", "000000222222")
WAYS = 6**DICE

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class Choices(NamedTuple):
    """What a seat may reach from every state of a game, states in rising order.

    State ``s`` has the groups ``begin[s]`` to ``begin[s + 1]``, one for the rolls that leave the
    same choice. Group ``g`` comes in ``ways[g]`` of 216 rolls, and the states after it are
    ``after[offsets[g]:offsets[g + 1]]``. Rolls that mark nothing have no group.
    """

    begin: Ints
    ways: Ints
    offsets: Ints
    after: Ints


def states_of(boxes: tuple[int, ...]) -> list[tuple[int, ...]]:
    """All states that can follow from the open boxes, each after those that can follow it."""
    tables = Tables()
    return sorted(product(*(range(count + 1) for count in boxes)), key=tables.index)


def choices_of(boxes: tuple[int, ...], tables: Tables) -> Choices:
    """The choices in all states of :func:`states_of`."""
    states = [tables.index(state) for state in states_of(boxes)]
    place = {state: number for number, state in enumerate(states)}
    begin, offsets = [0], [0]
    ways: list[int] = []
    after: list[int] = []
    for state in states:
        groups: dict[tuple[int, ...], int] = {}
        for roll, (_, count) in enumerate(rolls_of(DICE)):
            reached = tuple(sorted(place[next_one] for next_one in _after(state, roll, tables)))
            if reached:
                groups[reached] = groups.get(reached, 0) + count
        for reached, count in groups.items():
            after += reached
            offsets.append(len(after))
            ways.append(count)
        begin.append(len(ways))
    return Choices(*(np.array(column, dtype=np.int64) for column in (begin, ways, offsets, after)))


def _after(state: int, roll: int, tables: Tables) -> set[int]:
    """The states after a roll's markings, those left out that another one extends."""
    open_boxes = [state // 3**place % 3 for place in range(NUMBERS)]
    rows = tables.options[tables.offsets[roll] : tables.offsets[roll + 1]]
    fits = [
        all(
            open_boxes[bit % NUMBERS] > bit // NUMBERS
            for bit in range(24)
            if int(row[0]) >> bit & 1
        )
        for row in rows
    ]
    fitting = sum(1 << number for number, fit in enumerate(fits) if fit)
    return {
        state - int(row[1])
        for row, fit in zip(rows, fits, strict=True)
        if fit and not int(row[3]) & fitting
    }


def estimates(boxes: tuple[int, ...], tables: Tables) -> Floats:
    """``(states, states)``: the rule's chance to be first for a seat in the one state whose turn
    is just over, the other seat being in the other state."""
    rows = [tables.index(state) for state in states_of(boxes)]
    survival = tables.survival[rows].astype(np.float64)
    finishing = -np.diff(survival, axis=1)
    worth = finishing @ survival[:, 1:].T + np.outer(survival[:, -1], survival[:, -1]) / 2
    worth += 1.0 - survival[:, :1]
    return np.ascontiguousarray(worth)


@compiled()
def best_response(choices: Choices, worth: Floats) -> tuple[Floats, Floats]:
    """Winning chances ``(responder's state, rule's state)`` of the best response with the
    responder to roll, and with the rule to roll. ``worth`` as of :func:`estimates`."""
    begin, ways, offsets, after = choices
    states = len(begin) - 1
    to_roll, waiting = np.zeros((states, states)), np.zeros((states, states))
    to_roll[0, 1:] = waiting[0, 1:] = 1.0
    for mine in range(1, states):
        for theirs in range(1, states):
            gain, nothing = 0.0, WAYS
            for group in range(begin[mine], begin[mine + 1]):
                best = 0.0
                for place in range(offsets[group], offsets[group + 1]):
                    best = max(best, waiting[after[place], theirs])
                gain += ways[group] * best
                nothing -= ways[group]
            reply, idle = 0.0, WAYS
            for group in range(begin[theirs], begin[theirs + 1]):
                taken, most = -1, -1.0
                for place in range(offsets[group], offsets[group + 1]):
                    if worth[after[place], mine] > most:
                        taken, most = after[place], worth[after[place], mine]
                reply += ways[group] * to_roll[mine, taken]
                idle -= ways[group]
            gain, reply = gain / WAYS, reply / WAYS
            stay, idle_share = nothing / WAYS, idle / WAYS
            # with nothing marked the turn changes hands, so both values follow together
            to_roll[mine, theirs] = (gain + stay * reply) / (1.0 - stay * idle_share)
            waiting[mine, theirs] = reply + idle_share * to_roll[mine, theirs]
    return to_roll, waiting


def score(boxes: tuple[int, ...], tables: Tables) -> float:
    """The best response's share of games against the rule, starting in every other one."""
    to_roll, waiting = best_response(choices_of(boxes, tables), estimates(boxes, tables))
    return float(to_roll[-1, -1] + waiting[-1, -1]) / 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("boxes", nargs="*", default=HALVES, metavar="BOXES")
    given = parser.parse_args().boxes
    for text in given:
        if len(text) != NUMBERS or set(text) - set("012") or not int(text):
            parser.error(f"BOXES: '{text}' is not {NUMBERS} digits 0 to 2, one of them above 0")
    tables = Tables()
    for text in given:
        begin = time.process_time()
        share = score(tuple(map(int, text)), tables)
        print(f"{text}  best response {share:.7f}  ({time.process_time() - begin:.1f} s)")


if __name__ == "__main__":
    main()
