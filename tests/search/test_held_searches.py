"""Searches, rollouts and the cube give no chance to what can't happen."""

import numpy as np
import pytest

from bgai.equity.stakes import money_stakes
from bgai.evaluation.checkpoint import load_checkpoint
from bgai.evaluation.composite import Composite
from bgai.evaluation.evaluator import Chances, swap_chances
from bgai.evaluation.inference import NetworkEvaluator
from bgai.evaluation.possible import certain_chances, possible_results
from bgai.evaluation.torch_evaluator import load_torch_evaluator
from bgai.notation.identifiers import parse_identifier
from bgai.rules.cube import Cube, CubeOwner, HouseRules
from bgai.rules.dice import Roll, roll_dice
from bgai.rules.position import Positions, has_contact, is_over, starting_position
from bgai.search.cube_verdict import cube_verdict, cubeful_plays
from bgai.search.cubeful_lookahead import CubefulLookahead
from bgai.search.engine import EngineSettings, build_engine
from bgai.search.greedy import reply_player
from bgai.search.lookahead import Lookahead
from bgai.search.reply_kernels import evaluate_mixed
from bgai.search.rollout import Rollout
from bgai.search.rollout_run import RolloutSettings, VarianceReduction

ONE_OFF = "mxmAQ4PbAQAAAA"  # the opponent has borne one off
NO_GAMMON_LEFT = "XGID=cCBABBB-A---A------A--de--:0:0:1:00:0:0:0:0:10"
BOTH_HIT = "YEYF4TnO7w4AAA"


@pytest.fixture(scope="module")
def endings() -> Positions:
    """Positions of 400 games of the network that the rules say something about."""
    rng = np.random.default_rng(11)
    engine = build_engine(EngineSettings("expert"))
    games = np.repeat(starting_position()[None], 400, axis=0)
    seen = []
    for _ in range(300):
        games = engine.choose(games, roll_dice(rng, len(games)))
        games = games[~is_over(games)]
        lowest, highest = possible_results(games)
        seen.append(games[(lowest > -3) | (highest < 3)])
        if not len(games):
            break
    return np.concatenate(seen)


def assert_held(chances: Chances, positions: Positions) -> None:
    certain = certain_chances(positions)
    decided = ~np.isnan(certain)
    np.testing.assert_array_equal(chances[decided], certain[decided])
    win, wg, wbg, lg, lbg = chances.T
    assert ((wbg <= wg) & (wg <= win)).all()
    assert ((lbg <= lg) & (lg <= 1 - win)).all()


# --- the examples -------------------------------------------------------------------------------


@pytest.mark.parametrize("plies", [0, 1, 2])
def test_no_gammon_once_a_checker_is_off(plies: int) -> None:
    position = parse_identifier(ONE_OFF).position[None]
    chances = build_engine(EngineSettings("expert", plies)).evaluate(position)[0]
    assert chances[0] > 0.99
    assert chances[1] == chances[2] == 0


@pytest.mark.parametrize("plies", [0, 1, 2])
def test_nobody_is_too_good_for_a_single_game(plies: int) -> None:
    engine = build_engine(EngineSettings("expert", plies))
    verdict = cube_verdict(parse_identifier(NO_GAMMON_LEFT), engine, market=False)
    assert verdict.decision.text in {"Double, pass", "Optional double, pass"}
    assert verdict.decision.no_double <= 1


@pytest.mark.parametrize("plies", [0, 1, 2])
def test_no_gammon_is_lost_after_bearing_off(plies: int) -> None:
    engine = build_engine(EngineSettings("expert", plies))
    ranked = cubeful_plays(parse_identifier(BOTH_HIT), Roll(5, 4), engine)
    assert all(play.after[1, 0] > 0 for play in ranked)  # 5/off is forced
    assert all(play.chances[3] == play.chances[4] == 0 for play in ranked)


# --- every way to a number ------------------------------------------------------------------------


def test_the_network_is_held_by_every_evaluator(endings: Positions) -> None:
    assert len(endings) > 5_000
    assert (has_contact(endings)).sum() > 1_000
    network = load_checkpoint("expert")
    composite = Composite(NetworkEvaluator(network.contact), NetworkEvaluator(network.race))
    chances = composite.evaluate(endings)
    assert_held(chances, endings)
    kernel = np.empty_like(chances)
    rows = np.ascontiguousarray(endings).reshape(-1, 52)
    networks = reply_player(network.contact, network.race, network.pruner, 1, 0.0)
    evaluate_mixed(rows, len(rows), networks, kernel)
    assert_held(kernel, endings)
    np.testing.assert_allclose(kernel, chances, atol=1e-6)
    few = endings[::5]
    exact = load_torch_evaluator("expert").evaluate(few)
    assert_held(exact, few)
    np.testing.assert_allclose(exact, chances[::5], atol=3e-3)


@pytest.mark.parametrize(("plies", "count"), [(1, 400), (2, 25)])
def test_lookaheads_are_held(endings: Positions, plies: int, count: int) -> None:
    chosen = endings[:: len(endings) // count]
    assert_held(build_engine(EngineSettings("expert", plies)).evaluate(chosen), chosen)


@pytest.mark.parametrize(("plies", "count"), [(0, 200), (1, 40)])
def test_plays_are_held(endings: Positions, plies: int, count: int) -> None:
    """The mover's chances after each play, the position seen by the opponent on roll."""
    engine = build_engine(EngineSettings("expert", plies))
    for position in endings[:: len(endings) // count]:
        ranked = engine.best_plays(position, Roll(4, 2))
        after = np.stack([play.after for play in ranked])
        opponent = swap_chances(np.stack([play.chances for play in ranked]))
        certain = certain_chances(after)
        decided = ~np.isnan(certain)
        np.testing.assert_array_equal(opponent[decided], certain[decided])


@pytest.mark.parametrize("plies", [0, 1])
def test_no_cube_makes_a_single_game_worth_more(endings: Positions, plies: int) -> None:
    """Without a double the cube stays: a player who can win only a single game has at most 1."""
    lowest, highest = possible_results(endings)
    chosen = endings[(highest == 1) & (lowest < 1)][:: 1 if plies == 0 else 40]
    assert len(chosen) > 50
    engine = build_engine(EngineSettings("expert", plies))
    for owner in (CubeOwner.CENTRED, CubeOwner.ON_ROLL):
        stakes = money_stakes(Cube(2, owner), HouseRules(jacoby=False))
        valued = CubefulLookahead(engine, stakes).value(chosen)
        assert stakes.equity(valued.worths[:, 0]).max() <= 1 + 1e-9


@pytest.mark.parametrize("reduction", [VarianceReduction.NONE, VarianceReduction.ZERO_PLY])
def test_rollouts_are_held(endings: Positions, reduction: VarianceReduction) -> None:
    open_ = endings[has_contact(endings)][::400]
    settings = RolloutSettings(36, truncate=3, variance_reduction=reduction)
    result = Rollout(open_, build_engine(EngineSettings("expert")), settings).run()
    means = np.array([[f.mean for f in summary.chances] for summary in result.summaries])
    certain = certain_chances(open_)
    decided = ~np.isnan(certain)
    assert decided.sum() > 3
    np.testing.assert_array_equal(means[decided], certain[decided])


def test_another_evaluator_inside_a_search_is_held(endings: Positions) -> None:
    class Wild:
        def evaluate(self, positions: Positions) -> Chances:
            return np.tile(np.float32([0.5, 0.4, 0.3, 0.4, 0.3]), (len(positions), 1))

    chosen = endings[:: len(endings) // 60]
    for plies in (0, 1):
        assert_held(Lookahead(Wild(), plies).evaluate(chosen), chosen)
