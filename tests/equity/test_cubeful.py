"""Cubeful model and cube points against hand-worked money and match examples."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bgai.equity.cubeful import cube_equities, cube_points, model_worths, position_equities
from bgai.equity.cubeful_kernels import average_results
from bgai.equity.score_points import dead_points, gammon_values
from bgai.equity.stakes import Stakes, match_stakes, money_stakes
from bgai.evaluation.evaluator import swap_chances
from bgai.rules.cube import Cube, CubeOwner, HouseRules
from bgai.rules.match import MatchScore

DEAD, LIVE, USUAL = np.zeros(3), np.ones(3), np.full(3, 0.68)
NO_JACOBY = HouseRules(jacoby=False)
MINE, THEIRS = Cube(2, CubeOwner.ON_ROLL), Cube(2, CubeOwner.OPPONENT)


def row(*chances: float) -> np.ndarray:
    return np.array([[*chances, *[0.0] * (5 - len(chances))]])


# Money play


def test_average_results() -> None:
    chances = row(0.6, 0.18, 0.06, 0.04, 0.02)
    wins, losses = np.empty(1), np.empty(1)
    average_results(chances[0], money_stakes().payoffs[0], wins, losses)
    assert wins[0] == pytest.approx(1 + (0.18 + 0.06) / 0.6)
    assert losses[0] == pytest.approx(-1 - (0.04 + 0.02) / 0.4)
    assert money_stakes().cubeless_equity(chances)[0] == pytest.approx(0.38)
    assert money_stakes().dead_equity(chances)[0] == pytest.approx(0.2)
    assert money_stakes(rules=NO_JACOBY).dead_equity(chances)[0] == pytest.approx(0.38)


def test_take_points_without_gammons_are_25_and_20_percent() -> None:
    even = row(0.5)[0]
    assert cube_points(even, money_stakes(), DEAD).take == pytest.approx(0.25)
    assert cube_points(even, money_stakes(), LIVE).take == pytest.approx(0.20)


def test_take_points_with_gammons() -> None:
    """The doubler wins 1.4 points on average, the taker 1.1: L = 1.4, W = 1.1 for the taker.

    Dead (L - 1/2) / (W + L), live (L - 1/2) / (W + L + 1/2) (Janowski).
    """
    chances = row(0.5, 0.2, 0.0, 0.05)[0]
    stakes = money_stakes(MINE)
    assert cube_points(chances, stakes, DEAD).take == pytest.approx(0.36)
    assert cube_points(chances, stakes, LIVE).take == pytest.approx(0.30)


def test_janowski_lines_at_efficiency_x() -> None:
    """Between the live cash points: owned p(W+L+x/2) - L, the opponent's x/2 less (Janowski).

    The centred cube is the blend of its dead line and of the live one from -1 at 20% to +1 at 80%.
    """
    p, x = 0.55, 0.68
    owned = model_worths(row(p), money_stakes(MINE), np.full(3, x))[0, 0]
    theirs = model_worths(row(p), money_stakes(THEIRS), np.full(3, x))[0, 0]
    assert owned == pytest.approx(p * (2 + x / 2) - 1)
    assert theirs == pytest.approx(p * (2 + x / 2) - 1 - x / 2)
    centred = model_worths(row(p), money_stakes(), np.full(3, x))[0, 0]
    assert centred == pytest.approx((1 - x) * (2 * p - 1) + x * (p - 0.5) / 0.3)


def test_dead_doubling_point_is_half_and_live_one_the_cash_point() -> None:
    assert cube_points(row(0.5)[0], money_stakes(), DEAD).double == pytest.approx(0.5)
    live = cube_points(row(0.5)[0], money_stakes(), LIVE)
    assert live.double == live.cash == pytest.approx(0.8)


def test_too_good_point_of_an_owned_cube() -> None:
    """Dead cube, half the wins gammons, no gammons lost: 1.5p - (1-p) = 1 at p = 0.8."""
    chances = row(0.6, 0.3)[0]
    assert cube_points(chances, money_stakes(MINE), DEAD).too_good == pytest.approx(0.8)
    assert cube_points(row(0.6)[0], money_stakes(MINE), USUAL).too_good is None


def test_jacoby_counts_gammons_only_after_a_double() -> None:
    chances = row(0.7, 0.4, 0.0, 0.05)
    centred = cube_equities(chances, money_stakes(), DEAD)
    assert centred.no_double[0] == pytest.approx(0.4)
    assert centred.double_take[0] == pytest.approx(2 * (0.4 + 0.35))
    without = cube_equities(chances, money_stakes(rules=NO_JACOBY), DEAD)
    assert without.no_double[0] == pytest.approx(0.75)
    owned = cube_equities(chances, money_stakes(MINE), DEAD)
    assert owned.no_double[0] == pytest.approx(0.75)


def test_maximum_cube() -> None:
    assert np.isnan(cube_equities(row(0.7), money_stakes(rules=HouseRules(max_cube=1)), LIVE)[1])
    once = money_stakes(rules=HouseRules(max_cube=2))
    assert cube_points(row(0.5)[0], once, LIVE).take == pytest.approx(0.25)
    # one redouble: the taker at 25% of the way to the opponent's dead take point
    twice = money_stakes(rules=HouseRules(max_cube=4))
    assert cube_points(row(0.5)[0], twice, LIVE).take == pytest.approx(0.75 * 0.25)
    far = money_stakes(rules=HouseRules(max_cube=2**20))
    assert cube_points(row(0.5)[0], far, LIVE).take == pytest.approx(0.2, abs=1e-6)


# Matches


def match(length: int, mine: int, theirs: int, cube: Cube = Cube(), **kw: bool) -> Stakes:  # noqa: B008
    return match_stakes(cube, MatchScore(length, mine, theirs, **kw))


def test_two_away_two_away() -> None:
    """Doubling ends all play of the cube: dead take point 32.264%, double from 50% on."""
    points = cube_points(row(0.5)[0], match(3, 1, 1), USUAL)
    assert points.take == pytest.approx(0.32264)
    assert points.double == pytest.approx(0.5)
    dead = dead_points(match(3, 1, 1))
    assert dead is not None
    assert dead.take == pytest.approx(0.32264)
    assert dead.double == pytest.approx(0.5)


def test_take_point_at_4_away_4_away_by_hand() -> None:
    """Dead: pass 4-3 away, take and win 2-4 away, lose 4-2 away."""
    passed, won, lost = 1 - 0.5715, 0.6687, 1 - 0.6687
    stakes = match(7, 3, 3)
    dead = dead_points(stakes)
    assert dead is not None
    assert dead.take == pytest.approx((passed - lost) / (won - lost))
    assert cube_points(row(0.5)[0], stakes, DEAD).take == pytest.approx(dead.take)
    # Live: the taker cashes at 4 points a side when the other has less than that take point,
    # (pass: 2-4 away, 0.3313; lose the match at 0; win it at 1) and then wins 0.6687.
    top = 1 - (1 - 0.6687)
    live = (passed - lost) / (won - lost) * top
    assert cube_points(row(0.5)[0], stakes, LIVE).take == pytest.approx(live)


def test_automatic_redouble_of_the_taker() -> None:
    """3 away doubles 5 away holding 2: at 4 the taker has nothing more to lose, so 8 is free.

    Leader 3 away, trailer 5 away, cube 2 owned by the leader. Passing leaves 1-5 away
    (0.15821); taking, the trailer redoubles to 8 and plays for the match: take point 15.8%.
    """
    stakes = match_stakes(MINE, MatchScore(11, 8, 6))
    dead = dead_points(stakes)
    assert dead is not None
    assert dead.take == pytest.approx(0.15821)
    for efficiency in (DEAD, USUAL, LIVE):
        take = cube_points(row(0.5)[0], stakes, efficiency).take
        assert take == pytest.approx(0.15821, abs=0.001)


def test_crawford_game_has_no_cube() -> None:
    for mine, theirs in ((6, 3), (3, 6)):
        stakes = match(7, mine, theirs, crawford=True)
        equities = cube_equities(row(0.7, 0.2), stakes, USUAL)
        assert np.isnan(equities.double_take[0])
        assert equities.no_double[0] == pytest.approx(stakes.dead_equity(row(0.7, 0.2))[0])


def test_post_crawford_free_drop_and_mandatory_take() -> None:
    """The trailer doubles at once. 2 away: the leader drops below 50%. 3 away: hardly ever."""
    two_away = match(7, 5, 6)
    points = cube_points(row(0.5)[0], two_away, USUAL)
    assert points.double == 0
    assert points.take == pytest.approx(0.5)
    # 3 away: passing leaves 51.197% and losing 50%: (0.51197 - 0.5) / 0.5
    assert cube_points(row(0.5)[0], match(7, 4, 6), USUAL).take == pytest.approx(0.02394)
    assert dead_points(match(7, 6, 5)) is None  # the leader's cube is dead


def test_gammon_go_and_gammon_save() -> None:
    assert gammon_values(money_stakes(MINE)).gammon == pytest.approx(0.5)
    assert gammon_values(money_stakes()).gammon == 0  # Jacoby
    # 2 away after Crawford at cube 1: a single win leaves 50%, a gammon wins: 0.5 / 0.5
    go = match(7, 5, 6)
    assert gammon_values(go).gammon == pytest.approx(1.0)
    assert gammon_values(go, view=1).gammon == 0
    assert gammon_values(match(3, 1, 1, Cube(2, CubeOwner.ON_ROLL))).gammon == 0
    # 2 away against 4 away, cube 1: win 1-4 away .81436, gammon wins, lose 2-3 away .59947
    expected = (1 - 0.81436) / (0.81436 - 0.59947)
    assert gammon_values(match(7, 5, 3)).gammon == pytest.approx(expected)
    # the same position is worth more to the side for which gammons count
    chances = row(0.5, 0.3, 0.0, 0.3)
    assert go.dead_equity(chances)[0] > 0


@pytest.mark.parametrize("chances", [(0.62, 0.15, 0.01, 0.1, 0.0), (0.8, 0.0, 0.0, 0.0, 0.0)])
@pytest.mark.parametrize("cube", [Cube(), Cube(1, CubeOwner.ON_ROLL), Cube(1, CubeOwner.OPPONENT)])
def test_money_is_a_very_long_match(chances: tuple[float, ...], cube: Cube) -> None:
    money = cube_equities(row(*chances), money_stakes(cube, NO_JACOBY), USUAL)
    long = cube_equities(row(*chances), match_stakes(cube, MatchScore(501)), USUAL)
    np.testing.assert_allclose(np.stack(long), np.stack(money), atol=0.005)


CHANCES = st.tuples(*[st.floats(0, 1)] * 5).map(
    lambda u: row(
        u[0], u[0] * u[1], u[0] * u[1] * u[2], (1 - u[0]) * u[3], (1 - u[0]) * u[3] * u[4]
    )
)
STAKES = st.one_of(
    st.builds(
        lambda owner, jacoby: money_stakes(Cube(2, owner), HouseRules(jacoby=jacoby)),
        st.sampled_from(CubeOwner),
        st.booleans(),
    ),
    st.builds(
        lambda owner, value, away, other: match_stakes(
            Cube(value, owner), MatchScore(16, 16 - away, 16 - other)
        ),
        st.sampled_from(CubeOwner),
        st.sampled_from([1, 2, 4]),
        st.integers(1, 16),
        st.integers(1, 16),
    ),
)


@settings(max_examples=150, deadline=None)
@given(CHANCES, STAKES)
def test_the_model_is_the_same_from_both_sides(chances: np.ndarray, stakes: Stakes) -> None:
    """Zero-sum, and a verdict does not depend on the colour."""
    mine = model_worths(chances, stakes, np.array([0.6, 0.7, 0.5]))
    theirs = model_worths(swap_chances(chances), stakes, np.array([0.6, 0.5, 0.7]), view=1)
    np.testing.assert_allclose(mine, -theirs, atol=1e-9)


@settings(max_examples=150, deadline=None)
@given(CHANCES, STAKES)
def test_a_view_is_the_stakes_of_the_other_player(chances: np.ndarray, stakes: Stakes) -> None:
    cube, score = stakes.cube.swapped(), stakes.score
    if score is None:
        other = money_stakes(cube, stakes.rules)
    else:
        other = match_stakes(cube, score.swapped())
    from_view = model_worths(chances, stakes, USUAL, view=1)[:, 0]
    np.testing.assert_allclose(from_view, model_worths(chances, other, USUAL)[:, 0], atol=1e-9)
    np.testing.assert_allclose(
        position_equities(chances, stakes, USUAL, view=1),
        position_equities(chances, other, USUAL),
        atol=1e-9,
    )


@settings(max_examples=150, deadline=None)
@given(CHANCES, STAKES)
def test_owning_the_cube_is_worth_having(chances: np.ndarray, stakes: Stakes) -> None:
    worths = model_worths(chances, stakes, USUAL)[0]
    by_cube = {
        (level, owner): worth
        for level, owner, worth in zip(stakes.level, stakes.owner[0], worths, strict=True)
    }
    for (level, owner), worth in by_cube.items():
        if owner == 1 and (level, -1) in by_cube:
            assert worth >= by_cube[level, -1] - 1e-9


# The last turn of a cube has an efficiency of its own

GOING_ON, LAST_TURN = np.array([1.0, 1, 1, 0, 0, 0]), np.array([0.0, 0, 0, 1, 1, 1])


@pytest.mark.parametrize(
    ("stakes", "last"),
    [
        (money_stakes(), 0.0),
        (money_stakes(rules=HouseRules(max_cube=2)), 1.0),
        (money_stakes(MINE, HouseRules(max_cube=4)), 1.0),
        (match_stakes(Cube(), MatchScore(5, 3, 3)), 1.0),  # at 2-away each a 2 is never turned
        (match_stakes(MINE, MatchScore(5, 1, 1)), 1.0),  # nor a 4
        (match_stakes(MINE, MatchScore(9, 6, 1)), 0.0),
        (match_stakes(Cube(), MatchScore(7, 4, 5)), 0.5),  # only the one who is 3 away would
    ],
)
def test_which_efficiency_a_state_takes(stakes: Stakes, last: float) -> None:
    chances = row(0.62, 0.1, 0.0, 0.08)
    dead, live, last_turn, going_on = (
        model_worths(chances, stakes, efficiency)[0, 0]
        for efficiency in (DEAD, LIVE, LAST_TURN, GOING_ON)
    )
    assert last in (0.0, 0.5) or stakes.risk[0] == pytest.approx(1)
    assert last_turn == pytest.approx(dead + last * (live - dead), abs=1e-12)
    assert going_on == pytest.approx(live - last * (live - dead), abs=1e-12)


@pytest.mark.parametrize(
    ("score", "part"),
    [(MatchScore(9, 1, 6), 0.0), (MatchScore(11, 2, 7), None), (MatchScore(5, 1, 1), 1.0)],
)
def test_a_last_turn_at_little_risk_goes_with_the_cubes_that_go_on(
    score: MatchScore, part: float | None
) -> None:
    stakes = match_stakes(MINE, score)
    expected = max(2 * stakes.risk[0] - 1, 0) if part is None else part
    assert 0 <= expected <= 1
    chances = row(0.62, 0.1, 0.0, 0.08)
    dead, live, last_turn = (
        model_worths(chances, stakes, efficiency)[0, 0] for efficiency in (DEAD, LIVE, LAST_TURN)
    )
    assert last_turn == pytest.approx(dead + expected * (live - dead))
