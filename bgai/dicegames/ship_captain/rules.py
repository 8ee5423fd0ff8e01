"""Ship, Captain, Mate and Crew: 6, 5 and 4 in that order, then the highest other two dice.

Up to three rolls of five dice. A 6, then a 5, then a 4 are set aside as they come and the
rest is rolled again. With all three, the other two dice are the crew and their sum the
score; rolls left may be used on the crew. No 6-5-4 scores nothing. The highest score wins;
a tie for the highest voids the round and everybody plays another.
"""

from typing import NamedTuple

from bgai.dicegames.chance_game import Phase, Roll, StateError, check_seats, rolls_of

DICE = 5
ROLLS = 3
OFFICERS = (6, 5, 4)
"""Ship, captain and mate, in the order in which they must be found."""

NO_SCORE = -1


class ShipState(NamedTuple):
    """``place``: seats that have had their turn this round (seat ``first`` began).
    ``best``: the highest score so far, held by seat ``leader`` alone, or by several (``None``).
    ``dice``: after ``rolls`` rolls, five dice to decide on, or fewer kept for the next
    roll."""

    first: int
    place: int = 0
    best: int = NO_SCORE
    leader: int | None = None
    rolls: int = 0
    dice: Roll = ()


def officers_in(dice: Roll) -> int:
    """How many of 6, 5, 4 the dice hold, counted in that order."""
    return next((n for n, officer in enumerate(OFFICERS) if officer not in dice), len(OFFICERS))


def crew_of(dice: Roll) -> Roll:
    """The dice beside 6, 5 and 4, which must all be there."""
    rest = list(dice)
    for officer in OFFICERS:
        rest.remove(officer)
    return tuple(rest)


def score_of(dice: Roll) -> int:
    """The sum of the crew, or 0 without 6-5-4."""
    return sum(crew_of(dice)) if officers_in(dice) == len(OFFICERS) else 0


class ShipCaptain:
    """The rules; with ``either`` one crew die may be rolled again alone."""

    def __init__(self, seats: int = 2, *, either: bool = False) -> None:
        check_seats(seats, 2, None)
        self.seats = seats
        self.either = either

    def start(self, first: int = 0) -> ShipState:
        return ShipState(first)

    def phase(self, state: ShipState) -> Phase:
        if state.place == self.seats:
            return Phase.OVER
        return Phase.ACT if len(state.dice) == DICE else Phase.ROLL

    def seat(self, state: ShipState) -> int:
        return (state.first + state.place) % self.seats

    def rolls(self, state: ShipState) -> tuple[tuple[Roll, int], ...]:
        return rolls_of(DICE - len(state.dice))

    def after_roll(self, state: ShipState, roll: Roll) -> ShipState:
        dice = tuple(sorted(state.dice + roll))
        rolls = state.rolls + 1
        found = officers_in(dice)
        if rolls == ROLLS:
            return self._end_turn(state, score_of(dice))
        if found == len(OFFICERS):
            return state._replace(rolls=rolls, dice=dice)
        return state._replace(rolls=rolls, dice=tuple(sorted(OFFICERS[:found])))

    def acts(self, state: ShipState) -> tuple[Roll, ...]:
        """The crew dice rolled again: none (the turn ends), both, or one with ``either``."""
        crew = crew_of(state.dice)
        single = dict.fromkeys((die,) for die in crew) if self.either else ()
        return ((), crew, *single)

    def after_act(self, state: ShipState, act: Roll) -> ShipState:
        if act not in self.acts(state):
            raise StateError(f"the crew {crew_of(state.dice)} can't be rolled again as {act}")
        if not act:
            return self._end_turn(state, score_of(state.dice))
        kept = list(state.dice)
        for die in act:
            kept.remove(die)
        if not self.either or len(act) == len(crew_of(state.dice)):
            kept = sorted(OFFICERS)
        return state._replace(dice=tuple(kept))

    def _end_turn(self, state: ShipState, score: int) -> ShipState:
        place = state.place + 1
        best, leader = state.best, state.leader
        if score > best:
            best, leader = score, self.seat(state)
        elif score == best:
            leader = None
        if place == self.seats and leader is None:
            return ShipState(state.first)
        return ShipState(state.first, place, best, leader)

    def result(self, state: ShipState) -> tuple[int, ...]:
        return tuple(int(seat == state.leader) for seat in range(self.seats))
