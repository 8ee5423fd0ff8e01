"""Rating lists: strengths that are known come out again, with their errors."""

import numpy as np
import pytest

from bgai.analysis.ratings import ELO, Meeting, rate
from bgai.errors import InputError

STRENGTHS = {"a": 120.0, "b": 30.0, "c": -150.0}


def chance(first: str, second: str) -> float:
    return float(1 / (1 + 10 ** ((STRENGTHS[second] - STRENGTHS[first]) / 400)))


def test_exact_results_give_the_strengths() -> None:
    meetings = [
        Meeting(x, y, chance(x, y), 0.02, 100) for x, y in (("a", "b"), ("b", "c"), ("c", "a"))
    ]
    found = rate(meetings, matches=True)
    assert [each.name for each in found] == ["a", "b", "c"]
    for each in found:
        assert each.rating == pytest.approx(STRENGTHS[each.name], abs=1e-6)
        assert each.bouts == 200
    points = [
        Meeting("a", "b", 0.3, 0.1, 10), Meeting("b", "c", -0.1, 0.1, 10),
        Meeting("a", "c", 0.2, 0.1, 10),
    ]  # fmt: skip
    listed = {each.name: each.rating for each in rate(points, matches=False)}
    assert listed["a"] - listed["b"] == pytest.approx(0.3)
    assert sum(listed.values()) == pytest.approx(0)


def test_errors_are_those_of_repeated_results() -> None:
    rng = np.random.default_rng(0)
    pairs = [("a", "b"), ("b", "c"), ("a", "c")]
    ratings, errors = [], []
    for _ in range(300):
        wins = [rng.binomial(400, chance(*pair)) / 400 for pair in pairs]
        meetings = [
            Meeting(*pair, won, float(np.sqrt(won * (1 - won) / 400)), 400)
            for pair, won in zip(pairs, wins, strict=True)
        ]
        found = next(each for each in rate(meetings, matches=True) if each.name == "a")
        ratings.append(found.rating)
        errors.append(found.error)
    assert np.mean(ratings) == pytest.approx(STRENGTHS["a"], abs=3)
    assert np.mean(errors) == pytest.approx(np.std(ratings), rel=0.15)


def test_results_beyond_certain_stay_finite() -> None:
    found = rate([Meeting("a", "b", 1.03, 0.05, 10)], matches=True)
    assert found[0].rating <= ELO * 8
    assert np.isfinite(found[0].error)


@pytest.mark.parametrize(
    ("meetings", "told"),
    [
        ([], "two players or more"),
        ([Meeting("a", "b", 0.5, float("nan"), 2)], "no standard error"),
        ([Meeting("a", "b", 0.5, 0.1, 2), Meeting("c", "d", 0.5, 0.1, 2)], "no contests join c"),
    ],
)
def test_lists_that_cannot_be(meetings: list[Meeting], told: str) -> None:
    with pytest.raises(InputError, match=told):
        rate(meetings, matches=True)
