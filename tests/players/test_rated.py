"""Opponents by rating: bounded errors, right bear-offs, the same seed, honest cards."""

import numpy as np
import pytest

from bgai.errors import InputError
from bgai.notation.identifiers import parse_identifier
from bgai.players import rated
from bgai.players.engines import BEST, LEVELS, engine
from bgai.players.ladder import rungs
from bgai.players.rated import RatedBot, Slips, is_bearoff, rarity
from bgai.players.situation import game_situation, situation_game
from bgai.rules.acts import CubeAct, MakePlay
from bgai.rules.dice import ROLLS
from bgai.rules.game import Game
from bgai.rules.match import Terms
from bgai.rules.position import position_from_points, starting_position
from bgai.search.cube_verdict import cubeful_plays, situation_stakes
from bgai.search.lookahead import Lookahead
from bgai.sessions.dice import SeededDice
from bgai.sessions.referee import play
from bgai.sessions.session import Seat, Session

WILD = Slips(spread=5.0, most=0.1)
BEAROFF = position_from_points({6: 3, 5: 3, 4: 3, 3: 3, 2: 3}, {6: 5, 5: 5, 4: 5})
BACK_GAME = position_from_points(
    {24: 2, 22: 2, 13: 3, 8: 4, 6: 4}, {6: 4, 5: 3, 4: 3, 8: 2, 7: 2, 2: 1}
)


@pytest.fixture
def search() -> Lookahead:
    return engine("handmade@0").lookahead


@pytest.mark.parametrize("position", [starting_position(), BACK_GAME], ids=["opening", "back game"])
def test_no_play_gives_up_more_than_the_most(search: Lookahead, position: np.ndarray) -> None:
    """However wild the errors, what is chosen is within the bound, and not always the best."""
    best = 0
    for roll in ROLLS:
        for seed in range(4):
            game = Game.set_up(position, roll=roll)
            chosen = RatedBot(search, WILD, seed=seed).choose_play(game)
            ranked = cubeful_plays(game_situation(game), roll, search)
            made = next(each for each in ranked if np.array_equal(each.after, chosen.after))
            assert ranked[0].worth - made.worth <= WILD.most
            best += made is ranked[0]
    assert best < 84


def test_bearoffs_are_played_right(search: Lookahead) -> None:
    assert is_bearoff(BEAROFF)
    assert not is_bearoff(starting_position())
    for roll in ROLLS:
        game = Game.set_up(BEAROFF, roll=roll)
        chosen = RatedBot(search, WILD, seed=3).choose_play(game)
        best = cubeful_plays(game_situation(game), roll, search)[0]
        assert np.array_equal(chosen.after, best.after)


def test_errors_are_larger_where_people_err() -> None:
    race = position_from_points({6: 5, 5: 5, 7: 5}, {6: 5, 5: 5, 4: 5})
    hit = position_from_points({25: 1, 6: 5, 5: 4, 4: 4}, {6: 4, 5: 4, 4: 2, 3: 2})
    assert rarity(race) == rated.RACE
    assert rarity(starting_position()) == 1
    assert rarity(BACK_GAME) == rarity(hit) == rated.RARE


@pytest.mark.parametrize(
    ("identifier", "right"),
    [
        ("XGID=-b-bBBC-BB--cB---bAb--b-bA:0:0:1:00:0:0:3:0:10", True),  # a cash
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:3:0:10", False),  # the opening
    ],
)
def test_plain_cubes_are_never_wrong(search: Lookahead, identifier: str, right: bool) -> None:
    game = situation_game(parse_identifier(identifier))
    small = Slips(spread=5.0, most=0.01)
    for seed in range(8):
        bot = RatedBot(search, small, seed=seed)
        decision = bot.cube.decision(game)  # type: ignore[attr-defined]
        gain = min(decision.double_take, 1.0) - decision.no_double
        assert abs(gain) > small.most
        assert bot.doubles(game) is (gain > 0) is right
        doubled = game.after(CubeAct.DOUBLE)
        answer = bot.answer_double(doubled)
        if decision.double_take > 1.01:
            assert answer is CubeAct.PASS
        elif decision.double_take < 0.99:
            assert answer is not CubeAct.PASS
    assert situation_stakes(game_situation(game)).score is None


def acts(name: str, seed: int) -> list[str]:
    seats = (Seat("You", name, seed), Seat("bgai", name, seed + 1))
    session = Session(Terms(3), seats, SeededDice(seed))
    for _ in play(session, (seats[0].bot, seats[1].bot)):
        pass
    assert session.is_over
    return [str(act) for record in session.records for act in record.acts]


@pytest.mark.parametrize("name", [rung.name for rung in rungs()])
def test_the_same_seed_is_the_same_match(name: str) -> None:
    first = acts(name, 5)
    assert acts(name, 5) == first


def test_another_seed_errs_elsewhere() -> None:
    game = Game.set_up(starting_position(), roll=ROLLS[8])
    plays = set()
    for seed in range(20):
        chosen = engine("pr30", seed=seed).bot.choose_play(game)
        assert isinstance(chosen, MakePlay)
        plays.add(chosen.after.tobytes())
    assert len(plays) > 3


def test_weak_players_resign_late() -> None:
    lost = position_from_points({6: 5, 5: 5, 4: 4}, {1: 2})
    game = Game.set_up(lost)
    search = engine("handmade@0").lookahead
    patient = RatedBot(search, Slips(0.1, 0.5, patience=1))
    quick = RatedBot(search, Slips(0.1, 0.5, patience=2))
    assert patient.offers_resignation(game) is None
    assert quick.offers_resignation(game) is not None


def test_cards_say_what_was_measured_and_keep_their_word() -> None:
    named = {level.name: level for level in LEVELS}
    for rung in rungs():
        assert rung.name == f"pr{rung.rating:g}"
        assert named[rung.name].description == rung.words
        assert rung.measured is not None
        assert rung.measured.games >= 500
        assert abs(rung.measured.rating - rung.rating) <= 0.15 * rung.rating
        assert f"measured {rung.measured.rating:.1f}" in rung.words
    ratings = [rung.rating for rung in rungs()]
    assert ratings == sorted(ratings, reverse=True)
    assert engine(BEST).bot.name == LEVELS[-1].name  # still the strongest


def test_a_seed_below_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="a seed is 0 or more, not -1"):
        engine("pr8", seed=-1)


def test_a_rating_has_its_own_depth() -> None:
    with pytest.raises(InputError, match="'pr8@2': a level by rating has its own depth"):
        engine("pr8@2")
