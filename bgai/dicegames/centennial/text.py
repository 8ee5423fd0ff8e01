"""Centennial for people: text, players, figures."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

from bgai.dicegames.centennial.rules import PATH, Centennial, CentennialState
from bgai.dicegames.centennial.solver import CentennialSolver, available_ways
from bgai.dicegames.chance_game import StateError
from bgai.dicegames.kit import (
    Fields,
    Kit,
    dice_text,
    number_in,
    whole_number,
)
from bgai.dicegames.state_words import is_claim, roll_in
from bgai.dicegames.words import CENTENNIAL


class CentennialKit(Kit[CentennialState, int]):
    name = "centennial"
    title = "Centennial (Ohio)"
    least_seats, most_seats = 1, 8
    slip = 0.01
    option_help: ClassVar[Mapping[str, str]] = {
        "each-subset-once": "a set of dice serves for one number only",
    }
    words = CENTENNIAL

    game: Centennial

    def made(self, seats: int) -> Centennial:
        return Centennial(seats, each_subset_once="each-subset-once" in self.options)

    @cached_property
    def advisor(self) -> CentennialSolver:
        return CentennialSolver(self.game)

    def read_state(self, fields: Fields) -> CentennialState:
        seats = self.game.seats
        parts = fields["steps"].split(",")
        steps = tuple(whole_number(part, "steps", 0, len(PATH) - 1) for part in parts)
        state = CentennialState(steps, number_in(fields, "seat", 1, seats, 1) - 1)
        if is_claim(fields):
            return self._claim(state, fields)
        return state._replace(roll=roll_in(fields, 3))

    def _claim(self, state: CentennialState, fields: Fields) -> CentennialState:
        parts = fields["left"].split(",")
        left = tuple(whole_number(part, "left", 1, 12) for part in parts)
        asked = number_in(fields, "asked", 1, self.game.seats, 1) - 1
        made = state.steps[state.roller]
        if PATH[made : made + len(left)] != left:
            raise StateError(f"left: seat {state.roller + 1} did not overlook {fields['left']}")
        if asked == state.roller:
            raise StateError("asked: the roller can't claim")
        if not self.game.claimable(state.steps[asked], left):
            raise StateError(f"asked: seat {asked + 1} can claim none of {fields['left']}")
        return state._replace(left=left, asked=asked)

    def state_text(self, state: CentennialState) -> str:
        words = [f"steps={','.join(map(str, state.steps))}", f"seat={state.roller + 1}"]
        if state.roll:
            words.append(f"roll={dice_text(state.roll)}")
        if state.asked is not None:
            words.append(f"left={','.join(map(str, state.left))} asked={state.asked + 1}")
        return " ".join(words)

    def board(self, state: CentennialState) -> str:
        lines = []
        width = max(map(len, self.names))
        for name, step in zip(self.names, state.steps, strict=True):
            path = " ".join("·" if n < step else str(target) for n, target in enumerate(PATH))
            lines.append(f"{name:{width}}  {path}")
        if state.roll:
            lines.append(f"dice {' '.join(map(str, state.roll))}")
        return "\n".join(lines)

    def question(self, state: CentennialState) -> str:
        target = PATH[state.steps[self.game.seat(state)]]
        if state.asked is None:
            return f"Next is {target}. How many numbers in a row do you make (0 for none)?"
        left = ", ".join(map(str, state.left))
        return f"Overlooked: {left}. Next is {target}. How many in a row do you claim (0 for none)?"

    def act_text(self, state: CentennialState, act: int) -> str:
        step = state.steps[self.game.seat(state)]
        verb = "make" if state.asked is None else "claim"
        return f"{verb} {' '.join(map(str, PATH[step : step + act])) or 'nothing'}"

    def read_act(self, state: CentennialState, text: str) -> int:
        act = whole_number(text.strip(), "numbers", 0, len(PATH))
        if act not in self.game.acts(state):
            raise StateError(f"{act} numbers in a row are not there")
        return act

    def warning(self, state: CentennialState, act: int) -> str:
        most = self.game.acts(state)[0]
        return f"You could {self.act_text(state, most)}." if act < most else ""

    def rules(self) -> Mapping[str, Callable[[CentennialState], int]]:
        def greedy(state: CentennialState) -> int:
            return self.game.acts(state)[0] if state.asked is None else 0

        return {"best": lambda state: self.game.acts(state)[0], "greedy": greedy}

    def reference_values(self) -> list[tuple[str, Fraction | float]]:
        figures: list[tuple[str, Fraction | float]] = [
            (f"P({number} available)", Fraction(available_ways(number), 216))
            for number in range(1, 13)
        ]
        once = CentennialSolver(Centennial(1, each_subset_once=True))
        figures.append(("expected turns alone", self.advisor.expected_turns()))
        figures.append(("expected turns alone, each subset once", once.expected_turns()))
        for seats in (2, 3):
            game = Centennial(seats, each_subset_once=self.game.each_subset_once)
            chances = CentennialSolver(game).chances(game.start())
            figures += [(f"{seats} seats: seat {n + 1} wins", p) for n, p in enumerate(chances)]
        return figures
