"""Table mode: the three rules about disputes, worked by hand, and the record of incidents."""

import json
from pathlib import Path
from typing import Any

import pytest

from bgai.errors import InputError
from bgai.rules.acts import Answer, CubeAct, MakePlay, OpeningDice, Resign
from bgai.rules.cube import HouseRules
from bgai.rules.dice import Roll, roll_of
from bgai.rules.game import Game, IllegalAct, Phase
from bgai.rules.match import Terms
from bgai.rules.outcome import Result
from bgai.rules.play import Move, apply_play
from bgai.rules.position import Positions, position_from_points, starting_position, swap_sides
from bgai.sessions.irregular import Fault, fault_of
from bgai.sessions.table_mode import (
    Cocked,
    IncidentKind,
    Made,
    Rolled,
    Sign,
    TableGame,
    event_from_json,
    event_to_json,
)
from bgai.sessions.table_session import TABLES, TableSession


def moved(position: Positions, *moves: tuple[int, int]) -> Made:
    return Made(apply_play(position, tuple(Move(*move) for move in moves)))


def after(state: TableGame, *events: Any) -> TableGame:
    for event in events:
        state = state.after(event)
    return state


def opened() -> TableGame:
    """Seat 0 has rolled 3-1."""
    return TableGame().after(OpeningDice((3, 1)))


def race(roll: Roll | None = None, *, mine: dict[int, int] | None = None) -> TableGame:
    position = position_from_points(mine or {6: 3, 5: 3}, {6: 3, 5: 3})
    return TableGame(Game.set_up(position, roll=roll, rules=HouseRules(jacoby=False)))


LEGAL = ((8, 5), (6, 5))
INCOMPLETE = ((8, 5),)
ILLEGAL = ((8, 4), (6, 5))


# --- rule 1: cocked dice -------------------------------------------------------------------------


def test_cocked_dice_are_rolled_again() -> None:
    state = TableGame().after(Cocked(None)).after(OpeningDice((3, 1)))
    state = after(state, moved(state.game.position, *LEGAL), Sign.PICK_UP, Cocked(1))
    assert state.game.phase is Phase.TURN
    state = state.after(Rolled(1, roll_of(6, 4)))
    assert state.game.roll == (6, 4)
    assert [(each.kind, each.seat) for each in state.incidents] == [
        (IncidentKind.COCKED, None),
        (IncidentKind.COCKED, 1),
    ]
    for wrong in (Cocked(0), Cocked(1), Cocked(None)):
        with pytest.raises(IllegalAct):
            state.after(wrong)


# --- rule 2: picking up the dice -----------------------------------------------------------------


def test_a_play_may_be_changed_until_the_dice_are_picked_up() -> None:
    start = starting_position()
    state = after(opened(), moved(start, *ILLEGAL), moved(start, (24, 20)), moved(start, *LEGAL))
    assert state.game.turn == 0
    state = state.after(Sign.PICK_UP)
    assert (state.game.turn, state.game.phase) == (1, Phase.TURN)
    assert (state.game.position == moved(start, *LEGAL).after).all()
    assert state.incidents == ()
    with pytest.raises(IllegalAct, match="no dice lie"):
        state.after(Sign.PICK_UP)
    with pytest.raises(IllegalAct, match="no dice lie"):
        state.after(moved(start, *LEGAL))


@pytest.mark.parametrize(
    ("moves", "fault"), [(INCOMPLETE, Fault.INCOMPLETE), (ILLEGAL, Fault.ILLEGAL)]
)
@pytest.mark.parametrize(
    ("event", "why"),
    [
        (Sign.ACCEPT_PLAY, "the opponent accepted it"),
        (Rolled(1, roll_of(5, 2)), "the opponent rolled"),
        (Cocked(1), "the opponent rolled"),
        (CubeAct.DOUBLE, "the opponent doubled"),
    ],
)
def test_a_faulty_play_is_accepted_as_made(
    moves: tuple[tuple[int, int], ...], fault: Fault, event: Any, why: str
) -> None:
    made = moved(starting_position(), *moves)
    state = after(opened(), made, Sign.PICK_UP)
    assert state.waits_for_claim
    assert state.fault is fault
    state = state.after(event)
    assert not state.waits_for_claim
    assert (state.game.position == made.after).all()
    assert state.game.turn == 1
    incident = state.incidents[0]
    assert (incident.kind, incident.seat, incident.roll) == (IncidentKind.ACCEPTED, 0, (3, 1))
    assert (incident.fault, incident.why) == (fault, why)
    phases = {Rolled: Phase.PLAY, CubeAct: Phase.DOUBLED}
    assert state.game.phase is phases.get(type(event), Phase.TURN)


def test_a_legal_play_is_demanded() -> None:
    start = starting_position()
    state = after(opened(), moved(start, *ILLEGAL), Sign.PICK_UP)
    for wrong in (CubeAct.TAKE, Resign(Result.SINGLE), Rolled(0, roll_of(2, 1)), Sign.PICK_UP):
        with pytest.raises(InputError):
            state.after(wrong)
    state = state.after(Sign.DEMAND_PLAY)
    assert state.game.roll == (3, 1)
    assert state.demanded
    state = state.after(moved(start, *INCOMPLETE))
    with pytest.raises(IllegalAct, match="a legal play was demanded and this one is incomplete"):
        state.after(Sign.PICK_UP)
    state = after(state, moved(start, *LEGAL), Sign.PICK_UP)
    assert (state.game.turn, state.demanded) == (1, False)
    assert [each.kind for each in state.incidents] == [IncidentKind.DEMANDED]
    with pytest.raises(IllegalAct, match="no faulty play"):
        state.after(Sign.ACCEPT_PLAY)
    with pytest.raises(IllegalAct, match="no faulty play"):
        state.after(Sign.DEMAND_PLAY)


def test_dice_picked_up_without_a_move() -> None:
    state = opened().after(Sign.PICK_UP)
    assert state.fault is Fault.INCOMPLETE
    closed = position_from_points({25: 1, 6: 14}, dict.fromkeys(range(1, 7), 2) | {12: 3})
    state = TableGame(Game.set_up(closed, roll=roll_of(6, 1))).after(Sign.PICK_UP)
    assert state.fault is None
    assert state.game.turn == 1


def test_an_illegal_play_that_bears_off_the_last_checker_wins_when_accepted() -> None:
    state = race(roll_of(2, 1), mine={6: 1})
    state = after(state, moved(state.game.position, (6, 0)), Sign.PICK_UP, Sign.ACCEPT_PLAY)
    assert state.is_over
    assert state.game.outcome is not None
    assert (state.game.outcome.winner, state.game.outcome.points) == (0, 1)


@pytest.mark.parametrize(
    ("mine", "theirs", "roll", "moves", "fault"),
    [
        # One checker on 24, a block on 16, 5-3: only 24/19, the higher die.
        ({24: 1, 1: 14}, {9: 2, 13: 13}, (5, 3), ((24, 19),), None),
        ({24: 1, 1: 14}, {9: 2, 13: 13}, (5, 3), ((24, 21),), Fault.ILLEGAL),
        ({24: 1, 1: 14}, {9: 2, 13: 13}, (5, 3), ((24, 18),), Fault.ILLEGAL),
        ({24: 1, 1: 14}, {9: 2, 13: 13}, (5, 3), (), Fault.INCOMPLETE),
        # A checker on the bar enters first.
        ({25: 1, 6: 14}, {13: 15}, (5, 3), ((6, 1), (6, 3)), Fault.ILLEGAL),
        ({25: 1, 6: 14}, {13: 15}, (5, 3), ((25, 20),), Fault.INCOMPLETE),
        # Three of four fives.
        ({6: 4, 1: 11}, {13: 15}, (5, 5), ((6, 1), (6, 1), (6, 1)), Fault.INCOMPLETE),
        # Bearing off from a lower point while a higher one is occupied.
        ({6: 2, 4: 2}, {13: 15}, (5, 5), ((4, 0), (4, 0)), Fault.ILLEGAL),
        ({5: 2, 4: 2}, {13: 15}, (6, 6), ((5, 0), (5, 0), (4, 0)), Fault.INCOMPLETE),
    ],
)
def test_faults(
    mine: dict[int, int],
    theirs: dict[int, int],
    roll: tuple[int, int],
    moves: tuple[tuple[int, int], ...],
    fault: Fault | None,
) -> None:
    position = position_from_points(mine, theirs)
    game = Game.set_up(position, roll=roll_of(*roll))
    assert fault_of(game, moved(position, *moves).after) is fault


def test_legal_plays_have_no_fault() -> None:
    for dice in ((3, 1), (6, 5), (4, 4)):
        game = Game.set_up(starting_position(), roll=roll_of(*dice))
        assert all(fault_of(game, each) is None for each in game.plays)
        assert fault_of(game, swap_sides(game.position)) is Fault.INCOMPLETE


# --- rule 3: premature rolls --------------------------------------------------------------------


def test_a_premature_roll_is_void() -> None:
    state = opened().after(Rolled(1, roll_of(6, 6)))
    assert state.early is None
    assert (state.game.turn, state.game.roll) == (0, (3, 1))
    assert [(each.kind, each.seat, each.roll) for each in state.incidents] == [
        (IncidentKind.VOID, 1, (6, 6))
    ]
    start = starting_position()
    state = after(state, moved(start, *LEGAL), Sign.PICK_UP, Rolled(1, roll_of(2, 1)))
    assert state.game.roll == (2, 1)


def test_a_premature_roll_stands_where_the_play_was_forced() -> None:
    position = position_from_points({24: 1, 1: 14}, {9: 2, 13: 13})
    state = TableGame(Game.set_up(position, roll=roll_of(5, 3)))
    state = state.after(Rolled(1, roll_of(6, 6)))
    assert (state.game.turn, state.game.roll) == (1, (6, 6))
    assert state.game.position[1, 19] == 1  # the forced 24/19 is made
    assert (state.incidents[0].kind, state.incidents[0].why) == (
        IncidentKind.STANDS,
        "the play was forced",
    )


def test_a_premature_roll_stands_without_contact() -> None:
    state = race(roll_of(2, 1)).after(Rolled(1, roll_of(4, 3)))
    assert state.early == (4, 3)
    assert state.game.turn == 0
    with pytest.raises(IllegalAct, match="stands already"):
        state.after(Rolled(1, roll_of(1, 1)))
    made = MakePlay(state.game.plays[0]).after
    faulty = after(state, moved(state.game.position, (6, 5)), Sign.PICK_UP)
    with pytest.raises(IllegalAct, match="rolled already"):
        faulty.after(CubeAct.DOUBLE)
    with pytest.raises(IllegalAct, match="stands already"):
        faulty.after(Rolled(1, roll_of(1, 1)))
    assert faulty.after(Sign.ACCEPT_PLAY).game.roll == (4, 3)
    state = after(faulty.after(Sign.DEMAND_PLAY), Made(made), Sign.PICK_UP)
    assert (state.game.turn, state.game.roll, state.early) == (1, (4, 3), None)


def test_an_early_roll_is_forgotten_when_the_game_ends() -> None:
    state = race(roll_of(6, 5), mine={5: 1, 4: 1}).after(Rolled(1, roll_of(6, 6)))
    assert state.is_over  # the play was forced and bore off the last two
    assert state.early is None


def test_out_of_turn() -> None:
    state = TableGame()
    for event in (Rolled(0, roll_of(2, 1)), CubeAct.DOUBLE, Cocked(0), Sign.PICK_UP):
        with pytest.raises(InputError):
            state.after(event)
    state = after(opened(), moved(starting_position(), *LEGAL), Sign.PICK_UP)
    with pytest.raises(IllegalAct, match="not this player's roll"):
        state.after(Rolled(0, roll_of(2, 1)))
    state = after(state, CubeAct.DOUBLE, CubeAct.PASS)
    with pytest.raises(IllegalAct, match="the game is over"):
        state.after(Sign.PICK_UP)


# --- sessions and files --------------------------------------------------------------------------


def played() -> TableSession:
    """A match to 3: a game with incidents, passed; then the Crawford game begun."""
    session = TableSession(Terms(length=2), ("Ann", "Bob"))
    start = starting_position()
    for event in (
        Cocked(None),
        OpeningDice((3, 1)),
        Rolled(1, roll_of(6, 6)),
        moved(start, *ILLEGAL),
        Sign.PICK_UP,
        Sign.DEMAND_PLAY,
        moved(start, *LEGAL),
        Sign.PICK_UP,
        CubeAct.DOUBLE,
        CubeAct.PASS,
    ):
        session.do(event)
    session.next_game()
    for event in (OpeningDice((1, 6)), moved(start, (13, 7)), Sign.PICK_UP, Sign.ACCEPT_PLAY):
        session.do(event)
    return session


def test_a_session_keeps_score_and_incidents_and_is_resumed(tmp_path: Path) -> None:
    session = played()
    assert session.standing.points == (0, 1)
    assert session.standing.crawford
    assert [(number, each.kind.value) for number, each in session.incidents] == [
        (1, "cocked dice"),
        (1, "premature roll void"),
        (1, "legal play demanded"),
        (2, "accepted as made"),
    ]
    path = tmp_path / "table.json"
    TABLES.write(path, session)
    resumed = TABLES.read(path)
    assert TABLES.dump(resumed) == TABLES.dump(session)
    written = json.loads(path.read_text())["incidents"][-1]
    assert written == {
        "game": 2,
        "after_events": 3,
        "kind": "accepted as made",
        "by": "Bob",
        "dice": [6, 1],
        "fault": "incomplete",
        "why": "the opponent accepted it",
    }
    resumed.do(Rolled(0, roll_of(2, 1)))
    with pytest.raises(IllegalAct, match="isn't over"):
        resumed.next_game()
    with pytest.raises(IllegalAct, match="only a money session"):
        resumed.close()


def test_a_slip_is_struck_with_its_incident() -> None:
    session = played()
    session.take_back()
    assert session.table.waits_for_claim
    assert len(session.incidents) == 3
    while session.take_back():
        pass
    assert session.game.phase is Phase.OPENING
    assert len(session.incidents) == 3  # those of the first game stay


def test_money_ends_when_the_players_stop() -> None:
    session = TableSession(Terms(), ("Ann", "Bob"))
    session.do(OpeningDice((3, 1)))
    session.do(Resign(Result.SINGLE))
    session.do(Answer.ACCEPT)
    session.close()
    assert session.is_over
    with pytest.raises(IllegalAct, match="no game follows"):
        session.next_game()


def test_events_are_read_back() -> None:
    for event in (
        Cocked(None),
        Cocked(1),
        Rolled(0, roll_of(4, 2)),
        *Sign,
        CubeAct.BEAVER,
        Resign(Result.GAMMON),
        Answer.REFUSE,
        OpeningDice((1, 6)),
    ):
        assert event_from_json(json.loads(json.dumps(event_to_json(event)))) == event
    made = moved(starting_position(), *LEGAL)
    again = event_from_json(json.loads(json.dumps(event_to_json(made))))
    assert isinstance(again, Made)
    assert (again.after == made.after).all()


def game(*events: dict[str, Any]) -> dict[str, Any]:
    return {"points": [0, 0], "events": list(events)}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"names": ["Ann"]}, r"names\[1\]: is missing"),
        ({"names": ["Ann", "ann"]}, "two players are called Ann"),
        ({"games": [game({"event": "sneeze"})]}, r"events\[0\]: .*is no event at a table"),
        ({"games": [game({"act": "roll", "dice": [1, 2]})]}, "is no event at a table"),
        ({"games": [game({"event": "pick up"})]}, "game 1, event 1: no dice lie"),
        ({"games": 3}, "games: must be a valid array, not 3"),
        ({"format": "bgai session"}, "the format must be 'bgai table'"),
    ],
)
def test_bad_files_are_refused_by_name(
    change: dict[str, Any], message: str, tmp_path: Path
) -> None:
    path = tmp_path / "t.json"
    path.write_text(json.dumps({**TABLES.dump(played()), **change}))
    with pytest.raises(InputError, match=f"{path}: .*{message}"):
        TABLES.read(path)
