"""Centennial (Ohio): the numbers 1 to 12 and back to 1, in order, from three dice a turn.

A number is available when some of the dice sum to it. Numbers that the roller could have
announced but did not may be claimed by the other seats, asked in order from the roller's
left, until the next roll.
"""

from collections import Counter
from functools import cache
from itertools import combinations
from typing import NamedTuple

from bgai.dicegames.chance_game import Phase, Roll, StateError, check_seats, rolls_of

PATH: tuple[int, ...] = (*range(1, 13), *range(11, 0, -1))
"""The 23 numbers to make, in order."""
DICE = 3
MOST_SEATS = 8


class CentennialState(NamedTuple):
    """``steps``: numbers of ``PATH`` each seat has made. ``roll``: the dice the roller has
    to announce on, or none. ``left``: overlooked numbers, being offered to seat ``asked``."""

    steps: tuple[int, ...]
    roller: int
    roll: Roll = ()
    left: tuple[int, ...] = ()
    asked: int | None = None


@cache
def subset_sums(roll: Roll) -> tuple[int, ...]:
    """The sum of each non-empty set of the dice, one entry a set."""
    return tuple(
        sum(chosen) for size in range(1, len(roll) + 1) for chosen in combinations(roll, size)
    )


class Centennial:
    """The rules; ``each_subset_once`` lets a set of dice serve for one number only."""

    def __init__(self, seats: int = 2, *, each_subset_once: bool = False) -> None:
        check_seats(seats, 1, MOST_SEATS)
        self.seats = seats
        self.each_subset_once = each_subset_once

    def start(self, first: int = 0) -> CentennialState:
        return CentennialState((0,) * self.seats, first)

    def phase(self, state: CentennialState) -> Phase:
        if len(PATH) in state.steps:
            return Phase.OVER
        return Phase.ACT if state.roll or state.left else Phase.ROLL

    def seat(self, state: CentennialState) -> int:
        return state.roller if state.asked is None else state.asked

    def rolls(self, state: CentennialState) -> tuple[tuple[Roll, int], ...]:
        return rolls_of(DICE)

    def after_roll(self, state: CentennialState, roll: Roll) -> CentennialState:
        return state._replace(roll=roll)

    def advance(self, step: int, roll: Roll) -> int:
        """How many numbers in a row a seat at ``step`` can make with a roll."""
        available = Counter(subset_sums(roll))
        used: Counter[int] = Counter()
        made = 0
        for number in PATH[step:]:
            most = available[number] if self.each_subset_once else min(available[number], 1)
            if used[number] >= most:
                break
            used[number] += self.each_subset_once
            made += 1
        return made

    def claimable(self, step: int, left: tuple[int, ...]) -> int:
        """How many overlooked numbers in a row a seat at ``step`` can claim."""
        remaining = Counter(left)
        for made, number in enumerate(PATH[step:]):
            if not remaining[number]:
                return made
            remaining[number] -= 1
        return len(PATH) - step

    def acts(self, state: CentennialState) -> range:
        """Numbers announced or claimed, most first: how many in a row."""
        step = state.steps[self.seat(state)]
        if state.asked is None:
            return range(self.advance(step, state.roll), -1, -1)
        return range(self.claimable(step, state.left), -1, -1)

    def after_act(self, state: CentennialState, act: int) -> CentennialState:
        seat = self.seat(state)
        if act not in self.acts(state):
            raise StateError(f"seat {seat + 1} can't make {act} numbers with what is there")
        step = state.steps[seat]
        steps = (*state.steps[:seat], step + act, *state.steps[seat + 1 :])
        if step + act == len(PATH):
            return CentennialState(steps, state.roller)
        if state.asked is None:
            left = PATH[step + act : step + self.advance(step, state.roll)]
        else:
            remaining = Counter(state.left) - Counter(PATH[step : step + act])
            left = tuple(number for number in state.left if _take(remaining, number))
        return self._ask_after(seat, state.roller, steps, left)

    def _ask_after(
        self, seat: int, roller: int, steps: tuple[int, ...], left: tuple[int, ...]
    ) -> CentennialState:
        """Offer ``left`` to the seats after ``seat``; with no claimant the next one rolls."""
        turn = (seat - roller) % self.seats
        for place in range(turn + 1, self.seats):
            asked = (roller + place) % self.seats
            if left and self.claimable(steps[asked], left):
                return CentennialState(steps, roller, (), left, asked)
        return CentennialState(steps, (roller + 1) % self.seats)

    def result(self, state: CentennialState) -> tuple[int, ...]:
        return tuple(int(step == len(PATH)) for step in state.steps)


def _take(remaining: Counter[int], number: int) -> bool:
    remaining[number] -= 1
    return remaining[number] >= 0
