"""When a program turns the cube, takes, and resigns: the interface, and what gammons count.

See :mod:`bgai.players.search_cube` for the policy that programs use.
"""

from typing import Protocol

import numpy as np

from bgai.evaluation.evaluator import Chances
from bgai.rules.acts import Answer, CubeAct
from bgai.rules.game import Game
from bgai.rules.outcome import Result


class CubePolicy(Protocol):
    """The decisions of a player that are not plays; each sees the whole state."""

    def doubles(self, game: Game) -> bool:
        """Whether the player on turn doubles; a double is legal."""
        ...

    def answer_double(self, game: Game) -> CubeAct:
        """The answer of ``game.actor`` to a double, beaver or raccoon."""
        ...

    def offers_resignation(self, game: Game) -> Result | None:
        """The level the player on turn resigns at, or None."""
        ...

    def answer_resignation(self, game: Game) -> Answer:
        """The answer of ``game.actor`` to ``game.offer``."""
        ...


def gammon_weights(game: Game, seat: int, value: int, gammons: bool) -> tuple[float, float]:
    """What a gammon adds for this seat and against it, in units of a single game, 0 to 1.

    ``value`` is the cube the game would be played at; nothing where gammons don't count, and
    only as much as the winner of a match still needs.
    """
    weights = []
    for winner in (seat, 1 - seat):
        away = game.standing.away(winner)
        useful = 1.0 if away is None else float(np.clip(away / value - 1, 0, 1))
        weights.append(useful if gammons else 0.0)
    return weights[0], weights[1]


def weighted_equity(chances: Chances, weights: tuple[float, float]) -> Chances:
    """Equity ``(...)`` of ``(..., 5)`` chances with gammons worth the weights."""
    win, wg, wbg, lg, lbg = np.moveaxis(chances, -1, 0)
    equity = 2 * win - 1 + weights[0] * (wg + wbg) - weights[1] * (lg + lbg)
    return np.asarray(equity, dtype=np.float32)
