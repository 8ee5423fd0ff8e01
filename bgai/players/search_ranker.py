"""A program at the table that looks ahead."""

from bgai.players.bot import RankedPlay
from bgai.players.cube_policy import gammon_weights
from bgai.players.search_cube import game_stakes
from bgai.rules.game import Game
from bgai.search.cubeful_lookahead import CubefulLookahead
from bgai.search.lookahead import Lookahead
from bgai.search.utility import LinearUtility

_NEARLY_NOTHING = 1e-4  # where gammons don't count the better ones still break ties


def game_utility(game: Game) -> LinearUtility:
    """What the player on turn plays for, the cube left where it is.

    Gammons count only as far as Jacoby, the cube and the score let them.
    """
    mine, theirs = gammon_weights(game, game.turn, game.cube_value, game.counts_gammons)
    mine, theirs = max(mine, _NEARLY_NOTHING), max(theirs, _NEARLY_NOTHING)
    return LinearUtility(1, 1 + mine, 1 + 2 * mine, -1, -1 - theirs, -1 - 2 * theirs)


class SearchRanker:
    """Ranks plays by cubeful equity, in money play and at every score."""

    def __init__(self, lookahead: Lookahead) -> None:
        self.lookahead = lookahead

    def rank_plays(self, game: Game) -> list[RankedPlay]:
        """All plays, the best first; those judged deeper stand before the others."""
        assert game.roll is not None
        search = CubefulLookahead(self.lookahead, game_stakes(game))
        plays = search.best_plays(game.position, game.roll)
        return [RankedPlay(play.after, play.worth, play.chances) for play in plays]
