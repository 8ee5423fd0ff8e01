"""The Great Races: eleven races, four dice a turn in two pairs, marks along the tracks.

Each pair's total marks a space in its race; marks in a finished race are lost. The last space
of a track wins the race at once and closes it; of the others past the double line the
farthest is second, the later starter among equals. With all races closed the highest score
wins, again the later starter among equals.
"""

from functools import cache
from typing import NamedTuple

from bgai.dicegames.chance_game import Phase, Roll, StateError, check_seats, rolls_of
from bgai.dicegames.great_races.sheet import NUMBERS, Sheet, default_sheet

DICE = 4
RACES = len(NUMBERS)
MOST_SEATS = 4

Pairing = tuple[int, int]
"""The totals of the two pairs, the lower first."""


class RacesState(NamedTuple):
    """``marks``: per seat the spaces marked in the races of 2 to 12. ``roll``: the dice the
    roller has to pair, or none. Everything else follows from the marks."""

    marks: tuple[tuple[int, ...], ...]
    roller: int
    roll: Roll = ()


@cache
def pairings(roll: Roll) -> tuple[Pairing, ...]:
    """The different pairings of four dice."""
    a, b, c, d = roll
    totals = ((a + b, c + d), (a + c, b + d), (a + d, b + c))
    return tuple(sorted({(min(pair), max(pair)) for pair in totals}))


class GreatRaces:
    """The rules on a sheet."""

    def __init__(self, seats: int = 2, sheet: Sheet | None = None) -> None:
        check_seats(seats, 2, MOST_SEATS)
        self.seats = seats
        self.sheet = sheet or default_sheet()

    def start(self, first: int = 0) -> RacesState:
        return RacesState(((0,) * RACES,) * self.seats, first)

    def winner(self, state: RacesState, race: int) -> int | None:
        """The seat that has won a race (by its place on the sheet), or ``None``: still open."""
        length = self.sheet.races[race].length
        return next((s for s in range(self.seats) if state.marks[s][race] == length), None)

    def open_races(self, state: RacesState) -> tuple[int, ...]:
        """The races not yet won, by their place on the sheet."""
        return tuple(race for race in range(RACES) if self.winner(state, race) is None)

    def places(self, state: RacesState, race: int) -> tuple[int | None, int | None]:
        """The seats in first and second place of a race, once it is closed."""
        winner = self.winner(state, race)
        line = self.sheet.races[race].line
        others = [
            (state.marks[seat][race], seat)
            for seat in range(self.seats)
            if seat != winner and state.marks[seat][race] > line
        ]
        return winner, max(others)[1] if winner is not None and others else None

    def scores(self, state: RacesState) -> tuple[int, ...]:
        """Points of the closed races, per seat."""
        scores = [0] * self.seats
        for race, prizes in enumerate(self.sheet.races):
            first, second = self.places(state, race)
            if first is not None:
                scores[first] += prizes.first
            if second is not None:
                scores[second] += prizes.second
        return tuple(scores)

    def phase(self, state: RacesState) -> Phase:
        if state.roll:
            return Phase.ACT
        return Phase.ROLL if self.open_races(state) else Phase.OVER

    def seat(self, state: RacesState) -> int:
        return state.roller

    def rolls(self, state: RacesState) -> tuple[tuple[Roll, int], ...]:
        return rolls_of(DICE)

    def after_roll(self, state: RacesState, roll: Roll) -> RacesState:
        return state._replace(roll=roll)

    def acts(self, state: RacesState) -> tuple[Pairing, ...]:
        return pairings(state.roll)

    def after_act(self, state: RacesState, act: Pairing) -> RacesState:
        if act not in pairings(state.roll):
            raise StateError(f"the dice {state.roll} don't pair as {act}")
        marks = list(state.marks[state.roller])
        for total in act:
            race = total - NUMBERS[0]
            if self.winner(state, race) is None and marks[race] < self.sheet.races[race].length:
                marks[race] += 1
        seat = state.roller
        everyone = (*state.marks[:seat], tuple(marks), *state.marks[seat + 1 :])
        return RacesState(everyone, (seat + 1) % self.seats)

    def result(self, state: RacesState) -> tuple[int, ...]:
        scores = self.scores(state)
        _, winner = max((score, seat) for seat, score in enumerate(scores))
        return tuple(int(seat == winner) for seat in range(self.seats))
