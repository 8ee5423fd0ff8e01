"""Bear-offs solved with the cube: against exact fractions, the exact table and each other."""

from fractions import Fraction

import numpy as np
import pytest
from bgai_training.exact_races import home_sides, low_sides, sides_below, solve, solve_position
from slow_bearoff_cube import waiting

from bgai.equity.bearoff_cube import exact_state_worths
from bgai.equity.stakes import match_stakes, money_stakes
from bgai.rules.cube import Cube, CubeOwner, HouseRules
from bgai.rules.match import MatchScore
from bgai.rules.position import OFF, position_from_points

PLAIN = HouseRules(jacoby=False, beaver_turns=0)


@pytest.mark.parametrize(
    ("mine", "theirs"), [((1, 2, 5), (3, 6)), ((4, 6), (1, 1, 4)), ((6, 6), (5, 5))]
)
def test_money_by_exact_fractions(mine: tuple[int, ...], theirs: tuple[int, ...]) -> None:
    sides = [{point: side.count(point) for point in side} for side in (mine, theirs)]
    for owner in CubeOwner:
        stakes = money_stakes(Cube(1, owner), PLAIN)
        found = solve_position(position_from_points(*sides), stakes)[0, 0]
        exact: Fraction = waiting(mine, theirs, int(owner))
        assert found == pytest.approx(float(exact), abs=1e-9)


def test_money_by_the_exact_table() -> None:
    stakes, ranks = money_stakes(rules=PLAIN), low_sides(4, 6)
    worths = solve(ranks, ranks, stakes)[0]
    rng = np.random.default_rng(1)
    mine, theirs = rng.integers(1, len(ranks), (2, 500))
    sides = home_sides()[ranks]
    positions = np.stack([sides[mine], sides[theirs]], axis=1).astype(np.int8)
    exact = exact_state_worths(positions, stakes)
    np.testing.assert_allclose(worths[mine, theirs], exact, atol=1e-6)


def test_the_sides_of_a_match_can_be_exchanged() -> None:
    """Who is called first changes nothing but the sign of the turn."""
    score, ranks = MatchScore(7, 2, 5), low_sides(3, 6)
    ours = solve(ranks, ranks, match_stakes(Cube(), score))
    theirs = solve(ranks, ranks, match_stakes(Cube(), score.swapped()))
    np.testing.assert_allclose(ours[1, 1:, 1:, 0], theirs[0, 1:, 1:, 0].T, atol=1e-12)


def test_closed_sets() -> None:
    side = position_from_points({3: 2, 1: 1}, {1: 1})[0]
    below = home_sides()[sides_below(side)]
    assert (below[-1] == side).all()
    assert (below[0, OFF], len(np.unique(below, axis=0))) == (15, len(below))
    low = home_sides()[low_sides(5, 2)]
    assert len(low) == 21  # C(7, 2)
    assert not low[:, 3:].any()
