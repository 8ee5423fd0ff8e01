"""Stakes at every score a match can reach: finite, fair and exact, however lopsided."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from model_decision import model_decision

from bgai.equity.cubeful import cube_equities, decided_worths, model_worths
from bgai.equity.match_equity import MOST_AWAY, MatchEquityTable, kazaross_xg2
from bgai.equity.score_points import dead_points, gammon_values
from bgai.equity.stakes import Stakes, match_stakes
from bgai.errors import InputError
from bgai.evaluation.evaluator import swap_chances
from bgai.rules.cube import Cube, CubeOwner
from bgai.rules.match import MatchScore

MET = kazaross_xg2()
ROUNDED = MatchEquityTable(
    "two digits",
    np.round(MET.pre_crawford, 2),
    np.round(MET.post_crawford_first, 2),
    np.round(MET.post_crawford_second, 2),
)
"""A table in which many single games change nothing."""
TABLES = {met.name: met for met in (MET, ROUNDED)}
SHARES = np.array([0.6, 0.7, 0.5])


@st.composite
def cubes_at_scores(draw: st.DrawFn) -> tuple[Cube, MatchScore]:
    """Scores as far apart as there are, half of them near an end of the match."""
    needs = st.one_of(st.integers(1, MOST_AWAY), st.integers(1, 12), st.just(MOST_AWAY))
    mine, theirs = draw(needs), draw(needs)
    length = max(mine, theirs) + draw(st.integers(0, 3))
    crawford = 1 in (mine, theirs) and mine != theirs and draw(st.booleans())
    score = MatchScore(length, length - mine, length - theirs, crawford)
    if draw(st.booleans()):
        return Cube(), score
    owner = draw(st.sampled_from([CubeOwner.ON_ROLL, CubeOwner.OPPONENT]))
    return Cube(2 ** draw(st.integers(1, 10)), owner), score


@st.composite
def any_chances(draw: st.DrawFn) -> np.ndarray:
    win = draw(st.floats(0, 1, width=32))
    wg, lg = (draw(st.floats(0, 1, width=32)) * each for each in (win, 1 - win))
    wbg, lbg = (draw(st.floats(0, 1, width=32)) * each for each in (wg, lg))
    return np.array([win, wg, wbg, lg, lbg])


@settings(max_examples=400)
@given(at=cubes_at_scores(), chances=any_chances(), table=st.sampled_from(sorted(TABLES)))
def test_every_figure_is_a_number(
    at: tuple[Cube, MatchScore], chances: np.ndarray, table: str
) -> None:
    stakes = match_stakes(*at, TABLES[table])
    assert np.isfinite(stakes.payoffs).all()
    for view, seen in ((0, chances), (1, swap_chances(chances))):
        worths = model_worths(seen[None], stakes, SHARES, view)
        assert np.isfinite(worths).all()
        assert np.isfinite(decided_worths(worths, stakes, view)).all()
        assert np.isfinite(gammon_values(stakes, view)).all()
    points = dead_points(stakes)
    assert points is None or np.isfinite(points).all()
    decision = model_decision(chances, stakes, SHARES)
    figures = [decision.no_double, decision.equity, decision.cubeless, *decision.costs.values()]
    figures += [x for x in (decision.double_take, decision.beaver) if x is not None]
    of_match = decision.match_chances
    assert of_match is not None
    chances_of_match = [each for each in of_match if each is not None]
    assert np.isfinite(figures + chances_of_match).all()
    assert all(0 <= each <= 1 for each in chances_of_match)
    assert "nan" not in decision.text


@settings(max_examples=300)
@given(at=cubes_at_scores())
def test_a_single_win_is_one_and_the_leader_sees_the_mirror_image(
    at: tuple[Cube, MatchScore],
) -> None:
    cube, score = at
    stakes = match_stakes(cube, score)
    for view in (0, 1):
        pay = stakes.payoffs[view, 0]
        np.testing.assert_allclose(pay[[0, 3]], [1, -1], rtol=1e-12)
        assert np.all(np.diff(pay[:3]) >= 0)
        assert np.all(np.diff(pay[3:]) <= 0)
    other = match_stakes(Cube(cube.value, CubeOwner(-cube.owner)), score.swapped())
    np.testing.assert_allclose(stakes.payoffs[0], other.payoffs[1], rtol=1e-12, atol=1e-12)


def by_chances(cube: Cube, score: MatchScore) -> np.ndarray:
    """Payoffs of the present cube, plainly: match-winning chances, then normalised."""
    later = score.crawford or score.is_post_crawford
    mine, theirs = score.away_on_roll, score.away_opponent
    points = cube.value * np.array([1, 2, 3])
    won = MET.before_game(mine - points, theirs, post_crawford=later)
    lost = MET.before_game(mine, theirs - points, post_crawford=later)
    return np.asarray((2 * np.append(won, lost) - won[0] - lost[0]) / (won[0] - lost[0]))


@settings(max_examples=200)
@given(at=cubes_at_scores())
def test_worths_are_those_of_match_winning_chances_where_these_can_be_told_apart(
    at: tuple[Cube, MatchScore],
) -> None:
    cube, score = at
    stakes = match_stakes(cube, score)
    chance = stakes.match_chance(np.array([1.0, -1.0]))
    if chance[0] - chance[1] > 1e-9:
        np.testing.assert_allclose(stakes.payoffs[0, 0], by_chances(cube, score), rtol=1e-6)
        later = score.crawford or score.is_post_crawford
        after = MET.before_game(
            score.away_on_roll - cube.value, score.away_opponent, post_crawford=later
        )
        assert chance[0] == pytest.approx(float(after), abs=1e-12)


@pytest.mark.parametrize("swapped", [False, True])
def test_a_lead_of_898_points_is_played_like_one_of_38(swapped: bool) -> None:
    """The gammon that matters at 1-away against far away matters at any distance alike."""

    def stakes(length: int) -> Stakes:
        score = MatchScore(length, length - 1, 100)
        return match_stakes(Cube(), score.swapped() if swapped else score)

    near, far = stakes(139), stakes(999)  # odd and even distances differ
    np.testing.assert_allclose(near.payoffs[0, 0], far.payoffs[0, 0], rtol=1e-6)
    chances = np.array([[0.5, 0.2, 0.01, 0.1, 0.0]])
    for short, long in zip(
        cube_equities(chances, near, SHARES), cube_equities(chances, far, SHARES), strict=True
    ):
        np.testing.assert_allclose(short, long, rtol=1e-6)


@pytest.mark.parametrize("met", [MET, ROUNDED])
@pytest.mark.parametrize("post", [False, True])
def test_to_need_fewer_points_is_never_worth_less(met: MatchEquityTable, post: bool) -> None:
    needs = np.arange(1, MOST_AWAY + 1)
    chances = met.before_game(needs[:, None], needs, post_crawford=post)
    if post:  # the scores of post-Crawford games only
        assert np.all(np.diff(chances[:, 0]) <= 0)
        assert np.all(np.diff(chances[0]) >= 0)
        return
    assert np.all(np.diff(chances, axis=0) <= 0)
    assert np.all(np.diff(chances, axis=1) >= 0)
    assert met is ROUNDED or chances.min() > 0


def test_a_table_in_the_wrong_order_is_refused() -> None:
    pre = MET.pre_crawford.copy()
    pre[[2, 3], 4] = pre[[3, 2], 4]
    with pytest.raises(InputError, match="wrong: the entries 3 5 and 4 5 are in the wrong order"):
        MatchEquityTable("wrong", pre, MET.post_crawford_first, MET.post_crawford_second)
    post = MET.post_crawford_first[[0, 2, 1]]
    with pytest.raises(InputError, match="after Crawford: the entries 2 1 and 3 1 are"):
        MatchEquityTable("wrong", MET.pre_crawford[:3, :3], post, post)
