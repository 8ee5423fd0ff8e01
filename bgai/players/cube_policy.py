"""When a program turns the cube, takes, and resigns: the interface.

See :mod:`bgai.players.search_cube` for the policy that programs use.
"""

from typing import Protocol

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
