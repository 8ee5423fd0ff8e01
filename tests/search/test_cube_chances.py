"""Chances beside a cube verdict: those of a cubeless search of the same depth, to the last bit."""

import numpy as np
import pytest
from played_decisions import STAKES, decisions, engine
from search_examples import Pips, random_positions

from bgai.equity.stakes import Stakes
from bgai.evaluation.baseline import HandmadeEvaluator
from bgai.notation.identifiers import parse_identifier
from bgai.rules.match import MatchScore
from bgai.rules.position import Positions, position_from_points
from bgai.search.cube_verdict import cube_verdict
from bgai.search.cubeful_lookahead import CubefulLookahead
from bgai.search.lookahead import Lookahead
from bgai.search.utility import cubeless_utility


def bearoffs(rng: np.random.Generator, count: int) -> Positions:
    def side() -> dict[int, int]:
        points, checkers = np.unique(
            rng.integers(1, 7, size=rng.integers(1, 13)), return_counts=True
        )
        return dict(zip(points.tolist(), checkers.tolist(), strict=True))

    return np.stack([position_from_points(side(), side()) for _ in range(count)])


def some_positions(count: int) -> Positions:
    rng = np.random.default_rng(8)
    behind, others = decisions()[0][: count // 3], decisions()[0][-count // 3 :]
    return np.concatenate([behind, others, bearoffs(rng, count // 3 + 1)])


def assert_cubeless_chances(search: Lookahead, stakes: Stakes, positions: Positions) -> None:
    plies = search.plies
    wanted = search.evaluate_at(positions, plies, cubeless_utility(stakes))
    cubeful = CubefulLookahead(search, stakes)
    np.testing.assert_array_equal(cubeful.value(positions).chances, wanted)
    if plies:
        np.testing.assert_array_equal(cubeful.outlook(positions).valued.chances, wanted)


@pytest.mark.parametrize("name", STAKES)
@pytest.mark.parametrize(("plies", "count"), [(0, 150), (1, 150), (2, 12)])
def test_chances_of_the_cube_are_those_of_a_cubeless_search(
    name: str, plies: int, count: int
) -> None:
    assert_cubeless_chances(engine(plies), STAKES[name], some_positions(count))


def test_at_three_plies_and_with_more_replies_too() -> None:
    position = position_from_points({8: 1, 5: 2}, {19: 1, 4: 2})
    assert_cubeless_chances(engine(3), STAKES["money"], position[None])
    for stakes in STAKES.values():
        wide = Lookahead(Pips(), 2, replies=3)
        assert_cubeless_chances(wide, stakes, random_positions(np.random.default_rng(3), 1, 12))


@pytest.mark.parametrize("score", [None, MatchScore(7, 2, 4)])
def test_the_verdict_prints_the_equity_of_evaluate(score: MatchScore | None) -> None:
    situation = parse_identifier("XGID=-ABABA--------------bbab--:0:0:1:00:0:0:3:0:10")
    verdict = cube_verdict(situation, engine(2))
    assert verdict.chances[0] == pytest.approx(0.820, abs=0.0005)
    assert verdict.decision.cubeless == pytest.approx(0.640, abs=0.0005)
    stakes = STAKES["money" if score is None else "match"]
    for position in some_positions(30):
        chances = engine(1).evaluate_at(position[None], 1, cubeless_utility(stakes))
        equity = cubeless_utility(stakes).worth(chances)[0]
        assert stakes.cubeless_equity(chances[0]) == pytest.approx(equity, abs=1e-9)


def test_handmade_evaluators_too() -> None:
    assert_cubeless_chances(Lookahead(HandmadeEvaluator(), 1), STAKES["money"], some_positions(30))
