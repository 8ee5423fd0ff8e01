"""The Universal Backgammon Interface: the text in and out, and engines reached by it."""

import gc
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bgai import __version__
from bgai.errors import InputError
from bgai.notation.play_text import format_single_moves, parse_play
from bgai.notation.position_id import format_position_id
from bgai.notation.xgid import parse_xgid
from bgai.players.engines import engine
from bgai.players.opponents import is_program, player_named
from bgai.players.player import decide
from bgai.players.situation import situation_game
from bgai.players.timed_bot import TimedBot
from bgai.players.ubgi import talk
from bgai.players.ubgi.client import UbgiPlayer
from bgai.players.ubgi.deepening import Deepening
from bgai.players.ubgi.engine import EngineThinker
from bgai.players.ubgi.loop import Session
from bgai.rules.acts import Act, CubeAct, MakePlay
from bgai.rules.dice import ROLLS
from bgai.rules.game import Game
from bgai.rules.legal_plays import legal_plays
from bgai.rules.play import recover_play
from bgai.rules.position import is_over, starting_position

GOLDEN = Path(__file__).parents[1] / "golden" / "ubgi-session.txt"
OPENING = "-b----E-C---eE---c-e----B-:0:0:1:31:0:0:3:0:10"
HIT = "-a-B--E-B-a-dDB--b-bcb----:1:1:1:43:3:2:0:7:10"
WAITING = "-a-B--E-B-a-dDB--b-bcb----:0:0:1:00:3:2:0:7:10"
LOST_RACE = "-BBB-----------------ccc--:0:0:1:D:0:0:3:0:10"


def game_of(xgid: str) -> Game:
    return situation_game(parse_xgid(xgid))


def exchanges() -> Iterator[tuple[str, list[str]]]:
    """Each line of the session with its answers."""
    asked, answers = "", []
    for line in GOLDEN.read_text().splitlines():
        if line.startswith("> "):
            if asked:
                yield asked, answers
            asked, answers = line[2:], []
        elif line.startswith("<"):
            answers.append(line[2:].replace("VERSION", __version__))
    yield asked, answers


def test_a_whole_session_word_for_word() -> None:
    session = Session(EngineThinker("handmade"))
    for asked, answers in exchanges():
        assert session.answer(asked) == answers, asked
    assert session.over


@given(st.text(max_size=40) | st.lists(st.sampled_from(
    ["go", "set", "position", "xgid", "dice", "cube", "movetime", "name", "value", "-1", "²", "get"]
), max_size=6).map(" ".join))  # fmt: skip
def test_any_line_is_answered_in_words(line: str) -> None:
    session = Session(EngineThinker("random"))
    for answer in session.answer(line):
        assert "\n" not in answer
        assert answer.startswith("error ") or not answer.startswith("Traceback")


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10**6))
def test_plays_written_die_by_die_are_read_back(seed: int) -> None:
    rng = np.random.default_rng(seed)
    position = starting_position()
    for _ in range(40):
        roll = ROLLS[rng.integers(21)]
        after = legal_plays(position, roll)
        chosen = after[rng.integers(len(after))]
        play = recover_play(position, chosen, roll)
        if play:
            text = format_single_moves(play, position, roll)
            assert parse_play(text, position, roll) == play, text
            assert len(text.split()) <= (4 if roll.is_double else 2)
        position = chosen
        if is_over(position[None])[0]:
            return


def test_a_key_says_what_it_takes() -> None:
    key = talk.Key("a", "bool", "true", minor=True, about="words")
    assert key.line == "key a bool true ! words"
    assert key.check("false") == "false"
    with pytest.raises(talk.TalkError, match=r"true\|false"):
        key.check("yes")


# --- engines reached by it ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def ourselves() -> Iterator[UbgiPlayer]:
    command = [sys.executable, "-m", "bgai", "ubgi", "--level", "handmade"]
    player = UbgiPlayer(command, settings={"engine.plies": "0"})
    yield player
    player.close()


@pytest.mark.parametrize("xgid", [OPENING, HIT, WAITING, LOST_RACE])
def test_an_engine_decides_at_our_table_as_it_would_itself(
    xgid: str, ourselves: UbgiPlayer
) -> None:
    assert decide(ourselves, game_of(xgid)) == decide(engine("handmade").bot, game_of(xgid))


def fake(reply: str, *, refuses_xgid: bool = False, greeting: str = "") -> list[str]:
    """An engine of a few lines that answers every ``go`` alike; ``line`` is the question."""
    code = f"""
for line in iter(input, "quit"):
    if line == "ubgi": print("id name fake\\n{greeting}ubgiok", flush=True)
    elif line == "isready": print("readyok", flush=True)
    elif line.startswith("position xgid") and {refuses_xgid}: print("error unsupported", flush=True)
    elif line.startswith("set"): print("error bad_command", flush=True)
    elif line.startswith("go"):
        {reply}
"""
    return [sys.executable, "-c", code]


def act_of(command: list[str], xgid: str) -> Act | None:
    player = UbgiPlayer(command)
    try:
        return decide(player, game_of(xgid))
    finally:
        player.close()


def test_the_position_after_a_play_may_be_named() -> None:
    chosen = game_of(OPENING).plays[3]
    reply = f"print('info x\\nbestmoveid {format_position_id(chosen)}', flush=True)"
    assert act_of(fake(reply), OPENING) == MakePlay(chosen)
    assert act_of(fake("print('bestcube drop', flush=True)"), LOST_RACE) is CubeAct.PASS


@pytest.mark.parametrize(
    ("reply", "xgid", "told"),
    [
        ("print('bestmove 24/18', flush=True)", OPENING, "24/18 can't be played with 31"),
        ("print('bestmove', flush=True); print('error no', flush=True)", OPENING, "error no"),
        ("print('bestcube maybe', flush=True)", LOST_RACE, "bestcube maybe"),
        ("print('bestcube raccoon', flush=True)", LOST_RACE, "bestcube raccoon"),
        ("print('bestcube take', flush=True)", WAITING, "bestcube take"),
        ("raise SystemExit(3)", OPENING, "exit code 3"),
    ],
)
def test_wrong_answers_are_told_in_one_line(reply: str, xgid: str, told: str) -> None:
    with pytest.raises(InputError, match=told) as failed:
        act_of(fake(reply), xgid)
    assert "\n" not in str(failed.value)


@pytest.mark.parametrize(
    ("greeting", "asked"), [("", "go role chequer"), ("proto 0.2\\n", "go chequer")]
)
def test_engines_are_asked_in_the_words_of_their_draft(greeting: str, asked: str) -> None:
    reply = f"print('bestmove 8/5 6/5' if line == '{asked}' else 'error bad_command', flush=True)"
    assert isinstance(act_of(fake(reply, greeting=greeting), OPENING), MakePlay)


def test_an_engine_without_xgid_never_doubles_and_answers_no_double() -> None:
    command = fake("print('bestmove 8/5 6/5', flush=True)", refuses_xgid=True)
    assert act_of(command, WAITING) is None
    assert isinstance(act_of(command, OPENING), MakePlay)
    with pytest.raises(InputError, match="without the cube"):
        act_of(command, LOST_RACE)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("ubgi:", "a command is expected"),
        ("ubgi:'", "closing quotation"),
        ("ubgi:/nowhere/engine", "can't start the engine /nowhere/engine"),
        ("nobody", "there is no engine 'nobody'"),
        ("sage@1", "No module named 'bgsage'"),
    ],
)
def test_players_there_are_not(name: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BGAI_SAGE", raising=False)
    with pytest.raises(InputError, match=told):
        player_named(name)


def test_an_engine_nobody_has_any_more_ends() -> None:
    player = UbgiPlayer(fake("pass"))
    running = player.process._process
    del player
    gc.collect()
    assert running.wait(10) == 1  # the end of its input is an error to this one


def test_settings_an_engine_refuses_are_told() -> None:
    with pytest.raises(InputError, match=r"Threads can't be 2: error bad_command"):
        UbgiPlayer(fake("pass"), settings={"Threads": "2"})


def test_names_of_programs() -> None:
    assert all(map(is_program, ("gnubg", "gnubg@2", "sage@1?engine.plies=0", "ubgi:a b")))
    assert not any(map(is_program, ("expert", "expert@2", "gnubg-like", "handmade")))


# --- time ---------------------------------------------------------------------------------------


def test_deepening_stops_where_the_next_depth_would_be_late(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = [0.0]
    monkeypatch.setattr("time.perf_counter", lambda: clock[0])

    def think(plies: int) -> str:
        clock[0] += 0.001 * 10**plies
        return f"depth {plies}"

    deepening = Deepening(3)
    assert deepening.best(0.0, think) == ("depth 0", 0)
    assert deepening.best(0.05, think) == ("depth 1", 1)
    assert deepening.best(100.0, think) == ("depth 3", 3)
    assert deepening.best(0.2, think) == ("depth 2", 2)  # growth is known to be ten by now


def test_a_timed_bot_with_time_plays_as_the_deepest_and_without_as_the_shallowest() -> None:
    bots = [engine(f"handmade@{plies}").bot for plies in (0, 1)]
    game = game_of(HIT)
    for seconds, bot in ((0.0, bots[0]), (60.0, bots[1])):
        timed = TimedBot(bots, seconds)
        assert [play.plies for play in timed.rank_plays(game)] == [
            play.plies for play in bot.rank_plays(game)
        ]
        assert timed.doubles(game_of(WAITING)) == bot.doubles(game_of(WAITING))
