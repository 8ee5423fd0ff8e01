"""The exact bear-off table with the cube against its slow twin and hand-worked positions."""

from itertools import combinations_with_replacement

import numpy as np
import pytest
import slow_bearoff_cube as slow

from bgai.equity.bearoff_cube import (
    COLUMN,
    CUBE_CHECKERS,
    answers_for,
    exact_cube_equities,
    exact_equities,
    exact_state_worths,
    in_cube_table,
    load_cube_table,
)
from bgai.equity.cube_action import cube_decision
from bgai.equity.stakes import match_stakes, money_stakes
from bgai.evaluation.bearoff import bearoff_chances
from bgai.rules.cube import Cube, CubeOwner, HouseRules
from bgai.rules.match import MatchScore
from bgai.rules.position import Positions, position_from_points, starting_position

MINE = Cube(2, CubeOwner.ON_ROLL)


def position(mine: tuple[int, ...], theirs: tuple[int, ...]) -> Positions:
    return position_from_points(*({p: side.count(p) for p in side} for side in (mine, theirs)))


def verdict(mine: tuple[int, ...], theirs: tuple[int, ...], cube: Cube = Cube()) -> tuple:  # noqa: B008
    one = position(mine, theirs)[None]
    stakes = money_stakes(cube)
    equities = tuple(float(column[0]) for column in exact_cube_equities(one, stakes))
    decision = cube_decision(equities, stakes, bearoff_chances(one)[0], np.full(3, 0.6), exact=True)
    return decision.text, decision.no_double, decision.double_take


def test_table_equals_the_slow_twin() -> None:
    sides = [side for n in (1, 2) for side in combinations_with_replacement((1, 3, 4, 6), n)]
    pairs = [(mine, theirs) for mine in sides for theirs in sides]
    pairs += [((1, 1, 2), (2, 2)), ((1, 3, 5), (2, 2, 3)), ((2, 2, 2, 2), (1, 2, 2))]
    table = exact_equities(np.stack([position(*pair) for pair in pairs]))
    exact = [[float(slow.waiting(*pair, owner)) for owner in (None, 0, 1, -1)] for pair in pairs]
    np.testing.assert_allclose(table, exact, atol=1e-6)


def test_last_roll_is_exact() -> None:
    """5 and 2 points: 19 of 36 rolls bear both off, else the opponent wins. Double, take."""
    text, wait, take = verdict((2, 5), (1,))
    assert text == "Double, take"
    assert wait == pytest.approx(2 / 36)
    assert take == pytest.approx(4 / 36)


def test_take_point_25_percent_without_a_redouble() -> None:
    """A checker on the 6 point comes off with 27 of 36: passing and taking are the same."""
    text, wait, take = verdict((6,), (1,))
    assert wait == pytest.approx(0.5)
    assert take == pytest.approx(1.0)
    assert text == "Double, take"
    assert verdict((5,), (1,))[0] == "Double, pass"  # 31 of 36


def test_live_cube_saves_a_take() -> None:
    """Both have one checker on the 6 point; on roll 13/16 wins.

    Cubeless the taker loses 1.25; but after a miss (1/4) the taker redoubles and gets 1 from
    a 3/4 favourite's last roll: 2 (3/4 - 1/4) = 1.
    """
    text, wait, take = verdict((6,), (6,))
    assert exact_equities(position((6,), (6,))[None])[0, 0] == pytest.approx(0.625)
    assert wait == pytest.approx(0.5)
    assert take == pytest.approx(1.0)
    assert text == "Double, take"


def test_a_wrong_double_is_to_be_beavered() -> None:
    """6 and 5 points: 66 55 44 33 65 bear both off, 6 of 36, and the opponent is sure next."""
    text, wait, take = verdict((5, 6), (1,))
    assert wait == pytest.approx(2 * 6 / 36 - 1)
    assert take == pytest.approx(2 * wait)
    assert text == "No double, beaver"
    assert verdict((5, 6), (1,), MINE)[0] == "No redouble, beaver"


def test_without_gammons_jacoby_and_beavers_change_nothing() -> None:
    table = load_cube_table()[1:, 1:].astype(np.float64)
    centred, owned, opponents = (table[..., COLUMN[owner]] for owner in (0, 1, -1))
    assert (centred >= opponents - 1e-6).all()
    assert (owned >= centred - 1e-6).all()
    doubled_into_minus = 2 * opponents < 0
    assert (centred[doubled_into_minus] > 2 * opponents[doubled_into_minus]).all()
    assert (owned[doubled_into_minus] > 2 * opponents[doubled_into_minus]).all()


def test_cubeless_column_is_the_win_chance() -> None:
    pairs = [((1, 2, 3), (4, 4)), ((6, 6, 6, 6, 6, 6), (6, 6, 6, 6, 6, 6)), ((1,), (2,))]
    positions = np.stack([position(*pair) for pair in pairs])
    wins = bearoff_chances(positions)[:, 0]
    np.testing.assert_allclose(exact_equities(positions)[:, 0], 2 * wins - 1, atol=1e-6)


def test_where_the_table_answers() -> None:
    inside = position((1,) * CUBE_CHECKERS, (6,))
    too_many = position((1,) * (CUBE_CHECKERS + 1), (6,))
    outside = position_from_points({7: 1}, {1: 1})
    over = position_from_points({}, {1: 1})
    positions = np.stack([inside, too_many, outside, over, starting_position()])
    assert in_cube_table(positions).tolist() == [True, False, False, False, False]
    assert np.isnan(exact_equities(positions)).all(axis=1).tolist() == [False] + [True] * 4
    assert answers_for(money_stakes())
    assert not answers_for(money_stakes(rules=HouseRules(max_cube=2)))
    assert not answers_for(match_stakes(Cube(), MatchScore(7)))


def test_state_worths_follow_owners_in_both_views() -> None:
    one = position((2, 5, 6), (3, 4))[None]
    row = exact_equities(one)[0]
    stakes = money_stakes()
    for view in (0, 1):
        worths = exact_state_worths(one, stakes, view)[0]
        owners = stakes.owner[view]
        assert worths.tolist() == [row[COLUMN[CubeOwner(int(owner))]] for owner in owners]
