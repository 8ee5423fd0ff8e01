"""The compiled 0-ply choice against the search that takes the same steps one by one."""

import numpy as np
import pytest
from search_examples import WINS_ONLY, EvaluatorPruner, random_positions

from bgai.evaluation.baseline import HandmadeEvaluator
from bgai.evaluation.composite import Composite
from bgai.evaluation.evaluator import cubeless_equity
from bgai.rules.dice import roll_dice
from bgai.rules.legal_plays import legal_plays
from bgai.rules.position import Positions, is_over, position_from_points
from bgai.search.engine import EngineSettings, build_engine
from bgai.search.greedy import GreedyPlayer
from bgai.search.lookahead import Lookahead
from bgai.search.pruning import NetworkPruner


@pytest.fixture(scope="module")
def engine() -> Lookahead:
    return build_engine(EngineSettings("expert"))


@pytest.fixture(scope="module")
def decisions() -> tuple[Positions, np.ndarray]:
    rng = np.random.default_rng(31)
    positions = np.concatenate([random_positions(rng, 150, plies) for plies in (4, 25, 70)])
    special = [
        position_from_points({6: 15}, {6: 15}),  # bear-off tables
        position_from_points({1: 1}, {1: 1}),  # any roll wins
        position_from_points({7: 2, 3: 13}, {8: 3, 1: 12}),  # race
        position_from_points({25: 2, 6: 13}, {1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 5}),  # no play
    ]
    positions = np.concatenate([positions[~is_over(positions)], special])
    return positions, roll_dice(rng, len(positions))


def test_other_stakes_see_every_play(
    engine: Lookahead, decisions: tuple[Positions, np.ndarray]
) -> None:
    positions, rolls = decisions
    slow = Lookahead(engine.evaluator, 0)
    assert engine._greedy is not None
    assert slow._greedy is None
    np.testing.assert_array_equal(
        engine.choose(positions, rolls, WINS_ONLY),
        slow.choose(positions, rolls, WINS_ONLY),
    )


def test_for_money_hardly_anything_is_lost(
    engine: Lookahead, decisions: tuple[Positions, np.ndarray]
) -> None:
    positions, rolls = decisions
    chosen = engine.choose(positions, rolls)
    best = Lookahead(engine.evaluator, 0).choose(positions, rolls)
    worse = cubeless_equity(engine.evaluate(chosen)) - cubeless_equity(engine.evaluate(best))
    assert (worse >= -1e-6).all()
    assert worse.mean() < 0.002
    for position, roll, after in zip(positions, rolls, chosen, strict=True):
        plays = legal_plays(position, (int(roll[0]), int(roll[1])))
        assert after.tobytes() in {play.tobytes() for play in plays}


def test_threads_change_nothing(engine: Lookahead, decisions: tuple[Positions, np.ndarray]) -> None:
    positions, rolls = decisions
    threaded = Lookahead(engine.evaluator, 0, pruner=engine.pruner, threads=3)
    assert threaded._greedy is not None
    np.testing.assert_array_equal(
        threaded.choose(positions, rolls), engine.choose(positions, rolls)
    )
    one = engine.best_play(positions[3], rolls[3])
    np.testing.assert_array_equal(one, engine.choose(positions, rolls)[3])


def test_only_plain_networks_take_the_short_way(engine: Lookahead) -> None:
    pruner = engine.pruner
    assert isinstance(pruner, NetworkPruner)
    assert isinstance(engine.evaluator, Composite)
    parts = (engine.evaluator.contact, engine.evaluator.race)
    assert GreedyPlayer.of(Composite(*parts), pruner) is not None
    assert GreedyPlayer.of(Composite(*parts), None) is None
    assert GreedyPlayer.of(Composite(*parts, tables=False), pruner) is None
    assert GreedyPlayer.of(Composite(*parts, bearoff=HandmadeEvaluator()), pruner) is None
    assert GreedyPlayer.of(Composite(HandmadeEvaluator()), pruner) is None
    assert GreedyPlayer.of(engine.evaluator, EvaluatorPruner(HandmadeEvaluator())) is None
