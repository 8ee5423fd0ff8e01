"""Sessions that begin from a position set up: from anywhere in a game, saved and played on."""

from pathlib import Path

import numpy as np
import pytest

from bgai.errors import InputError
from bgai.notation.situation import Offer
from bgai.players.engines import engine
from bgai.players.situation import game_situation, situation_game
from bgai.rules.cube import HouseRules
from bgai.rules.game import Game, Phase
from bgai.rules.match import Terms
from bgai.sessions.dice import SeededDice
from bgai.sessions.referee import step
from bgai.sessions.session import Seat, Session
from bgai.sessions.session_file import SESSIONS
from bgai.sessions.session_record import session_record

BOTS = (engine("casual", seed=3).bot, engine("beginner", seed=4).bot)
SEATS = (Seat("one", "casual", 3), Seat("two", "beginner", 4))


def states(length: int | None, games: int = 6) -> list[Game]:
    """Every state of some games that a situation can hold: both turns, rolled, doubled."""
    session = Session(Terms(length, HouseRules(beaver_turns=1)), SEATS, SeededDice(7))
    found = []
    for _ in range(games):
        while not session.game.is_over:
            game = session.game
            if game.phase in (Phase.TURN, Phase.PLAY, Phase.DOUBLED) and game.redoubles < 2:
                found.append(game)
            step(session, BOTS)
        if session.is_over:
            break
        session.next_game()
    return found


def from_state(game: Game) -> Session:
    situation = game_situation(game)
    start = situation_game(situation, game.turn)
    return Session(Terms(start.standing.length, start.rules), SEATS, SeededDice(5), start=start)


@pytest.mark.parametrize("length", [7, None])
def test_a_game_set_up_from_a_state_is_in_that_state(length: int | None) -> None:
    found = states(length)
    assert {game.phase for game in found} == {Phase.TURN, Phase.PLAY, Phase.DOUBLED}
    for game in found:
        start = from_state(game).game
        assert np.array_equal(start.position, game.position)
        for name in ("phase", "turn", "actor", "roll", "cube_value", "cube_owner"):
            assert getattr(start, name) == getattr(game, name), name
        if length:
            assert start.standing.points == game.standing.points
            assert start.standing.crawford == game.standing.crawford


@pytest.mark.parametrize("length", [7, None])
def test_it_is_saved_resumed_and_played_to_the_end(length: int | None, tmp_path: Path) -> None:
    found = states(length)
    offers = [game for game in found if game.phase is Phase.DOUBLED]
    for game in [*found[3::90], *offers[:2]]:
        whole, resumed = from_state(game), from_state(game)
        for _ in range(4):
            step(resumed, BOTS)
        SESSIONS.write(tmp_path / "game.json", resumed)
        resumed = SESSIONS.read(tmp_path / "game.json")
        for session in (whole, resumed):
            while not session.game.is_over:
                step(session, BOTS)
        assert SESSIONS.dump(whole) == SESSIONS.dump(resumed)
        assert session_record(whole).games == ()
        if not whole.is_over:
            whole.next_game()
            step(whole, BOTS)
            assert len(session_record(whole).games) == 1


def test_a_damaged_start_is_named() -> None:
    saved = SESSIONS.dump(from_state(states(7, 1)[5]))
    with pytest.raises(InputError, match=r"start: "):
        SESSIONS.load({**saved, "start": "XGID=nonsense"})
    with pytest.raises(InputError, match="start: its match is of another length"):
        SESSIONS.load({**saved, "terms": {**saved["terms"], "length": 9}})
    assert "start" in saved
    without = {key: value for key, value in saved.items() if key != "start"}
    with pytest.raises(InputError, match="game 1, act 1"):
        SESSIONS.load({**without, "games": [{**saved["games"][0], "acts": [{"act": "take"}]}]})


def test_a_double_waits_in_a_game_set_up_from_one() -> None:
    doubled = next(game for game in states(7) if game.phase is Phase.DOUBLED)
    assert game_situation(doubled).offer is Offer.DOUBLED
    session = from_state(doubled)
    assert session.game.actor == 1 - doubled.turn
    assert session.game.offered_value == doubled.offered_value
