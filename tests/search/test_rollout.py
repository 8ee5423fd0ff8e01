"""Rollouts against exact tables, their own error bars, and interruptions."""

import numpy as np
import pytest
from search_examples import Pips, random_positions

from bgai.errors import InputError
from bgai.evaluation.bearoff import BearoffEvaluator, bearoff_chances
from bgai.evaluation.composite import Composite
from bgai.evaluation.evaluator import cubeless_equity
from bgai.rules.dice import ROLL_CHANCES, ROLLS, Roll
from bgai.rules.legal_plays import legal_plays
from bgai.rules.position import Positions, position_from_points
from bgai.search import rollout_stats
from bgai.search.lookahead import Lookahead
from bgai.search.luck import best_of_rolls, roll_index, roll_luck
from bgai.search.rollout import Rollout, best_first
from bgai.search.rollout_dice import SET, roll_numbers, rolls_of_sets
from bgai.search.rollout_run import RolloutSettings, VarianceReduction

HOME = position_from_points({6: 1, 4: 1, 2: 1}, {5: 1, 3: 2})
NONE, ZERO_PLY, ONE_PLY = VarianceReduction
EXACT = Composite(BearoffEvaluator(), tables=False)


def rollout(seed: int = 1, trials: int = 144, **changes: object) -> Rollout:
    """Exact players to the very end, luck measured by a bad judge."""
    settings = RolloutSettings(trials, seed, stop_at_tables=False, **changes)  # type: ignore[arg-type]
    judge = Lookahead(Composite(Pips(), tables=False), 0, piece=256)
    return Rollout(HOME[None], Lookahead(EXACT, 0, piece=256), settings, judge=judge)


@pytest.fixture
def positions() -> Positions:
    return random_positions(np.random.default_rng(3), 3, 30)


def test_dice_are_stratified_and_a_function_of_seed_set_and_turn() -> None:
    sets = np.arange(36)
    first, second, third = (roll_numbers(5, sets, turn).reshape(36, SET) for turn in range(3))
    for rolls in (first, second, third):
        assert (np.sort(rolls, axis=1) == np.arange(36)).all()
    assert len(set(zip(first.ravel().tolist(), second.ravel().tolist(), strict=True))) == 1296
    np.testing.assert_array_equal(
        roll_numbers(5, sets[7:9], 40)[SET:], roll_numbers(5, sets[8:9], 40)
    )
    assert (roll_numbers(6, sets, 40) != roll_numbers(5, sets, 40)).any()
    assert (roll_numbers(5, sets, 64) != roll_numbers(5, sets, 0)).any()
    late = rolls_of_sets(5, np.arange(400), 9)
    counts = np.bincount(roll_index(late), minlength=21) / len(late)
    np.testing.assert_allclose(counts, ROLL_CHANCES, atol=0.01)


def test_roll_index_follows_the_order_of_rolls() -> None:
    dice = np.array(ROLLS, dtype=np.int8)
    assert roll_index(dice).tolist() == list(range(21))
    assert roll_index(dice[:, ::-1]).tolist() == list(range(21))


@pytest.mark.parametrize("reduction", [NONE, ZERO_PLY, ONE_PLY])
def test_means_agree_with_the_exact_table(reduction: VarianceReduction) -> None:
    result = rollout(trials=1296, variance_reduction=reduction).run()
    [summary] = result.summaries
    exact = bearoff_chances(HOME[None])[0]
    assert result.trials == 1296
    assert abs(summary.chances[0].mean - exact[0]) < 4 * summary.chances[0].error
    assert abs(summary.equity.mean - cubeless_equity(exact)) < 4 * summary.equity.error
    low, high = summary.equity.interval
    assert high - low == pytest.approx(2 * 1.96 * summary.equity.error, rel=1e-4)


@pytest.mark.parametrize("reduction", [NONE, ZERO_PLY])
@pytest.mark.parametrize("trials", [72, 180])
def test_intervals_cover_the_truth_at_their_rate(reduction: VarianceReduction, trials: int) -> None:
    truth = float(cubeless_equity(bearoff_chances(HOME[None]))[0])
    inside = 0
    for seed in range(60):
        run = rollout(seed, trials, variance_reduction=reduction).run()
        low, high = run.summaries[0].equity.interval
        inside += low <= truth <= high
    # 95% of 60, give or take three standard deviations; short rollouts overstate the error
    assert inside >= 51


def test_luck_by_a_good_judge_leaves_almost_nothing() -> None:
    plain = rollout(variance_reduction=NONE).run().summaries[0].equity
    rough = rollout().run().summaries[0].equity
    settings = RolloutSettings(144, stop_at_tables=False)
    good = Rollout(HOME[None], Lookahead(EXACT, 0, piece=256), settings)
    exact = good.run().summaries[0].equity
    assert exact.error < 1e-5
    assert exact.mean == pytest.approx(
        float(cubeless_equity(bearoff_chances(HOME[None]))[0]), abs=1e-5
    )
    assert exact.error < rough.error < plain.error


def test_truncation_after_one_turn_with_luck_is_a_one_ply_lookahead(positions: Positions) -> None:
    player = Lookahead(Pips(), 0)
    result = Rollout(positions, player, RolloutSettings(36, truncate=1)).run()
    expected = cubeless_equity(Lookahead(Pips(), 1).evaluate(positions))
    np.testing.assert_allclose([s.equity.mean for s in result.summaries], expected, atol=1e-5)
    assert max(s.equity.error for s in result.summaries) < 1e-5


def test_truncation_without_luck_has_the_same_mean(positions: Positions) -> None:
    # one set holds each first roll once: the mean over the set is the mean over rolls
    settings = RolloutSettings(36, truncate=1, variance_reduction=NONE)
    result = Rollout(positions, Lookahead(Pips(), 0), settings).run()
    expected = Lookahead(Pips(), 1).evaluate(positions)
    means = [[figure.mean for figure in s.chances] for s in result.summaries]
    np.testing.assert_allclose(means, expected, atol=1e-5)


def test_errors_are_those_of_a_least_squares_fit() -> None:
    rng = np.random.default_rng(4)
    sets = np.arange(7)
    rolls = np.stack([roll_numbers(3, sets, turn) for turn in (0, 1)])
    effects = rng.standard_normal((2, SET))
    noise = rng.standard_normal((len(rolls[0]), 2))
    table = (effects[0][rolls[0]] + effects[1][rolls[1]])[:, None] + noise
    design = np.concatenate([np.eye(SET)[rolls[0]], np.eye(SET)[rolls[1]]], axis=1)
    left = table - design @ np.linalg.lstsq(design, table, rcond=None)[0]
    n = len(table)
    expected = np.sqrt((left**2).sum(axis=0) / (n - 71) / n)
    np.testing.assert_allclose(rollout_stats.standard_errors(table, rolls), expected)


@pytest.mark.parametrize("plies", [0, 1])
def test_threads_and_batches_change_nothing(plies: int, positions: Positions) -> None:
    settings = RolloutSettings(108, truncate=2)
    expected = Rollout(positions, Lookahead(Pips(), plies), settings)
    expected.run()
    for threads, batch, piece in ((2, 1, 16), (1, 3, 5), (1, 2, 64)):
        player = Lookahead(Pips(), plies, threads=threads, piece=piece)
        again = Rollout(positions, player, RolloutSettings(108, truncate=2, batch=batch))
        again.run()
        np.testing.assert_array_equal(again.values, expected.values)


def test_all_positions_see_the_same_dice(positions: Positions) -> None:
    twice = np.stack([positions[0], positions[1], positions[0]])
    result = Rollout(twice, Lookahead(Pips(), 0), RolloutSettings(72, truncate=4)).run()
    same, other = result.difference(0, 2), result.difference(0, 1)
    assert (same.mean, same.error) == (0, 0)
    gap = result.summaries[0].equity.mean - result.summaries[1].equity.mean
    assert other.mean == pytest.approx(gap, abs=1e-6)


def test_plays_are_ranked_and_the_confidence_stop_ends_early() -> None:
    position = position_from_points({6: 2, 5: 2, 1: 1}, {6: 2, 4: 1})
    after = legal_plays(position, Roll(6, 5))
    settings = RolloutSettings(
        3600, stop_at_tables=False, variance_reduction=NONE, stop_confidence=0.99
    )
    run = Rollout(after, Lookahead(EXACT, 0, piece=256), settings)
    result = run.run()
    assert 144 <= result.trials < 3600
    assert result.confidence_in_least() >= 0.99
    exact = bearoff_chances(after)[:, 0]
    assert best_first(result.summaries)[0] == int(np.argmin(exact))


def test_the_error_stop_ends_early() -> None:
    run = rollout(trials=36000, stop_error=0.02)
    result = run.run()
    assert result.summaries[0].equity.error <= 0.02
    assert result.trials < 36000


def test_seeds_give_the_same_and_other_games() -> None:
    one, same, other = rollout(1), rollout(1), rollout(2)
    for run in (one, same, other):
        run.run()
    np.testing.assert_array_equal(one.values, same.values)
    assert (one.values != other.values).any()


def test_impossible_settings_are_refused() -> None:
    for wrong in (
        {"trials": 0},
        {"truncate": 0},
        {"stop_error": -1.0},
        {"stop_confidence": 0.2},
        {"batch": 0},
    ):
        with pytest.raises(InputError):
            RolloutSettings(**wrong)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="nothing has been"):
        rollout().result()


@pytest.mark.parametrize("plies", [0, 1])
def test_luck_averages_to_nothing(plies: int, positions: Positions) -> None:
    lookahead = Lookahead(Pips(), plies)
    lucks = [roll_luck(lookahead, positions[0], roll) for roll in ROLLS]
    assert sum(
        chance * luck.luck for chance, luck in zip(ROLL_CHANCES, lucks, strict=True)
    ) == pytest.approx(0, abs=1e-6)
    deeper = Lookahead(Pips(), plies + 1).evaluate(positions[:1])
    assert lucks[0].average == pytest.approx(float(cubeless_equity(deeper)[0]), abs=1e-5)
    after, chances = best_of_rolls(lookahead, positions[:2])
    assert after.shape == (2, 21, 2, 26)
    assert lucks[4].worth == pytest.approx(float(cubeless_equity(chances[0, 4])), abs=1e-6)
