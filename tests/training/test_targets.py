"""Targets: lambda-returns by hand, one-roll values against brute force."""

import numpy as np
import pytest
import torch
from bgai_training.config import SelfPlay
from bgai_training.labelled_games import LabelledGames
from bgai_training.starts import random_positions
from bgai_training.targets import LabelledGame, corrected_backups, lambda_returns, one_roll_targets

from bgai.evaluation.bearoff import bearoff_chances
from bgai.evaluation.composite import Composite
from bgai.evaluation.evaluator import cubeless_equity, swap_chances
from bgai.evaluation.inference import NetworkEvaluator
from bgai.evaluation.network import PositionNetwork, Pruner
from bgai.rules.dice import ROLL_CHANCES, ROLLS
from bgai.rules.legal_plays import legal_plays
from bgai.rules.position import position_from_points
from bgai.search.greedy import ReplyPlayer, reply_player


@pytest.fixture(scope="module")
def players() -> ReplyPlayer:
    torch.manual_seed(3)
    contact, race = PositionNetwork((16, 8, 8)), PositionNetwork((8, 8, 8))
    for network in (contact, race):
        network.output.weight.data.mul_(20)  # opinions that differ between plays
    return reply_player(
        contact.kernel_weights(), race.kernel_weights(), Pruner(4).kernel_weights(), 10**6, 1e9
    )


def brute_force(position: np.ndarray, evaluator: Composite) -> np.ndarray:
    """The definition: the mean over all rolls of the chances after the best play."""
    total = np.zeros(5)
    for roll, chance in zip(ROLLS, ROLL_CHANCES, strict=True):
        chances = evaluator.evaluate(legal_plays(position, roll))
        best = chances[np.argmin(cubeless_equity(chances))]
        total += chance * swap_chances(best)
    return total


def test_one_roll_values_equal_brute_force(players: ReplyPlayer) -> None:
    evaluator = Composite(NetworkEvaluator(players.contact), NetworkEvaluator(players.race))
    rows = random_positions(np.random.default_rng(5), 25, 60)
    got = one_roll_targets(rows, players)
    for row, target in zip(rows, got, strict=True):
        np.testing.assert_allclose(
            target, brute_force(row.reshape(2, 26), evaluator), rtol=0, atol=2e-6
        )


def test_threads_change_nothing(players: ReplyPlayer) -> None:
    rows = random_positions(np.random.default_rng(6), 11, 60)
    np.testing.assert_array_equal(
        one_roll_targets(rows, players), one_roll_targets(rows, players, threads=3)
    )


def test_one_roll_value_by_hand(players: ReplyPlayer) -> None:
    # A checker on 6 and one on 3 against one checker on 1: all that matters is to be off now.
    position = position_from_points({6: 1, 3: 1}, {1: 1})
    # 6-3 and better clear both: 66 55 44 33 (6/3, 3/off, 3/off), 63 64 65. Others fail.
    wins = 4 + 2 * 3
    target = one_roll_targets(position.reshape(1, 52), players)[0]
    assert target[0] == pytest.approx(wins / 36, abs=1e-6)
    assert target[1] == 0
    exact = bearoff_chances(position[None])[0]
    np.testing.assert_allclose(target, exact, atol=1e-6)


VALUES = np.array(
    [[0.5, 0.1, 0, 0.2, 0], [0.6, 0.2, 0.1, 0.1, 0], [0.3, 0, 0, 0.3, 0.05]], dtype=np.float32
)
LOST_GAMMON = np.array([[0, 0, 0, 1, 0]], dtype=np.float32)


def returns(decay: float) -> np.ndarray:
    out = np.empty((3, 5), dtype=np.float32)
    lambda_returns(VALUES, 3, LOST_GAMMON, np.float32(decay), out)
    return out


def test_lambda_one_is_the_result_of_the_game() -> None:
    won = [1, 1, 0, 0, 0]
    lost = [0, 0, 0, 1, 0]
    np.testing.assert_allclose(returns(1), [won, lost, won])


def test_lambda_zero_is_the_next_value() -> None:
    np.testing.assert_allclose(
        returns(0), [swap_chances(VALUES[1]), swap_chances(VALUES[2]), [1, 1, 0, 0, 0]]
    )


def test_lambda_between_mixes_them() -> None:
    last = np.array([1, 1, 0, 0, 0], dtype=np.float32)
    middle = swap_chances(0.75 * VALUES[2] + 0.25 * last)
    first = swap_chances(0.75 * VALUES[1] + 0.25 * middle)
    np.testing.assert_allclose(returns(0.25), [first, middle, last], rtol=1e-6)


def test_corrected_backups_by_hand() -> None:
    contact = random_positions(np.random.default_rng(2), 1, 1)[0]
    race = position_from_points({3: 2}, {7: 2}).reshape(52)
    rows = np.stack([contact, contact, contact, race])
    backups = np.zeros((4, 5), dtype=np.float32)
    values = np.zeros((4, 5), dtype=np.float32)
    backups[:, 0] = (0.5, 0.6, 0.7, 0.9)
    values[:, 0] = (0.5, 0.5, 0.8, 0.7)
    backups[2, 3], values[2, 3] = 0.3, 0.2  # gammons lost at the third are won at the second

    def labels(chosen: list[bool]) -> np.ndarray:
        out_rows = np.empty((4, 52), dtype=np.int8)
        out = np.empty((4, 5), dtype=np.float32)
        count = corrected_backups(
            LabelledGame(rows, values, backups, np.array(chosen)), np.float32(0.5), out_rows, out
        )
        np.testing.assert_array_equal(out_rows[:count], rows[::-1][:count])
        return out[:count]

    found = labels([False] * 4)
    # Latest first: .9; .7 - .5 (.9 - .7); .6 - .5 (.6 - .8); .5 - .5 (.7 - .5)
    np.testing.assert_allclose(found[:, 0], (0.9, 0.6, 0.7, 0.4), atol=1e-6)
    np.testing.assert_allclose(found[:, 1], (0, 0, 0.05, 0), atol=1e-6)
    np.testing.assert_allclose(found[:, 3], (0, 0.3, 0, 0.025), atol=1e-6)
    # Nothing goes back over a play that was not the best.
    found = labels([False, True, False, True])
    np.testing.assert_allclose(found[:, 0], (0.9, 0.7, 0.65, 0.5), atol=1e-6)


def test_without_decay_labels_are_the_one_roll_values(players: ReplyPlayer) -> None:
    games = LabelledGames(
        SelfPlay(games_at_once=40, longest_game=60), np.random.SeedSequence(1), 0.3, 0.1, 0.0
    )
    rows, targets = [], []
    for _ in range(80):
        labels = games.advance(players)
        rows.append(labels.rows)
        targets.append(labels.targets)
    labelled = np.concatenate(rows)
    assert len(labelled) > 1000
    np.testing.assert_allclose(
        np.concatenate(targets), one_roll_targets(labelled, players), rtol=0, atol=1e-6
    )
