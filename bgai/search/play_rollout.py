"""Cubeful rollouts of plays: several plays of a roll on the same dice, with the cube in play.

After each play the opponent may double, and so on: see :mod:`bgai.search.cubeful_trials`.
"""

import numpy as np

from bgai.errors import InputError
from bgai.evaluation.evaluator import swap_chances
from bgai.rules.position import Positions
from bgai.search.cubeful_lookahead import CubefulLookahead
from bgai.search.cubeful_trials import CubefulTrials, Thought
from bgai.search.rollout import RolloutSettings
from bgai.search.rollout_dice import SET, roll_numbers
from bgai.search.rollout_stats import RolledOut, summaries_of


class PlayRollout(CubefulTrials):
    """A cubeful rollout of plays, in batches."""

    def __init__(
        self,
        after: Positions,
        player: CubefulLookahead,
        settings: RolloutSettings | None = None,
        thought: Thought | None = None,
    ) -> None:
        """``after`` ``(m, 2, 26)`` are the positions after the plays, the opponent on roll.

        The stakes of ``player`` are those of the one who plays. Raises ``InputError`` for an
        impossible position.
        """
        super().__init__(after, player, settings, first_view=1, thought=thought)

    def result(self) -> RolledOut:
        """Figures so far, seen by the opponent on roll. Raises ``InputError`` before a batch.

        Equities are in units of the cube as it was when the play was made.
        """
        if not self.trials_done:
            raise InputError("nothing has been rolled out yet")
        sets = np.arange(self.trials_done // SET)
        rolls = np.stack([roll_numbers(self.settings.seed, sets, turn) for turn in (0, 1)])
        chances = swap_chances(self.values[:, :, :5].astype(np.float32))
        return summaries_of(chances, -self.stakes.equity(self.values[:, :, 5]), rolls)
