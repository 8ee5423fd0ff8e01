"""Everest: mark each of the numbers 1 to 12 twice, in any order, from three dice a turn.

A roll is split into groups of dice; each group's sum, if at most 12, may mark one open box
of that number. Dice left unused that could still have marked a box may be claimed by the
other seats, asked in order from the roller's left, until the next roll.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import NamedTuple

from bgai.dicegames.chance_game import Phase, Roll, StateError, check_seats, rolls_of

NUMBERS = 12
BOXES = 2
"""Boxes of each number: one in the ascending, one in the descending column."""
DICE = 3

Group = tuple[int, ...]
"""Dice whose sum marks a box, in rising order."""
Marks = tuple[Group, ...]
"""What a seat does with a roll: its groups in rising order, none to leave all dice."""


class EverestState(NamedTuple):
    """``boxes``: per seat the open boxes (0-2) of the numbers 1-12. ``roll``: the dice the
    roller has to use, or none. ``left``: unused dice, being offered to seat ``asked``."""

    boxes: tuple[tuple[int, ...], ...]
    roller: int
    roll: Roll = ()
    left: Roll = ()
    asked: int | None = None


@cache
def groupings(dice: Roll) -> tuple[Marks, ...]:
    """Every way to pick disjoint groups from the dice, most groups first."""
    found = {tuple(sorted(groups)) for groups in _pick(dice)}
    return tuple(sorted(found, key=lambda groups: (-len(groups), groups)))


def _pick(dice: Roll) -> Iterator[Marks]:
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
    """The rules; with ``single_mark`` a roll marks one number only."""

    def __init__(self, seats: int = 2, *, single_mark: bool = False) -> None:
        check_seats(seats, 1, None)
        self.seats = seats
        self.single_mark = single_mark

    def start(self, first: int = 0) -> EverestState:
        return EverestState(((BOXES,) * NUMBERS,) * self.seats, first)

    def phase(self, state: EverestState) -> Phase:
        if not all(map(any, state.boxes)):
            return Phase.OVER
        return Phase.ACT if state.roll or state.left else Phase.ROLL

    def seat(self, state: EverestState) -> int:
        return state.roller if state.asked is None else state.asked

    def rolls(self, state: EverestState) -> tuple[tuple[Roll, int], ...]:
        return rolls_of(DICE)

    def after_roll(self, state: EverestState, roll: Roll) -> EverestState:
        return state._replace(roll=roll)

    def markings(self, dice: Roll, boxes: tuple[int, ...]) -> tuple[Marks, ...]:
        """The groups a seat may mark with dice, none of them last."""
        most = 1 if self.single_mark else DICE
        return tuple(
            groups
            for groups in groupings(dice)
            if len(groups) <= most and _fits(Counter(map(sum, groups)), boxes)
        )

    def acts(self, state: EverestState) -> tuple[Marks, ...]:
        dice = state.roll if state.asked is None else state.left
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
            return EverestState(everyone, state.roller)
        dice = state.roll if state.asked is None else state.left
        left = unused(dice, act)
        marked = self.single_mark and bool(act)
        overlooked = state.asked is not None or len(self.markings(left, tuple(boxes))) > 1
        if marked or not overlooked:
            left = ()
        return self._ask_after(seat, state.roller, everyone, left)

    def _ask_after(
        self, seat: int, roller: int, boxes: tuple[tuple[int, ...], ...], left: Roll
    ) -> EverestState:
        """Offer ``left`` to the seats after ``seat``; with no claimant the next one rolls."""
        turn = (seat - roller) % self.seats
        for place in range(turn + 1, self.seats):
            asked = (roller + place) % self.seats
            if len(self.markings(left, boxes[asked])) > 1:
                return EverestState(boxes, roller, (), left, asked)
        return EverestState(boxes, (roller + 1) % self.seats)

    def result(self, state: EverestState) -> tuple[int, ...]:
        return tuple(int(not any(boxes)) for boxes in state.boxes)


def unused(dice: Roll, marks: Marks) -> Roll:
    """The dice in none of the groups."""
    left = Counter(dice) - Counter(die for group in marks for die in group)
    return tuple(sorted(left.elements()))


def _fits(sums: Counter[int], boxes: tuple[int, ...]) -> bool:
    return all(number <= NUMBERS and boxes[number - 1] >= count for number, count in sums.items())
