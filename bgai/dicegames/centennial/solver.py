"""Centennial solved: making everything and claiming everything is best.

Since perfect seats leave nothing over, each one's progress is independent of the others':
the chance to be first follows exactly from the times the seats need, for any number of them.
"""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from bgai.dicegames.centennial.rules import DICE, PATH, Centennial, CentennialState, subset_sums
from bgai.dicegames.chance_game import Advice, Phase, Values, rolls_of
from bgai.dicegames.finish_times import first_to_finish, seated

TURNS = 600
"""Turns followed: a seat is still at it after these with a chance below 1e-40."""


def available_ways(number: int) -> int:
    """Of 216 rolls, those in which some dice sum to ``number``."""
    return sum(ways for roll, ways in rolls_of(DICE) if number in subset_sums(roll))


class CentennialSolver:
    """Exact win chances of every state."""

    def __init__(self, game: Centennial) -> None:
        self.game = game
        ways = np.zeros((len(PATH) + 1, len(PATH) + 1))
        for step in range(len(PATH)):
            for roll, count in rolls_of(DICE):
                ways[step, step + game.advance(step, roll)] += count
        self._moves: NDArray[np.float64] = ways[:-1, :-1] / 6**DICE
        survival = np.ones((TURNS + 1, len(PATH)))
        for turn in range(TURNS):
            survival[turn + 1] = self._moves @ survival[turn]
        self.survival: NDArray[np.float64] = np.vstack([survival.T, np.zeros(TURNS + 1)])
        """``(24, turns + 1)``: chance that a seat at each step is unfinished after each turn."""

    def expected_turns(self, step: int = 0) -> float:
        """Mean number of turns a seat alone needs from ``step``."""
        open_steps = np.eye(len(PATH)) - self._moves
        return float(np.linalg.solve(open_steps, np.ones(len(PATH)))[step])

    def expected_turns_exactly(self) -> Fraction:
        """The mean number of turns from the start, as a fraction."""
        turns = [Fraction(0)] * (len(PATH) + 1)
        for step in reversed(range(len(PATH))):
            total, stay = Fraction(6**DICE), 0
            for roll, ways in rolls_of(DICE):
                made = self.game.advance(step, roll)
                total += ways * turns[step + made] if made else 0
                stay += 0 if made else ways
            turns[step] = total / (6**DICE - stay)
        return turns[0]

    def chances(self, state: CentennialState) -> Values:
        """Win chances per seat when everyone makes and claims all there is."""
        while self.game.phase(state) is Phase.ACT:
            state = self.game.after_act(state, self.game.acts(state)[0])
        if self.game.phase(state) is Phase.OVER:
            return tuple(float(share) for share in self.game.result(state))
        first = state.roller
        order = [(first + place) % self.game.seats for place in range(self.game.seats)]
        return seated(first_to_finish([self.survival[state.steps[s]] for s in order]), first)

    def advise(self, state: CentennialState) -> Advice[int]:
        if self.game.phase(state) is not Phase.ACT:
            return Advice((), self.chances(state), True)
        after = [
            (act, self.chances(self.game.after_act(state, act))) for act in self.game.acts(state)
        ]
        seat = self.game.seat(state)
        after.sort(key=lambda pair: -pair[1][seat])
        turns: tuple[float, ...] = ()
        if self.game.seats == 1:
            made = (state.steps[0] + act for act, _ in after)
            turns = tuple(self.expected_turns(s) if s < len(PATH) else 0.0 for s in made)
        return Advice(tuple(after), after[0][1], True, turns=turns)
