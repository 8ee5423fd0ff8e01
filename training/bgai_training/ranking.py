"""Lessons for the pruner: which replies of a roll are near the best.

The pruner is asked nothing else, so it is fitted to the differences of equity among the replies
of one roll, as the big network sees them. Labels of positions alone teach it the level of
the equity, on which a small network spends its units in vain, and show it few bad replies.
"""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from bgai.rules.dice import roll_dice
from bgai.rules.legal_plays import legal_plays_batch
from bgai.search.greedy import ReplyPlayer
from bgai.search.reply_kernels import evaluate_mixed
from bgai_training.learner import Learner, equity_of_chances

ROLLS = 64
"""Rolls in one lesson."""

_NEAR = 0.15  # points behind the best at which a reply counts 1/e
_LEAST = 0.05  # what a hopeless reply counts
_LEVEL = 0.02  # what the level of a roll counts beside the differences
_MOST = 200  # replies; rolls with more are left out


@dataclass(frozen=True)
class JudgedRolls:
    """All replies of some rolls.

    ``rows (m, 52)`` int8 after the reply, the opponent on roll; their ``equities (m,)`` for that
    opponent; and ``rolls (m,)``, which roll each belongs to, from 0 on.
    """

    rows: NDArray[np.int8]
    equities: NDArray[np.float32]
    rolls: NDArray[np.int64]


def judged_rolls(
    rows: NDArray[np.int8], players: ReplyPlayer, rng: np.random.Generator
) -> JudgedRolls:
    """One random roll for each position ``rows (n, 52)``, all its replies judged."""
    dice = roll_dice(rng, len(rows))
    after, offsets = legal_plays_batch(rows.reshape(-1, 2, 26), dice)
    counts = np.diff(offsets)
    choice = (counts > 1) & (counts <= _MOST)
    replies = np.ascontiguousarray(after.reshape(-1, 52)[np.repeat(choice, counts)])
    chances = np.empty((len(replies), 5), dtype=np.float32)
    evaluate_mixed(replies, len(replies), players, chances)
    rolls = np.repeat(np.arange(choice.sum()), counts[choice])
    return JudgedRolls(replies, equity_of_chances(chances), rolls)


def teach(
    learner: Learner,
    rows: NDArray[np.int8],
    players: ReplyPlayer,
    rng: np.random.Generator,
    rate: float,
) -> None:
    """One step of a pruner's learner on a random roll of each of the first positions.

    ``rows (n, 52)`` with contact; ``players`` judge the replies.
    """
    judged = judged_rolls(rows[:ROLLS], players, rng)
    outputs = learner.network(torch.from_numpy(judged.rows).to(learner.device))
    learner.descend(ranking_loss(outputs, judged), rate)


def ranking_loss(outputs: Tensor, judged: JudgedRolls) -> Tensor:
    """Mean square error of the outputs ``(m,)`` inside the rolls, near the best reply above all.

    Each roll's error is counted from its own (weighted) mean; the mean itself counts little.
    """
    if not len(judged.rolls):
        return outputs.sum() * 0
    first = np.flatnonzero(np.diff(judged.rolls, prepend=-1))
    best = np.minimum.reduceat(judged.equities, first)
    behind = judged.equities - best[judged.rolls]
    device = outputs.device
    weights = torch.from_numpy(np.exp(-behind / _NEAR) + _LEAST).to(device)
    rolls = torch.from_numpy(judged.rolls).to(device)
    error = outputs - torch.from_numpy(judged.equities).to(device)
    none = torch.zeros(len(first), device=device)
    mean = none.index_add(0, rolls, weights * error) / none.index_add(0, rolls, weights)
    square = (error - mean[rolls]).square() + _LEVEL * error.square()
    return (weights * square).sum() / weights.sum()
