"""Points from game to game: Crawford, post-Crawford, the ends of matches and sessions."""

import pytest

from bgai.errors import InputError
from bgai.rules.cube import HouseRules
from bgai.rules.match import MatchScore, Standing, Terms


def test_a_match_through_crawford_and_post_crawford() -> None:
    standing = Standing.start(3)
    assert not standing.crawford
    standing = standing.after(0, 2)
    assert standing == Standing(3, (2, 0), crawford=True, games=1)
    standing = standing.after(1, 1)
    assert standing == Standing(3, (2, 1), crawford=False, games=2)
    assert standing.score(1) == MatchScore(3, 1, 2)
    assert standing.score(1).is_post_crawford  # type: ignore[union-attr]
    standing = standing.after(1, 1)  # both one away: no second Crawford game
    assert standing == Standing(3, (2, 2), crawford=False, games=3)
    standing = standing.after(1, 2)
    assert standing.winner == 1
    assert standing.points == (2, 4)
    assert not standing.crawford


def test_the_first_game_of_a_match_to_one_is_the_crawford_game() -> None:
    assert Standing.start(1).crawford
    assert Standing.start(1).away(0) == 1


def test_money_points_sum_to_zero() -> None:
    standing = Standing.start().after(0, 2).after(1, 6)
    assert standing.points == (-4, 4)
    assert standing.winner is None
    assert standing.score(0) is None
    assert standing.away(0) is None
    assert not standing.crawford


@pytest.mark.parametrize(
    ("terms", "standing", "over"),
    [
        (Terms(length=3), Standing(3, (2, 2)), False),
        (Terms(length=3), Standing(3, (3, 2)), True),
        (Terms(), Standing(None, (90, -90), games=99), False),
        (Terms(games=2), Standing(None, (1, -1), games=1), False),
        (Terms(games=2), Standing(None, (0, 0), games=2), True),
        (Terms(margin=4), Standing(None, (3, -3), games=1), False),
        (Terms(margin=4), Standing(None, (-4, 4), games=1), True),
    ],
)
def test_when_it_is_over(terms: Terms, standing: Standing, over: bool) -> None:
    assert terms.is_over(standing) is over


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Terms(length=0), "match length 0 must be 1 or more"),
        (lambda: Terms(games=0), "games 0 must be 1 or more"),
        (lambda: Terms(length=3, games=2), "a match ends by its length"),
        (lambda: Standing(0), "match length 0"),
        (lambda: Standing(3, (-1, 0)), "points -1"),
        (lambda: Standing(3, (1, 1), crawford=True), "exactly one point"),
        (lambda: Standing(None, games=-1), "games -1"),
        (lambda: HouseRules(beaver_turns=-1), "beaver_turns must be 0 or more"),
        (lambda: HouseRules(max_cube=3), "max_cube 3 is not a power of two"),
    ],
)
def test_bad_terms_are_refused_by_name(make: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make()  # type: ignore[operator]
