"""Match records: the same match from every format, quirks, broken files."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bgai.errors import FileError, InputError
from bgai.notation.entries import Reading
from bgai.notation.mat import read_mat
from bgai.notation.mat_writing import write_mat
from bgai.notation.record import (
    RECORDS,
    MatchRecord,
    RecordedGame,
    RecordError,
    Result,
)
from bgai.notation.record_files import (
    WRITABLE,
    format_record,
    parse_record,
    read_record,
    write_record,
)
from bgai.notation.sgf import read_sgf, write_sgf
from bgai.rules.acts import Act, Answer, CubeAct, MakePlay, OpeningDice, Resign, RollDice
from bgai.rules.cube import HouseRules
from bgai.rules.dice import Roll
from bgai.rules.game import Ending, Game
from bgai.rules.match import Standing, Terms
from bgai.rules.outcome import Result as Level

MATCHES = Path(__file__).parents[1] / "golden" / "matches"
SOUND = ["3-point.mat", "7-point.mat", "3-point.sgf", "B4_SrGcsKAQmoTyHlgJCbM.xg"]


def mat(rows: str, length: int = 5, score: str = " Ann : 0      Bob : 0") -> Reading:
    return read_mat(f" {length} point match\n\n Game 1\n{score}\n{rows}\n")


def again(record: MatchRecord, suffix: str) -> Reading:
    return parse_record(format_record(record, suffix).encode(), suffix)


@pytest.mark.parametrize("name", SOUND)
@pytest.mark.parametrize("suffix", WRITABLE)
def test_what_is_written_is_read_back(name: str, suffix: str) -> None:
    reading = read_record(MATCHES / name)
    assert reading.problems == ()
    back = again(reading.record, suffix)
    assert back.problems == ()
    assert back.record.same_match(reading.record)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("3-point.mat", "3-point.sgf"),
        ("B4_SrGcsKAQmoTyHlgJCbM.mat", "B4_SrGcsKAQmoTyHlgJCbM.xg"),
        ("XCu3RJ0UvDg_Tldl.mat", "XCu3RJ0UvDg_Tldl.xg"),
        ("hQ8sVn2LbTdF4wRm.mat", "hQ8sVn2LbTdF4wRm.xg"),
    ],
)
def test_two_formats_of_one_match(one: str, other: str) -> None:
    assert read_record(MATCHES / one).record.same_match(read_record(MATCHES / other).record)


def test_the_seven_point_match() -> None:
    record = read_record(MATCHES / "7-point.mat").record
    assert record.players == ("White", "Black")
    assert record.terms.length == 7
    assert record.info["date"] == "2026-11-29"
    assert [game.result for game in record.games] == [
        Result(0, 1, Ending.PASSED),
        Result(1, 2, Ending.BORNE_OFF),
        Result(0, 2, Ending.PASSED),
        Result(1, 4, Ending.BORNE_OFF),
        Result(0, 2, Ending.RESIGNED),
        Result(0, 2, Ending.RESIGNED),
    ]
    assert [game.standing.crawford for game in record.games] == [False] * 4 + [True, False]
    assert record.games[4].acts[-2:] == (Resign(Level.GAMMON), Answer.ACCEPT)
    assert record.winner == 0
    assert record.final_points == (7, 6)


def test_json_is_lossless_and_checked() -> None:
    record = read_record(MATCHES / "3-point.sgf").record
    game = replace(record.games[0], comments={-1: "a game", 3: "a play"}, broken="so to speak")
    record = replace(record, games=(game, *record.games[1:]))
    data = json.loads(json.dumps(RECORDS.dump(record)))
    assert RECORDS.load(data) == record
    data["games"][0]["acts"][2] = {"act": "roll", "dice": [3, 7]}
    with pytest.raises(InputError, match=r"games\[0\].acts\[2\]: .*\[3, 7\]"):
        RECORDS.load(data)
    data["games"][0]["acts"][2] = {"act": "take"}
    with pytest.raises(RecordError, match="game 1, act 3: take is not possible"):
        RECORDS.load(data)
    with pytest.raises(InputError, match="version 9"):
        RECORDS.load({"format": "bgai match", "version": 9})
    with pytest.raises(InputError, match="the format must be"):
        RECORDS.load([])


def test_illegal_plays_are_reported_and_the_game_goes_on() -> None:
    path = MATCHES / "hQ8sVn2LbTdF4wRm.mat"
    reading = read_record(path)
    assert [str(problem) for problem in reading.problems] == [
        f"{path}, game 2, row 20 (line 71): '6/8' does not go down from 6 to 8; taken as made",
        f"{path}, game 3, row 9 (line 98): 13/9 can't be played with 63; taken as made",
        f"{path}, game 3, row 15 (line 104): 7/1 can't be played with 41; taken as made",
    ]
    games = reading.record.games
    assert [game.broken for game in games] == [None] * 4
    assert [len(game.illegal) for game in games] == [0, 1, 2, 0]
    assert games[1].result == Result(0, 2, Ending.BORNE_OFF)
    assert games[3].standing.points == (8, 0)
    for suffix in WRITABLE:
        assert again(reading.record, suffix).record.same_match(reading.record)


def test_quirks_of_mat_files() -> None:
    text = (
        '\ufeff; [Event "Club night"]\n# another comment\n\n 3 point match\n\n Game 1\n'
        " A very long name indeed : 0      Bob : 0\n"
        "  1)                                  31: 8/5 6/5\n"
        "  2) 65: 24/13                        55: 13/8(2) 8/3(2)\n"
        "  3) 52: 13/8 6/4                      Doubles => 2\n"
        "  4)  Takes                           64: 24/14\n"
        "  5) 61: ????\n"
        "      Wins 4 points\n"
    )
    reading = parse_record(text.encode(), ".mat")
    game = reading.record.games[0]
    assert reading.problems == ()
    assert reading.record.info == {"event": "Club night"}
    assert game.acts[0] == OpeningDice((1, 3))
    assert game.acts[-1] == RollDice(Roll(6, 1))  # resigned after rolling
    assert game.result == Result(0, 4, Ending.RESIGNED)


def test_names_that_change_columns() -> None:
    text = (
        " 3 point match\n Game 1\n Ann : 0          Bob : 0\n"
        "  1) 31: 8/5 6/5         Doubles => 2\n  2)  Drops\n                   Wins 1 point\n"
        " Game 2\n Bob : 1          Ann : 0\n"
        "  1) 31: 8/5 6/5         Doubles => 2\n  2)  Drops\n                   Wins 1 point\n"
    )
    record = read_mat(text).record
    assert record.games[0].acts[0] == OpeningDice((3, 1))
    assert record.games[1].acts[0] == OpeningDice((1, 3))
    assert [game.result for game in record.games if game.result] == [
        Result(1, 1, Ending.PASSED),
        Result(0, 1, Ending.PASSED),
    ]


def test_a_blank_play_is_a_dance_or_forced() -> None:
    rows = (
        " 1) 31: 8/5 6/5          66: 24/18(2) 13/7(2)\n"
        " 2) 52:                  11: 8/7(2) 6/5(2)\n"
    )
    reading = mat(rows)
    assert "row 2" in str(reading.problems[0])
    assert "no play of 52 is written" in str(reading.problems[0])


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (" 1) 31: 8/5 6/5   54: 13/8 nonsense", "'nonsense' is not a move"),
        (" 1) 31: 8/5 6/5   54: Illegal play (12/3)", "there is no checker on the 12"),
        (" 1) 31: 8/5 6/5   54: 24/19 6/2", "the 19 point is blocked"),
        (" 1) 31: 8/5 6/5   54: 13/4\n 2) 61:\n 3) 61: 13/7 8/7", "no play of 61 is written"),
        (" 1) 33: 8/5(2) 6/3(2)", "no opening roll"),
        (" 1) 31: 8/5 6/5   Takes", "where no double was offered"),
        (" 1) 31: 8/5 6/5   Doubles => 8", "a double to 8"),
        (" 1) gibberish", "unreadable"),
    ],
)
def test_broken_rows(row: str, told: str) -> None:
    reading = mat(row)
    assert len(reading.problems) == 1
    assert told in str(reading.problems[0])
    assert reading.record.games[0].broken is not None
    assert again(reading.record, ".mat").record.same_match(reading.record)


def test_beavers_and_jacoby_of_a_money_session() -> None:
    rows = (
        " 1) 31: 8/5 6/5            Doubles => 2\n"
        " 2)  Beavers => 4          Beavers => 8\n"
        " 3)  Beavers => 16        54: 13/9 13/8\n"
        "     Wins 16 points\n"
    )
    reading = mat(rows, length=0)
    record = reading.record
    assert reading.problems == ()
    assert record.terms.rules.beaver_turns == 3
    raised = (CubeAct.DOUBLE, CubeAct.BEAVER, CubeAct.RACCOON, CubeAct.BEAVER, CubeAct.TAKE)
    assert record.games[0].acts[2:7] == raised
    assert record.games[0].result == Result(0, 16, Ending.RESIGNED)
    for suffix in WRITABLE:
        assert again(record, suffix).record.same_match(record)


def test_scores_that_do_not_fit_are_reported() -> None:
    text = (
        " 5 point match\n Game 1\n Ann : 0   Bob : 0\n 1) 31: 8/5 6/5   Doubles => 2\n 2)  Drops\n"
        "      Wins 1 point\n Game 2\n Ann : 3   Bob : 0\n 1) 31: 8/5 6/5\n"
    )
    reading = read_mat(text)
    assert "the score is 3-0, after the games before it would be 0-1" in str(reading.problems[0])
    assert reading.record.games[1].standing.points == (3, 0)


def test_resignations_out_of_turn_are_results() -> None:
    reading = mat(" 1) 31: 8/5 6/5         64: 24/14\n                         Wins 2 points")
    game = reading.record.games[0]
    assert game.acts[-1] == Answer.ACCEPT  # Ann was on turn
    reading = mat(" 1) 31: 8/5 6/5         64: 24/14\n      Wins 2 points")
    game = reading.record.games[0]
    assert isinstance(game.acts[-1], MakePlay)
    assert game.result == Result(0, 2, Ending.RESIGNED)


def test_sgf_with_variations_comments_and_escapes() -> None:
    text = (
        "(;FF[4]GM[6]MI[length:3][game:0][ws:0][bs:0]PW[Ann \\] A]PB[Bob]RU[Crawford]"
        "C[the game]\n(;W[31hefe]C[good: \\] really]A[0][hefe E]\n;B[double]\n;W[drop])(;W[31xt]))"
    )
    reading = read_sgf(text)
    game = reading.record.games[0]
    assert reading.problems == ()
    assert reading.record.players == ("Ann ] A", "Bob")
    assert game.comments == {-1: "the game", 1: "good: ] really"}
    assert game.acts[2:] == (CubeAct.DOUBLE, CubeAct.PASS)
    back = read_sgf(write_sgf(reading.record)).record
    assert back.same_match(reading.record)
    assert back.games[0].comments == game.comments


@pytest.mark.parametrize(
    ("content", "suffix", "told"),
    [
        (b"hello", ".mat", "point match"),
        (b" 5 point match\n", ".mat", "no games"),
        (b"hello", ".sgf", "no game in it"),
        (b"(;GM[6]", ".sgf", "cut short"),
        (b"(;GM[1])", ".sgf", "game 1"),
        (b"{", ".json", "not JSON"),
        (b"RGMH", ".xg", "xg file"),
        (b"", ".xg", "xg file"),
    ],
)
def test_files_that_are_no_records(content: bytes, suffix: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        parse_record(content, suffix)


def test_extensions_and_missing_files(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"none of \.mat"):
        read_record(tmp_path / "match.doc")
    with pytest.raises(FileError, match="No such file"):
        read_record(tmp_path / "match.mat")
    record = read_record(MATCHES / "3-point.mat").record
    with pytest.raises(RecordError, match="can't be written"):
        write_record(record, tmp_path / "match.xg")
    write_record(record, tmp_path / "match.sgf")
    assert [path.name for path in tmp_path.iterdir()] == ["match.sgf"]


def test_automatic_doubles_have_no_place_in_text_formats() -> None:
    terms = Terms(None, HouseRules(automatic_doubles=1))
    acts = (OpeningDice((3, 3)), OpeningDice((3, 1)))
    record = MatchRecord(("Ann", "Bob"), terms, (RecordedGame(Standing.start(), acts),))
    assert RECORDS.load(RECORDS.dump(record)) == record
    for suffix in (".mat", ".sgf"):
        with pytest.raises(RecordError, match="automatic doubles"):
            format_record(record, suffix)


def random_record(rng: np.random.Generator, length: int | None) -> MatchRecord:
    """Two games of any legal acts; after some time the player on turn resigns."""
    terms = Terms(length, HouseRules(beaver_turns=2) if length is None else HouseRules())
    standing = Standing.start(length)
    games: list[RecordedGame] = []
    while standing.winner is None and len(games) < 2:
        game, acts = Game(standing=standing, rules=terms.rules), []
        while not game.is_over:
            act = random_act(game, rng, late=len(acts) > 90)
            acts.append(act)
            game = game.after(act)
        won = game.outcome
        assert won is not None
        games.append(
            RecordedGame(standing, tuple(acts), Result(won.winner, won.points, won.ending))
        )
        standing = standing.after(won.winner, won.points)
    return MatchRecord(("Ann Lee", "Bob"), terms, tuple(games))


def random_act(game: Game, rng: np.random.Generator, *, late: bool) -> Act:
    resigning = [Resign(level) for level in game.resignation_levels]
    if resigning and (late or rng.random() < 0.01):
        return resigning[rng.integers(len(resigning))]
    legal = [act for act in game.legal_acts() if not isinstance(act, Resign)]
    if late and Answer.ACCEPT in legal:
        return Answer.ACCEPT
    return legal[rng.integers(len(legal))]


@pytest.mark.parametrize(("seed", "length"), [(1, None), (2, None), (3, 1), (4, 7), (5, 7), (6, 9)])
def test_any_match_is_read_back(seed: int, length: int | None) -> None:
    record = random_record(np.random.default_rng(seed), length)
    for suffix in WRITABLE:
        back = again(record, suffix)
        assert back.problems == ()
        assert [game.result for game in back.record.games] == [g.result for g in record.games]
        assert _acts(back.record) == _acts(record), suffix


def _acts(record: MatchRecord) -> list[list[object]]:
    """Acts without refused resignations and equal opening dice."""
    found = []
    for game in record.games:
        acts: list[object] = []
        for act in game.acts:
            if isinstance(act, OpeningDice) and act.dice[0] == act.dice[1]:
                continue
            if act is Answer.REFUSE:
                acts.pop()
                continue
            acts.append(act)
        found.append(acts)
    return found


def test_writing_mat_looks_as_people_know_it() -> None:
    text = write_mat(read_record(MATCHES / "3-point.mat").record)
    assert "  1) 21: 13/11 6/5              65: 24/13\n" in text
    assert "  6)  Drops                     Wins 1 point\n" in text
