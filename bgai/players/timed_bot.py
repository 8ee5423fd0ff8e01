"""A program that thinks as deep as a time for each decision lets it."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from bgai.players.bot import Bot
from bgai.players.engines import Engine
from bgai.players.ubgi.deepening import Deepening
from bgai.rules.acts import CubeAct
from bgai.rules.game import Game
from bgai.search.lookahead import RankedPlay
from bgai.search.tree import MOST_PLIES

T = TypeVar("T")


class TimedBot(Bot):
    """Decides at 0-ply, then deeper while ``seconds`` last.

    ``bots`` are the same program at 0-ply, 1-ply and so on. Resignations are those of the first.
    """

    def __init__(self, bots: Sequence[Bot], seconds: float) -> None:
        super().__init__(bots[0].lookahead, name=bots[0].name, cube=bots[0].cube)
        self.bots = bots
        self.seconds = seconds
        deepest = len(bots) - 1
        self._plays, self._cube = Deepening(deepest), Deepening(deepest)

    @classmethod
    def of(cls, engine: Engine, seconds: float) -> "TimedBot":
        """An engine at every depth there is."""
        return cls([engine.at(plies).bot for plies in range(MOST_PLIES + 1)], seconds)

    def _best(self, deepening: Deepening, think: Callable[[Bot], T]) -> T:
        return deepening.best(self.seconds, lambda plies: think(self.bots[plies]))[0]

    def rank_plays(self, game: Game) -> list[RankedPlay]:
        return self._best(self._plays, lambda bot: bot.rank_plays(game))

    def doubles(self, game: Game) -> bool:
        return self._best(self._cube, lambda bot: bot.cube.doubles(game))

    def answer_double(self, game: Game) -> CubeAct:
        return self._best(self._cube, lambda bot: bot.cube.answer_double(game))
