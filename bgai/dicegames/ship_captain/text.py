"""Ship-Captain for people: text, players, figures."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from bgai.dicegames.chance_game import Roll, StateError
from bgai.dicegames.kit import (
    Fields,
    Kit,
    dice_in,
    dice_text,
    whole_number,
)
from bgai.dicegames.ship_captain.rules import (
    DICE,
    NO_SCORE,
    OFFICERS,
    ROLLS,
    ShipCaptain,
    ShipState,
    crew_of,
    officers_in,
)
from bgai.dicegames.ship_captain.solver import (
    BOTH,
    CREWS,
    HIGHER,
    LOWER,
    OFFICER_CONDITIONS,
    SCORES,
    STOP,
    ShipCaptainSolver,
    Turn,
    chance_of_officers,
    greatest_expected_score,
    play_turn,
)
from bgai.dicegames.state_words import both_or_neither, turn_in
from bgai.dicegames.words import SHIP_CAPTAIN

RANDOM = -1


class ShipCaptainKit(Kit[ShipState, Roll]):
    name = "ship-captain-crew"
    title = "Ship, Captain, Mate and Crew"
    least_seats, most_seats = 2, None
    slip = 0.02
    compiled = frozenset(("best", "greedy", "random"))
    option_help: ClassVar[Mapping[str, str]] = {"either": "one crew die may be rolled again alone"}
    words = SHIP_CAPTAIN

    game: ShipCaptain

    def made(self, seats: int) -> ShipCaptain:
        return ShipCaptain(seats, either="either" in self.options)

    @cached_property
    def advisor(self) -> ShipCaptainSolver:
        return ShipCaptainSolver(self.game)

    def read_state(self, fields: Fields) -> ShipState:
        seats = self.game.seats
        first, place = turn_in(fields, seats)
        best, leader = self._standing(fields, first, place)
        state = ShipState(first, place, best, leader)
        if not both_or_neither(fields, "rolls", "dice"):
            return state
        rolls = whole_number(fields["rolls"], "rolls", 1, ROLLS - 1)
        dice = dice_in(fields["dice"], "dice", (DICE,))
        found = officers_in(dice)
        if found < len(OFFICERS):
            dice = tuple(sorted(OFFICERS[:found]))
        return state._replace(rolls=rolls, dice=dice)

    def _standing(self, fields: Fields, first: int, place: int) -> tuple[int, int | None]:
        if both_or_neither(fields, "best", "leader") != bool(place):
            what = "missing: seats have played" if place else "nobody has played this round yet"
            raise StateError(f"best: {what}")
        if not place:
            return NO_SCORE, None
        best = whole_number(fields["best"], "best", 0, SCORES - 1)
        if best == 1:
            raise StateError("best: no crew scores 1")
        if fields["leader"] == "tied":
            if place < 2:
                raise StateError("leader: one seat can't be tied")
            return best, None
        leader = whole_number(fields["leader"], "leader", 1, self.game.seats) - 1
        if (leader - first) % self.game.seats >= place:
            raise StateError(f"leader: seat {leader + 1} has not played this round")
        return best, leader

    def state_text(self, state: ShipState) -> str:
        seats = self.game.seats
        if len(OFFICERS) <= len(state.dice) < DICE:
            raise StateError("a state between a choice and its roll is not written")
        words = [f"seats={seats} first={state.first + 1}"]
        words.append(f"seat={(state.first + state.place) % seats + 1}")
        if state.place:
            holder = "tied" if state.leader is None else str(state.leader + 1)
            words.append(f"best={state.best} leader={holder}")
        if state.rolls:
            # dice not set aside are about to be rolled: ones stand for them
            dice = tuple(sorted(state.dice + (1,) * (DICE - len(state.dice))))
            words.append(f"rolls={state.rolls} dice={dice_text(dice)}")
        return " ".join(words)

    def board(self, state: ShipState) -> str:
        if not state.place:
            lines = ["nobody has a score yet"]
        elif state.leader is None:
            lines = [f"best {state.best}, tied"]
        else:
            lines = [f"best {state.best}, {self.names[state.leader]}"]
        if state.dice and len(state.dice) < DICE:
            lines.append(f"set aside {' '.join(map(str, reversed(state.dice)))}")
        if len(state.dice) == DICE:
            crew = crew_of(state.dice)
            left = ROLLS - state.rolls
            lines.append(f"6 5 4, crew {crew[0]} {crew[1]} = {sum(crew)}; {left} rolls left")
        return "\n".join(lines)

    def question(self, state: ShipState) -> str:
        one = ", or one die (such as 2)" if self.game.either else ""
        return f"stop, or again{one}?"

    def act_text(self, state: ShipState, act: Roll) -> str:
        if not act:
            return f"stop with {sum(crew_of(state.dice))}"
        return f"roll {' '.join(map(str, act))} again"

    def read_act(self, state: ShipState, text: str) -> Roll:
        word = text.strip().lower()
        named: dict[str, Roll] = {"stop": (), "s": (), "again": crew_of(state.dice)}
        named["a"] = named["again"]
        act = named.get(word)
        if act is None:
            act = dice_in("".join(word.split()), "crew", (1, 2))
        if act not in self.game.acts(state):
            raise StateError(f"'{text}' is not stop, again or crew dice that may be rolled")
        return act

    def turn_note(self, before: ShipState, after: ShipState) -> str:
        if after.place == before.place:
            return ""
        if not after.place:
            return "A tie for the highest: the round is void, everybody plays another."
        holder = "tied" if after.leader is None else self.names[after.leader]
        return f"The turn ends; best so far {after.best}, {holder}."

    def next_first(self, last: ShipState) -> int:
        return (last.first + 1) % self.game.seats

    def rules(self) -> Mapping[str, Callable[[ShipState], Roll]]:
        def by(turn_of: Callable[[ShipState], Turn]) -> Callable[[ShipState], Roll]:
            def choose(state: ShipState) -> Roll:
                crew = crew_of(state.dice)
                again = turn_of(state).again[ROLLS - state.rolls]
                code = int(again[OFFICER_CONDITIONS + CREWS.index(crew)])
                return {STOP: (), BOTH: crew, LOWER: crew[:1], HIGHER: crew[1:]}[code]

            return choose

        def best_turn(state: ShipState) -> Turn:
            leader = None
            if state.leader is not None:
                leader = (state.leader - state.first) % self.game.seats
            return self.advisor.policy((state.place, state.best, leader))

        return {"best": by(best_turn), "greedy": by(lambda state: self._greedy)}

    @cached_property
    def _greedy(self) -> Turn:
        scores = np.arange(SCORES, dtype=np.float64)
        return play_turn(scores, scores[:, None], either=self.game.either)

    def play_compiled(
        self, seeds: NDArray[np.uint64], names: Sequence[str], streams: Sequence[int]
    ) -> NDArray[np.int64]:
        from bgai.dicegames.ship_captain.kernels import play_games

        return play_games(seeds, self._policies(names), np.array(streams))

    def _policies(self, names: Sequence[str]) -> NDArray[np.int8]:
        """The table that the compiled games play by; see there."""
        seats = self.game.seats
        table = np.full((seats, SCORES + 1, seats + 1, ROLLS, 7, 7), STOP, dtype=np.int8)
        for (place, best, leader), turn in self.advisor.turns():
            if names[place] == "random":
                table[place, :, :, 1:] = RANDOM
                continue
            if names[place] == "greedy":
                turn = self._greedy
            row = table[place, best + 1, 0 if leader is None else leader + 1]
            for left in range(1, ROLLS):
                for number, (low, high) in enumerate(CREWS):
                    row[left, low, high] = turn.again[left][OFFICER_CONDITIONS + number]
        return table

    def reference_values(self) -> list[tuple[str, Fraction | float]]:
        figures: list[tuple[str, Fraction | float]] = [
            (f"6-5-4 by roll {rolls}", chance_of_officers(rolls)) for rolls in (1, 2, 3)
        ]
        figures.append(("greatest expected score", greatest_expected_score(either=False)))
        figures.append(("greatest expected score, either", greatest_expected_score(either=True)))
        for seats, either in ((2, False), (2, True), (3, False)):
            chances = ShipCaptainSolver(ShipCaptain(seats, either=either)).start_chances()
            rule = ", either" if either else ""
            figures += [
                (f"{seats} seats{rule}: seat {n + 1} wins", p) for n, p in enumerate(chances)
            ]
        return figures
