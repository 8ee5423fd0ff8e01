"""GNU Backgammon's external player: its questions, our answers, whole matches."""

import contextlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from gnubg_program import needs_gnubg, run_gnubg
from hypothesis import given, settings
from hypothesis import strategies as st

from bgai.errors import InputError
from bgai.evaluation.baseline import HandmadeEvaluator
from bgai.notation.play_text import parse_play
from bgai.notation.record_files import read_record
from bgai.players.bot import Bot
from bgai.players.external import Conversation, ExternalServer
from bgai.players.external_board import ProtocolError, board_game, parse_board
from bgai.rules.acts import ActKind, Answer, CubeAct, MakePlay
from bgai.rules.cube import HouseRules
from bgai.rules.game import Game, Phase
from bgai.rules.outcome import Result

LINES = (
    (Path(__file__).parents[1] / "golden" / "matches" / "external-lines.txt")
    .read_text()
    .splitlines()
)
START = "0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"


def line(
    *,
    names: str = "gnubg:root",
    length: int = 5,
    points: str = "0:0",
    board: str = START,
    turn: int = -1,
    dice: str = "0:0",
    cube: int = 1,
    may: str = "1:1",
    doubled: int = 0,
    post: int = 0,
) -> str:
    tail = f"{doubled}:1:-1:0:25:0:0:0:0:0:0:{post}:1"
    return f"board:{names}:{length}:{points}:{board}:{turn}:{dice}:{dice}:{cube}:{may}:{tail}"


def game_of(text: str, rules: HouseRules | None = None) -> Game:
    return board_game(parse_board(text), rules or HouseRules())


@pytest.mark.parametrize("text", LINES)
def test_real_questions_are_answered_legally(text: str) -> None:
    game = game_of(text)
    answer = Conversation(Bot(HandmadeEvaluator()), HouseRules()).answer(text)
    match game.phase:
        case Phase.TURN:
            kinds = game.legal_kinds()
            assert answer == "roll" or ActKind(answer.split()[0]) in kinds
        case Phase.PLAY if game.must_pass:
            assert answer == ""
        case Phase.PLAY:
            assert game.roll is not None
            assert parse_play(answer, game.position, game.roll)
        case Phase.DOUBLED:
            assert answer in ("take", "drop", "beaver")
        case _:
            pytest.fail(f"phase {game.phase}")


def test_seats_scores_and_cube() -> None:
    game = game_of(line(points="2:4", cube=2, may="0:1", dice="3:1", turn=-1, post=1))
    assert (game.turn, game.standing.points, game.standing.crawford) == (0, (2, 4), False)
    assert (game.cube_value, game.cube_owner) == (2, 0)
    assert str(game.roll) == "31"
    game = game_of(line(names="root:gnubg", points="3:2", doubled=1, turn=1))
    assert (game.turn, game.actor, game.standing.points) == (1, 0, (2, 3))
    assert game.phase is Phase.DOUBLED


def test_the_crawford_game_is_known_by_its_flag() -> None:
    assert game_of(line(points="4:0")).standing.crawford
    assert not game_of(line(points="4:0", post=1)).standing.crawford


def test_beavers_and_raccoons_are_told_apart_by_the_talk() -> None:
    bot = _Scripted(CubeAct.BEAVER)
    talk = Conversation(bot, HouseRules(beaver_turns=3))
    double = line(names="root:gnubg", length=0, doubled=1, turn=1)
    assert talk.answer(double) == "beaver"
    raccoon = line(names="root:gnubg", length=0, doubled=1, turn=1, cube=4, may="0:1")
    bot.act = CubeAct.TAKE
    assert talk.answer(raccoon) == "take"
    assert bot.seen[-1].redoubles == 2
    assert bot.seen[-1].actor == 0
    beavered = line(length=0, doubled=1, turn=-1, cube=2, may="1:0")
    assert Conversation(bot, HouseRules()).answer(beavered) == "take"
    assert bot.seen[-1].redoubles == 1
    assert bot.seen[-1].actor == 0  # the doubler


def test_a_refused_resignation_is_not_offered_for_ever() -> None:
    bot = _Scripted(CubeAct.TAKE, resigns=Result.SINGLE)
    talk = Conversation(bot, HouseRules())
    assert talk.answer(line()) == "resign normal"
    assert talk.answer(line()) == "roll"
    assert talk.answer(line(cube=2, may="0:1")) == "resign normal"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("hello", "no board"),
        ("board:a:b:5", "52 fields"),
        (line().replace(":1:-1:0:25", ":x:-1:0:25"), "no number"),
        (line(turn=0), "turn 0"),
        (line(cube=10**7), "too great"),
        (line(points="9" * 5000 + ":0"), "too great a one: '9999"),
        (line(points="²:0"), "no number"),
        (line(points="--1:0"), "no number"),
        (line(cube=3), "power of two"),
        (line(cube=0), "power of two"),
        (line(cube=-2), "power of two"),
        (line(dice="7:1"), "dice"),
        (line(dice="0:1"), "dice"),
        (line(dice="1:0"), "dice"),
        (line(length=-3), "length"),
        (line(board=START.replace("5:0:3", "9:0:3")), "checkers"),
    ],
)
def test_what_is_no_question(text: str, told: str) -> None:
    with pytest.raises(ProtocolError if told != "checkers" else ValueError, match=told):
        parse_board(text)


class _Scripted:
    """Always the same act when doubled; resigns where a level is given and not refused."""

    name = "scripted"

    def __init__(self, act: CubeAct, resigns: Result | None = None) -> None:
        self.act = act
        self.resigns = resigns
        self.seen: list[Game] = []

    def offers_resignation(self, game: Game) -> Result | None:
        return self.resigns if self.resigns in game.resignation_levels else None

    def doubles(self, game: Game) -> bool:
        return False

    def choose_play(self, game: Game) -> MakePlay:
        return MakePlay(game.plays[0])

    def answer_double(self, game: Game) -> CubeAct:
        self.seen.append(game)
        return self.act

    def answer_resignation(self, game: Game) -> Answer:
        return Answer.ACCEPT


@contextmanager
def serving() -> Iterator[tuple[int, list[str]]]:
    log: list[str] = []
    player = Bot(HandmadeEvaluator())
    with ExternalServer(("127.0.0.1", 0), lambda: player, log=log.append) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server.server_address[1], log
        server.shutdown()
        thread.join()


@needs_gnubg
@pytest.mark.parametrize(("seat", "length", "seed"), [(0, 5, 31), (1, 3, 32)])
def test_whole_matches_against_the_real_program(
    seat: int, length: int, seed: int, tmp_path: Path
) -> None:
    other = 1 - seat
    with serving() as (port, log):
        printed = run_gnubg(
            f"set player {seat} external localhost:{port}\n"
            f"set player {other} gnubg\n"
            f"set player {other} chequerplay evaluation plies 0\n"
            f"set player {other} cubedecision evaluation plies 0\n"
            f"set seed {seed}\nnew match {length}\n"
            f"export match mat {tmp_path}/match.mat\nsave match {tmp_path}/match.sgf\n",
            tmp_path,
        )
    assert "Warning" not in printed
    assert not [text for text in log if "error" in text]
    reading = read_record(tmp_path / "match.mat")
    assert reading.problems == ()
    assert reading.record.winner is not None
    assert read_record(tmp_path / "match.sgf").record.same_match(reading.record)
    name = reading.record.players[reading.record.winner]
    assert f"{name} has won the match" in printed
    answers = [text.split("\n  ")[1] for text in log if "\n" in text]
    plays = [each for each in answers if "/" in each]
    mine = [
        act
        for game in reading.record.games
        for state, act in game.states(reading.record.terms)
        if isinstance(act, MakePlay) and state.turn == seat and not state.must_pass
    ]
    assert len(plays) <= len(mine)  # forced plays aren't asked for
    assert "take" in answers or "drop" in answers or "double" in answers


STRANGE = ("", "²", "9" * 5000, "1e3", "\ud800")


@given(data=st.data(), text=st.sampled_from(LINES))
@settings(max_examples=200, deadline=None)
def test_any_line_is_answered_or_refused(data: st.DataObject, text: str) -> None:
    fields = text.split(":")
    strange = st.integers(-20, 40).map(str) | st.sampled_from(
        ["", "²", "9" * 5000, "1e3", "\ud800"]
    )
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(fields) - 1))
        fields[at] = data.draw(strange)
    with contextlib.suppress(InputError):
        Conversation(Bot(HandmadeEvaluator()), HouseRules()).answer(":".join(fields))
