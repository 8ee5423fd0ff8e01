"""A program at the table that looks ahead."""

from bgai.rules.game import Game
from bgai.search.lookahead import Lookahead
from bgai.search.utility import LinearUtility
from bgai.table.bot import RankedPlay
from bgai.table.cube_policy import gammon_weights

_NEARLY_NOTHING = 1e-4  # where gammons don't count the better ones still break ties


def game_utility(game: Game) -> LinearUtility:
    """What the player on turn plays for, the cube left where it is.

    Gammons count only as far as Jacoby, the cube and the score let them.
    """
    mine, theirs = gammon_weights(game, game.turn, game.cube_value, game.counts_gammons)
    mine, theirs = max(mine, _NEARLY_NOTHING), max(theirs, _NEARLY_NOTHING)
    return LinearUtility(1, 1 + mine, 1 + 2 * mine, -1, -1 - theirs, -1 - 2 * theirs)


class SearchRanker:
    """Ranks plays by a lookahead, steered by the cube and the score."""

    def __init__(self, lookahead: Lookahead) -> None:
        self.lookahead = lookahead

    def rank_plays(self, game: Game) -> list[RankedPlay]:
        """All plays, the best first; those judged deeper stand before the others."""
        assert game.throw is not None
        plays = self.lookahead.best_plays(game.position, game.throw, game_utility(game))
        return [RankedPlay(play.after, play.worth, play.chances) for play in plays]
