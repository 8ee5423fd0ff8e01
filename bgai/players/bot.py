"""A program at the table: a search, and a cube policy."""

from bgai.evaluation.composite import Composite, SearchEvaluator
from bgai.evaluation.evaluator import Evaluator
from bgai.players.cube_policy import CubePolicy
from bgai.players.search_cube import SearchCubePolicy, game_stakes
from bgai.rules.acts import Answer, CubeAct, MakePlay
from bgai.rules.game import Game
from bgai.rules.outcome import Result
from bgai.search.cubeful_lookahead import CubefulLookahead
from bgai.search.lookahead import Lookahead, RankedPlay


class Bot:
    """A ``Player`` around an evaluator, with the cube and the score in mind.

    A lookahead plays at its depth, any other evaluator at 0-ply. ``cube`` is by default the
    verdict of the same search.
    """

    def __init__(
        self, evaluator: Evaluator, *, name: str = "bgai", cube: CubePolicy | None = None
    ) -> None:
        self.name = name
        self.lookahead = _as_lookahead(evaluator)
        self.cube = cube or SearchCubePolicy(self.lookahead)

    def rank_plays(self, game: Game) -> list[RankedPlay]:
        """All legal plays, the best first; those judged deeper stand before the others."""
        assert game.roll is not None
        search = CubefulLookahead(self.lookahead, game_stakes(game))
        return search.best_plays(game.position, game.roll)

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
    if not isinstance(evaluator, SearchEvaluator):
        evaluator = Composite(evaluator, tables=False)
    return Lookahead(evaluator, 0)
