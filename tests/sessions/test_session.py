"""Sessions: the same seed gives the same games, undo, saving and resuming in mid-game."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgai.errors import InputError
from bgai.players.engines import engine
from bgai.rules.acts import CubeAct, MakePlay, OpeningDice, RollDice
from bgai.rules.cube import HouseRules
from bgai.rules.dice import roll_of
from bgai.rules.game import IllegalAct, Phase
from bgai.rules.match import Terms
from bgai.sessions.dice import ManualDice, SeededDice, dice_from_json
from bgai.sessions.referee import step
from bgai.sessions.saves import latest_unfinished, new_path, unfinished_path
from bgai.sessions.session import Seat, Session
from bgai.sessions.session_file import (
    SESSIONS,
)

BOTS = (engine("casual", seed=3).bot, engine("beginner", seed=4).bot)


def new_session(seed: int = 1, length: int | None = 3, **options: Any) -> Session:
    seats = (Seat("one", "casual", 3), Seat("two", "beginner", 4))
    rules = HouseRules(automatic_doubles=1, beaver_turns=2)
    return Session(Terms(length, rules), seats, SeededDice(seed), **options)


def game(*acts: dict[str, Any]) -> dict[str, Any]:
    return {"points": [0, 0], "crawford": False, "acts": list(acts)}


def play_on(session: Session, acts: int) -> None:
    for _ in range(acts):
        if session.is_over:
            return
        if session.game.is_over:
            session.next_game()
        step(session, BOTS)


@pytest.mark.parametrize("length", [3, None])
def test_a_saved_game_goes_on_with_the_very_same_dice_and_decisions(
    length: int | None, tmp_path: Path
) -> None:
    whole = new_session(5, length)
    play_on(whole, 130)
    for stop in (0, 2, 17, 60, 101):
        session = new_session(5, length)
        play_on(session, stop)
        path = tmp_path / f"{stop}.json"
        SESSIONS.write(path, session)
        resumed = SESSIONS.read(path)
        assert SESSIONS.dump(resumed) == SESSIONS.dump(session)
        play_on(resumed, 130 - stop)
        assert SESSIONS.dump(resumed) == SESSIONS.dump(whole)


def test_different_seeds_give_different_games() -> None:
    one, other = new_session(1), new_session(2)
    play_on(one, 40)
    play_on(other, 40)
    assert one.records[0].acts != other.records[0].acts


def test_dice_do_not_depend_on_what_is_played() -> None:
    dice = SeededDice(9)
    pairs = [dice.roll(0) for _ in range(50)]
    assert len(set(pairs)) > 20
    again = SeededDice(9, 20)
    assert [again.opening() for _ in range(30)] == pairs[20:]
    again.take_back(30)
    assert again.roll(1) == pairs[20]


def test_undo_takes_back_the_last_decision_and_the_same_dice_come_again() -> None:
    session = new_session(8, None)
    play_on(session, 30)
    while session.game.phase is not Phase.PLAY or session.game.actor != 0:
        play_on(session, 1)
    position, roll = session.game.position.copy(), session.game.roll
    ranked = [MakePlay(after) for after in session.game.plays]
    assert len(ranked) > 1
    session.do(ranked[0])
    play_on(session, 3)
    following = list(session.records[-1].acts)
    assert session.undo(0)
    assert session.game.roll == roll
    assert (session.game.position == position).all()
    session.do(ranked[0])
    play_on(session, 3)
    assert session.records[-1].acts == following


def test_undo_leaves_what_another_decided_and_stops_at_the_start() -> None:
    session = new_session(1)
    assert not session.undo(0)
    session.do(OpeningDice((6, 5)))
    assert not session.undo(0)
    session.do(MakePlay(session.game.plays[0]))
    assert not session.undo(1)
    assert session.undo(0)
    assert session.records[-1].acts == [OpeningDice((6, 5))]


def test_undo_reaches_the_decision_that_ended_the_game() -> None:
    session = new_session(1, None)
    session.do(OpeningDice((6, 5)))
    session.do(MakePlay(session.game.plays[0]))
    session.do(CubeAct.DOUBLE)
    session.do(CubeAct.PASS)
    assert session.standing.points == (-1, 1)
    session.close()
    assert session.is_over
    assert session.undo(0)
    assert session.game.phase is Phase.DOUBLED
    assert not session.is_over
    assert session.standing.points == (0, 0)


def test_the_starter_gets_the_higher_opening_die() -> None:
    for seed in range(6):
        for starter in (0, 1):
            session = new_session(seed, None, starter=starter)
            while session.game.phase is Phase.OPENING:
                session.roll()
            assert session.game.turn == starter


def test_games_follow_only_when_they_may() -> None:
    session = new_session(1)
    with pytest.raises(IllegalAct, match="isn't over"):
        session.next_game()
    with pytest.raises(IllegalAct, match="only a money session"):
        session.close()
    while not session.is_over:
        play_on(session, 1)
    with pytest.raises(IllegalAct, match="no game follows"):
        session.next_game()
    with pytest.raises(IllegalAct, match="nobody rolls now"):
        session.roll()
    assert max(session.standing.points) >= 3
    played = [record.standing for record in session.records]
    assert sum(standing.crawford for standing in played) <= 1


def test_dice_by_hand() -> None:
    answers = iter([(2, 5), (3, 3)])
    asked: list[int | None] = []

    def ask(seat: int | None) -> tuple[int, int]:
        asked.append(seat)
        return next(answers)

    session = Session(Terms(), (Seat("you"), Seat("bot", "casual")), ManualDice(ask))
    session.roll()
    assert session.game.turn == 1
    session.do(MakePlay(session.game.plays[0]))
    session.roll()
    assert session.game.roll == (3, 3)
    assert asked == [None, 0]
    assert session.take_back_roll()
    assert session.game.phase is Phase.TURN
    assert not session.take_back_roll()
    session.do(RollDice(roll_of(1, 2)))
    resumed = SESSIONS.load(json.loads(json.dumps(SESSIONS.dump(session))))
    assert resumed.game == session.game
    resumed.do(MakePlay(resumed.game.plays[0]))
    with pytest.raises(InputError, match="nobody is there"):
        resumed.roll()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "chess"}, "the format must be"),
        ({"version": 99}, "version 99, not 1"),
        ({"seats": []}, r"seats\[0\]: is missing"),
        ({"seats": 5}, "seats: must be a valid array, not 5"),
        ({"starter": 2}, "starter: must be 0, 1 or null, not 2"),
        ({"games": []}, "games: there is none"),
        ({"games": [{}]}, r"games\[0\].points: is missing"),
        ({"terms": None}, "terms"),
        ({"dice": {"kind": "loaded"}}, "dice"),
        ({"dice": {"kind": "seeded", "seed": -1, "count": 0}}, "seed -1"),
        ({"dice": {"kind": "seeded", "seed": 1, "count": -1}}, "dice count -1"),
        ({"games": [game({"act": "double"})]}, "game 1, act 1: double is not possible"),
        ({"games": [game({"act": "dbl"})]}, r"games\[0\].acts\[0\]: .*is not an act"),
    ],
)
def test_bad_files_are_refused_by_name(
    change: dict[str, Any], message: str, tmp_path: Path
) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps({**SESSIONS.dump(new_session()), **change}))
    with pytest.raises(InputError, match=f"{path}: .*{message}"):
        SESSIONS.read(path)


def test_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        SESSIONS.read(tmp_path / "none.json")
    broken = tmp_path / "broken.json"
    broken.write_text('{"format": "bgai session", "ver')
    with pytest.raises(InputError, match="is not JSON"):
        SESSIONS.read(broken)
    broken.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="is not JSON"):
        SESSIONS.read(broken)


def test_the_unfinished_game_saved_last_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BGAI_GAMES_DIR", str(tmp_path / "games"))
    assert latest_unfinished() is None
    with pytest.raises(InputError, match="no unfinished game"):
        unfinished_path()
    first, second = new_path(), new_path()
    assert first != second
    session = new_session()
    SESSIONS.write(first, session)
    assert latest_unfinished() == first  # the other is still empty
    while not session.is_over:
        play_on(session, 1)
    SESSIONS.write(second, session)
    assert latest_unfinished() == first
    SESSIONS.write(first, session)
    assert latest_unfinished() is None


@given(seed=st.integers(0, 2**40), count=st.integers(0, 300))
def test_dice_go_on_after_any_number_of_rolls(seed: int, count: int) -> None:
    whole = SeededDice(seed)
    for _ in range(count):
        whole.roll(0)
    resumed = SeededDice(seed, count)
    assert [resumed.roll(0) for _ in range(5)] == [whole.roll(0) for _ in range(5)]


def test_dice_json() -> None:
    dice = SeededDice(7)
    dice.roll(0)
    again = dice_from_json(json.loads(json.dumps(dice.to_json())))
    assert again.roll(0) == dice.roll(0)
    with pytest.raises(InputError, match="dice None"):
        dice_from_json(None)
