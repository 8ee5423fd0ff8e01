"""Cubilete solved exactly for two and three seats, approximately for more.

Rounds follow one another by the scores, taken in falling order of their sum; a round in
which nobody scores leads to the same scores with another seat first, and those few states
are solved together by policy iteration.

With four seats and more the scores after a round have an approximate value: the seats'
points in a round are taken to be independent, with the odds of play for points. The round
itself is still solved exactly on those values.
"""

from collections.abc import Sequence
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bgai.cachefile import load_arrays
from bgai.dicegames.chance_game import Advice, Phase, Roll, Values
from bgai.dicegames.cubilete.round import FOR_POINTS, START, Round, Standing, Table, solve_round
from bgai.dicegames.cubilete.rules import ROLLS, TARGET, Cubilete, CubileteState, Hand
from bgai.dicegames.cubilete.turn import Turn, play_turn
from bgai.dicegames.finish_times import first_to_finish, seated

if TYPE_CHECKING:
    from bgai.dicegames.cubilete.game_kernels import Policies

Floats = NDArray[np.float64]

EXACT_SEATS = 3
VERSION = 1
ROUNDS = 400
"""Rounds followed in the approximation for many seats."""
SETTLED = 1e-14
MOST_POLICIES = 50


class CubileteSolver:
    """A best player; seats in ``greedy`` are taken to play every turn for points."""

    def __init__(self, game: Cubilete, greedy: frozenset[int] = frozenset()) -> None:
        self.game = game
        self.greedy = tuple(seat in greedy for seat in range(game.seats))
        self.exact = game.seats <= EXACT_SEATS
        self._rounds: dict[Table, Round] = {}

    def prepare(self) -> None:
        """Solve the game, or load its solution (three seats: ten seconds or so, once)."""
        _ = self._values if self.exact else self._survival

    def value(self, table: Table) -> Floats:
        """Win chances by place at the start of a round."""
        return self._values[table] if self.exact else self._race(table)

    @property
    def rules(self) -> str:
        """The options of the game, for names of files."""
        game = self.game
        return game.ties.value + "-same" * game.same_rolls + "-strict" * game.strict

    @cached_property
    def _values(self) -> dict[Table, Floats]:
        if any(self.greedy):
            return self._solve()
        seats = self.game.seats
        everyone = list(product(range(TARGET), repeat=seats))

        def build() -> dict[str, Floats]:
            solved = self._solve()
            return {"values": np.array([solved[Table(s, self.greedy)] for s in everyone])}

        name = f"cubilete-{seats}-{self.rules}"
        stored = load_arrays(name, VERSION, build, title="the tables of Cubilete")["values"]
        return {Table(s, self.greedy): row for s, row in zip(everyone, stored, strict=True)}

    def _solve(self) -> dict[Table, Floats]:
        """Every start of a round, the highest sums of scores first."""
        seats = self.game.seats
        values: dict[Table, Floats] = {}
        for scores in sorted(product(range(TARGET), repeat=seats), key=sum, reverse=True):
            for place in range(seats):
                table = Table(scores, self.greedy[place:] + self.greedy[:place])
                if table not in values:
                    self._solve_loop(values, table)
        return values

    def _solve_loop(self, values: dict[Table, Floats], table: Table) -> None:
        """Solve the tables that follow one another while nobody scores."""
        seats = self.game.seats
        loop = list(dict.fromkeys(table.from_place(-turn % seats) for turn in range(seats)))
        for member in loop:
            values[member] = np.full(seats, 1 / seats)
        for _ in range(MOST_POLICIES):
            before = np.array([values[member] for member in loop])
            starts = [
                solve_round(self.game, member, values.__getitem__).pays[START] for member in loop
            ]
            solved = _close(np.array(starts))
            values.update(zip(loop, solved, strict=True))
            if np.abs(solved - before).max() < SETTLED:
                return

    # many seats

    @cached_property
    def _survival(self) -> Floats:
        """``(10, rounds + 1)``: chance that a seat with each score is still below the target."""
        odds = play_turn(FOR_POINTS, strict=self.game.strict).odds.sum(axis=0)
        scoring = _points_in_round(odds, self.game.seats)
        survival = np.ones((TARGET, ROUNDS + 1))
        for number in range(ROUNDS):
            for score in range(TARGET):
                below = TARGET - score
                survival[score, number + 1] = scoring[:below] @ survival[score:, number]
        return survival

    def _race(self, table: Table) -> Floats:
        return np.array(first_to_finish([self._survival[score] for score in table.scores]))

    # advice

    def _round(self, table: Table) -> Round:
        if table not in self._rounds:
            self._rounds[table] = solve_round(self.game, table, self.value)
        return self._rounds[table]

    def policies(self, *, best: bool) -> "Policies":
        """The turns of best seats (where there are any; kept in the cache) and greedy ones, as
        compiled games take them."""
        from bgai.dicegames.cubilete.game_kernels import Policies

        limits = range(1, ROLLS + 1)
        turns = [play_turn(FOR_POINTS, most, strict=self.game.strict) for most in limits]
        greedy = _arrays(turns)
        if not best:
            return Policies(np.zeros(1, np.int64), 0, *greedy, *greedy)
        seats = self.game.seats
        standings = list(self._round(Table((0,) * seats, self.greedy)).played)
        places = np.full(seats * Hand.KINGS_WITH_ACES * 2**seats * ROLLS, -1)
        for row, (place, hand, holders, most) in enumerate(standings):
            held = sum(1 << holder for holder in holders)
            number = (place * Hand.KINGS_WITH_ACES + hand) * 2**seats + held
            places[number * ROLLS + most - 1] = row

        def build() -> dict[str, NDArray[np.int16]]:
            turns: list[Turn] = []
            for scores in product(range(TARGET), repeat=seats):
                played = solve_round(self.game, Table(scores, self.greedy), self.value).played
                turns += [played[standing] for standing in standings]
            return dict(zip(("first", "second"), _arrays(turns), strict=True))

        name = f"cubilete-turns-{seats}-{self.rules}"
        stored = load_arrays(name, VERSION, build, title="the turns of Cubilete")
        return Policies(places, len(standings), stored["first"], stored["second"], *greedy)

    def turn(self, state: CubileteState) -> Turn:
        """How the seat to play plays its turn."""
        table = Table(state.scores, self.greedy).from_place(state.first)
        return self._round(table).played[_standing(state)]

    def chances(self, state: CubileteState) -> Values:
        """Win chances per seat."""
        game = self.game
        if game.phase(state) is Phase.ACT:
            return self.advise(state).chances
        if game.phase(state) is Phase.OVER:
            return tuple(float(share) for share in game.result(state))
        if state.roll_off:
            ends = [self.chances(game.after_roll(state, t)) for t, _ in game.rolls(state)]
            return tuple(np.mean(ends, axis=0).tolist())
        solved = self._round(Table(state.scores, self.greedy).from_place(state.first))
        standing = _standing(state)
        payoff = solved.pays[standing]
        if state.rolls:
            odds = solved.played[standing].odds_after(state.dice, state.rolls)
            payoff = np.tensordot(odds, solved.ends[standing], 2)
        return seated(solved.chances(payoff).tolist(), state.first)

    def advise(self, state: CubileteState) -> Advice[Roll]:
        if self.game.phase(state) is not Phase.ACT:
            return Advice((), self.chances(state), self.exact)
        after = [
            (act, self.chances(self.game.after_act(state, act))) for act in self.game.acts(state)
        ]
        seat = self.game.seat(state)
        after.sort(key=lambda pair: -pair[1][seat])
        return Advice(tuple(after), after[0][1], self.exact)


def _arrays(turns: Sequence[Turn]) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """What is kept in many turns after the first and the second roll, a row each."""
    first = np.array([turn.first for turn in turns], dtype=np.int16)
    return first, np.array([turn.second for turn in turns], dtype=np.int16)


def _close(starts: Floats) -> Floats:
    """Win chances ``(k, places)`` of tables that lead to the next one, and the last to the
    first, while nobody scores; ``starts`` ``(k, places + 1)`` are their payoffs."""
    count, seats = len(starts), starts.shape[1] - 1
    again = starts[:, seats]
    matrix = np.eye(count * seats)
    for number in range(count):
        following = (number + 1) % count
        for place in range(seats):
            column = following * seats + (place + 1) % seats
            matrix[number * seats + place, column] -= again[number]
    solved = np.linalg.solve(matrix, starts[:, :seats].ravel())
    return solved.reshape(count, seats).astype(np.float64)


def _standing(state: CubileteState) -> Standing:
    seats = len(state.scores)
    held = sorted((seat - state.first) % seats for seat in state.holders)
    return state.place, state.best, tuple(held), state.most


def _points_in_round(odds: Sequence[float] | Floats, seats: int) -> Floats:
    """``(11,)``: odds of a seat's points in a round, averaged over the places.

    ``odds`` are those of the hands at the end of a turn, alike for all seats.
    """
    plain = np.asarray(odds)[: Hand.KINGS_WITH_ACES]
    scoring = np.zeros(TARGET + 1)
    for place in range(seats):
        for hand in Hand:
            if hand.ends_round:
                scoring[hand.points] += odds[hand] * plain.sum() ** place
            elif hand:
                lower, not_higher = plain[:hand].sum(), plain[: hand + 1].sum()
                scoring[1] += odds[hand] * lower**place * not_higher ** (seats - 1 - place)
    scoring /= seats
    scoring[0] = 1 - scoring.sum()
    return scoring
