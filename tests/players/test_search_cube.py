"""Bots and the cube at every score: doubles, answers, resignations."""

import numpy as np
import pytest

from bgai.evaluation.baseline import HandmadeEvaluator
from bgai.evaluation.evaluator import Chances
from bgai.evaluation.possible import possible_results
from bgai.players.search_cube import SearchCubePolicy
from bgai.rules.acts import Answer, CubeAct, Resign, RollDice
from bgai.rules.cube import Cube, CubeOwner, HouseRules
from bgai.rules.dice import roll_dice, roll_of
from bgai.rules.game import Game
from bgai.rules.match import Standing
from bgai.rules.outcome import Result
from bgai.rules.position import (
    Positions,
    has_contact,
    is_over,
    position_from_points,
    starting_position,
)
from bgai.search.engine import EngineSettings, build_engine
from bgai.search.lookahead import Lookahead

NO_JACOBY = HouseRules(jacoby=False)


class Fixed:
    """Says the same of every position; the player on roll first."""

    def __init__(self, *chances: float) -> None:
        self.chances = np.array(chances, dtype=np.float32)

    def evaluate(self, positions: Positions) -> Chances:
        return np.repeat(self.chances[None], len(positions), axis=0)


def fixed(*chances: float) -> SearchCubePolicy:
    return SearchCubePolicy(Lookahead(Fixed(*chances), 0))


def at(standing: Standing, cube: Cube | None = None) -> Game:
    return Game.set_up(starting_position(), standing=standing, cube=cube)


@pytest.mark.parametrize("plies", [0, 1])
def test_last_rolls_at_each_depth(plies: int) -> None:
    policy = SearchCubePolicy(Lookahead(HandmadeEvaluator(), plies))
    for points, doubles, answer in (
        ((5, 2), True, CubeAct.TAKE),
        ((4, 1), True, CubeAct.PASS),
        ((6, 3), False, CubeAct.BEAVER),
    ):
        position = position_from_points(dict.fromkeys(points, 1), {1: 1})
        game = Game.set_up(position)
        assert policy.doubles(game) is doubles
        assert policy.answer_double(game.after(CubeAct.DOUBLE)) is answer
        match = Game.set_up(position, standing=Standing(15, (0, 0)))
        taken = CubeAct.PASS if answer is CubeAct.PASS else CubeAct.TAKE
        assert policy.answer_double(match.after(CubeAct.DOUBLE)) is taken


def test_the_score_decides() -> None:
    gammonish = fixed(0.68, 0.30, 0, 0.02, 0)
    assert not gammonish.doubles(at(Standing(7, (5, 3))))  # a gammon wins without the cube
    assert gammonish.doubles(at(Standing(17, (0, 0))))
    assert not gammonish.doubles(at(Standing(7, (5, 3)), Cube(2, CubeOwner.ON_ROLL)))


def test_post_crawford_trailers_double_and_leaders_drop_for_free() -> None:
    game = at(Standing(7, (5, 6)))
    assert fixed(0.52, 0, 0, 0, 0).doubles(game)
    assert fixed(0.05, 0, 0, 0, 0).doubles(game)  # nothing to lose
    doubled = game.after(CubeAct.DOUBLE)
    assert fixed(0.52, 0, 0, 0, 0).answer_double(doubled) is CubeAct.PASS
    assert fixed(0.45, 0, 0, 0, 0).answer_double(doubled) is CubeAct.TAKE


def test_raccoons_and_what_follows_them() -> None:
    rules = HouseRules(beaver_turns=3)
    game = Game.set_up(starting_position(), rules=rules)
    beavered = game.after(CubeAct.DOUBLE).after(CubeAct.BEAVER)
    assert fixed(0.7, 0, 0, 0, 0).answer_double(beavered) is CubeAct.RACCOON
    raccooned = beavered.after(CubeAct.RACCOON)
    assert fixed(0.9, 0, 0, 0, 0).answer_double(raccooned) is CubeAct.PASS
    assert fixed(0.65, 0, 0, 0, 0).answer_double(raccooned) is CubeAct.TAKE
    assert fixed(0.4, 0, 0, 0, 0).answer_double(raccooned) is CubeAct.BEAVER


# --- resignations -------------------------------------------------------------------------------


def test_resigns_what_is_lost_and_no_more() -> None:
    policy = SearchCubePolicy(Lookahead(HandmadeEvaluator(), 2))
    saved = position_from_points({6: 10, 1: 4}, {1: 1})  # one is off: no gammon
    assert policy.offers_resignation(Game.set_up(saved)) is Result.SINGLE
    lost = position_from_points({20: 15}, {1: 1})
    assert policy.offers_resignation(Game.set_up(lost, rules=NO_JACOBY)) is Result.BACKGAMMON
    gammon = position_from_points({18: 15}, {1: 1})
    assert policy.offers_resignation(Game.set_up(gammon, rules=NO_JACOBY)) is Result.GAMMON
    assert policy.offers_resignation(Game.set_up(gammon)) is Result.SINGLE  # Jacoby
    last_point = Game.set_up(gammon, standing=Standing(5, (1, 4), crawford=True))
    assert policy.offers_resignation(last_point) is Result.SINGLE
    racing = position_from_points({6: 4}, {6: 4})
    assert policy.offers_resignation(Game.set_up(racing)) is None
    rolled = Game.set_up(saved).after(RollDice(roll_of(6, 5)))
    assert policy.offers_resignation(rolled) is None


@pytest.mark.parametrize(
    ("standing", "offered", "answer"),
    [
        (Standing(), Result.SINGLE, Answer.REFUSE),
        (Standing(), Result.GAMMON, Answer.ACCEPT),
        (Standing(5, (2, 4), crawford=True), Result.SINGLE, Answer.ACCEPT),  # one point is enough
        (Standing(9, (0, 0)), Result.SINGLE, Answer.REFUSE),
        (Standing(9, (0, 0)), Result.BACKGAMMON, Answer.ACCEPT),
    ],
)
def test_resignations_are_judged_by_the_score(
    standing: Standing, offered: Result, answer: Answer
) -> None:
    losing = fixed(0.0, 0, 0, 0.9, 0)  # the one on roll, who resigns, mostly loses a gammon
    game = Game.set_up(starting_position(), standing=standing, rules=NO_JACOBY)
    assert losing.answer_resignation(game.after(Resign(offered))) is answer


def test_a_favourite_does_not_let_the_other_off() -> None:
    game = Game.set_up(starting_position()).after(Resign(Result.SINGLE))
    assert fixed(0.01, 0, 0, 0, 0).answer_resignation(game) is Answer.ACCEPT
    rolled = Game.set_up(starting_position(), roll=roll_of(3, 1), rules=NO_JACOBY)
    resigned = rolled.after(Resign(Result.SINGLE))
    # after the play the other is on roll: certain to win, nearly always a gammon
    assert fixed(1.0, 0.9, 0, 0, 0).answer_resignation(resigned) is Answer.REFUSE


@pytest.fixture(scope="module")
def endings() -> Positions:
    """Positions late in 200 games of the network, one in three in contact."""
    rng = np.random.default_rng(5)
    engine = build_engine(EngineSettings())
    games = np.repeat(starting_position()[None], 200, axis=0)
    seen = []
    for _ in range(300):
        games = engine.choose(games, roll_dice(rng, len(games)))
        games = games[~is_over(games)]
        seen.append(games[(games[:, :, 0] > 0).any(axis=1)])
        if not len(games):
            break
    return np.concatenate(seen)


def policy_at(plies: int) -> SearchCubePolicy:
    return SearchCubePolicy(build_engine(EngineSettings(plies=plies)))


@pytest.mark.parametrize("plies", [0, 1, 2])
def test_a_certain_gammon_is_offered_and_accepted(plies: int) -> None:
    policy = policy_at(plies)
    for lost in ({18: 8, 6: 7}, {13: 6, 7: 3, 6: 6}, {17: 3, 8: 8, 3: 4}):
        game = Game.set_up(position_from_points(lost, {1: 4, 2: 1}), rules=NO_JACOBY)
        assert policy.offers_resignation(game) is Result.GAMMON
        assert policy.answer_resignation(game.after(Resign(Result.SINGLE))) is Answer.REFUSE
        assert policy.answer_resignation(game.after(Resign(Result.GAMMON))) is Answer.ACCEPT


def test_a_single_game_is_accepted_where_no_more_can_be_lost(endings: Positions) -> None:
    single = endings[possible_results(endings)[0] == -1]
    contact = single[has_contact(single)]
    assert len(contact) > 100
    for plies, count in ((0, 40), (2, 20)):
        policy = policy_at(plies)
        for position in contact[:: len(contact) // count]:
            game = Game.set_up(position, rules=NO_JACOBY).after(Resign(Result.SINGLE))
            assert policy.answer_resignation(game) is Answer.ACCEPT


def test_resignations_are_alike_at_every_depth(endings: Positions) -> None:
    races = endings[~has_contact(endings)]
    shallow, deep = policy_at(0), policy_at(2)
    offered = 0
    for position in races[:: len(races) // 120]:
        game = Game.set_up(position, rules=NO_JACOBY)
        level = shallow.offers_resignation(game)
        assert level == deep.offers_resignation(game)
        offered += level is not None
        for each in game.resignation_levels:
            resigned = game.after(Resign(each))
            assert shallow.answer_resignation(resigned) == deep.answer_resignation(resigned)
    assert offered > 20
