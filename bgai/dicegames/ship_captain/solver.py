"""Ship-Captain solved exactly for any number of seats.

A turn is a walk over a few conditions: how many officers are set aside, or which crew lies
there, and how many rolls are left. The round is solved from its last seat back, for every
best score so far and its holder; each seat maximises its own chance to win. A void round is
played again: its value is a fixed point, found by policy iteration.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgai.dicegames.chance_game import Advice, Phase, Roll, Values, rolls_of
from bgai.dicegames.finish_times import seated
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

Array = NDArray[Any]

SCORES = 13
"""Scores 0 to 12 (1 never occurs)."""
CREWS: tuple[Roll, ...] = tuple(combinations_with_replacement(range(1, 7), 2))
"""The 21 crews, the lower die first."""
OFFICER_CONDITIONS = len(OFFICERS)
CONDITIONS = OFFICER_CONDITIONS + len(CREWS)
"""Conditions of a turn: 0, 1 or 2 officers; then the crews, in the order of ``CREWS``."""
CREW_SUMS: NDArray[np.int64] = np.array([sum(crew) for crew in CREWS])

STOP, BOTH, LOWER, HIGHER = range(4)
"""What is rolled again: nothing, both crew dice, the lower or the higher one."""


def condition_of(dice: Roll) -> int:
    """The condition of five dice."""
    found = officers_in(dice)
    if found < len(OFFICERS):
        return found
    return OFFICER_CONDITIONS + CREWS.index(crew_of(dice))


@cache
def steps(exact: bool) -> Array:
    """``(4, 24, 24)``: odds from each condition to the next, for each way to roll again.

    Rows of officers are the same for every way. ``STOP`` stays where it is.
    """
    table = np.zeros((4, CONDITIONS, CONDITIONS), dtype=object)
    for again in (STOP, BOTH, LOWER, HIGHER):
        for condition in range(CONDITIONS):
            if condition < OFFICER_CONDITIONS:
                kept: Roll = OFFICERS[:condition]
            elif again == STOP:
                table[again, condition, condition] = Fraction(1)
                continue
            else:
                lower, higher = CREWS[condition - OFFICER_CONDITIONS]
                kept = OFFICERS + {BOTH: (), LOWER: (higher,), HIGHER: (lower,)}[again]
            dice = DICE - len(kept)
            for roll, ways in rolls_of(dice):
                reached = condition_of(tuple(sorted(kept + roll)))
                table[again, condition, reached] += Fraction(ways, 6**dice)
    return table if exact else table.astype(np.float64)


def finished(payoffs: Array) -> Array:
    """Payoffs by score ``(13, ...)`` as payoffs by condition ``(24, ...)``."""
    return np.concatenate([payoffs[[0] * OFFICER_CONDITIONS], payoffs[CREW_SUMS]])


@dataclass(frozen=True)
class Turn:
    """A turn played for the greatest ``worth``: what it gives, and how.

    ``after[t]`` ``(24, k)``: payoffs in each condition with ``t`` rolls left; ``start``
    ``(k,)``: before the first roll; ``again[t]`` ``(24,)``: what is rolled again.
    """

    after: tuple[Array, ...]
    start: Array
    again: tuple[NDArray[np.int64], ...]


def play_turn(worth: Array, payoffs: Array, *, either: bool) -> Turn:
    """Choose by ``worth`` ``(13,)`` of the scores, and carry ``payoffs`` ``(13, k)`` along."""
    table = steps(worth.dtype == object)
    ways = [STOP, BOTH, LOWER, HIGHER] if either else [STOP, BOTH]
    worths, carried = finished(worth), finished(payoffs)
    after, again = [carried], [np.zeros(CONDITIONS, np.int64)]
    rows = np.arange(CONDITIONS)
    for _ in range(ROLLS - 1):
        options = np.stack([table[way] @ worths for way in ways])
        choice = np.argmax(options, axis=0)
        choice[:OFFICER_CONDITIONS] = BOTH
        worths = options[choice, rows]
        carried = np.stack([table[way] @ carried for way in ways])[choice, rows]
        after.append(carried)
        again.append(choice)
    return Turn(tuple(after), table[STOP, 0] @ carried, tuple(again))


def greatest_expected_score(*, either: bool) -> Fraction:
    """The greatest expected score of one turn, exactly."""
    scores = np.array([Fraction(score) for score in range(SCORES)], dtype=object)
    return play_turn(scores, scores[:, None], either=either).start[0]


def chance_of_officers(rolls: int) -> Fraction:
    """The chance to have 6-5-4 after that many rolls."""
    table = steps(True)[STOP]
    missing = np.array([Fraction(1), Fraction(0), Fraction(0)], dtype=object)
    inner = table[:OFFICER_CONDITIONS, :OFFICER_CONDITIONS]
    for _ in range(rolls):
        missing = missing @ inner
    return 1 - missing.sum()


Standing = tuple[int, int, int | None]
"""Seats that have played, the best score so far, the place that holds it alone (or none)."""


class ShipCaptainSolver:
    """Exact win chances; ``greedy`` places play for the highest expected score instead."""

    def __init__(self, game: ShipCaptain) -> None:
        self.game = game
        self._turns: dict[Standing, Turn] = {}
        self._scores = np.arange(SCORES, dtype=np.float64)
        self.worths: dict[Standing, Array] = {}
        """For each standing the win chance of the seat to play after each score."""
        self.replay: Array = np.full(game.seats, 1 / game.seats)
        """Win chances by place at the start of a round."""
        for _ in range(100):
            before = self.replay
            self._solve_round()
            if np.abs(before - self.replay).max() < 1e-15:
                break

    def _solve_round(self, greedy: frozenset[int] | None = None) -> Array:
        """One pass back over the round; improves the policies unless ``greedy`` is given.

        Payoffs are one number a place and, last, the chance of a void round.
        """
        seats = self.game.seats
        values: dict[Standing, Array] = {}
        for place in reversed(range(seats)):
            for best, leader in _standings(place):
                payoffs = np.stack(
                    [
                        self._payoff(values, place, best, leader, score if score != 1 else 0)
                        for score in range(SCORES)
                    ]
                )
                standing = (place, best, leader)
                if greedy is None:
                    own = payoffs[:, place] + payoffs[:, seats] * self.replay[place]
                    self.worths[standing] = own
                worth = self._scores if greedy and place in greedy else self.worths[standing]
                turn = play_turn(worth, payoffs, either=self.game.either)
                values[standing] = turn.start
                if greedy is None:
                    self._turns[standing] = turn
        start = values[0, NO_SCORE, None]
        chances = start[:seats] / (1 - start[seats])
        if greedy is None:
            self.replay = chances
        return chances

    def _payoff(
        self,
        values: dict[Standing, Array],
        place: int,
        best: int,
        leader: int | None,
        score: int,
    ) -> Array:
        """What follows when the seat at ``place`` ends its turn with ``score``."""
        seats = self.game.seats
        if score > best:
            best, leader = score, place
        elif score == best:
            leader = None
        if place + 1 < seats:
            return values[place + 1, best, leader]
        payoff = np.zeros(seats + 1)
        payoff[seats if leader is None else leader] = 1.0
        return payoff

    def start_chances(self, greedy: frozenset[int] = frozenset()) -> Values:
        """Win chances by place before a round when the ``greedy`` places play for score."""
        return tuple(self._solve_round(greedy).tolist()) if greedy else tuple(self.replay.tolist())

    def policy(self, standing: Standing) -> Turn:
        """How the seat to play next plays its turn."""
        return self._turns[standing]

    def turns(self) -> Iterable[tuple[Standing, Turn]]:
        """Every standing with how its turn is played."""
        return self._turns.items()

    def advise(self, state: ShipState) -> Advice[Roll]:
        game = self.game
        phase = game.phase(state)
        if phase is Phase.OVER:
            return Advice((), tuple(float(share) for share in game.result(state)), True)
        if phase is Phase.ROLL:
            return Advice((), self._chances(state), True)
        after = [(act, self._chances(game.after_act(state, act))) for act in game.acts(state)]
        seat = game.seat(state)
        after.sort(key=lambda pair: -pair[1][seat])
        return Advice(tuple(after), after[0][1], True)

    def _chances(self, state: ShipState) -> Values:
        """Win chances per seat with a roll next, or at the end."""
        game = self.game
        if game.phase(state) is Phase.OVER:
            return tuple(float(share) for share in game.result(state))
        leader = None if state.leader is None else (state.leader - state.first) % game.seats
        turn = self._turns[state.place, state.best, leader]
        left = ROLLS - state.rolls
        payoff = turn.start
        if left < ROLLS:
            payoff = _odds_after(state.dice) @ turn.after[left - 1]
        chances = payoff[:-1] + payoff[-1] * self.replay
        return seated(chances.tolist(), state.first)


def _odds_after(kept: Roll) -> Array:
    """``(24,)``: odds of the conditions after rolling the dice not kept."""
    odds = np.zeros(CONDITIONS)
    dice = DICE - len(kept)
    for roll, ways in rolls_of(dice):
        odds[condition_of(tuple(sorted(kept + roll)))] += ways / 6**dice
    return odds


@cache
def _standings(place: int) -> tuple[tuple[int, int | None], ...]:
    """Best scores and their holders that can be met after ``place`` seats have played."""
    if place == 0:
        return ((NO_SCORE, None),)
    leaders: list[int | None] = [*range(place)]
    if place > 1:
        leaders.append(None)
    scores = (0, *range(2, SCORES))
    return tuple((best, leader) for best in scores for leader in leaders)
