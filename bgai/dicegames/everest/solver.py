"""Everest solved alone, and played to be first.

Alone: one pass over all 3^12 states of the boxes gives the fewest expected turns. Against
others: the pass also gives the distribution of the turns a seat still needs; a best player
picks the marks after which it most likely finishes before everyone else, all seats going on
as they would alone. (That is one step of policy improvement, not an exact solution: the
states of two seats are too many.)
"""

from collections import Counter
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bgai.cachefile import Arrays, load_arrays
from bgai.dicegames.chance_game import Advice, Phase, Values, rolls_of
from bgai.dicegames.everest.rules import (
    BOXES,
    DICE,
    NUMBERS,
    Everest,
    EverestState,
    Marks,
    groupings,
    unused,
)
from bgai.dicegames.finish_times import first_to_finish, seated

TURNS = 64
"""Turns of the stored distributions. Two seats that both need more share a chance of less
than a millionth from the start."""
VERSION = 1


class Tables:
    """What the kernels need, and the solved tables (kept in the user's cache)."""

    def __init__(self, *, single_mark: bool = False) -> None:
        self.single_mark = single_mark
        most = 1 if single_mark else DICE
        rows: list[list[int]] = []
        offsets = [0]
        for roll, _ in rolls_of(DICE):
            numbers = {
                tuple(sorted(map(sum, groups)))
                for groups in groupings(roll)
                if 0 < len(groups) <= most and max(map(sum, groups)) <= NUMBERS
            }
            fitting = [row for row in sorted(numbers) if max(map(row.count, row)) <= BOXES]
            rows += [_option(row, fitting) for row in fitting]
            offsets.append(len(rows))
        self.options: NDArray[np.int64] = np.array(rows, dtype=np.int64)
        self.offsets: NDArray[np.int64] = np.array(offsets, dtype=np.int64)
        self.ways: NDArray[np.int64] = np.array([ways for _, ways in rolls_of(DICE)])

    @cached_property
    def turns(self) -> NDArray[np.float64]:
        """Fewest expected turns of every state, ``(3**12,)``."""
        return self._load("alone", 0)["turns"]

    @cached_property
    def survival(self) -> NDArray[np.float32]:
        """Chance to be unfinished after ``t`` turns of solo-optimal play, ``(3**12, TURNS)``."""
        return self._load("race", TURNS)["survival"]

    def _load(self, name: str, length: int) -> Arrays:
        def build() -> Arrays:
            from bgai.dicegames.everest.kernels import solve_alone

            states = 3**NUMBERS if length else 0
            survival = np.zeros((states, max(length, 1)), dtype=np.float32)
            turns = solve_alone(self.options, self.offsets, self.ways, survival)
            return {"survival": survival} if length else {"turns": turns}

        rule = "single" if self.single_mark else "split"
        return load_arrays(f"everest-{name}-{rule}", VERSION, build, title="the tables of Everest")

    def index(self, boxes: tuple[int, ...]) -> int:
        """The number of a state of one seat's boxes."""
        return sum(open_boxes * 3**place for place, open_boxes in enumerate(boxes))


def marked(boxes: tuple[int, ...], act: Marks) -> tuple[int, ...]:
    """The boxes still open after marking groups."""
    rest = list(boxes)
    for group in act:
        rest[sum(group) - 1] -= 1
    return tuple(rest)


def _option(numbers: tuple[int, ...], fitting: list[tuple[int, ...]]) -> list[int]:
    """A row of the kernels' options: bits needed, index subtracted, boxes marked, and the
    options of the roll that mark more as well (a bit each)."""
    more = sum(1 << n for n, other in enumerate(fitting) if Counter(numbers) < Counter(other))
    bits = sum(1 << (number - 1 + NUMBERS * (numbers.count(number) - 1)) for number in set(numbers))
    return [bits, sum(3 ** (number - 1) for number in numbers), len(numbers), more]


class EverestSolver:
    """A best player: exact alone, near-best with more seats."""

    def __init__(self, game: Everest, tables: Tables | None = None) -> None:
        self.game = game
        self.tables = tables or Tables(single_mark=game.single_mark)

    def expected_turns(self, boxes: tuple[int, ...]) -> float:
        """Fewest expected turns for a seat alone."""
        return float(self.tables.turns[self.tables.index(boxes)])

    def expected_turns_exactly(self, boxes: tuple[int, ...]) -> Fraction:
        """The same as a fraction; for few open boxes only, as every smaller state is met."""
        known: dict[tuple[int, ...], Fraction] = {(0,) * NUMBERS: Fraction(0)}

        def turns(open_boxes: tuple[int, ...]) -> Fraction:
            if open_boxes not in known:
                total, can = Fraction(6**DICE), 0
                for roll, ways in rolls_of(DICE):
                    acts = [act for act in self.game.markings(roll, open_boxes) if act]
                    if acts:
                        total += ways * min(turns(marked(open_boxes, act)) for act in acts)
                        can += ways
                known[open_boxes] = total / can
            return known[open_boxes]

        return turns(boxes)

    def chances(self, state: EverestState) -> Values:
        """Win chances per seat from the finishing times of solo-optimal play."""
        game = self.game
        while game.phase(state) is Phase.ACT:
            seat = game.seat(state)
            state = max(
                (game.after_act(state, act) for act in self.sensible_acts(state)),
                key=lambda after: self._first(after, seat),
            )
        if game.phase(state) is Phase.OVER:
            return tuple(float(share) for share in game.result(state))
        order = [(state.roller + place) % game.seats for place in range(game.seats)]
        rows = [self.tables.survival[self.tables.index(state.boxes[seat])] for seat in order]
        return seated(first_to_finish(rows), state.roller)

    def _first(self, state: EverestState, seat: int) -> float:
        """The win chance of ``seat`` if nothing more is claimed."""
        if not any(state.boxes[seat]):
            return 1.0
        turn = (state.roller + (state.asked is not None)) % self.game.seats
        return self.chances(EverestState(state.boxes, turn))[seat]

    def sensible_acts(self, state: EverestState) -> list[Marks]:
        """The acts that leave nothing which could still be marked."""
        boxes = state.boxes[self.game.seat(state)]
        dice = state.roll if state.asked is None else state.left
        sensible = []
        for act in self.game.acts(state):
            left = () if self.game.single_mark and act else unused(dice, act)
            if len(self.game.markings(left, marked(boxes, act))) == 1:
                sensible.append(act)
        return sensible

    def _advise_alone(self, state: EverestState) -> Advice[Marks]:
        """Alone there is only the number of turns to save; the win is certain."""
        acts = self.game.acts(state) if self.game.phase(state) is Phase.ACT else ()
        boxes = state.boxes[0]
        ordered = sorted(acts, key=lambda act: self.expected_turns(marked(boxes, act)))
        turns = tuple(self.expected_turns(marked(boxes, act)) for act in ordered)
        return Advice(tuple((act, (1.0,)) for act in ordered), (1.0,), True, turns=turns)

    def advise(self, state: EverestState) -> Advice[Marks]:
        exact = self.game.seats == 1
        if exact:
            return self._advise_alone(state)
        if self.game.phase(state) is not Phase.ACT:
            return Advice((), self.chances(state), exact)
        seat = self.game.seat(state)
        after = [
            (act, self.chances(self.game.after_act(state, act))) for act in self.game.acts(state)
        ]
        # a box more is never worse, whatever the estimate says
        sensible = self.sensible_acts(state)
        after.sort(key=lambda pair: -pair[1][seat])
        best = next(pair for pair in after if pair[0] in sensible)
        return Advice((best, *(pair for pair in after if pair is not best)), best[1], exact)
