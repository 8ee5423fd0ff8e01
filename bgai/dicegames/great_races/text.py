"""The Great Races for people: text, players, figures."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from bgai.dicegames.chance_game import StateError, rolls_of
from bgai.dicegames.expectimax import Expectimax
from bgai.dicegames.great_races.rules import DICE, RACES, GreatRaces, Pairing, RacesState, pairings
from bgai.dicegames.great_races.sheet import NUMBERS, parse_sheet, read_text
from bgai.dicegames.great_races.solver import GreatRacesSolver
from bgai.dicegames.great_races.tables import ending_tables
from bgai.dicegames.kit import (
    Fields,
    Kit,
    dice_text,
    number_in,
    whole_number,
)
from bgai.dicegames.state_words import roll_in
from bgai.dicegames.words import GREAT_RACES

KINDS = {"best": 0, "greedy": 1, "random": 2}
SIMULATED_ENDING_WORK = 4_000
"""Size of the endings that simulated best players solve exactly: a twentieth of a millisecond."""


class GreatRacesKit(Kit[RacesState, Pairing]):
    name = "great-races"
    title = "The Great Races"
    least_seats, most_seats = 2, 4
    slip = 0.015
    compiled = frozenset(KINDS)
    option_help: ClassVar[Mapping[str, str]] = {"sheet=": "TOML file with the races"}
    words = GREAT_RACES

    game: GreatRaces

    def made(self, seats: int) -> GreatRaces:
        given = self.options.get("sheet")
        if given is None:
            return GreatRaces(seats)
        # a saved game has the contents of the file, which may be gone or changed
        name, text = ("the saved sheet", given) if "\n" in given else (given, read_text(given))
        self.options = {**self.options, "sheet": text + "\n"}
        return GreatRaces(seats, parse_sheet(text, name))

    @cached_property
    def advisor(self) -> GreatRacesSolver:
        return GreatRacesSolver(self.game)

    def read_state(self, fields: Fields) -> RacesState:
        seats = self.game.seats
        marks = tuple(self._marks(p, s) for s, p in enumerate(fields["marks"].split("/")))
        for race, prizes in enumerate(self.game.sheet.races):
            if sum(row[race] == prizes.length for row in marks) > 1:
                raise StateError(f"marks: two seats can't both have won race {race + NUMBERS[0]}")
        state = RacesState(marks, number_in(fields, "seat", 1, seats, 1) - 1)
        if not self.game.open_races(state):
            raise StateError("marks: all races are won: the game is over")
        return state._replace(roll=roll_in(fields, DICE))

    def _marks(self, text: str, seat: int) -> tuple[int, ...]:
        parts = text.split(",")
        if len(parts) != RACES:
            raise StateError(f"marks: seat {seat + 1} has {len(parts)} races, not {RACES}")
        races = zip(parts, self.game.sheet.races, NUMBERS, strict=True)
        return tuple(
            whole_number(part, f"marks of seat {seat + 1} in race {number}", 0, race.length)
            for part, race, number in races
        )

    def state_text(self, state: RacesState) -> str:
        marks = "/".join(",".join(map(str, row)) for row in state.marks)
        words = [f"marks={marks}", f"seat={state.roller + 1}"]
        if state.roll:
            words.append(f"roll={dice_text(state.roll)}")
        return " ".join(words)

    def board(self, state: RacesState) -> str:
        width = max(map(len, ("race", *self.names)))
        numbers = " ".join(f"{number:>5}" for number in NUMBERS)
        lines = [f"{'race':{width}}   {numbers}  points"]
        lengths = [race.length for race in self.game.sheet.races]
        scores = self.game.scores(state)
        for seat, row in enumerate(state.marks):
            cells = []
            for race, (marks, length) in enumerate(zip(row, lengths, strict=True)):
                closed = self.game.winner(state, race) is not None
                won = "won" if marks == length else "-"
                cells.append(f"{won if closed else f'{marks}/{length}':>5}")
            name = f"{self.names[seat]:{width}}"
            lines.append(f"{name}   {' '.join(cells)}  {scores[seat]:>6}")
        if state.roll:
            lines.append(f"dice {' '.join(map(str, state.roll))}")
        return "\n".join(lines)

    def question(self, state: RacesState) -> str:
        choices = (
            f"{number} = {low} and {high}"
            for number, (low, high) in enumerate(self.game.acts(state), 1)
        )
        return f"Which pairing: {', '.join(choices)}?"

    def act_text(self, state: RacesState, act: Pairing) -> str:
        return f"mark {act[0]} and {act[1]}"

    def read_act(self, state: RacesState, text: str) -> Pairing:
        acts = self.game.acts(state)
        words = text.replace("and", " ").replace(",", " ").split()
        if len(words) == 1:
            return acts[whole_number(words[0], "pairing", 1, len(acts)) - 1]
        totals = tuple(sorted(whole_number(word, "total", 2, 12) for word in words))
        for act in acts:
            if act == totals:
                return act
        raise StateError(f"the dice don't pair as '{text.strip()}'")

    def rules(self) -> Mapping[str, Callable[[RacesState], Pairing]]:
        def greedy(state: RacesState) -> Pairing:
            return max(self.game.acts(state), key=lambda act: self._greedy_worth(state, act))

        return {"best": self.advised, "greedy": greedy}

    def worths(self, state: RacesState) -> list[tuple[Pairing, float]]:
        after = [(act, self.game.after_act(state, act)) for act in self.game.acts(state)]
        return [(act, self.advisor.chances(s)[0][state.roller]) for act, s in after]

    def notes(self) -> list[str]:
        prizes = " ".join(f"{race.first}/{race.second}" for race in self.game.sheet.races)
        lines = " ".join(str(race.line) for race in self.game.sheet.races)
        return [
            f"Sheet: {self.game.sheet.origin}.",
            f"First and second place of 2 to 12: {prizes}; double line after {lines}.",
        ]

    def _greedy_worth(self, state: RacesState, act: Pairing) -> float:
        """Points won at once, then first-place points per space marked."""
        seat, game = state.roller, self.game
        after = game.after_act(state, act)
        total = 1000.0 * (game.scores(after)[seat] - game.scores(state)[seat])
        for race, prizes in enumerate(game.sheet.races):
            spaces = after.marks[seat][race] - state.marks[seat][race]
            total += spaces * prizes.first / prizes.length
        return total

    def play_compiled(
        self, seeds: NDArray[np.uint64], names: Sequence[str], streams: Sequence[int]
    ) -> NDArray[np.int64]:
        from bgai.dicegames.great_races.kernels import play_games
        from bgai.dicegames.random_kernels import Seats

        players = Seats(np.array([KINDS[name] for name in names]), np.array(streams))
        tables = self.advisor.tables
        return play_games(seeds, players, tables, ending_tables(), SIMULATED_ENDING_WORK)

    def reference_values(self) -> list[tuple[str, Fraction | float]]:
        figures: list[tuple[str, Fraction | float]] = []
        for number in range(2, 8):
            able = sum(w for t, w in rolls_of(DICE) if any(number in p for p in pairings(t)))
            twice = sum(w for t, w in rolls_of(DICE) if (number, number) in pairings(t))
            figures.append((f"P(race {number} can be marked)", Fraction(able, 6**DICE)))
            figures.append((f"P(race {number} can be marked twice)", Fraction(twice, 6**DICE)))
        choices = sum(len(pairings(roll)) for roll, _ in rolls_of(DICE))
        figures.append(("choices of roll and pairing", Fraction(choices)))
        game = GreatRaces(2)
        for number, needs in ((7, (1, 1)), (7, (1, 2)), (7, (2, 1)), (2, (1, 1))):
            chance = Expectimax(game, exact=True).value(last_race(game, number, needs))[0]
            figures.append((f"only race {number} open, needs {needs[0]}-{needs[1]}", chance))
        return figures


def last_race(game: GreatRaces, number: int, needs: tuple[int, int]) -> RacesState:
    """Two seats that need so many spaces in the one open race, and are level enough in points
    that its winner wins the game."""
    lengths = [race.length for race in game.sheet.races]
    marks = [[0] * RACES, [0] * RACES]
    for race, length in enumerate(lengths):
        if race + NUMBERS[0] == number:
            marks[0][race], marks[1][race] = length - needs[0], length - needs[1]
            continue
        state = RacesState((tuple(marks[0]), tuple(marks[1])), 0)
        first, second = game.scores(state)
        marks[0 if first <= second else 1][race] = length
    return RacesState((tuple(marks[0]), tuple(marks[1])), 0)
