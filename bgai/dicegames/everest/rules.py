"""Everest: mark each of the numbers 1 to 12 twice, in any order, from three dice a turn.

A throw is split into groups of dice; each group's sum, if at most 12, may mark one open box
of that number. Dice left unused that could still have marked a box may be claimed by the
other seats, asked in order from the thrower's left, until the next throw.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import NamedTuple

from bgai.dicegames.chance_game import Phase, StateError, Throw, check_seats, throws_of

NUMBERS = 12
BOXES = 2
"""Boxes of each number: one in the ascending, one in the descending column."""
DICE = 3

Group = tuple[int, ...]
"""Dice whose sum marks a box, in rising order."""
Marks = tuple[Group, ...]
"""What a seat does with a throw: its groups in rising order, none to leave all dice."""


class EverestState(NamedTuple):
    """``boxes``: per seat the open boxes (0-2) of the numbers 1-12. ``throw``: the dice the
    thrower has to use, or none. ``left``: unused dice, being offered to seat ``asked``."""

    boxes: tuple[tuple[int, ...], ...]
    thrower: int
    throw: Throw = ()
    left: Throw = ()
    asked: int | None = None


@cache
def groupings(dice: Throw) -> tuple[Marks, ...]:
    """Every way to pick disjoint groups from the dice, most groups first."""
    found = {tuple(sorted(groups)) for groups in _pick(dice)}
    return tuple(sorted(found, key=lambda groups: (-len(groups), groups)))


def _pick(dice: Throw) -> Iterator[Marks]:
    """Groups of the dice: the first die unused, or in a group with any of the others."""
    if not dice:
        yield ()
        return
    first, rest = dice[0], dice[1:]
    yield from _pick(rest)
    for size in range(len(rest) + 1):
        for partners in combinations(range(len(rest)), size):
            group = (first, *(rest[place] for place in partners))
            others = tuple(die for place, die in enumerate(rest) if place not in partners)
            for groups in _pick(others):
                yield (group, *groups)


class Everest:
    """The rules; with ``single_mark`` a throw marks one number only."""

    def __init__(self, seats: int = 2, *, single_mark: bool = False) -> None:
        check_seats(seats, 1, None)
        self.seats = seats
        self.single_mark = single_mark

    def start(self, first: int = 0) -> EverestState:
        return EverestState(((BOXES,) * NUMBERS,) * self.seats, first)

    def phase(self, state: EverestState) -> Phase:
        if not all(map(any, state.boxes)):
            return Phase.OVER
        return Phase.ACT if state.throw or state.left else Phase.THROW

    def seat(self, state: EverestState) -> int:
        return state.thrower if state.asked is None else state.asked

    def throws(self, state: EverestState) -> tuple[tuple[Throw, int], ...]:
        return throws_of(DICE)

    def after_throw(self, state: EverestState, throw: Throw) -> EverestState:
        return state._replace(throw=throw)

    def markings(self, dice: Throw, boxes: tuple[int, ...]) -> tuple[Marks, ...]:
        """The groups a seat may mark with dice, none of them last."""
        most = 1 if self.single_mark else DICE
        return tuple(
            groups
            for groups in groupings(dice)
            if len(groups) <= most and _fits(Counter(map(sum, groups)), boxes)
        )

    def acts(self, state: EverestState) -> tuple[Marks, ...]:
        dice = state.throw if state.asked is None else state.left
        return self.markings(dice, state.boxes[self.seat(state)])

    def after_act(self, state: EverestState, act: Marks) -> EverestState:
        if act not in self.acts(state):
            raise StateError(f"seat {self.seat(state) + 1} can't mark {act} here")
        seat = self.seat(state)
        boxes = list(state.boxes[seat])
        for group in act:
            boxes[sum(group) - 1] -= 1
        everyone = (*state.boxes[:seat], tuple(boxes), *state.boxes[seat + 1 :])
        if not any(boxes):
            return EverestState(everyone, state.thrower)
        dice = state.throw if state.asked is None else state.left
        left = unused(dice, act)
        marked = self.single_mark and bool(act)
        overlooked = state.asked is not None or len(self.markings(left, tuple(boxes))) > 1
        if marked or not overlooked:
            left = ()
        return self._ask_after(seat, state.thrower, everyone, left)

    def _ask_after(
        self, seat: int, thrower: int, boxes: tuple[tuple[int, ...], ...], left: Throw
    ) -> EverestState:
        """Offer ``left`` to the seats after ``seat``; with no claimant the next one throws."""
        turn = (seat - thrower) % self.seats
        for place in range(turn + 1, self.seats):
            asked = (thrower + place) % self.seats
            if len(self.markings(left, boxes[asked])) > 1:
                return EverestState(boxes, thrower, (), left, asked)
        return EverestState(boxes, (thrower + 1) % self.seats)

    def result(self, state: EverestState) -> tuple[int, ...]:
        return tuple(int(not any(boxes)) for boxes in state.boxes)


def unused(dice: Throw, marks: Marks) -> Throw:
    """The dice in none of the groups."""
    left = Counter(dice) - Counter(die for group in marks for die in group)
    return tuple(sorted(left.elements()))


def _fits(sums: Counter[int], boxes: tuple[int, ...]) -> bool:
    return all(number <= NUMBERS and boxes[number - 1] >= count for number, count in sums.items())
