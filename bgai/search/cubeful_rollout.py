"""Cubeful rollouts: a cube decision played out many times, with the cube in play.

Two lines are played on the same dice: no double (the player on roll rolls with the cube as it
is), and double, take. How the games go on is told in :mod:`bgai.search.cubeful_trials`.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from bgai.equity.cube_action import CubeAction, CubeDecision, best_actions, cube_decision
from bgai.equity.cubeful import CubeEquities
from bgai.equity.efficiency import cube_efficiency
from bgai.equity.stakes import CANNOT_DOUBLE
from bgai.errors import InputError
from bgai.rules.position import Positions, is_over
from bgai.search.cubeful_lookahead import CubefulLookahead
from bgai.search.cubeful_trials import CubefulTrials, Rows, Thought
from bgai.search.rollout_run import RolloutSettings
from bgai.search.rollout_stats import Figure, Sureness, standard_errors

_DRAWS = 20_000  # of the two means, to see how often the verdict stays


@dataclass(frozen=True, eq=False)
class RolledOutCube:
    """Result of a cubeful rollout; equities as in :class:`CubeDecision`.

    ``double_take`` and ``gain`` (double and take less no double, from the same dice) are None
    where the cube can't be turned. ``chances`` are cubeless, of the no-double line: a game
    that ends by a pass is judged where it ended. ``confidence`` is the probability that the
    verdict is right, as far as chance goes.
    """

    trials: int
    decision: CubeDecision
    no_double: Figure
    double_take: Figure | None
    gain: Figure | None
    chances: tuple[Figure, ...]
    confidence: float


class CubeRollout(CubefulTrials[RolledOutCube]):
    """A cubeful rollout of one position, in batches."""

    def __init__(
        self,
        position: Positions,
        player: CubefulLookahead,
        settings: RolloutSettings | None = None,
        *,
        thought: Thought | None = None,
        label: str = "",
    ) -> None:
        """``position`` ``(2, 26)``; its stakes and the depth of play are the ``player``'s.

        Of the settings ``stop_confidence`` asks for the probability that the verdict is right;
        ``variance_reduction`` is none or 0-ply. Raises ``InputError`` when the game is over.
        """
        after = int(player.stakes.after_take[0, 0])
        states = [0] if after == CANNOT_DOUBLE else [0, after]
        lines = np.stack([position] * len(states))
        super().__init__(lines, player, settings, states=states, thought=thought, label=label)
        self.position = self.positions[0]
        if is_over(self.position[None])[0]:
            raise InputError("the game is over: one side has borne off all its checkers")

    def __reduce__(self) -> tuple[Any, ...]:
        more = partial(CubeRollout, thought=self.thought, label=self.label)
        return more, (self.position, self.player, self.settings)

    def sureness(self) -> Sureness:
        result = self.result()
        figures = [figure for figure in (result.no_double, result.double_take) if figure]
        return Sureness(max(figure.error for figure in figures), result.confidence)

    def result(self) -> RolledOutCube:
        """Figures so far. Raises ``InputError`` before the first batch."""
        rolls = self.rolls()
        equities = self.stakes.equity(self.values[:, :, 5])
        equities[1:] = self.stakes.equity(self.stakes.take_factor * self.values[1:, :, 5])
        gap = equities[-1] - equities[0]
        table = np.column_stack([self.values[0, :, :5], *equities, gap])
        figures = [
            Figure(float(mean), float(error))
            for mean, error in zip(table.mean(axis=0), standard_errors(table, rolls), strict=True)
        ]
        doubled = len(self.start_states) == 2
        no_double, taken, gain = figures[5], figures[6], figures[-1]
        decision = self._decision(
            no_double.mean, taken.mean if doubled else float("nan"), figures[:5]
        )
        return RolledOutCube(
            trials=self.trials_done,
            decision=decision,
            no_double=no_double,
            double_take=taken if doubled else None,
            gain=gain if doubled else None,
            chances=tuple(figures[:5]),
            confidence=_confidence(decision, no_double, taken, gain) if doubled else 1.0,
        )

    def _decision(self, no_double: float, taken: float, chances: list[Figure]) -> CubeDecision:
        mean = np.clip([figure.mean for figure in chances], 0, 1).astype(np.float32)
        efficiency = cube_efficiency(self.position[None], mean[None], self.player.cube_model)[0]
        return cube_decision((no_double, taken, 1.0), self.stakes, mean, efficiency)


def _confidence(decision: CubeDecision, no_double: Figure, taken: Figure, gain: Figure) -> float:
    """How often the two means, drawn from their joint normal law, give the same verdict."""
    shared = (no_double.error**2 + taken.error**2 - gain.error**2) / 2
    covariance = np.array([[no_double.error**2, shared], [shared, taken.error**2]])
    values, vectors = np.linalg.eigh(covariance)
    drawn = np.random.default_rng(0).standard_normal((_DRAWS, 2)) * np.sqrt(values.clip(0))
    waits, takes = (drawn @ vectors.T).T
    rows = CubeEquities(no_double.mean + waits, taken.mean + takes, np.ones(_DRAWS))
    actions = best_actions(
        rows, beavers=decision.beaver is not None, free_double=decision.free_double
    )
    return float(np.mean(_acts(actions) == _acts(np.array([decision.action]))))


def _acts(actions: Rows) -> Rows:
    """Acts alone: too good to double and take is no double and take."""
    return np.where(actions == CubeAction.TOO_GOOD_TAKE, CubeAction.NO_DOUBLE_TAKE, actions)
