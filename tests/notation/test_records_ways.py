"""Ways in which programs write records: resignations, headings, several matches, any names."""

import struct
import zlib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bgai.errors import InputError
from bgai.notation.entries import Reading
from bgai.notation.mat import read_mat, read_mats
from bgai.notation.mat_writing import write_mat
from bgai.notation.record import MatchRecord, RecordedGame, Result
from bgai.notation.record_files import WRITABLE, format_record, parse_record, read_record
from bgai.notation.sgf import read_sgf
from bgai.notation.xg import read_xg
from bgai.rules.acts import Answer, CubeAct, MakePlay, OpeningDice, RollDice
from bgai.rules.cube import HouseRules
from bgai.rules.game import Ending
from bgai.rules.match import Standing, Terms

MATCHES = Path(__file__).parents[1] / "golden" / "matches"
PLAYED = " 1) 31: 8/5 6/5         64: 24/14\n"


def mat(rows: str, length: int = 5, before: str = "") -> Reading:
    heading = f" {length} point match\n\n Game 1\n Ann : 0      Bob : 0\n"
    return read_mat(f"{before}{heading}{rows}\n")


# --- resignations ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "winner", "points"),
    [
        (" 2) Concedes\n       Wins 2 points", 1, 2),
        (" 2) 00: ????\n       Wins 1 point", 1, 1),
        (" 2) ????\n                            Wins 1 point", 1, 1),
        (" 2) 61: ????\n                        Wins 3 points", 1, 3),
        (" 2) Resigns\n        Wins 1 point", 1, 1),
        (" 2)                      Concedes\n      Wins 2 points", 0, 2),
        (" 2) Losses 1 point", 1, 1),
        (" 2) Loses 2 points", 1, 2),
        (" 2)                      Losses 1 point", 0, 1),
    ],
)
def test_words_of_resignation(row: str, winner: int, points: int) -> None:
    reading = mat(PLAYED + row)
    assert reading.problems == ()
    (game,) = reading.record.games
    assert game.result == Result(winner, points, Ending.RESIGNED)
    assert game.broken is None
    for suffix in WRITABLE:
        back = parse_record(format_record(reading.record, suffix).encode(), suffix)
        assert back.record.same_match(reading.record), suffix


def test_a_resignation_without_points_is_a_single_game_and_said_so() -> None:
    reading = mat(PLAYED + " 2) Doubles => 2    Takes\n 3) Concedes")
    assert reading.record.games[0].result == Result(1, 2, Ending.RESIGNED)
    assert "taken for a single game" in str(reading.problems[0])


@pytest.mark.parametrize(("level", "points"), [(1, 1), (2, 2), (3, 3)])
def test_sgf_resignations(level: int, points: int) -> None:
    reading = read_sgf(f"(;GM[6]MI[length:5]RU[Crawford];W[31hefe];B[64ak];W[resign:{level}])")
    assert reading.problems == ()
    assert reading.record.games[0].result == Result(1, points, Ending.RESIGNED)
    assert reading.record.games[0].acts[-1] is Answer.ACCEPT
    out_of_turn = read_sgf(f"(;GM[6]MI[length:5]RU[Crawford];W[31hefe];W[resign:{level}])")
    assert out_of_turn.record.games[0].result == Result(1, points, Ending.RESIGNED)


def test_dice_nobody_played_are_no_empty_move_in_sgf() -> None:
    reading = mat(PLAYED + " 2) 61: ????\n                        Wins 3 points")
    text = format_record(reading.record, ".sgf")
    assert ";PL[W]DI[61]" in text
    assert "W[61]" not in text
    assert isinstance(read_sgf(text).record.games[0].acts[-3], RollDice)  # resigned, accepted
    played_on = "(;GM[6]MI[length:5]RU[Crawford];PL[W]DI[31];W[31hefe];B[64ak])"
    assert read_sgf(played_on).problems == ()


def xg_with(change: dict[int, bytes], kind: int, which: int = -1) -> bytes:
    """The small .xg match with bytes of one record changed, by their offsets."""
    content = (MATCHES / "XCu3RJ0UvDg_Tldl.xg").read_bytes()
    start = 8232 + struct.unpack("<I", content[20:24])[0]
    data = bytearray(zlib.decompress(content[start:]))
    places = [at for at in range(0, len(data), 2560) if data[at + 8] == kind]
    for offset, value in change.items():
        at = places[which] + offset
        data[at : at + len(value)] = value
    return content[:start] + zlib.compress(bytes(data))


def test_xg_writes_a_resignation_as_a_play_that_leaves_no_checker() -> None:
    dead = {35: bytes(26), 2312: struct.pack("<d", -1000.0), 2480: struct.pack("<i", 2)}
    content = xg_with(dead, 3)
    reading = read_xg(content)
    assert reading.problems == ()
    game = reading.record.games[-1]
    assert game.illegal == frozenset()
    assert game.result == Result(1, 3, Ending.RESIGNED)  # as the game's footer says


# --- headings -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "before",
    ['; [Event "Club night, match to 5"]\n', '; [Comment "7 point match"]\n', "# 9 point match\n",
     '; 5 point match\n; [Site "x"]\n'],
)  # fmt: skip
def test_a_heading_does_not_change_the_length(before: str) -> None:
    reading = mat(PLAYED, length=3, before=before)
    assert reading.record.terms.length == 3
    event = replace(reading.record, info={"event": "Club night, match to 5"})
    assert read_mat(write_mat(event)).record.terms.length == 3


@pytest.mark.parametrize("name", ["HyperGammon", "Nackgammon", "LongGammon"])
def test_other_games_are_refused_by_name(name: str) -> None:
    with pytest.raises(InputError, match=f"a match of {name}: only backgammon"):
        mat(PLAYED, before=f'; [Variation "{name}"]\n')
    assert mat(PLAYED, before='; [Variation "Backgammon"]\n').problems == ()


@pytest.mark.parametrize("rule", ["NackGammon", "HyperGammon3", "Nackgammon"])
def test_other_games_in_sgf(rule: str) -> None:
    with pytest.raises(InputError, match=f"a match of {rule}"):
        read_sgf(f"(;GM[6]RU[Crawford:{rule}];W[31hefe])")


@pytest.mark.parametrize(
    ("number", "name"), [(1, "Nackgammon"), (2, "HyperGammon"), (9, "number 9")]
)
def test_other_games_in_xg(number: int, name: str) -> None:
    with pytest.raises(InputError, match=f"a match of .*{name}"):
        read_xg(xg_with({96: struct.pack("<i", number)}, 0))


# --- several matches ------------------------------------------------------------------------

GAME = (
    " Game {0}\n {1} : {2}          {3} : {4}\n 1) 31: 8/5 6/5         Doubles => 2\n"
    " 2)  Drops\n                   Wins 1 point\n\n"
)


def test_several_matches_of_a_file_are_records_of_their_own() -> None:
    text = (
        '; [Event "first"]\n 1 point match\n' + GAME.format(1, "Ann", 0, "Bob", 0).replace(
            "Doubles => 2\n 2)  Drops\n                   Wins 1 point", "64: 24/14")
        + '; [Event "second"]\n 2 point match\n' + GAME.format(1, "Cleo", 0, "Dan", 0)
        + GAME.format(2, "Cleo", 0, "Dan", 1)
        + " money session\n" + GAME.format(1, "Ann", 0, "Eve", 0)
    )  # fmt: skip
    records = [reading.record for reading in read_mats(text)]
    assert [record.players for record in records] == [
        ("Ann", "Bob"),
        ("Cleo", "Dan"),
        ("Ann", "Eve"),
    ]
    assert [record.terms.length for record in records] == [1, 2, None]
    assert [record.info.get("event") for record in records] == ["first", "second", None]
    assert [record.winner for record in records] == [None, 1, None]


def test_games_of_other_players_are_another_match_without_a_line_that_says_so() -> None:
    text = (
        " 3 point match\n"
        + GAME.format(1, "Ann", 0, "Bob", 0)
        + GAME.format(1, "Cleo", 0, "Dan", 0)
    )
    first, second = (reading.record for reading in read_mats(text))
    assert (first.players, second.players) == (("Ann", "Bob"), ("Cleo", "Dan"))
    assert second.terms.length == 3


def test_no_game_is_taken_after_a_match_is_won() -> None:
    text = " 1 point match\n" + "".join(
        GAME.format(number, "Ann", 0, "Bob", 0).replace("Doubles => 2\n 2)  Drops\n", "64: 24/14\n")
        for number in (1, 2)
    )
    reading = read_mat(text)
    assert len(reading.record.games) == 1
    assert "after the end of the match" in str(reading.problems[0])


# --- any names, scores, lengths, comments ---------------------------------------------------

NAME = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40) | st.sampled_from(
    ["A" * 26, "B" * 60, "; Ann", "# x", "Ann : 3", "7 point match", "Game 1", "1) 31:", "a  b",
     ": 0   C : 0", "[x]", "\\", ")", '"', "Doubles => 2", "31: 8/5"]
)  # fmt: skip


@given(
    names=st.tuples(NAME, NAME),
    length=st.none() | st.integers(1, 40),
    points=st.tuples(st.integers(0, 39), st.integers(0, 39)),
    comments=st.dictionaries(st.integers(-1, 4), st.text(max_size=30), max_size=3),
    event=st.text(max_size=30),
    crawford=st.booleans(),
)
@settings(max_examples=250, deadline=None)
def test_any_names_scores_and_comments_are_read_back(
    names: tuple[str, str],
    length: int | None,
    points: tuple[int, int],
    comments: dict[int, str],
    event: str,
    crawford: bool,
) -> None:
    rows = mat(PLAYED + " 2)  Doubles => 2        Drops\n      Wins 1 point").record.games[0]
    assert isinstance(rows.acts[1], MakePlay)
    assert rows.acts[-2:] == (CubeAct.DOUBLE, CubeAct.PASS)
    if length is None:
        standing = Standing(None, (points[0] - points[1], points[1] - points[0]))
    else:
        points = (min(points[0], length - 1), min(points[1], length - 1))
        one_away = length - 1 in points
        standing = Standing(length, points, one_away and (crawford or length == 1))
    acts, result = rows.acts, rows.result
    if standing.crawford or (length is not None and length - 1 == points[0]):
        acts, result = acts[:4], None  # nobody may double
    assert isinstance(acts[0], OpeningDice)
    game = RecordedGame(standing, acts, result, comments={k: v for k, v in comments.items() if v})
    record = MatchRecord(names, Terms(length, HouseRules()), (game,), {"event": event})
    for suffix in WRITABLE:
        back = parse_record(format_record(record, suffix).encode(), suffix)
        assert back.problems == ()
        assert back.record.players == record.players, suffix
        if suffix == ".json":
            assert back.record == record
        assert back.record.games[0].acts == acts
        assert back.record.games[0].result == result
        assert back.record.terms.length == length
        if length is not None:
            assert back.record.games[0].standing == standing


def test_the_small_xg_match_is_what_it_was() -> None:
    assert read_xg(xg_with({}, 3)).record == read_record(MATCHES / "XCu3RJ0UvDg_Tldl.xg").record
