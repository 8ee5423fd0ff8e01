"""Cubilete: five of a kind from five dice with wild aces, to ten points.

Faces: 1 ace (wild), 2 king, 3 queen, 4 jack, 5 ten, 6 nine. Up to three rolls a turn,
keeping any dice. Kings or aces end the round at once: the seat scores and rolls first next.
Otherwise the best hand of the round scores; a later hand must be strictly higher, unless an
option treats equal hands otherwise. Without kings or aces the last to roll starts the next
round.
"""

import enum
from collections import Counter
from functools import cache
from itertools import combinations
from typing import NamedTuple

from bgai.dicegames.chance_game import Phase, Roll, StateError, check_seats, rolls_of

DICE = 5
ROLLS = 3
TARGET = 10
ACE, KING, QUEEN, JACK, TEN, NINE = range(1, 7)


class Hand(enum.IntEnum):
    """What five dice are worth, in rank order."""

    NOTHING = 0
    NINES = 1
    TENS = 2
    JACKS = 3
    QUEENS = 4
    KINGS_WITH_ACES = 5
    NATURAL_KINGS = 6
    ACES = 7

    @property
    def ends_round(self) -> bool:
        return self >= Hand.KINGS_WITH_ACES

    @property
    def title(self) -> str:
        """Its name for people."""
        return self.name.lower().replace("_", " ")

    @property
    def points(self) -> int:
        return POINTS[self]


POINTS: tuple[int, ...] = (0, 1, 1, 1, 1, 2, 5, 10)
_PLAIN = {QUEEN: Hand.QUEENS, JACK: Hand.JACKS, TEN: Hand.TENS, NINE: Hand.NINES}


class Ties(enum.Enum):
    """What becomes of equal best hands: the earlier one stands, nobody scores, or the seats
    that hold them roll a die each for it."""

    EARLIER = "earlier"
    VOID = "void"
    ROLL_OFF = "roll-off"


class CubileteState(NamedTuple):
    """``place``: seats that have had their turn this round, ``first`` beginning. ``best``: the
    best hand of the round, held by the seats ``holders``. ``dice``: after ``rolls`` rolls,
    five dice to decide on or fewer kept for the next roll. ``most``: rolls allowed in a
    turn of this round. ``roll_off``: the holders are about to roll for the round. ``kept``:
    dice that must stay (option ``strict``)."""

    scores: tuple[int, ...]
    first: int = 0
    place: int = 0
    best: Hand = Hand.NOTHING
    holders: tuple[int, ...] = ()
    rolls: int = 0
    dice: Roll = ()
    most: int = ROLLS
    roll_off: bool = False
    kept: Roll = ()


@cache
def hand_of(dice: Roll) -> Hand:
    """The hand that five dice make."""
    values = set(dice) - {ACE}
    if not values:
        return Hand.ACES
    if len(values) > 1:
        return Hand.NOTHING
    (value,) = values
    if value == KING:
        return Hand.KINGS_WITH_ACES if ACE in dice else Hand.NATURAL_KINGS
    return _PLAIN[value]


@cache
def keeps_of(dice: Roll) -> tuple[Roll, ...]:
    """Every different choice of dice to keep, most dice first."""
    return tuple(
        keep
        for size in range(len(dice), -1, -1)
        for keep in dict.fromkeys(combinations(dice, size))
    )


class Cubilete:
    """The rules. ``same_rolls``: later seats may use no more rolls than the first did.
    ``strict``: dice are kept for the final hand and can't be rolled again."""

    def __init__(
        self,
        seats: int = 2,
        *,
        ties: Ties = Ties.EARLIER,
        same_rolls: bool = False,
        strict: bool = False,
    ) -> None:
        check_seats(seats, 2, None)
        self.seats = seats
        self.ties = ties
        self.same_rolls = same_rolls
        self.strict = strict

    def start(self, first: int = 0) -> CubileteState:
        return CubileteState((0,) * self.seats, first)

    def phase(self, state: CubileteState) -> Phase:
        if max(state.scores) >= TARGET:
            return Phase.OVER
        return Phase.ACT if len(state.dice) == DICE else Phase.ROLL

    def seat(self, state: CubileteState) -> int:
        if state.roll_off:
            return state.holders[0]
        return (state.first + state.place) % self.seats

    def rolls(self, state: CubileteState) -> tuple[tuple[Roll, int], ...]:
        """Rolls of the dice not kept; in a roll-off the winning seat, all equally likely."""
        if state.roll_off:
            return tuple(((seat,), 1) for seat in state.holders)
        return rolls_of(DICE - len(state.dice))

    def after_roll(self, state: CubileteState, roll: Roll) -> CubileteState:
        if state.roll_off:
            return self._end_round(state._replace(holders=roll))
        dice = tuple(sorted(state.dice + roll))
        rolled = state._replace(dice=dice, rolls=state.rolls + 1)
        return self._end_turn(rolled) if rolled.rolls == state.most else rolled

    def acts(self, state: CubileteState) -> tuple[Roll, ...]:
        """The dice kept for another roll; all five ends the turn."""
        keeps = keeps_of(state.dice)
        if not state.kept:
            return keeps
        return tuple(keep for keep in keeps if not Counter(state.kept) - Counter(keep))

    def after_act(self, state: CubileteState, act: Roll) -> CubileteState:
        if act not in self.acts(state):
            raise StateError(f"{act} can't be kept of {state.dice}")
        if len(act) == DICE:
            return self._end_turn(state)
        return state._replace(dice=act, kept=act if self.strict else ())

    def _end_turn(self, state: CubileteState) -> CubileteState:
        seat, hand = self.seat(state), hand_of(state.dice)
        if hand.ends_round:
            return self._score(state, seat, hand.points, seat)
        best, holders = state.best, state.holders
        if hand > best:
            best, holders = hand, (seat,)
        elif hand == best and hand and self.ties is not Ties.EARLIER:
            holders = (*holders, seat)
        place = state.place + 1
        most = state.rolls if self.same_rolls and not state.place else state.most
        turned = CubileteState(state.scores, state.first, place, best, holders, most=most)
        return turned if place < self.seats else self._end_round(turned)

    def _end_round(self, state: CubileteState) -> CubileteState:
        """Everyone has rolled, nobody kings or aces."""
        starter = (state.first + self.seats - 1) % self.seats
        if len(state.holders) > 1 and self.ties is Ties.ROLL_OFF:
            return state._replace(place=0, roll_off=True, most=ROLLS)
        if len(state.holders) == 1:
            return self._score(state, state.holders[0], state.best.points, starter)
        return CubileteState(state.scores, starter)

    def _score(self, state: CubileteState, seat: int, points: int, starter: int) -> CubileteState:
        scores = list(state.scores)
        scores[seat] = min(scores[seat] + points, TARGET)
        return CubileteState(tuple(scores), starter)

    def result(self, state: CubileteState) -> tuple[int, ...]:
        return tuple(int(score >= TARGET) for score in state.scores)
