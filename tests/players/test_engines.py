"""Engines by name: the grammar, the levels, and what is built from them."""

from pathlib import Path

import numpy as np
import pytest

from bgai.errors import InputError
from bgai.evaluation.baseline import HandmadeEvaluator
from bgai.evaluation.checkpoint import released_checkpoints
from bgai.players.bot import Bot
from bgai.players.engines import BEST, LEVELS, PLAY_PLIES, engine
from bgai.players.search_cube import game_stakes
from bgai.rules.dice import Roll
from bgai.rules.game import Game
from bgai.rules.position import starting_position
from bgai.search.cubeful_lookahead import CubefulLookahead
from bgai.search.engine import EngineSettings
from bgai.search.lookahead import Lookahead
from bgai.sessions.session import Seat


def rolled(roll: Roll) -> Game:
    """The starting position with the dice rolled."""
    return Game.set_up(starting_position(), roll=roll)


def test_the_bot_plays_what_the_search_ranks_first() -> None:
    game = rolled(Roll(3, 1))
    lookahead = Lookahead(HandmadeEvaluator(), 1)
    bot = Bot(lookahead)
    ranked = bot.rank_plays(game)
    best = CubefulLookahead(lookahead, game_stakes(game)).best_plays(game.position, Roll(3, 1))
    assert len(ranked) == len(game.plays)
    np.testing.assert_array_equal([r.after for r in ranked], [b.after for b in best])
    np.testing.assert_array_equal(bot.choose_play(game).after, best[0].after)


def test_every_level_plays_and_repeats_itself() -> None:
    game = rolled(Roll(6, 4))
    for level in LEVELS:
        one, again = (engine(level.name, seed=7).bot.choose_play(game).after for _ in range(2))
        np.testing.assert_array_equal(one, again)
    assert engine(BEST).bot.name == LEVELS[-1].name


@pytest.mark.parametrize(
    ("name", "canonical", "plies"),
    [
        ("casual", "casual", 0),
        ("level:casual", "casual", 0),
        ("casual@1", "casual@1", 1),
        ("handmade@0", "handmade", 0),
        ("best", "master", 2),
        ("best@1", "master@1", 1),
        ("strong", "strong", 1),
        ("expert", f"expert@{PLAY_PLIES}", PLAY_PLIES),
        ("expert@0", "expert@0", 0),
        (None, f"expert@{PLAY_PLIES}", PLAY_PLIES),
    ],
)
def test_the_grammar(name: str | None, canonical: str, plies: int) -> None:
    found = engine(name)
    assert (found.name, found.plies, found.lookahead.plies) == (canonical, plies, plies)
    again = engine(canonical, plies=3)  # a name says all
    assert again.settings == found.settings
    assert again is engine(canonical, plies=1)


def test_a_folder_is_an_engine_too() -> None:
    folder = released_checkpoints()["expert"]
    found = engine(f"{folder}@1")
    assert (found.name, found.label) == (f"{folder}@1", "expert 1-ply (XG 2-ply)")


def test_equal_engines_are_built_once_and_called_the_same() -> None:
    assert engine("best").label == engine("expert@2").label == "expert 2-ply (XG 3-ply)"
    assert engine("best").lookahead is engine("expert@2").lookahead
    assert engine("casual", seed=1).settings != engine("casual", seed=2).settings
    assert EngineSettings("expert", 2, "wide").label.endswith("wide filters")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nobody", r"no engine 'nobody'.*random, .*expert"),
        ("level:expert", "no level 'expert', only: random, "),
        ("level:nothing", "no level 'nothing'"),
        ("handmade@9", "handmade@9.*0 to 3 plies"),
        ("/nowhere/x@1", "no engine '/nowhere/x@1'"),
        ("", "no engine ''"),
        ("expert@", "no engine 'expert@'"),
    ],
)
def test_unknown_names_are_refused(name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        engine(name)


def test_no_level_is_called_like_a_network() -> None:
    assert not {level.name for level in LEVELS} & {*released_checkpoints(), BEST}


def test_a_seat_of_version_0_1_keeps_its_level() -> None:
    """``expert`` was the level that looks one ply ahead; networks are saved with their depth."""
    assert Seat("bgai", "expert").level == "strong"
    assert Seat("bgai", "expert").bot.lookahead.plies == 1
    assert Seat("bgai", engine("expert", plies=0).name).bot.lookahead.plies == 0


def test_bots_of_a_folder_play(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no engine"):
        engine(str(tmp_path))
