"""One round of Cubilete, solved from its last place back.

For every best hand so far, its holders and the rolls allowed, the seat to roll plays the
turn that is best for its own chance to win the game (or, if greedy, for points).
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bgai.dicegames.cubilete.rules import POINTS, ROLLS, TARGET, Cubilete, Hand, Ties
from bgai.dicegames.cubilete.turn import Turn, play_turn

Floats = NDArray[np.float64]

FOR_POINTS: Floats = np.tile(np.array(POINTS, dtype=np.float64), (ROLLS, 1))
"""Worth of the hands to a greedy seat."""


class Table(NamedTuple):
    """The seats at the start of a round by place, the one that rolls first at place 0."""

    scores: tuple[int, ...]
    greedy: tuple[bool, ...]

    def from_place(self, place: int) -> "Table":
        """The same seats with ``place`` rolling first."""
        return Table(
            self.scores[place:] + self.scores[:place], self.greedy[place:] + self.greedy[:place]
        )


Value = Callable[[Table], Floats]
"""Win chances by place at the start of a round."""
Standing = tuple[int, Hand, tuple[int, ...], int]
"""Places done, best hand, places that hold it, rolls allowed."""
START: Standing = (0, Hand.NOTHING, (), ROLLS)


@dataclass(frozen=True)
class Round:
    """A solved round. Payoffs are win chances by place and, last, the chance that nobody
    scores.

    By standing: how the turn is ``played``, what it ``pays``, and its ``ends`` ``(3, 8,
    places + 1)``: payoffs by rolls made and hand. ``again``: win chances when nobody scores.
    """

    again: Floats
    played: dict[Standing, Turn] = field(default_factory=dict)
    pays: dict[Standing, Floats] = field(default_factory=dict)
    ends: dict[Standing, Floats] = field(default_factory=dict)

    def chances(self, payoff: Floats) -> Floats:
        """Win chances by place of a payoff."""
        return payoff[:-1] + payoff[-1] * self.again


def solve_round(game: Cubilete, table: Table, value: Value) -> Round:
    """Solve the round that ``table`` starts, later rounds being worth ``value``."""
    return _RoundSolver(game, table, value).solve()


class _RoundSolver:
    def __init__(self, game: Cubilete, table: Table, value: Value) -> None:
        self.game = game
        self.table = table
        self.value = value
        self.seats = game.seats
        self.round = Round(np.roll(value(table.from_place(self.seats - 1)), self.seats - 1))
        self.wins = [self._scored(place, 1, self.seats - 1) for place in range(self.seats)]
        self.nobody = np.eye(self.seats + 1)[self.seats]

    def solve(self) -> Round:
        solved = self.round
        for place in reversed(range(self.seats)):
            at_once = {
                hand: self._scored(place, hand.points, place) for hand in Hand if hand.ends_round
            }
            for standing in self._standings(place):
                ends = self._ends(standing, at_once)
                worth = FOR_POINTS
                if not self.table.greedy[place]:
                    worth = ends[:, :, place] + ends[:, :, self.seats] * solved.again[place]
                turn = play_turn(worth, standing[3], strict=self.game.strict)
                solved.ends[standing] = ends
                solved.played[standing] = turn
                solved.pays[standing] = np.tensordot(turn.odds, ends, 2)
        return solved

    def _scored(self, place: int, points: int, starter: int) -> Floats:
        """Payoffs after ``place`` scores and ``starter`` begins the next round."""
        payoff = np.zeros(self.seats + 1)
        scores = list(self.table.scores)
        scores[place] += points
        if scores[place] >= TARGET:
            payoff[place] = 1.0
        else:
            after = Table(tuple(scores), self.table.greedy).from_place(starter)
            payoff[: self.seats] = np.roll(self.value(after), starter)
        return payoff

    def _standings(self, place: int) -> list[Standing]:
        """What a seat can find when it is its turn."""
        if place == 0:
            return [START]
        plain = [hand for hand in Hand if hand and not hand.ends_round]
        holders: list[tuple[int, ...]] = [(holder,) for holder in range(place)]
        if self.game.ties is not Ties.EARLIER:
            flags = product((False, True), repeat=place)
            holders = [tuple(np.flatnonzero(f).tolist()) for f in flags if any(f)]
        found: list[tuple[Hand, tuple[int, ...]]] = [(Hand.NOTHING, ())]
        found += [(hand, held) for hand in plain for held in holders]
        limits = range(1, ROLLS + 1) if self.game.same_rolls else (ROLLS,)
        return [(place, hand, held, most) for hand, held in found for most in limits]

    def _ends(self, standing: Standing, at_once: dict[Hand, Floats]) -> Floats:
        """Payoffs by rolls made and hand."""
        place, best, holders, most = standing
        limits_others = self.game.same_rolls and place == 0
        ends = np.empty((ROLLS, len(Hand), self.seats + 1))
        for hand in Hand:
            if hand.ends_round:
                ends[:, hand] = at_once[hand]
            elif limits_others:
                for made in range(ROLLS):
                    ends[made, hand] = self._passed_on(place, best, holders, hand, made + 1)
            else:
                ends[:, hand] = self._passed_on(place, best, holders, hand, most)
        return ends

    def _passed_on(
        self, place: int, best: Hand, holders: tuple[int, ...], hand: Hand, most: int
    ) -> Floats:
        """Payoffs after ``place`` ends its turn with a plain hand."""
        if hand > best:
            best, holders = hand, (place,)
        elif hand == best and hand and self.game.ties is not Ties.EARLIER:
            holders = (*holders, place)
        if place + 1 < self.seats:
            return self.round.pays[place + 1, best, holders, most]
        if not holders or (len(holders) > 1 and self.game.ties is Ties.VOID):
            return self.nobody
        return np.mean([self.wins[holder] for holder in holders], axis=0)
