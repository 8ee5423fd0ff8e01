"""The pruner's lessons: replies judged as the players would, and a loss counted by hand."""

import numpy as np
import torch
from bgai_training.learner import Learner, Settings
from bgai_training.ranking import JudgedRolls, judged_rolls, ranking_loss, teach
from bgai_training.starts import random_positions

from bgai.evaluation.bearoff import load_bearoff_tables
from bgai.evaluation.checkpoint import load_checkpoint
from bgai.evaluation.composite import Composite
from bgai.evaluation.evaluator import cubeless_equity
from bgai.evaluation.inference import NetworkEvaluator
from bgai.evaluation.network import PositionNetwork, Pruner
from bgai.rules.dice import roll_dice
from bgai.rules.legal_plays import legal_plays
from bgai.search.greedy import ReplyPlayer, reply_player


def some_players() -> ReplyPlayer:
    torch.manual_seed(3)
    contact, race = PositionNetwork((16, 8, 8)), PositionNetwork((8, 4, 4))
    return reply_player(
        contact.kernel_weights(), race.kernel_weights(), Pruner(4).kernel_weights(), 4, 0.2
    )


def test_replies_are_judged_as_the_players_judge_them() -> None:
    load_bearoff_tables()
    players = some_players()
    rows = random_positions(np.random.default_rng(1), 30, 12)
    positions = rows.reshape(-1, 2, 26)
    judged = judged_rolls(rows, players, np.random.default_rng(2))
    composite = Composite(NetworkEvaluator(players.contact), NetworkEvaluator(players.race))
    dice = roll_dice(np.random.default_rng(2), len(positions))
    roll = 0
    for position, (a, b) in zip(positions, dice, strict=True):
        after = legal_plays(position, (int(a), int(b)))
        if not 1 < len(after) <= 200:
            continue
        mine = judged.rolls == roll
        np.testing.assert_array_equal(judged.rows[mine], after.reshape(-1, 52))
        equities = cubeless_equity(composite.evaluate(after))
        np.testing.assert_allclose(judged.equities[mine], equities, atol=1e-5)
        roll += 1
    assert roll == judged.rolls[-1] + 1 > 10


def test_loss_by_hand() -> None:
    # One roll: the best reply at 0 counts 1.05, one 0.15 behind 1/e + 0.05 = 0.41788.
    judged = JudgedRolls(
        np.zeros((2, 52), dtype=np.int8),
        np.array([0, 0.15], dtype=np.float32),
        np.array([0, 0]),
    )
    best, behind = 1.05, np.exp(-1) + 0.05
    level = ranking_loss(torch.tensor([0.5, 0.65]), judged)  # all of it in the level
    np.testing.assert_allclose(float(level), 0.02 * 0.25, rtol=1e-5)
    too_high = float(ranking_loss(torch.tensor([0.1, 0.15]), judged))
    mean = 0.1 * best / (best + behind)
    square = best * (0.1 - mean) ** 2 + behind * mean**2 + 0.02 * best * 0.01
    expected = square / (best + behind)
    np.testing.assert_allclose(too_high, expected, rtol=1e-5)
    empty = JudgedRolls(judged.rows[:0], judged.equities[:0], judged.rolls[:0])
    assert float(ranking_loss(torch.zeros(0), empty)) == 0


def test_a_taught_pruner_loses_less() -> None:
    """What the best of four kept replies is behind the best of all, before and after lessons."""
    expert = load_checkpoint("expert")
    players = reply_player(expert.contact, expert.race, expert.pruner, 4, 0.2)
    torch.manual_seed(5)
    learner = Learner(Pruner(32), Settings())
    rng = np.random.default_rng(6)

    def lost() -> float:
        judged = judged_rolls(
            random_positions(np.random.default_rng(7), 200, 12),
            players,
            np.random.default_rng(8),
        )
        with torch.no_grad():
            rough = learner.network(torch.from_numpy(judged.rows)).numpy()
        gaps = []
        for roll in range(judged.rolls[-1] + 1):
            mine = judged.equities[judged.rolls == roll]
            kept = np.argsort(rough[judged.rolls == roll])[:4]
            gaps.append(mine[kept].min() - mine.min())
        return float(np.mean(gaps))

    before = lost()
    for _ in range(150):
        teach(learner, random_positions(rng, 64, 12), players, rng, 2e-3)
    assert lost() < before / 3
