"""Ties between plays: the rule against a slow twin, and everywhere plays are ranked."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from played_decisions import STAKES, decisions, engine, roll_of
from search_examples import WINS_ONLY

from bgai.notation.identifiers import parse_identifier
from bgai.notation.play_text import format_play
from bgai.players.bot import Bot
from bgai.players.engines import engine as bot_engine
from bgai.players.external import Conversation
from bgai.players.search_cube import game_stakes
from bgai.rules.cube import HouseRules
from bgai.rules.dice import ROLLS, Roll
from bgai.rules.game import Game
from bgai.rules.legal_plays import legal_plays
from bgai.rules.match import Standing
from bgai.rules.play import recover_play
from bgai.rules.position import Positions, position_from_points, starting_position
from bgai.search.cube_verdict import cubeful_plays
from bgai.search.cubeful_lookahead import CubefulLookahead
from bgai.search.lookahead import Lookahead, RankedPlay
from bgai.search.move_filter import MoveFilter
from bgai.search.ranking import filtered, keys_of, least_rows, made_rows, ranked_rows
from bgai.search.ranking_kernels import kept_rows
from bgai.search.utility import MONEY, LinearUtility, cubeless_utility


def plain(play: Positions) -> tuple[int, int, int]:
    """What a person looks at: checkers off, pips, blots; more off is better."""
    mine = play[1]
    return -int(mine[0]), int(mine @ np.arange(26)), int((mine[1:] == 1).sum())


# --- the rule ------------------------------------------------------------------------------------


def tied_plays(rng: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray, Positions]:
    """Worths with many ties, nearly equal ones too, and chances and positions with ties."""
    worths = rng.integers(-2, 2, count) / 2 + rng.integers(-3, 4, count) * 1e-9
    chances = rng.integers(0, 2, size=(count, 5)).astype(np.float32) / 2
    after = legal_plays(position_from_points({6: 3, 5: 2, 3: 2, 2: 2}, {4: 5}), Roll(2, 1))
    return worths, chances, np.ascontiguousarray(after[rng.integers(len(after), size=count)])


def slow_order(
    worths: np.ndarray, chances: np.ndarray, after: Positions, weights: np.ndarray
) -> list[int]:
    """The docstring of ``bgai.search.ranking``, word by word."""
    money = np.array([2.0, 1, 1, -1, -1])
    return sorted(
        range(len(worths)),
        key=lambda row: (
            round(1e6 * worths[row]),
            round(1e6 * float(chances[row] @ weights)),
            round(1e6 * float(chances[row] @ money)),
            plain(after[row]),
            row,
        ),
    )


@pytest.mark.parametrize("utility", [MONEY, WINS_ONLY, LinearUtility(1, 1, 1, -1, -3, -3)])
def test_every_ranking_keeps_the_rule(utility: LinearUtility) -> None:
    rng = np.random.default_rng(1)
    for _ in range(150):
        worths, chances, after = tied_plays(rng, int(rng.integers(1, 25)))
        keys = keys_of(worths, chances, utility.weights)
        whole = np.array([0, len(keys)])
        order = slow_order(worths, chances, after, utility.weights)
        assert ranked_rows(keys, chances, after).tolist() == order
        assert made_rows(keys, chances, after, whole).tolist() == order[:1]
        best = least_rows(keys, whole)[0]
        assert keys[best] == keys[order[0]]
        kept, _ = filtered(keys, chances, after, whole, MoveFilter(2, 3, 0.6))
        near = [row for row in order[2:5] if round(worths[row] - worths[best], 7) <= 0.6]
        assert kept.tolist() == sorted(order[:2] + near)


def test_plays_kept_inside_a_tree_are_the_best_by_each_state() -> None:
    rng = np.random.default_rng(2)
    for replies in (1, 3):
        keys = rng.integers(0, 5, size=(60, 3)).astype(np.float64)
        offsets = np.array([0, 7, 8, 30, 60])
        rows, kept, last = kept_rows(keys, offsets, np.array([0, 2]), replies)
        for i, (start, end) in enumerate(pairwise(offsets)):
            best = [
                sorted(range(start, end), key=lambda row: (keys[row, column], row))[:replies]
                for column in (0, 2)
            ]
            part = slice(kept[i], kept[i + 1])
            assert rows[part].tolist() == sorted({*best[0], *best[1]})
            assert rows[part][last[part]].tolist() == sorted(best[1])


# --- the examples that use has shown -------------------------------------------------------------


def best_text(identifier: str, roll: str, plies: int) -> tuple[str, RankedPlay]:
    situation = parse_identifier(identifier)
    dice = Roll(int(roll[0]), int(roll[1]))
    best = cubeful_plays(situation, dice, engine(plies))[0]
    return format_play(recover_play(situation.position, best.after, dice)), best


@pytest.mark.parametrize("plies", [0, 1, 2])
def test_a_bearoff_that_is_cashed_bears_off(plies: int) -> None:
    identifier = "XGID=-BBCBCC-------------bcbcd-:0:0:1:32:0:0:0:0:10"
    assert best_text(identifier, "32", plies)[0] == "3/off 2/off"
    if plies:  # at 0-ply the estimate of the cube tells these plays apart, by less than 0.001
        identifier = "XGID=--BBC---------------cccca-:0:0:1:21:0:0:3:0:10"
        assert best_text(identifier, "21", plies)[0] == "2/1 2/off"


@pytest.mark.parametrize("plies", [0, 1, 2])
def test_contact_that_is_cashed_keeps_the_winning_chances(plies: int) -> None:
    assert best_text("uDt3AAAs5xEwDA", "41", plies)[1].chances[0] > 0.174


@pytest.mark.parametrize("plies", [1, 2])
def test_filters_keep_the_best_of_tied_plays(plies: int) -> None:
    """After 11/6 the opponent's cube is nearly a take, after other plays a clear pass."""
    assert best_text("2d0BgAVnbDgDEA", "41", plies)[0] == "11/6"


def test_a_sure_loss_is_played_as_people_play() -> None:
    position = position_from_points({6: 4, 3: 2, 2: 1, 1: 3}, {1: 1})
    for roll, wanted in ((Roll(3, 1), "3/off 1/off"), (Roll(6, 5), "6/1 6/off")):
        ranked = engine(1).best_plays(position, roll)
        assert format_play(recover_play(position, ranked[0].after, roll)) == wanted
        chosen = engine(0).choose(position[None], np.array([roll], dtype=np.int8))[0]
        assert format_play(recover_play(position, chosen, roll)) == wanted


# --- the invariant -------------------------------------------------------------------------------


def assert_ordered(plays: Sequence[RankedPlay], utility: LinearUtility) -> None:
    """Among plays of one depth no tie goes to the lower cubeless equity."""
    equities = utility.worth(np.stack([play.chances for play in plays]))
    for i in range(len(plays) - 1):
        if plays[i].plies != plays[i + 1].plies:
            continue
        first, second = np.rint(1e6 * plays[i].worth), np.rint(1e6 * plays[i + 1].worth)
        assert first >= second
        assert first > second or equities[i] > equities[i + 1] - 2e-6


@pytest.mark.parametrize("name", STAKES)
@pytest.mark.parametrize(("plies", "count"), [(0, 600), (1, 50), (2, 2)])
def test_no_list_breaks_a_tie_towards_less_cubeless_equity(
    name: str, plies: int, count: int
) -> None:
    stakes = STAKES[name]
    search = CubefulLookahead(engine(plies), stakes)
    shallow = CubefulLookahead(engine(0), stakes)
    positions, rolls = decisions()
    ties = 0
    for position, dice in zip(positions[-count:], rolls[-count:], strict=True):
        plays = search.best_plays(position, roll_of(dice))
        assert_ordered(plays, cubeless_utility(stakes))
        ties += len(plays) > 1 and np.rint(1e6 * (plays[0].worth - plays[1].worth)) == 0
        if plies == 1:  # the filter passes the first of the order at 0-ply
            passed = {play.after.tobytes() for play in plays if play.plies}
            before = shallow.best_plays(position, roll_of(dice))[: len(passed)]
            assert passed == {play.after.tobytes() for play in before}
    if name == "money" and plies == 0:
        assert ties > 200


@pytest.mark.parametrize(("plies", "count"), [(0, 200), (1, 40)])
@pytest.mark.parametrize("name", ["money", "match"])
def test_many_games_at_once_are_played_by_the_same_order(name: str, plies: int, count: int) -> None:
    stakes = STAKES[name]
    search = CubefulLookahead(engine(plies), stakes)
    positions, rolls = (each[:count] for each in decisions())
    cubeful = search.choose(positions, rolls, np.zeros(count, dtype=np.int64))
    cubeless = engine(plies).choose(positions, rolls, WINS_ONLY)
    for i, (position, dice) in enumerate(zip(positions, rolls, strict=True)):
        np.testing.assert_array_equal(
            search.best_plays(position, roll_of(dice))[0].after, cubeful[i]
        )
        plays = engine(plies).best_plays(position, roll_of(dice), WINS_ONLY)
        assert_ordered(plays, MONEY)
        np.testing.assert_array_equal(plays[0].after, cubeless[i])


def test_plays_of_a_rollout_and_of_the_market_are_the_first_of_the_list() -> None:
    search = CubefulLookahead(Lookahead(engine(0).evaluator, 0), STAKES["money"])
    positions = decisions()[0][:8]
    outlook = search.outlook(positions, 1)
    cubeless, _ = search.lookahead.best_by_roll(positions)
    for i, position in enumerate(positions):
        for j, roll in enumerate(ROLLS):
            best = search.best_plays(position, roll)[0].after
            np.testing.assert_array_equal(outlook.after[outlook.best[i, j, 0]], best)
            best = search.lookahead.best_plays(position, roll)[0].after
            np.testing.assert_array_equal(cubeless[21 * i + j], best)


@pytest.mark.parametrize("level", ["casual", "intermediate", "advanced", "strong"])
def test_bots_break_no_tie_towards_less_cubeless_equity(level: str) -> None:
    bot = bot_engine(level, seed=5).bot
    positions, rolls = decisions()
    matches = (Standing.start(), Standing(3, (1, 1)), Standing(3, (2, 2)))
    for i in range(42):
        game = Game.set_up(positions[i], roll=roll_of(rolls[i]), standing=matches[i % 3])
        ranked = bot.rank_plays(game)
        assert_ordered(ranked, cubeless_utility(game_stakes(game)))
        np.testing.assert_array_equal(bot.choose_play(game).after, ranked[0].after)


def test_where_gammons_are_worthless_they_are_still_wanted() -> None:
    class Equals:
        def evaluate(self, positions: Positions) -> np.ndarray:
            chances = np.full((len(positions), 5), 0.0, dtype=np.float32)
            chances[:, 3] = np.linspace(0, 1, len(positions))
            return chances

    game = Game.set_up(starting_position(), roll=Roll(3, 1), standing=Standing(3, (2, 2)))
    gammons = [play.chances[1] for play in Bot(Equals()).rank_plays(game)]
    assert gammons[0] == 1
    assert gammons == sorted(gammons, reverse=True)


def test_the_external_player_bears_off_when_it_will_be_cashed() -> None:
    situation = parse_identifier("XGID=-BBCBCC-------------bcbcd-:0:0:1:32:0:0:0:0:10")
    game = Game.set_up(situation.position, roll=Roll(3, 2))
    talk = Conversation(Bot(engine(0)), HouseRules())
    assert talk._decide(game) == "3/off 2/off"
