"""Plays against the rules in records: taken as made, marked, no decision; wrong marks of hits."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bgai.analysis.judging import judge_piece, pieces
from bgai.errors import InputError
from bgai.notation.entries import Reading
from bgai.notation.illegal import moves_between, moves_text, position_as_written
from bgai.notation.mat import read_mat
from bgai.notation.record import RECORDS
from bgai.notation.record_files import WRITABLE, format_record, parse_record
from bgai.notation.xg import _position
from bgai.rules.acts import MakePlay
from bgai.rules.game import Game
from bgai.rules.play import PlayError
from bgai.rules.position import starting_position
from bgai.search.engine import HANDMADE, EngineSettings


def mat(rows: str, length: int = 5) -> Reading:
    return read_mat(f" {length} point match\n\n Game 1\n Ann : 0      Bob : 0\n{rows}\n")


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("54: 13/8 13/4", "takes more than the 2 moves"),
        ("54: 13/3", "13/3 can't be played with 54"),
        ("54: Illegal play (13/3)", "13/3 can't be played with 54"),
        ("54: 6/8 13/9", "does not go down"),
        ("54: 13/9", "is not a legal play"),
        ("54: Cannot Move", "no play of 54 was made, and 6 are legal"),
    ],
)
def test_an_illegal_play_is_taken_as_made(row: str, told: str) -> None:
    reading = mat(f" 1) 31: 8/5 6/5   {row}\n 2) 61: 13/7 8/7")
    (problem,) = reading.problems
    assert told in str(problem)
    assert str(problem).endswith("taken as made")
    (game,) = reading.record.games
    assert game.broken is None
    assert game.illegal == {3}
    assert len(game.acts) == 6
    for suffix in WRITABLE:
        back = parse_record(format_record(reading.record, suffix).encode(), suffix)
        assert back.record.same_match(reading.record), suffix


def test_an_illegal_play_is_no_decision() -> None:
    record = mat(" 1) 31: 8/5 6/5   54: 13/3\n 2) 61: 13/7 8/7").record
    judge = EngineSettings(network=HANDMADE)
    found = [
        decision["act"]
        for piece in pieces(record)
        for decision in judge_piece(judge, piece)["decisions"]
        if decision["kind"] == "play"
    ]
    assert found == [1, 5]


def test_a_wrong_mark_of_a_hit_is_no_reason_to_stop() -> None:
    reading = mat(" 1) 31: 8/5* 6/5   54: 13/8* 13/9\n 2) 61: 13/7 8/7*")
    assert reading.problems == ()
    assert reading.record.games[0].illegal == frozenset()


def test_json_keeps_illegal_plays_and_checks_them() -> None:
    record = mat(" 1) 31: 8/5 6/5   54: 13/3").record
    data = RECORDS.dump(record)
    assert data["games"][0]["illegal"] == [3]
    assert RECORDS.load(data) == record
    data["games"][0]["illegal"] = []
    with pytest.raises(InputError, match="game 1, act 4: not a legal play of 54"):
        RECORDS.load(data)
    data["games"][0]["illegal"] = "3"
    with pytest.raises(InputError, match="illegal: must be a list"):
        RECORDS.load(data)


def test_a_position_no_moves_lead_to_breaks_the_text_formats_only() -> None:
    record = mat(" 1) 31: 8/5 6/5   54: 13/3\n 2) 61: 13/7 8/7").record
    (game,) = record.games
    after = np.array(game.acts[3].after)  # type: ignore[union-attr]
    after[0, 13] -= 1  # a checker of the other side moved too
    after[0, 14] += 1
    acts = (*game.acts[:3], MakePlay(after))
    record = replace(record, games=(replace(game, acts=acts),))
    assert RECORDS.load(RECORDS.dump(record)) == record
    for suffix in (".mat", ".sgf"):
        (back,) = parse_record(format_record(record, suffix).encode(), suffix).record.games
        assert back.acts == game.acts[:3]
        assert back.broken is not None


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_moves_of_any_play_lead_to_its_position(data: st.DataObject) -> None:
    """Whatever moves are written: the position after them gives moves that lead to it again."""
    position = starting_position()
    for _ in range(data.draw(st.integers(1, 4))):
        slots = [slot for slot in range(1, 26) if position[0, slot]]
        moves = [
            f"{data.draw(st.sampled_from(slots))}/{data.draw(st.integers(0, 24))}"
            for _ in range(data.draw(st.integers(1, 4)))
        ]
        try:
            after = position_as_written(position, " ".join(moves))
        except PlayError:
            continue
        between = moves_between(position, after)
        assert between is not None
        if between:
            assert np.array_equal(position_as_written(position, moves_text(between)), after)
        position = after
        if (position[:, 0] == 15).any():
            break


def test_a_play_bears_off_nobody_elses_checkers() -> None:
    game = Game.set_up(starting_position(), roll=(3, 1))  # type: ignore[arg-type]
    after = game.plays[0].copy()
    after[0, 24] -= 1
    after[0, 0] += 1
    with pytest.raises(InputError, match="none of the other side's"):
        game.let_stand(after)


def test_boards_of_player_one_in_his_numbering() -> None:
    board = [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0]
    for on_roll in (0, 1):
        assert np.array_equal(_position(board, on_roll), starting_position())
