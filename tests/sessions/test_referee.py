"""The referee and the bots: whole matches and sessions, and what they do in clear cases."""

import numpy as np
import pytest

from bgai.evaluation.baseline import HandmadeEvaluator
from bgai.evaluation.evaluator import Chances
from bgai.notation.identifiers import format_gnu_id, parse_identifier
from bgai.notation.situation import Offer
from bgai.notation.situation import Seat as Side
from bgai.players.bot import Bot
from bgai.players.engines import LEVELS, engine
from bgai.players.player import decide
from bgai.players.situation import game_situation
from bgai.rules.acts import Answer, CubeAct, MakePlay, OpeningDice, Resign, RollDice
from bgai.rules.cube import Cube, CubeOwner, HouseRules
from bgai.rules.dice import roll_of
from bgai.rules.game import Game, IllegalAct
from bgai.rules.match import Standing, Terms
from bgai.rules.outcome import Result
from bgai.rules.position import Positions, position_from_points, starting_position
from bgai.sessions.dice import SeededDice
from bgai.sessions.referee import Acted, Event, GameEnded, GameStarted, SessionEnded, play, step
from bgai.sessions.session import Seat, Session


def session_of(levels: tuple[str, str], terms: Terms, seed: int = 1) -> Session:
    return Session(terms, (Seat("a", levels[0]), Seat("b", levels[1])), SeededDice(seed))


def events_of(levels: tuple[str, str], terms: Terms, seed: int = 1) -> list[Event]:
    session = session_of(levels, terms, seed)
    return list(play(session, (engine(levels[0], seed=1).bot, engine(levels[1], seed=2).bot)))


def test_a_match_is_played_to_its_end_and_told_in_order() -> None:
    events = events_of(("handmade", "casual"), Terms(length=3))
    assert isinstance(events[0], GameStarted)
    assert isinstance(events[-1], SessionEnded)
    assert events[-1].standing.winner is not None
    standing, state = Standing.start(3), None
    for event in events:
        match event:
            case GameStarted(number, before):
                assert before == standing
                assert number == standing.games + 1
                state = Game(standing=standing)
            case Acted(seat, act, before_act, after):
                assert before_act == state
                assert seat == before_act.actor
                state = before_act.after(act)
                assert state == after
            case GameEnded(_, outcome, after_game):
                standing = standing.after(outcome.winner, outcome.points)
                assert standing == after_game


def test_the_same_seed_gives_the_same_match() -> None:
    terms = Terms(length=3)
    assert events_of(("beginner", "random"), terms, 4) == events_of(
        ("beginner", "random"), terms, 4
    )


def test_money_sessions_end_where_agreed() -> None:
    rules = HouseRules(max_cube=4)
    events = events_of(("random", "random"), Terms(None, rules, games=4))
    assert sum(isinstance(event, GameEnded) for event in events) == 4
    events = events_of(("handmade", "random"), Terms(None, rules, margin=6))
    assert isinstance(events[-1], SessionEnded)
    assert max(events[-1].standing.points) >= 6


def test_the_handmade_level_beats_chance() -> None:
    events = events_of(("handmade", "random"), Terms(None, HouseRules(max_cube=1), games=10))
    ends = [event for event in events if isinstance(event, GameEnded)]
    assert sum(event.outcome.winner == 0 for event in ends) >= 9


def test_a_player_who_breaks_the_rules_is_stopped() -> None:
    class Cheat(Bot):
        def choose_play(self, game: Game) -> MakePlay:
            return MakePlay(starting_position())

    session = session_of(("handmade", "handmade"), Terms(length=1))
    cheat = Cheat(HandmadeEvaluator())
    with pytest.raises(IllegalAct, match="not a legal play"):
        list(play(session, (cheat, cheat)))


def test_nothing_to_decide_after_the_end() -> None:
    session = session_of(("handmade", "handmade"), Terms(length=1))
    bots = (engine("handmade").bot, engine("handmade").bot)
    list(play(session, bots))
    with pytest.raises(IllegalAct):
        step(session, bots)
    with pytest.raises(IllegalAct, match="nobody decides"):
        decide(bots[0], session.game)


# --- bots in clear cases -------------------------------------------------------------------------


class Fixed:
    """An evaluator that says the same of every position; the player on roll first."""

    def __init__(self, *chances: float) -> None:
        self.chances = np.array(chances, dtype=np.float32)

    def evaluate(self, positions: Positions) -> Chances:
        return np.repeat(self.chances[None], len(positions), axis=0)


@pytest.mark.parametrize(
    ("win", "doubles", "answer"),
    [
        (0.62, False, CubeAct.TAKE),
        (0.74, True, CubeAct.TAKE),
        (0.90, True, CubeAct.PASS),
        (0.40, False, CubeAct.BEAVER),
    ],
)
def test_money_doubles_takes_and_beavers(win: float, doubles: bool, answer: CubeAct) -> None:
    bot = Bot(Fixed(win, 0, 0, 0, 0))
    game = Game.set_up(starting_position())
    assert bot.doubles(game) is doubles
    assert bot.answer_double(game.after(CubeAct.DOUBLE)) is answer


def test_too_good_to_double_when_gammons_count() -> None:
    bot = Bot(Fixed(0.95, 0.6, 0, 0, 0))
    with_gammons = HouseRules(jacoby=False)
    assert not bot.doubles(Game.set_up(starting_position(), rules=with_gammons))
    assert bot.doubles(Game.set_up(starting_position()))  # Jacoby: only the cash counts


def test_the_doubler_answers_a_beaver() -> None:
    rules = HouseRules(beaver_turns=2)
    beavered = Game.set_up(starting_position(), rules=rules)
    beavered = beavered.after(CubeAct.DOUBLE).after(CubeAct.BEAVER)
    assert Bot(Fixed(0.60, 0, 0, 0, 0)).answer_double(beavered) is CubeAct.RACCOON
    assert Bot(Fixed(0.45, 0, 0, 0, 0)).answer_double(beavered) is CubeAct.TAKE
    assert Bot(Fixed(0.10, 0, 0, 0, 0)).answer_double(beavered) is CubeAct.PASS


def test_the_trailer_doubles_at_once_after_the_crawford_game() -> None:
    bot = Bot(Fixed(0.3, 0, 0, 0, 0))
    game = Game.set_up(starting_position(), standing=Standing(5, (2, 4)))
    assert bot.doubles(game)
    assert not bot.doubles(Game.set_up(starting_position(), standing=Standing(5, (2, 2))))


def test_resignations_are_offered_only_when_certain() -> None:
    lost = position_from_points({6: 10, 1: 5}, {1: 1})
    saved = position_from_points({1: 15}, {1: 1})
    bot = engine("handmade").bot
    rules = HouseRules(jacoby=False)
    # Fifteen to bear off, the opponent's last goes next roll: any roll saves the gammon from
    # the ace point, and only a six or an ace from the other position.
    assert bot.offers_resignation(Game.set_up(saved, rules=rules)) is Result.SINGLE
    assert bot.offers_resignation(Game.set_up(lost, rules=rules)) is None
    assert bot.offers_resignation(Game.set_up(starting_position(), rules=rules)) is None


def test_too_little_is_refused() -> None:
    rules = HouseRules(jacoby=False)
    game = Game.set_up(starting_position(), rules=rules, cube=Cube(2, CubeOwner.ON_ROLL))
    winning_gammon = Bot(Fixed(0.0, 0, 0, 0.9, 0))  # the one on roll loses, nearly all gammons
    offered = game.after(Resign(Result.SINGLE))
    assert winning_gammon.answer_resignation(offered) is Answer.REFUSE
    offered = game.after(Resign(Result.GAMMON))
    assert winning_gammon.answer_resignation(offered) is Answer.ACCEPT
    jacoby = Game.set_up(starting_position()).after(Resign(Result.SINGLE))
    assert winning_gammon.answer_resignation(jacoby) is Answer.ACCEPT  # gammons count single


def test_a_last_point_needs_no_gammon() -> None:
    """One point from the match both plays win alike: ranked by winning chances alone."""
    standing = Standing(5, (4, 2), crawford=True)
    position = position_from_points({1: 2}, {6: 15})
    game = Game.set_up(position, roll=roll_of(2, 1), standing=standing)
    ranked = engine("handmade").bot.rank_plays(game)
    assert ranked[0].worth == pytest.approx(1.0, abs=1e-3)
    money = Game.set_up(position, roll=roll_of(2, 1), rules=HouseRules(jacoby=False))
    assert engine("handmade").bot.rank_plays(money)[0].worth == pytest.approx(2.0)


def test_levels_are_found_by_name() -> None:
    for level in LEVELS:
        assert engine(level.name, seed=1).bot.name == level.name


# --- situations --------------------------------------------------------------------------------


def test_the_situation_of_a_game() -> None:
    rules = HouseRules(beaver_turns=2)
    game = Game(standing=Standing(None, (3, -3), games=4), rules=rules)
    game = game.after(OpeningDice((2, 6)))
    situation = game_situation(game)
    assert situation.roll == (6, 2)
    assert situation.seat is Side.TOP
    assert situation.session == (-3, 3)
    # An ID has no place for debts: the lead is what counts.
    assert parse_identifier(format_gnu_id(situation)).session == (0, 6)
    game = game.after(MakePlay(game.plays[0]))
    game = game.after(CubeAct.DOUBLE)
    assert game_situation(game).offer is Offer.DOUBLED
    game = game.after(CubeAct.BEAVER)
    situation = game_situation(game)
    assert (situation.offer, situation.cube.value, situation.stake) == (Offer.BEAVERED, 1, 4)
    game = game.after(CubeAct.RACCOON)
    situation = game_situation(game)
    assert (situation.offer, situation.cube.value, situation.stake) == (Offer.RACCOONED, 1, 8)
    game = game.after(CubeAct.TAKE)
    situation = game_situation(game)
    assert (situation.offer, situation.cube) == (Offer.NONE, Cube(8, CubeOwner.OPPONENT))
    assert game_situation(game.after(RollDice(roll_of(4, 4)))).roll == (4, 4)
