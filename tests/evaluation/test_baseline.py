"""The untrained evaluators: sensible numbers, exact where the game is over, reproducible."""

import numpy as np
import pytest

from bgai.evaluation.baseline import HandmadeEvaluator, NoisyEvaluator, RandomEvaluator
from bgai.evaluation.evaluator import Chance, Evaluator, cubeless_equity, swap_chances
from bgai.rules.dice import roll_dice
from bgai.rules.legal_plays import legal_plays_batch
from bgai.rules.outcome import game_points
from bgai.rules.position import (
    Positions,
    is_over,
    position_from_points,
    starting_position,
    swap_sides,
)

EVALUATORS: list[Evaluator] = [
    HandmadeEvaluator(),
    RandomEvaluator(3),
    NoisyEvaluator(HandmadeEvaluator(), 0.4, 3),
]
HOME = {6: 3, 5: 3, 4: 3, 3: 2, 2: 2, 1: 2}


def positions_of_random_games(count: int) -> Positions:
    """Positions along random games, finished ones included."""
    rng = np.random.default_rng(2)
    positions = np.repeat(starting_position()[None], 60, axis=0)
    seen = []
    while sum(map(len, seen)) < count:
        after, offsets = legal_plays_batch(positions, roll_dice(rng, len(positions)))
        positions = after[rng.integers(offsets[:-1], offsets[1:])]
        seen.append(positions.copy())
        positions[is_over(positions)] = starting_position()
    return np.concatenate(seen)


def handmade(on_roll: dict[int, int], opponent: dict[int, int]) -> np.ndarray:
    position = position_from_points(on_roll, opponent)
    return HandmadeEvaluator().evaluate(position[None])[0]


@pytest.mark.parametrize("evaluator", EVALUATORS)
def test_chances_are_chances(evaluator: Evaluator) -> None:
    positions = positions_of_random_games(3000)
    chances = evaluator.evaluate(positions)
    assert chances.shape == (len(positions), 5)
    assert chances.dtype == np.float32
    assert ((chances >= 0) & (chances <= 1)).all()
    win, wg, wbg, lg, lbg = chances.T
    tolerance = 1e-6
    assert (wbg <= wg + tolerance).all()
    assert (wg <= win + tolerance).all()
    assert (lbg <= lg + tolerance).all()
    assert (lg <= 1 - win + tolerance).all()
    over = is_over(positions)
    assert over.any()
    assert (cubeless_equity(chances[over]) == game_points(positions[over])).all()


@pytest.mark.parametrize("evaluator", EVALUATORS)
def test_one_by_one_and_in_a_batch_alike(evaluator: Evaluator) -> None:
    positions = positions_of_random_games(200)[:50]
    alone = np.concatenate([evaluator.evaluate(position[None]) for position in positions])
    assert np.allclose(alone, evaluator.evaluate(positions), atol=1e-6)
    assert evaluator.evaluate(positions[:0]).shape == (0, 5)


def test_being_on_roll_helps() -> None:
    start = HandmadeEvaluator().evaluate(starting_position()[None])[0]
    assert 0.5 < start[Chance.WIN] < 0.56
    assert 0.08 < start[Chance.WIN_GAMMON] < 0.2
    even = handmade(HOME, HOME)
    assert 0.52 < even[Chance.WIN] < 0.7


def test_a_race_lead_wins_and_grows() -> None:
    chances = [handmade(HOME, {**HOME, 6: 3 - n, 12: n})[Chance.WIN] for n in range(4)]
    assert chances == sorted(chances)
    assert chances[-1] > 0.8


def test_a_race_without_a_checker_off_has_gammons_only_where_possible() -> None:
    far = handmade({1: 2}, {12: 15})
    assert far[Chance.WIN_GAMMON] > 0.9
    assert handmade({1: 2}, {6: 14})[Chance.WIN_GAMMON] == 0
    assert handmade({1: 2}, {6: 14})[Chance.LOSE_GAMMON] == 0


def test_blots_bars_and_primes_count() -> None:
    mine = {24: 2, 13: 5, 8: 3, 6: 5}
    safe = handmade({24: 2, 13: 4, 8: 4, 6: 5}, mine)
    shot = swap_chances(handmade(mine, {24: 2, 13: 4, 8: 3, 7: 1, 6: 5}))
    covered = swap_chances(handmade(mine, {24: 2, 13: 4, 8: 4, 6: 5}))
    assert shot[Chance.WIN] < covered[Chance.WIN]
    on_bar = handmade({25: 1, 24: 1, 13: 5, 8: 3, 6: 5}, mine)
    assert on_bar[Chance.WIN] < safe[Chance.WIN] - 0.05
    prime = handmade({9: 2, 8: 2, 7: 2, 6: 3, 5: 3, 4: 3}, {24: 2, 13: 5, 8: 3, 6: 5})
    assert prime[Chance.WIN] > 0.75


def test_the_other_side_sees_the_reverse_in_a_race_that_is_won() -> None:
    position = position_from_points({2: 1}, {6: 10})
    won = HandmadeEvaluator().evaluate(position[None])[0]
    lost = HandmadeEvaluator().evaluate(swap_sides(position[None]))[0]
    assert won[Chance.WIN] > 0.99
    assert lost[Chance.WIN] < 0.05


def test_seeds_decide_the_noise_and_nothing_else_does() -> None:
    positions = positions_of_random_games(100)
    assert np.array_equal(
        RandomEvaluator(1).evaluate(positions), RandomEvaluator(1).evaluate(positions)
    )
    assert not np.array_equal(
        RandomEvaluator(1).evaluate(positions), RandomEvaluator(2).evaluate(positions)
    )
    assert np.allclose(
        NoisyEvaluator(HandmadeEvaluator(), 0.0).evaluate(positions),
        HandmadeEvaluator().evaluate(positions),
        atol=1e-5,
    )
    spread = RandomEvaluator(5).evaluate(positions_of_random_games(4000))[:, Chance.WIN]
    assert 0.45 < spread.mean() < 0.55
    assert 0.25 < spread.std() < 0.33
