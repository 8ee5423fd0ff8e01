"""The shared expectimax: loops closed, fractions, depth, many seats."""

from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest

from bgai.dicegames.chance_game import Phase, Roll, StateError, rolls_of, sample_roll
from bgai.dicegames.expectimax import Expectimax
from bgai.dicegames.loops import Equations, components


class Duel(NamedTuple):
    """Seats roll in turn; ``over`` holds the winner."""

    seat: int
    over: int | None = None
    rolled: int | None = None


class ShootOut:
    """The first to roll a 6 wins. After a 1 a seat may roll again or pass (a choice inside a
    loop); everything else passes the die on."""

    def __init__(self, seats: int) -> None:
        self.seats = seats

    def start(self, first: int = 0) -> Duel:
        return Duel(first)

    def phase(self, state: Duel) -> Phase:
        if state.over is not None:
            return Phase.OVER
        return Phase.ROLL if state.rolled is None else Phase.ACT

    def seat(self, state: Duel) -> int:
        return state.seat

    def rolls(self, state: Duel) -> tuple[tuple[Roll, int], ...]:
        return rolls_of(1)

    def after_roll(self, state: Duel, roll: Roll) -> Duel:
        if roll == (6,):
            return Duel(state.seat, state.seat)
        if roll == (1,):
            return Duel(state.seat, None, 1)
        return Duel((state.seat + 1) % self.seats)

    def acts(self, state: Duel) -> tuple[str, ...]:
        return ("pass", "again")

    def after_act(self, state: Duel, act: str) -> Duel:
        return Duel(state.seat if act == "again" else (state.seat + 1) % self.seats)

    def result(self, state: Duel) -> tuple[int, ...]:
        return tuple(int(seat == state.over) for seat in range(self.seats))


def test_a_loop_of_two_is_closed_as_in_the_rules() -> None:
    # x = 1/6 + 4/6 (1 - x) + 1/6 x with the better act, "again"
    game = ShootOut(2)
    value = Expectimax(game, exact=True).value(game.start())
    assert value == (Fraction(5, 9), Fraction(4, 9))
    closed = Expectimax(game).value(game.start())
    assert closed == pytest.approx((5 / 9, 4 / 9), abs=1e-14)
    acts = Expectimax(game).act_values(Duel(0, None, 1))
    assert [act for act, _ in acts] == ["again", "pass"]


def test_three_seats_share_all_of_the_win() -> None:
    game = ShootOut(3)
    values = Expectimax(game, exact=True).value(game.start())
    # "again" makes each turn a win with 1/5 and a pass with 4/5
    assert values == (Fraction(25, 61), Fraction(20, 61), Fraction(16, 61))


def test_a_depth_stops_at_the_leaf() -> None:
    game = ShootOut(2)
    asked: list[Duel] = []

    def leaf(state: Duel) -> tuple[float, float]:
        asked.append(state)
        return 0.5, 0.5

    one = Expectimax(game, depth=1, leaf=leaf).value(game.start())
    assert one == pytest.approx((1 / 6 + 5 / 12, 5 / 12))
    assert set(asked) == {Duel(0), Duel(1)}
    far = Expectimax(game, depth=60, leaf=leaf).value(game.start())
    assert far == pytest.approx((5 / 9, 4 / 9), abs=1e-6)


def test_a_depth_needs_a_leaf() -> None:
    with pytest.raises(ValueError, match="leaf"):
        Expectimax(ShootOut(2), depth=2)


def test_too_many_states_are_refused() -> None:
    with pytest.raises(StateError, match="more than 2 states"):
        Expectimax(ShootOut(4), limit=2).value(Duel(0))


def test_components_come_children_first() -> None:
    edges = {"a": "b", "b": "cd", "c": "b", "d": "e", "e": "d", "f": ""}
    groups = [sorted(group) for group in components("a", lambda s: edges[s], {"f"}.__contains__)]
    assert groups == [["d", "e"], ["b", "c"], ["a"]]


@pytest.mark.parametrize("seed", range(5))
def test_equations_are_solved_like_a_matrix(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size = 9
    odds = rng.random((size, size)) * (rng.random((size, size)) < 0.5)
    odds /= odds.sum(axis=1, keepdims=True) + 0.3
    constants = rng.random((size, 2))
    equations = Equations()
    for row in range(size):
        terms = {column: float(odds[row, column]) for column in range(size) if odds[row, column]}
        equations.add(terms, constants[row].tolist())
    expected = np.linalg.solve(np.eye(size) - odds, constants)
    np.testing.assert_allclose(np.array(equations.solve()), expected, rtol=1e-10)


def test_rolls_have_all_ways_and_are_drawn_by_them() -> None:
    for dice in range(6):
        assert sum(ways for _, ways in rolls_of(dice)) == 6**dice
    rng = np.random.default_rng(1)
    drawn = [sample_roll(rolls_of(2), rng) for _ in range(6000)]
    assert drawn.count((1, 2)) == pytest.approx(2 * drawn.count((1, 1)), rel=0.3)
    assert len(set(drawn)) == 21
