"""Everest for people: text, players, figures."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from bgai.dicegames.chance_game import StateError
from bgai.dicegames.everest.rules import BOXES, DICE, NUMBERS, Everest, EverestState, Marks, unused
from bgai.dicegames.everest.solver import EverestSolver, Tables, marked
from bgai.dicegames.finish_times import first_to_finish
from bgai.dicegames.kit import (
    Fields,
    Kit,
    dice_in,
    dice_text,
    number_in,
)
from bgai.dicegames.random_kernels import Seats, by_ways
from bgai.dicegames.state_words import is_claim, roll_in
from bgai.dicegames.words import EVEREST

KINDS = {"best": 0, "solo": 1, "greedy": 2, "random": 3}


class EverestKit(Kit[EverestState, Marks]):
    name = "everest"
    title = "Everest"
    least_seats, most_seats = 1, None
    slip = 0.004
    compiled = frozenset(KINDS)
    option_help: ClassVar[Mapping[str, str]] = {"single-mark": "a roll marks one number only"}
    words = EVEREST
    players = ("best", "casual", "beginner", "solo", "greedy", "random")

    game: Everest

    def made(self, seats: int) -> Everest:
        return Everest(seats, single_mark="single-mark" in self.options)

    @cached_property
    def advisor(self) -> EverestSolver:
        return EverestSolver(self.game)

    def read_state(self, fields: Fields) -> EverestState:
        seats = self.game.seats
        boxes = tuple(_boxes(part, seat) for seat, part in enumerate(fields["boxes"].split("/")))
        state = EverestState(boxes, number_in(fields, "seat", 1, seats, 1) - 1)
        if is_claim(fields):
            return self._claim(state, fields)
        return state._replace(roll=roll_in(fields, DICE))

    def _claim(self, state: EverestState, fields: Fields) -> EverestState:
        left = dice_in(fields["left"], "left", range(1, DICE + 1))
        asked = number_in(fields, "asked", 1, self.game.seats, 1) - 1
        if asked == state.roller:
            raise StateError("asked: the roller can't claim")
        if len(self.game.markings(left, state.boxes[asked])) == 1:
            raise StateError(f"asked: seat {asked + 1} can mark nothing with {fields['left']}")
        return state._replace(left=left, asked=asked)

    def state_text(self, state: EverestState) -> str:
        boxes = "/".join("".join(map(str, row)) for row in state.boxes)
        words = [f"boxes={boxes}", f"seat={state.roller + 1}"]
        if state.roll:
            words.append(f"roll={dice_text(state.roll)}")
        if state.asked is not None:
            words.append(f"left={dice_text(state.left)} asked={state.asked + 1}")
        return " ".join(words)

    def board(self, state: EverestState) -> str:
        width = max(map(len, ("number", *self.names)))
        numbers = " ".join(f"{number:>2}" for number in range(1, NUMBERS + 1))
        lines = [f"{'number':{width}}  {numbers}"]
        for name, row in zip(self.names, state.boxes, strict=True):
            cells = " ".join(f"{'□' * boxes or '·':>2}" for boxes in row)
            lines.append(f"{name:{width}}  {cells}   {sum(row)} to mark")
        if state.roll:
            lines.append(f"dice {' '.join(map(str, state.roll))}")
        return "\n".join(lines)

    def question(self, state: EverestState) -> str:
        form = "Groups of dice, such as 1+2 5 (0 for none)?"
        if state.asked is None:
            return f"What do you mark? {form}"
        return f"Overlooked dice: {' '.join(map(str, state.left))}. What do you claim? {form}"

    def act_text(self, state: EverestState, act: Marks) -> str:
        verb = "mark" if state.asked is None else "claim"
        if not act:
            return f"{verb} nothing"
        groups = ("+".join(map(str, group)) for group in act)
        return f"{verb} {' '.join(groups)}  ({', '.join(str(sum(group)) for group in act)})"

    def warning(self, state: EverestState, act: Marks) -> str:
        if act in self.advisor.sensible_acts(state):
            return ""
        dice = state.roll if state.asked is None else state.left
        left = " ".join(map(str, unused(dice, act)))
        return f"That leaves {left}, which could mark more."

    def read_act(self, state: EverestState, text: str) -> Marks:
        text = text.strip()
        if text == "0":
            return ()
        groups = [dice_in(word.replace("+", ""), "dice", (1, 2, 3)) for word in text.split()]
        act = tuple(sorted(groups))
        if not act or act not in self.game.acts(state):
            raise StateError(f"'{text}' can't be marked with these dice and boxes")
        return act

    def prepare(self) -> None:
        _ = self.advisor.tables.turns if self.game.seats == 1 else self.advisor.tables.survival

    def rules(self) -> Mapping[str, Callable[[EverestState], Marks]]:
        solver, game = self.advisor, self.game

        def boxes_after(state: EverestState, act: Marks) -> tuple[int, ...]:
            return marked(state.boxes[game.seat(state)], act)

        def solo(state: EverestState) -> Marks:
            return min(
                solver.sensible_acts(state),
                key=lambda act: solver.expected_turns(boxes_after(state, act)),
            )

        def greedy(state: EverestState) -> Marks:
            index = solver.tables.index
            return min(
                game.acts(state), key=lambda act: (-len(act), index(boxes_after(state, act)))
            )

        def best(state: EverestState) -> Marks:
            if game.seats == 1:
                return solo(state)
            return self.advised(state)

        return {"best": best, "solo": solo, "greedy": greedy}

    def play_compiled(
        self, seeds: NDArray[np.uint64], names: Sequence[str], streams: Sequence[int]
    ) -> NDArray[np.int64]:
        from bgai.dicegames.everest.kernels import Markings, play_games

        tables = self.advisor.tables
        needs_race = "best" in names and len(names) > 1
        survival = tables.survival if needs_race else np.zeros((1, 1), dtype=np.float32)
        kinds = [KINDS[name] if needs_race or name != "best" else KINDS["solo"] for name in names]
        return play_games(
            seeds,
            Seats(np.array(kinds), np.array(streams)),
            Markings(tables.options, tables.offsets, by_ways(tables.ways)),
            tables.turns,
            survival,
        )

    def reference_values(self) -> list[tuple[str, Fraction | float]]:
        tables = self.advisor.tables
        split = tables if not self.game.single_mark else Tables()
        single = tables if self.game.single_mark else Tables(single_mark=True)
        full = (BOXES,) * NUMBERS
        ends = {
            "one 1 left": {1: 1},
            "two 1s left": {1: 2},
            "one 12 left": {12: 1},
            "an 11 and a 12 left": {11: 1, 12: 1},
        }
        figures: list[tuple[str, Fraction | float]] = [
            ("expected turns alone", float(split.turns[split.index(full)])),
            ("expected turns alone, single mark", float(single.turns[single.index(full)])),
        ]
        for label, boxes in ends.items():
            state = tuple(boxes.get(number, 0) for number in range(1, NUMBERS + 1))
            exact = EverestSolver(Everest(1)).expected_turns_exactly(state)
            figures.append((f"expected turns, {label}", exact))
        start = split.survival[split.index(full)]
        chances = first_to_finish([start, start])
        figures += [(f"2 seats, solo-optimal: seat {n + 1} wins", p) for n, p in enumerate(chances)]
        return figures


def _boxes(text: str, seat: int) -> tuple[int, ...]:
    if len(text) != NUMBERS or any(character not in "012" for character in text):
        raise StateError(f"boxes: '{text}' of seat {seat + 1} is not 12 digits 0 to 2")
    if not int(text):
        raise StateError(f"boxes: seat {seat + 1} has marked everything: the game is over")
    return tuple(map(int, text))
