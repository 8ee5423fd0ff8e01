"""Cubeful rollouts of plays, or of a position: games on the same dice, with the cube in play.

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
        positions: Positions,
        player: CubefulLookahead,
        settings: RolloutSettings | None = None,
        *,
        view: int = 1,
        thought: Thought | None = None,
        label: str = "",
    ) -> None:
        """``positions`` ``(m, 2, 26)`` are those after the plays, the opponent on roll.

        The stakes of ``player`` are those of the one who plays. In ``view`` 0 the positions are
        those of the one to whom the stakes belong, who rolls without doubling first. Raises
        ``InputError`` for an impossible position.
        """
        super().__init__(positions, player, settings, first_view=view, thought=thought, label=label)

    def __reduce__(self) -> tuple[Any, ...]:
        more = partial(PlayRollout, view=self.first_view, thought=self.thought, label=self.label)
        return more, (self.positions, self.player, self.settings)

    def sureness(self) -> Sureness:
        return self.result().sureness

    def result(self) -> RolledOut:
        """Figures so far, seen by the player on roll. Raises ``InputError`` before a batch.

        Equities are in units of the cube as it was when the play was made.
        """
        chances = self.values[:, :, :5].astype(np.float32)
        equities = self.stakes.equity(self.values[:, :, 5])
        if self.first_view == 1:
            chances, equities = swap_chances(chances), -equities
        return summaries_of(chances, equities, self.rolls())
