"""A program at the table: an evaluator, a way to rank plays, a cube policy."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from bgai.evaluation.composite import Composite, SettlingEvaluator
from bgai.evaluation.evaluator import Chances, Evaluator, swap_chances
from bgai.players.cube_policy import CubePolicy, gammon_weights, weighted_equity
from bgai.players.search_cube import SearchCubePolicy
from bgai.rules.acts import Answer, CubeAct, MakePlay
from bgai.rules.game import Game
from bgai.rules.outcome import Result
from bgai.rules.position import Positions
from bgai.search.lookahead import Lookahead


@dataclass(frozen=True, slots=True, eq=False)
class RankedPlay:
    """A play with its worth to the mover: equity in units of the cube, and the chances.

    ``after`` is the position after it, ``(2, 26)``, the opponent on roll.
    """

    after: Positions
    equity: float
    chances: Chances


class PlayRanker(Protocol):
    """Ranks the legal plays of a game whose dice are rolled."""

    def rank_plays(self, game: Game) -> list[RankedPlay]:
        """All of ``game.plays``, the best first."""
        ...


class CubelessRanker:
    """Ranks by the cubeless equity of one evaluation of each position after.

    Gammons count only as far as Jacoby, the cube and the score let them.
    """

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator

    def rank_plays(self, game: Game) -> list[RankedPlay]:
        chances = swap_chances(self.evaluator.evaluate(game.plays))
        weights = gammon_weights(game, game.turn, game.cube_value, game.counts_gammons)
        equities = weighted_equity(chances, weights)
        if not any(weights):  # between plays that win equally often the better gammons, please
            equities = equities + 1e-4 * (chances[:, 1] - chances[:, 3])
        order = np.argsort(-equities, kind="stable")
        return [RankedPlay(game.plays[i], float(equities[i]), chances[i]) for i in order]


class Bot:
    """A ``Player`` around an evaluator.

    ``ranker`` replaces the plain ranking of plays. ``cube`` is by default the verdict of the
    evaluator: at its depth if it is a lookahead, else at 0-ply.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        *,
        name: str = "bgai",
        ranker: PlayRanker | None = None,
        cube: CubePolicy | None = None,
    ) -> None:
        self.name = name
        self.evaluator = evaluator
        self.ranker = ranker or CubelessRanker(evaluator)
        self.cube = cube or SearchCubePolicy(_as_lookahead(evaluator))

    def rank_plays(self, game: Game) -> list[RankedPlay]:
        """All legal plays, the best first."""
        return self.ranker.rank_plays(game)

    def offers_resignation(self, game: Game) -> Result | None:
        return self.cube.offers_resignation(game)

    def doubles(self, game: Game) -> bool:
        return self.cube.doubles(game)

    def choose_play(self, game: Game) -> MakePlay:
        return MakePlay(self.rank_plays(game)[0].after)

    def answer_double(self, game: Game) -> CubeAct:
        return self.cube.answer_double(game)

    def answer_resignation(self, game: Game) -> Answer:
        return self.cube.answer_resignation(game)


def _as_lookahead(evaluator: Evaluator) -> Lookahead:
    """The evaluator as a search, in bear-offs too its own judgement."""
    if isinstance(evaluator, Lookahead):
        return evaluator
    if not isinstance(evaluator, SettlingEvaluator):
        evaluator = Composite(evaluator, tables=False)
    return Lookahead(evaluator, 0)
