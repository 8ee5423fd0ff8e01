"""Backgammon as a PettingZoo environment (extra ``rl``): one cubeless game, two agents.

    from bgai_training.pettingzoo_env import BackgammonEnv
    env = BackgammonEnv()
    env.reset(seed=1)

An action is the number of a play in the list of legal plays; the mask says how many there
are. ``infos[agent]["plays"]`` holds the position after each, ``(k, 2, 26)`` with the opponent
on roll, which is what an evaluator wants to see. A turn without a legal play has the one
action 0. The winner is rewarded 1, 2 or 3 points, the loser the same with a minus.
"""

from functools import lru_cache
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from numpy.typing import NDArray
from pettingzoo import AECEnv

from bgai.rules.position import CHECKERS, SLOTS, Positions, swap_sides
from bgai_training.vector_games import VectorGames

MOST_PLAYS = 3_100
"""More than any roll allows: four moves from at most 15 sources are C(18, 4) = 3,060."""

Observation = dict[str, NDArray[np.int8]]


class BackgammonEnv(AECEnv):  # type: ignore[misc]  # pettingzoo has no types
    """The environment. Observations are a dict:

    ``observation`` ``(54,)`` int8: the agent's 26 slots, the opponent's 26 (each in its own
    numbering, 0 borne off, 25 the bar), and the two dice, both 0 while the other is to move.
    ``action_mask`` ``(MOST_PLAYS,)`` int8: 1 for each legal action, all 0 while the other is
    to move.
    """

    metadata = {"name": "backgammon_v0", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, render_mode: str | None = None) -> None:
        super().__init__()
        self.render_mode = render_mode
        self.possible_agents = ["player_0", "player_1"]
        self._rng = np.random.default_rng()

    @lru_cache(maxsize=None)  # noqa: B019, UP033  # pettingzoo wants the same object each time
    def observation_space(self, agent: str) -> Dict:
        return Dict(
            {
                "observation": Box(0, CHECKERS, (2 * SLOTS + 2,), np.int8),
                "action_mask": Box(0, 1, (MOST_PLAYS,), np.int8),
            }
        )

    @lru_cache(maxsize=None)  # noqa: B019, UP033
    def action_space(self, agent: str) -> Discrete:
        return Discrete(MOST_PLAYS)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game; with a seed always the same dice, without one the next game."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self._games = VectorGames(1, seed=self._rng)
        self._ended: Positions | None = None
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._hand_over(self.possible_agents[self._games.players[0]])

    def observe(self, agent: str) -> Observation:
        """The board as ``agent`` sees it, and what it may do."""
        mask = np.zeros(MOST_PLAYS, dtype=np.int8)
        dice = np.zeros(2, dtype=np.int8)
        position = self._games.positions[0] if self._ended is None else self._ended
        if agent != self._on_roll:
            position = swap_sides(position)
        elif self._ended is None:
            mask[: len(self._games.plays[0])] = 1
            dice = self._games.rolls[0]
        return {
            "observation": np.concatenate([position.ravel(), dice]).astype(np.int8),
            "action_mask": mask,
        }

    def step(self, action: int | None) -> None:
        """Make play ``action``. Raises ``InputError`` for a number that isn't legal."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        ended = self._games.step(np.array([action]))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if len(ended):
            points = float(ended.points[0])
            self.rewards = {
                name: points if name == agent else -points for name in self.possible_agents
            }
            self.terminations = dict.fromkeys(self.agents, True)
            self._ended = ended.positions[0]
        self._hand_over(next(name for name in self.possible_agents if name != agent))
        self._accumulate_rewards()

    def _hand_over(self, agent: str) -> None:
        self.agent_selection = self._on_roll = agent
        self.infos: dict[str, dict[str, Any]] = {name: {} for name in self.agents}
        if self._ended is None:
            self.infos[agent]["plays"] = self._games.plays[0]

    def render(self) -> str | None:
        """The board as text, seen by the player on roll; None without a render mode."""
        if self.render_mode is None:
            return None
        from bgai.notation.diagram import format_diagram
        from bgai.notation.situation import Situation
        from bgai.rules.dice import roll_of

        if self._ended is not None:
            return format_diagram(Situation(self._ended))
        high, low = self._games.rolls[0].tolist()
        return format_diagram(Situation(self._games.positions[0], roll=roll_of(high, low)))

    def close(self) -> None:
        """Nothing to close."""
