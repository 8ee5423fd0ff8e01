"""A deterministic evaluator and slow, obviously right twins for the tests of search."""

import numpy as np
from numpy.typing import NDArray

from bgai.evaluation.composite import for_search
from bgai.evaluation.evaluator import Chances, Evaluator, cubeless_equity, swap_chances
from bgai.evaluation.possible import held_to_rules
from bgai.rules.dice import ROLL_CHANCES, ROLLS
from bgai.rules.legal_plays import legal_plays, legal_plays_batch
from bgai.rules.outcome import game_points
from bgai.rules.position import Positions, pip_counts, starting_position
from bgai.search.pruning import every_reply
from bgai.search.ranking import best_replies, keys_of
from bgai.search.utility import LinearUtility, Utility

WINS_ONLY = LinearUtility(1, 1, 1, -1, -1, -1)
_MIX = np.random.default_rng(7).integers(-999, 999, size=(2, 52))  # whole numbers: sums are exact


class Pips:
    """Judges by pips, with a roughness of its own for every position. Batches don't matter."""

    def __init__(self) -> None:
        self.asked = 0

    def evaluate(self, positions: Positions) -> Chances:
        self.asked += len(positions)
        pips = pip_counts(positions).astype(np.float64)
        rows = positions.reshape(len(positions), 52).astype(np.int64)
        rough, wild = np.sin((rows @ _MIX.T).T)
        win = 1 / (1 + np.exp((pips[:, 0] - pips[:, 1] - 4) / 25 + rough / 6))
        gammon, lose = win * win * (0.5 + wild / 4), (1 - win) ** 2
        chances = [win, gammon, gammon * 0.1, lose * 0.4, lose * 0.05]
        return held_to_rules(np.stack(chances, axis=1).astype(np.float32), positions)


class Blunt:
    """A rougher judge still: pips alone."""

    def evaluate(self, positions: Positions) -> Chances:
        pips = pip_counts(positions).astype(np.float64)
        chances = np.zeros((len(positions), 5), dtype=np.float32)
        chances[:, 0] = 1 / (1 + np.exp((pips[:, 0] - pips[:, 1]) / 20))
        return held_to_rules(chances, positions)


class EvaluatorPruner:
    """Keeps the best ``keep`` replies of each roll as a cheap evaluator sees them."""

    def __init__(self, evaluator: Evaluator, keep: int = 8) -> None:
        self.evaluator = for_search(evaluator)
        self.keep = keep

    def replies(self, positions: Positions, other: Utility) -> tuple[Positions, NDArray[np.int64]]:
        after, offsets = every_reply(positions)
        if len(after) <= self.keep * (len(offsets) - 1):
            return after, offsets
        chances = self.evaluator.evaluate(after)
        keys = keys_of(other.worth(chances), chances)
        rows, kept = best_replies(keys, offsets, self.keep)
        return after[rows], kept


def finished(position: Positions) -> Chances:
    points = int(game_points(position))
    values = [points > 0, points >= 2, points == 3, points <= -2, points == -3]
    return np.array(values, dtype=np.float64)


def value_by_hand(evaluator: Pips, position: Positions, plies: int) -> Chances:
    """Full search: the mean over rolls of the best play's value, no filters, float64."""
    if game_points(position) != 0:
        return finished(position)
    if plies == 0:
        return evaluator.evaluate(position[None])[0].astype(np.float64)
    total = np.zeros(5)
    for chance, roll in zip(ROLL_CHANCES, ROLLS, strict=True):
        values = [
            swap_chances(value_by_hand(evaluator, after, plies - 1))
            for after in legal_plays(position, roll)
        ]
        total += chance * max(values, key=lambda value: float(cubeless_equity(value)))
    return total


def random_positions(rng: np.random.Generator, count: int, turns: int) -> Positions:
    """Positions after that many random plays from the start."""
    games = np.repeat(starting_position()[None], count, axis=0)
    for _ in range(turns):
        rolls = rng.integers(1, 7, size=(count, 2), dtype=np.int8)
        after, offsets = legal_plays_batch(games, rolls)
        games = after[rng.integers(offsets[:-1], offsets[1:])]
    return games
