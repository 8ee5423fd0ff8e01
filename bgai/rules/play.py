"""Plays: how the checkers move from one position to the next.

A play is found from the positions before and after it, in the shortest form a person
would use: the moves of one checker are joined, except where it hits on its way. Moves are
in the mover's numbering (25 the bar, 0 off) and listed from the highest point down.
"""

from itertools import pairwise
from typing import NamedTuple

from bgai.errors import InputError
from bgai.rules.dice import Roll
from bgai.rules.position import BAR, OFF, POINTS, Positions, swap_sides


class Move(NamedTuple):
    """One checker from ``source`` to ``destination``; ``hit`` if it hits a blot there.

    A move may take several dice. It never hits on the way: a checker that does goes on in
    the next move of the play.
    """

    source: int
    destination: int
    hit: bool = False


Play = tuple[Move, ...]
"""The moves of one play; empty when no play is legal."""


class PlayError(InputError):
    """A play that can't be made; the message says which move and why."""


def recover_play(before: Positions, after: Positions, roll: Roll) -> Play:
    """The play that led from ``before`` to ``after``, both ``(2, 26)``.

    ``before`` has the mover on roll, ``after`` (a result of ``legal_plays``) the opponent.
    Raises ``PlayError`` if no moves of ``roll`` lead there.
    """
    gone = (before[0] - after[1]).tolist()
    starts = [slot for slot in range(BAR, OFF, -1) for _ in range(gone[slot])]
    ends = [slot for slot in range(BAR, -1, -1) for _ in range(-gone[slot])]
    lost = (before[1] - after[0]).tolist()
    hits = [POINTS + 1 - slot for slot in range(1, BAR) if lost[slot] > 0]
    if len(starts) != len(ends) or lost[BAR] != -len(hits) or any(lost[s] > 1 for s in range(BAR)):
        raise PlayError(f"no play of {roll} leads to that position")
    return _chains(_pair(starts, ends, roll), hits, roll)


def apply_play(position: Positions, play: Play) -> Positions:
    """The position after ``play``, ``(2, 26)`` with the opponent on roll.

    Moves checkers and hits blots; whether the dice allow the play is not asked. Raises
    ``PlayError`` where a checker is missing or a point blocked.
    """
    board = position.copy()
    for source, destination, _ in play:
        if not OFF <= destination < source <= BAR:
            raise PlayError(f"a checker can't move from {source} to {destination}")
        if not board[0, source]:
            raise PlayError(f"there is no checker on {slot_name(source)}")
        if destination != OFF:
            _arrive(board, destination)
        board[0, source] -= 1
        board[0, destination] += 1
    return swap_sides(board)


def slot_name(slot: int) -> str:
    """``bar``, ``off`` or the number of a point, as people write them."""
    return {BAR: "bar", OFF: "off"}.get(slot, str(slot))


def step_stops(source: int, destination: int, roll: Roll) -> list[tuple[int, ...]] | None:
    """Each way one checker can travel: the points it touches on the way, or None if it can't.

    One way for each order of the dice; whether points are open is not asked. Off may be
    reached with more pips than needed.
    """
    if roll.is_double:
        ways = [(roll.high,) * count for count in range(1, 5)]
    else:
        ways = [(roll.high,), (roll.low,), roll, roll[::-1]]
    routes = []
    for dice in ways:
        stops = [source - sum(dice[: used + 1]) for used in range(len(dice))]
        arrived = stops.pop()
        overshoots = destination == OFF and arrived <= OFF
        if (arrived == destination or overshoots) and all(stop > OFF for stop in stops):
            routes.append(tuple(stops))
    return routes or None


def _arrive(board: Positions, point: int) -> None:
    theirs = POINTS + 1 - point
    if board[1, theirs] > 1:
        raise PlayError(f"the {point} point is blocked")
    if board[1, theirs] == 1:
        board[1, theirs] = 0
        board[1, BAR] += 1


def _pair(starts: list[int], ends: list[int], roll: Roll) -> list[tuple[int, int]]:
    """Which checker went where: high sources to high destinations, as far as dice allow."""
    if roll.is_double:
        pairs = []
        waiting = list(ends)
        for start in starts:
            reached = [end for end in waiting if end == OFF or (start - end) % roll.high == 0]
            end = next((end for end in reached if end < start), None)
            if end is None:
                raise PlayError(f"no move of {roll} from {slot_name(start)} fits")
            waiting.remove(end)
            pairs.append((start, end))
        if sum(-((end - start) // roll.high) for start, end in pairs) > 4:
            raise PlayError(f"more than four moves of {roll.high} lead to that position")
        return pairs
    for order in (ends, ends[::-1]):
        pairs = list(zip(starts, order, strict=True))
        if _uses_dice(pairs, roll):
            return pairs
    raise PlayError(f"no play of {roll} leads to that position")


def _uses_dice(pairs: list[tuple[int, int]], roll: Roll) -> bool:
    """Whether at most two moves can be made with the two different dice of ``roll``."""
    if len(pairs) < 2:
        return all(step_stops(*pair, roll) for pair in pairs)
    if len(pairs) > 2:
        return False
    return any(
        all(_takes(pair, die) for pair, die in zip(pairs, dice, strict=True))
        for dice in (roll, roll[::-1])
    )


def _takes(pair: tuple[int, int], die: int) -> bool:
    source, destination = pair
    return source - destination == die or (destination == OFF and source < die)


def _chains(pairs: list[tuple[int, int]], hits: list[int], roll: Roll) -> Play:
    """Moves with their hits, high to low; a checker that hits on its way stops there."""
    pairs = sorted(pairs, reverse=True)
    stops: list[list[int]] = [[] for _ in pairs]
    hitting: set[tuple[int, int]] = set()
    for point in hits:
        enders = [i for i, (_, end) in enumerate(pairs) if end == point]
        passers = [i for i, pair in enumerate(pairs) if _passes(pair, point, roll)]
        if not enders and not passers:
            raise PlayError(f"no move of {roll} hits on the {point} point")
        index = (enders or passers)[0]
        hitting.add((index, point))
        if not enders:
            stops[index].append(point)
    play = []
    for index, (start, end) in enumerate(pairs):
        path = [start, *sorted(stops[index], reverse=True), end]
        for source, destination in pairwise(path):
            play.append(Move(source, destination, (index, destination) in hitting))
    return tuple(play)


def _passes(pair: tuple[int, int], point: int, roll: Roll) -> bool:
    routes = step_stops(*pair, roll) or []
    return any(point in route for route in routes)
