"""Verdicts that files hold: read, put in our terms, written back, and no part of the match."""

from pathlib import Path

import numpy as np
import pytest

from bgai.analysis.store import match_digest
from bgai.notation.record import RECORDS, MatchRecord, StoredPlay, StoredVerdict
from bgai.notation.record_files import parse_records
from bgai.notation.sgf import read_sgf, write_sgf
from bgai.notation.sgf_moves import letters_for, moves_of
from bgai.notation.stored import match_chances, settled, stored_words
from bgai.rules.acts import MakePlay, OpeningDice, RollDice
from bgai.rules.dice import Roll
from bgai.rules.game import Game
from bgai.rules.legal_plays import legal_plays
from bgai.rules.match import Standing
from bgai.rules.play import apply_play, recover_play
from bgai.rules.position import position_from_points

GOLDEN = Path(__file__).parents[1] / "golden" / "matches"
XG_FILES = sorted(GOLDEN.glob("*.xg"))


def read(path: Path) -> MatchRecord:
    pytest.importorskip("gvformat")
    (reading,) = parse_records(path.read_bytes(), path.suffix)
    return reading.record


def agree(one: StoredVerdict, other: StoredVerdict) -> None:
    """The same but for the decimals that a format writes."""
    assert (one.by, one.level) == (other.by, other.level)
    assert [(each.text, each.level) for each in one.plays] == [
        (each.text, each.level) for each in other.plays
    ]
    for mine, theirs in zip(one.plays, other.plays, strict=True):
        assert (mine.equity, *mine.chances) == pytest.approx(
            (theirs.equity, *theirs.chances), abs=1e-6
        )
    assert one.cube == pytest.approx(other.cube, abs=2e-5)
    assert one.luck == pytest.approx(other.luck, abs=1e-5)


@pytest.mark.parametrize("path", XG_FILES, ids=lambda path: path.stem[:6])
def test_extreme_gammons_verdicts_survive_sgf_and_json(path: Path) -> None:
    record = read(path)
    assert RECORDS.load(RECORDS.dump(record)) == record
    back = read_sgf(write_sgf(record)).record
    count = 0
    for game, again in zip(record.games, back.games, strict=True):
        if game.illegal:  # moves of such a play may be told otherwise
            continue
        assert game.verdicts.keys() == again.verdicts.keys()
        for act, verdict in game.verdicts.items():
            agree(verdict, again.verdicts[act])
            count += 1
    assert count > 100


def test_gnu_backgammons_verdicts_are_read_and_written() -> None:
    (reading,) = parse_records((GOLDEN / "3-point.sgf").read_bytes(), ".sgf")
    record = reading.record
    first = record.games[0].verdicts
    assert first[1].plays[0] == StoredPlay(
        "13/11 6/5", 0.003383, "3-ply", (0.501314, 0.141060, 0.005802, 0.143223, 0.008464)
    )
    assert stored_words(first[1], "24/22 24/23").startswith("GNU 3-ply: 13/11 6/5 +0.003, ")
    cubes = [each for each in first.values() if each.cube]
    assert cubes
    assert all(-2 < each.cube[0] < 2 and each.cube[2] == 1 for each in cubes)
    back = read_sgf(write_sgf(record)).record
    for game, again in zip(record.games, back.games, strict=True):
        assert game.verdicts.keys() == again.verdicts.keys()
        for act, verdict in game.verdicts.items():
            agree(verdict, again.verdicts[act])


def test_match_winning_chances_and_equities_are_each_others_way_back() -> None:
    """At double match point a chance p is an equity of 2p - 1; elsewhere there and back."""
    last = Game(standing=Standing(5, (4, 4)))
    verdict = settled(StoredVerdict("x", cube=(0.6, 0.55, 1.0)), last, in_chances=True)
    assert verdict.cube == pytest.approx((0.2, 0.1, 1.0))
    game = Game(standing=Standing(7, (2, 4)))
    verdict = settled(StoredVerdict("x", cube=(0.31, 0.28, 1.0)), game, in_chances=True)
    assert match_chances(game, verdict.cube[:2]) == pytest.approx((0.31, 0.28))
    money = settled(StoredVerdict("x", cube=(0.31, 0.28, 1.0)), Game(), in_chances=True)
    assert money.cube == (0.31, 0.28, 1.0)


@pytest.mark.parametrize("path", XG_FILES, ids=lambda path: path.stem[:6])
def test_verdicts_stand_beside_the_acts_they_are_about(path: Path) -> None:
    """Luck and the cube at the roll, plays at the play, the best equity of those judged deepest."""
    record = read(path)
    for game in record.games:
        for act, verdict in game.verdicts.items():
            if isinstance(game.acts[act], OpeningDice | RollDice):
                assert not verdict.plays
            elif isinstance(game.acts[act], MakePlay):
                assert verdict.plays
                assert not verdict.cube
            else:
                assert verdict.cube


def test_verdicts_do_not_make_another_match() -> None:
    record = read(XG_FILES[0])
    stripped = read_sgf(write_sgf(record)).record
    assert any(game.verdicts for game in stripped.games)
    for game in stripped.games:
        game.verdicts.clear()  # type: ignore[attr-defined]
    assert match_digest(record) == match_digest(
        MatchRecord(record.players, record.terms, record.games, {})
    )
    assert stripped.same_match(record)


def test_a_play_that_could_hit_on_its_way_is_spelled_out() -> None:
    """6/1 with blots on 4 and 1 is two plays; letters tell which, since they mark no hits."""
    position = position_from_points({6: 2, 20: 2, 13: 2}, {21: 1, 24: 1, 2: 3})
    roll = Roll(3, 2)
    for seat in (0, 1):
        game = Game.set_up(position, turn=seat, roll=roll)
        for after in legal_plays(position, roll):
            letters = letters_for(game, recover_play(position, after, roll))
            entry = moves_of(letters, seat)
            verdict = settled(StoredVerdict("x", plays=(StoredPlay(entry, 0.0),)), game)
            from bgai.notation.play_text import parse_play

            again = apply_play(position, parse_play(verdict.plays[0].text, position, roll))
            assert np.array_equal(again, after), (entry, verdict.plays[0].text)


@pytest.mark.parametrize(
    "value",
    [
        "A[0][mkfe E ver 3 nonsense]",
        "A[0]",
        "A[9][zzzzz E ver 3 0.5 0.1 0.0 0.1 0.0 0.0 3C]",
        "DA[E ver 3 3C 1]",
        "LU[much]",
        "JD[]A[0][mkfe E ver 3 0.5 0.1 0.0 0.1 0.0 9e999 3C]",
    ],
)
def test_what_is_no_verdict_is_passed_over(value: str) -> None:
    text = f"(;FF[4]GM[6]MI[length:3]PW[A]PB[B];W[21mkfe]{value})"
    (game,) = read_sgf(text).record.games
    assert len(game.acts) == 2
    assert not any(each.plays or each.cube or each.luck for each in game.verdicts.values())
