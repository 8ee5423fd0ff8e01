"""A linear evaluator learns backgammon by playing itself: a whole agent of one's own.

    python examples/linear_agent.py [STEPS]

TD(0): the chances of a position move towards those of the position after the best play,
seen from the other side, and towards the result when the game ends.
"""

import sys

import numpy as np
from bgai_training.vector_games import VectorGames
from numpy.typing import NDArray

from bgai.analysis.duel import duel
from bgai.evaluation.baseline import RandomEvaluator
from bgai.evaluation.choose import evaluate_with_ends, greedy_rows
from bgai.evaluation.evaluator import Chances, swap_chances
from bgai.rules.position import Positions


def features(positions: Positions) -> NDArray[np.float32]:
    """For each slot of both sides: 1, 2, 3 or more checkers, those above three; and a one."""
    slots = positions.reshape(len(positions), 52)
    parts = [slots >= 1, slots >= 2, slots >= 3, np.maximum(slots - 3, 0) / 4]
    return np.concatenate([*parts, np.ones((len(slots), 1))], axis=1).astype(np.float32)


class LinearEvaluator:
    """Five logistic regressions, one for each chance."""

    def __init__(self) -> None:
        self.weights = np.zeros((4 * 52 + 1, 5), dtype=np.float32)

    def evaluate(self, positions: Positions) -> Chances:
        logits = np.clip(features(positions) @ self.weights, -15, 15)
        return np.asarray(1 / (1 + np.exp(-logits)), dtype=np.float32)


def train(steps: int, rate: float = 1.0, seed: int = 1) -> LinearEvaluator:
    agent, games = LinearEvaluator(), VectorGames(16, seed=seed, desynchronised=True)
    for step in range(steps):
        after, offsets = games.plays
        rows = greedy_rows(agent, after, offsets)
        targets = swap_chances(evaluate_with_ends(agent, after[rows]))
        error = targets - agent.evaluate(games.positions)
        gradient = features(games.positions).T @ error / len(error)
        agent.weights += rate * (1 - step / steps) * gradient
        games.step(rows - offsets[:-1])
    return agent


if __name__ == "__main__":
    agent = train(int(sys.argv[1]) if len(sys.argv) > 1 else 8000)
    print("against random plays:", duel(agent, RandomEvaluator(), games=1000))
