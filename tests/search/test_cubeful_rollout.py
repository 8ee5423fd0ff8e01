"""Cubeful rollouts: exact where the luck is known exactly, unbiased, honest, reproducible."""

import numpy as np
import pytest
from search_examples import Pips

from bgai.equity.bearoff_cube import exact_cube_equities
from bgai.equity.cube_action import CubeAction
from bgai.equity.stakes import match_stakes, money_stakes
from bgai.errors import InputError
from bgai.evaluation.composite import Composite
from bgai.rules.cube import Cube, CubeOwner, HouseRules
from bgai.rules.match import MatchScore
from bgai.rules.position import position_from_points
from bgai.search.cubeful_lookahead import CubefulLookahead
from bgai.search.cubeful_rollout import CubeRollout
from bgai.search.lookahead import Lookahead
from bgai.search.rollout_run import RolloutSettings, VarianceReduction

RACE = position_from_points({6: 2, 5: 1, 4: 1, 3: 2}, {6: 3, 4: 1, 2: 2})
PLAIN = HouseRules(jacoby=False, beaver_turns=0)
MONEY = money_stakes(rules=PLAIN)
EXACT = exact_cube_equities(RACE[None], MONEY)


def player(stakes=MONEY, plies: int = 0) -> CubefulLookahead:  # type: ignore[no-untyped-def]
    return CubefulLookahead(Lookahead(Composite(Pips(), tables=True), plies), stakes)


def test_with_exact_luck_every_trial_is_the_exact_value() -> None:
    """In the exact table the luck of every roll and cube turn is known: nothing is left."""
    settings = RolloutSettings(trials=72, stop_at_tables=False)
    run = CubeRollout(RACE, player(), settings)
    result = run.run()
    worths = run.values[:, :, 5]
    assert worths[0] == pytest.approx(np.full(72, EXACT.no_double[0]), abs=1e-5)
    assert 2 * worths[1] == pytest.approx(np.full(72, EXACT.double_take[0]), abs=1e-5)
    assert result.confidence == 1.0


def test_without_variance_reduction_the_mean_is_unbiased() -> None:
    settings = RolloutSettings(
        trials=360, stop_at_tables=False, variance_reduction=VarianceReduction.NONE, batch=10
    )
    result = CubeRollout(RACE, player(), settings).run()
    assert result.double_take is not None
    for figure, exact in (
        (result.no_double, EXACT.no_double[0]),
        (result.double_take, EXACT.double_take[0]),
    ):
        assert 0.005 < figure.error < 0.3
        assert abs(figure.mean - exact) < 4 * figure.error
    win = result.chances[0]
    assert 0 < win.error < 0.05


@pytest.mark.parametrize("owner", CubeOwner)
def test_errors_are_honest_wherever_the_cube_is(owner: CubeOwner) -> None:
    """Chi-square over seeds: the squared deviations in units of the error have a mean of 1."""
    stakes = money_stakes(Cube(1 if owner is CubeOwner.CENTRED else 2, owner), PLAIN)
    exact = exact_cube_equities(RACE[None], stakes)
    squares = []
    for seed in range(12):
        settings = RolloutSettings(
            trials=180,
            seed=seed,
            stop_at_tables=False,
            variance_reduction=VarianceReduction.NONE,
            batch=5,
        )
        result = CubeRollout(RACE, player(stakes), settings).run()
        assert (result.double_take is None) == (owner is CubeOwner.OPPONENT)
        found = [(result.no_double, exact.no_double[0])]
        if result.double_take is not None:
            found.append((result.double_take, exact.double_take[0]))
        squares += [((figure.mean - value) / figure.error) ** 2 for figure, value in found]
    assert 0.3 < np.mean(squares) < 2.2  # of 12 seeds, the two lines on the same dice


def test_the_difference_is_surer_than_the_two() -> None:
    settings = RolloutSettings(
        trials=144, stop_at_tables=False, variance_reduction=VarianceReduction.NONE
    )
    result = CubeRollout(RACE, player(), settings).run()
    assert result.double_take is not None
    assert result.gain is not None
    assert result.gain.mean == pytest.approx(result.double_take.mean - result.no_double.mean)
    assert result.gain.error < result.no_double.error + result.double_take.error


def test_a_dead_cube_has_one_line() -> None:
    stakes = match_stakes(Cube(), MatchScore(1))
    result = CubeRollout(RACE, player(stakes), RolloutSettings(trials=36)).run()
    assert result.double_take is None
    assert result.gain is None
    assert result.decision.action is CubeAction.UNAVAILABLE
    assert result.no_double.mean == pytest.approx(2 * result.chances[0].mean - 1, abs=1e-6)


def test_batches_change_nothing_and_seeds_do() -> None:
    stakes = match_stakes(Cube(2, CubeOwner.ON_ROLL), MatchScore(9, 1, 3))
    position = position_from_points({8: 2, 6: 3, 5: 2, 20: 1}, {6: 4, 7: 2, 3: 2})
    values = []
    for seed, batch in ((1, 1), (1, 2), (2, 2)):
        run = CubeRollout(
            position,
            player(stakes),
            RolloutSettings(trials=72, truncate=3, seed=seed, batch=batch),
        )
        run.run()
        values.append(run.values)
    np.testing.assert_allclose(values[0], values[1], atol=1e-9)
    assert not np.allclose(values[1], values[2])


def test_a_clear_verdict_stops_early_and_players_may_look_ahead() -> None:
    crushing = position_from_points({1: 2}, {6: 5, 5: 5, 4: 5})
    stakes = match_stakes(Cube(), MatchScore(7))
    settings = RolloutSettings(trials=3600, stop_confidence=0.99, least_trials=36, batch=1)
    result = CubeRollout(crushing, player(stakes, plies=1), settings).run()
    assert result.trials == 36
    assert result.confidence > 0.99


def test_nothing_to_roll_out() -> None:
    with pytest.raises(InputError, match="the game is over"):
        CubeRollout(position_from_points({}, {6: 15}), player())
    with pytest.raises(InputError, match="nothing has been rolled out"):
        CubeRollout(RACE, player()).result()
