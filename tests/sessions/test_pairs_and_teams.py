"""Consultation pairs, team matches, who sits where, opinions."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bgai.errors import InputError
from bgai.evaluation.baseline import HandmadeEvaluator
from bgai.evaluation.evaluator import Chances
from bgai.players.bot import Bot
from bgai.players.engines import engine
from bgai.players.opinions import opinion
from bgai.rules.acts import Answer, CubeAct, MakePlay, OpeningDice, Resign, RollDice
from bgai.rules.cube import HouseRules
from bgai.rules.dice import roll_of
from bgai.rules.game import Game, IllegalAct
from bgai.rules.match import Standing, Terms
from bgai.rules.outcome import Result
from bgai.rules.position import Positions, starting_position
from bgai.sessions import referee
from bgai.sessions.consultation import (
    CONSULTATIONS,
    Consultation,
    ConsultingPlayer,
    Pair,
    Rolls,
)
from bgai.sessions.dice import SeededDice
from bgai.sessions.seating import parse_seats
from bgai.sessions.session import Seat
from bgai.sessions.team import (
    TEAM_MATCHES,
    Team,
    TeamMatch,
    play_game,
)


class Taste:
    """An evaluator that likes checkers on one point of the player on roll's opponent."""

    def __init__(self, point: int, weight: float) -> None:
        self.point, self.weight = point, weight

    def evaluate(self, positions: Positions) -> Chances:
        chances = np.zeros((len(positions), 5), dtype=np.float32)
        chances[:, 0] = 0.5 - self.weight * positions[:, 1, self.point]
        return chances


class Fixed:
    def __init__(self, win: float) -> None:
        self.win = win

    def evaluate(self, positions: Positions) -> Chances:
        chances = np.zeros((len(positions), 5), dtype=np.float32)
        chances[:, 0] = self.win
        return chances


def pair_of(first: Any, second: Any, rolls: Rolls = Rolls.ALWAYS_FIRST) -> ConsultingPlayer:
    pair = Pair((Seat("a", "handmade"), Seat("b", "handmade")), rolls)
    return ConsultingPlayer(pair, (Bot(first), Bot(second)))


# --- who sits where ------------------------------------------------------------------------------


def test_seats_from_words() -> None:
    seats = parse_seats("me, casual,casual, Ann=person ,Bob=beginner", 10)
    assert [(seat.name, seat.level, seat.seed) for seat in seats] == [
        ("You", None, 10),
        ("casual", "casual", 11),
        ("casual-2", "casual", 12),
        ("Ann", None, 13),
        ("Bob", "beginner", 14),
    ]
    more = parse_seats("casual", taken=[seat.name for seat in seats])
    assert more[0].name == "casual-3"
    assert parse_seats("best")[0].level != "best"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("me,gorgon", "there is no player 'gorgon': write me, a program"),
        ("me,Bob=gorgon", "there is no player 'Bob=gorgon'"),
        ("me,,casual", "a player is missing"),
        ("", "a player is missing"),
        ("Ann=person,ann=casual", "two players are called ann"),
        ("me,me", "two players are called You"),
        ("=casual=person", "'=casual' is no name"),
        ("!=casual", "'!' is no name"),
        ("person", "there is no player 'person'"),
    ],
)
def test_bad_seats(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_seats(text)


# --- pairs ---------------------------------------------------------------------------------------


def test_the_play_of_the_greatest_mean_equity() -> None:
    # Alone the first makes the 5 point (8/5 6/5), the second runs a checker to 20; the stronger
    # wish decides. 24/20 gives the 20 point one checker, the 5 point gets two.
    game = Game().after(OpeningDice((3, 1)))
    wishes = (Taste(5, 0.05), Taste(20, 0.2))
    alone = [Bot(each).choose_play(game).after[1] for each in wishes]
    assert alone[0][5] == 2
    assert alone[1][20] == 1
    together = pair_of(*wishes).choose_play(game).after[1]
    assert together[20] == 1  # 0.2 / 2 is more than 2 * 0.05 / 2
    assert pair_of(Taste(5, 0.11), Taste(20, 0.2)).choose_play(game).after[1][5] == 2


@pytest.mark.parametrize("rolls", list(Rolls))
def test_the_one_who_rolls_decides_about_the_cube(rolls: Rolls) -> None:
    eager, calm = Fixed(0.72), Fixed(0.5)
    player = pair_of(eager, calm, rolls)
    for games in range(4):
        game = Game.set_up(starting_position(), standing=Standing(games=games))
        decides_first = rolls is Rolls.ALWAYS_FIRST or games % 2 == 0
        assert player.pair.roller(games) == (0 if decides_first else 1)
        assert player.doubles(game) is decides_first
        lost = pair_of(Fixed(0.9), Fixed(0.5), rolls)
        answer = lost.answer_double(game.after(CubeAct.DOUBLE))
        assert (answer is CubeAct.PASS) is decides_first


def test_both_must_agree_to_resign() -> None:
    class Gives(Bot):
        def __init__(self, level: Result | None) -> None:
            super().__init__(HandmadeEvaluator())
            self.level = level

        def offers_resignation(self, game: Game) -> Result | None:
            return self.level

    pair = Pair((Seat("a", "random"), Seat("b", "random")))
    game = Game(rules=HouseRules(jacoby=False))
    for first, second, given in (
        (Result.GAMMON, Result.SINGLE, Result.SINGLE),
        (Result.SINGLE, None, None),
        (None, None, None),
    ):
        player = ConsultingPlayer(pair, (Gives(first), Gives(second)))
        assert player.offers_resignation(game) is given


def new_pairs(first: str, second: str, terms: Terms, rolls: Rolls) -> Consultation:
    one = Pair(parse_seats(first), rolls)
    other = Pair(parse_seats(second, taken=[seat.name for seat in one.members]))
    return Consultation(terms, (one, other), SeededDice(5))


def test_a_match_of_pairs_is_played_saved_and_resumed(tmp_path: Path) -> None:
    names, terms = ("casual,handmade", "beginner,random"), Terms(length=9)
    whole = new_pairs(*names, terms, Rolls.ALTERNATING)
    players: Any = whole.players
    list(referee.play(whole.session, players))
    assert max(whole.session.standing.points) >= 9
    sheet = whole.sheet()
    assert len(sheet) > 1
    for number, rolled, _ in sheet:  # the first pair takes turns, the second doesn't
        assert rolled == ("casual" if number % 2 else "handmade", "beginner")
    assert sheet[-1][2] == whole.session.standing.points
    part = new_pairs(*names, terms, Rolls.ALTERNATING)
    playing = referee.play(part.session, players)
    for _ in range(25):
        next(playing)
    path = tmp_path / "pairs.json"
    CONSULTATIONS.write(path, part)
    resumed = CONSULTATIONS.read(path)
    assert CONSULTATIONS.dump(resumed) == CONSULTATIONS.dump(part)
    again: Any = resumed.players
    list(referee.play(resumed.session, again))
    assert CONSULTATIONS.dump(resumed) == CONSULTATIONS.dump(whole)


def test_a_person_decides_and_the_partner_gives_an_opinion() -> None:
    table = new_pairs("me,handmade", "casual,random", Terms(), Rolls.ALWAYS_FIRST)
    assert table.players[0] is None
    assert isinstance(table.players[1], ConsultingPlayer)
    assert table.opinions() == []
    table.session.do(OpeningDice((3, 1)))
    (said,) = table.opinions()
    assert said.name == "handmade"
    assert said.plays[0].worth >= said.plays[1].worth
    assert table.roller(0).name == "You"
    with pytest.raises(InputError, match="decide themselves"):
        ConsultingPlayer(table.pairs[0], ())


@pytest.mark.parametrize("names", ["me", "me,casual,random"])
def test_a_pair_has_two(names: str) -> None:
    with pytest.raises(InputError, match="a pair has two players, not"):
        Pair(parse_seats(names))


# --- opinions ------------------------------------------------------------------------------------


def test_opinions_have_numbers() -> None:
    bot = engine("handmade").bot
    game = Game.set_up(starting_position())
    said = opinion(bot, game, "Ann")
    assert said.name == "Ann"
    assert said.act is None
    assert said.decision is not None
    assert said.decision.double_pass == 1
    assert -1 < said.decision.no_double < 1
    doubled = game.after(CubeAct.DOUBLE)
    answer = opinion(bot, doubled)
    assert answer.act in (CubeAct.TAKE, CubeAct.BEAVER)
    assert answer.chances[0] == pytest.approx(1 - said.chances[0])
    rolled = opinion(bot, game.after(RollDice(roll_of(3, 1))))
    assert isinstance(rolled.act, MakePlay)
    assert len(rolled.plays) == len(game.after(RollDice(roll_of(3, 1))).plays)
    offered = opinion(bot, game.after(Resign(Result.SINGLE)))
    assert offered.act is Answer.ACCEPT
    with pytest.raises(IllegalAct, match="nothing to decide"):
        opinion(bot, Game())


# --- teams ---------------------------------------------------------------------------------------


def new_match(length: int = 1, seed: int = 2) -> TeamMatch:
    first = Team("Reds", parse_seats("casual,random,beginner"))
    second = Team("Blues", parse_seats("random,random,random", taken=["random"]))
    return TeamMatch((first, second), length, seed=seed)


def win_board(match: TeamMatch, board: int, winner: int) -> None:
    """Give the game at a board to a side by a pass or a resignation."""
    session = match.sessions[board]
    if session.game.is_over:
        session.next_game()
    dice = (1, 2) if winner == 0 else (2, 1)  # the loser is on turn
    session.do(OpeningDice(dice))
    session.do(Resign(Result.SINGLE))
    session.do(Answer.ACCEPT)


def test_two_boards_of_three_win() -> None:
    match = new_match()
    assert match.next_board() == 0
    win_board(match, 0, 1)
    assert match.next_board() == 1
    win_board(match, 1, 0)
    assert (match.winner, match.next_board()) == (None, 2)
    win_board(match, 2, 1)
    assert (match.boards_won(0), match.boards_won(1), match.winner) == (1, 2, 1)
    assert match.next_board() is None


def test_the_third_board_is_called_off_when_two_are_won() -> None:
    match = new_match()
    win_board(match, 0, 0)
    win_board(match, 1, 0)
    assert match.winner == 0
    assert match.is_over
    assert not match.sessions[2].is_over


def test_boards_go_on_side_by_side() -> None:
    match = new_match(length=2)
    order = []
    for winner in (0, 1, 0, 1, 0, 0):
        board = match.next_board()
        assert board is not None
        order.append(board)
        win_board(match, board, winner)
    assert order == [0, 1, 2, 0, 1, 2]
    assert [session.standing.points for session in match.sessions] == [(1, 1), (1, 1), (2, 0)]
    match.sessions[1].next_game()
    match.sessions[1].do(OpeningDice((1, 2)))
    assert match.next_board() == 1  # a game begun goes on first


def test_a_simulated_match_is_saved_and_resumed(tmp_path: Path) -> None:
    def finish(match: TeamMatch) -> None:
        while (board := match.next_board()) is not None:
            play_game(match, board)

    whole, part = new_match(), new_match()
    finish(whole)
    assert whole.winner in (0, 1)
    play_game(part, 0)
    session = part.sessions[1]
    session.roll()
    path = tmp_path / "team.json"
    TEAM_MATCHES.write(path, part)
    resumed = TEAM_MATCHES.read(path)
    assert TEAM_MATCHES.dump(resumed) == TEAM_MATCHES.dump(part)
    finish(resumed)
    assert TEAM_MATCHES.dump(resumed) == TEAM_MATCHES.dump(whole)


@pytest.mark.parametrize("names", ["random,random", "random,random,random,random,random"])
def test_a_team_has_three(names: str) -> None:
    with pytest.raises(InputError, match=r"team Reds has \d players .*a team has 3"):
        Team("Reds", parse_seats(names))


def test_bad_team_matches(tmp_path: Path) -> None:
    reds, blues = new_match().teams
    with pytest.raises(InputError, match="two teams are called Reds"):
        TeamMatch((reds, Team("Reds", blues.members)), 3)
    with pytest.raises(InputError, match="two players are called casual"):
        TeamMatch((reds, Team("Blues", reds.members)), 3)
    with pytest.raises(InputError, match="match length 0"):
        TeamMatch((reds, blues), 0)
    person = Team("Reds", parse_seats("me,casual,beginner"))
    with pytest.raises(InputError, match="a person sits at board 1"):
        play_game(TeamMatch((person, blues), 1), 0)
    good = TEAM_MATCHES.dump(new_match())
    path = tmp_path / "t.json"
    for change, message in (
        ({"boards": good["boards"][:2]}, "boards: a team match has 3, not 2"),
        ({"teams": good["teams"][:1]}, r"teams\[1\]: is missing"),
        ({"format": "x"}, "the format must be 'bgai team match'"),
    ):
        path.write_text(json.dumps({**good, **change}))
        with pytest.raises(InputError, match=message):
            TEAM_MATCHES.read(path)
