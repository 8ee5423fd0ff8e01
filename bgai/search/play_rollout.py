"""Cubeful rollouts of plays: several plays of a roll on the same dice, with the cube in play.

After each play the opponent may double, and so on: see :mod:`bgai.search.cubeful_trials`.
"""

from functools import partial
from typing import Any

import numpy as np

from bgai.evaluation.evaluator import swap_chances
from bgai.rules.position import Positions
from bgai.search.cubeful_lookahead import CubefulLookahead
from bgai.search.cubeful_trials import CubefulTrials, Thought
from bgai.search.rollout_run import RolloutSettings
from bgai.search.rollout_stats import RolledOut, Sureness, summaries_of


class PlayRollout(CubefulTrials[RolledOut]):
    """A cubeful rollout of plays, in batches."""

    def __init__(
        self,
        after: Positions,
        player: CubefulLookahead,
        settings: RolloutSettings | None = None,
        *,
        thought: Thought | None = None,
        label: str = "",
    ) -> None:
        """``after`` ``(m, 2, 26)`` are the positions after the plays, the opponent on roll.

        The stakes of ``player`` are those of the one who plays. Raises ``InputError`` for an
        impossible position.
        """
        super().__init__(after, player, settings, first_view=1, thought=thought, label=label)

    def __reduce__(self) -> tuple[Any, ...]:
        more = partial(PlayRollout, thought=self.thought, label=self.label)
        return more, (self.positions, self.player, self.settings)

    def sureness(self) -> Sureness:
        return self.result().sureness

    def result(self) -> RolledOut:
        """Figures so far, seen by the opponent on roll. Raises ``InputError`` before a batch.

        Equities are in units of the cube as it was when the play was made.
        """
        chances = swap_chances(self.values[:, :, :5].astype(np.float32))
        return summaries_of(chances, -self.stakes.equity(self.values[:, :, 5]), self.rolls())
