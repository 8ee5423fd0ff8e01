"""A bot that looks ahead, and the levels built from it."""

import numpy as np

from bgai.evaluation.baseline import HandmadeEvaluator
from bgai.players.bot import Bot
from bgai.players.levels import BEST, LEVELS, find_level, make_bot
from bgai.players.search_cube import game_stakes
from bgai.players.search_ranker import SearchRanker
from bgai.rules.dice import Roll
from bgai.rules.game import Game
from bgai.rules.position import starting_position
from bgai.search.cubeful_lookahead import CubefulLookahead
from bgai.search.lookahead import Lookahead


def rolled(roll: Roll) -> Game:
    """The starting position with the dice rolled."""
    return Game.set_up(starting_position(), roll=roll)


def test_the_bot_plays_what_the_search_ranks_first() -> None:
    game = rolled(Roll(3, 1))
    lookahead = Lookahead(HandmadeEvaluator(), 1)
    bot = Bot(lookahead, ranker=SearchRanker(lookahead))
    ranked = bot.rank_plays(game)
    best = CubefulLookahead(lookahead, game_stakes(game)).best_plays(game.position, Roll(3, 1))
    assert len(ranked) == len(game.plays)
    np.testing.assert_array_equal([r.after for r in ranked], [b.after for b in best])
    np.testing.assert_array_equal(bot.choose_play(game).after, best[0].after)


def test_every_level_plays_and_repeats_itself() -> None:
    game = rolled(Roll(6, 4))
    for level in LEVELS:
        one, again = (level.make(7).choose_play(game).after for _ in range(2))
        np.testing.assert_array_equal(one, again)
    assert find_level(BEST) is LEVELS[-1]
    assert make_bot(BEST).name == LEVELS[-1].name
