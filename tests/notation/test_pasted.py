"""Identifiers taken out of what people paste: programs' texts, blocks, words around, OGIDs."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgai.errors import InputError
from bgai.notation.diagram import format_diagram
from bgai.notation.identifiers import format_gnu_id, parse_identifier
from bgai.notation.situation import Offer, Seat
from bgai.notation.xgid import format_xgid
from bgai.rules.cube import Cube, CubeOwner

XGID = "XGID=-b----E-C---eE---c-e----B-:1:-1:1:52:2:3:0:7:10"
OTHER = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:3:0:10"
START = "4HPwATDgc/ABMA"
SITUATION = parse_identifier(XGID)
GNU_ID = format_gnu_id(SITUATION)
POSITION_ID, MATCH_ID = GNU_ID.split(":")

XG_TEXT = f"""{XGID}

X:Player 1   O:Player 2
Score is X:2 O:3 7 pt.(s) match.
 +13-14-15-16-17-18------19-20-21-22-23-24-+
 | X           O    |   | O              X |
 +12-11-10--9--8--7-------6--5--4--3--2--1-+
Pip count  X: 167  O: 167 X-O: 2-3/7
Cube: 2, O own cube
X to play 52

    1. 4-ply       13/8 24/22                   eq:-0.491
      Player:   25.45% (G:0.00% B:0.00%)
"""
GNU_BLOCK = f""" GNU Backgammon  Position ID: {POSITION_ID}
                 Match ID   : {MATCH_ID}
 +13-14-15-16-17-18------19-20-21-22-23-24-+     O: gnubg
 | X           O    |   | O              X |     2 points
"""


@pytest.mark.parametrize(
    "text",
    [
        XG_TEXT,
        XG_TEXT.replace("\n", ""),  # pasted into a field of one line
        XG_TEXT.replace("\n", "\r\n"),
        f"what about {XGID}?",
        f"({XGID})",
        XGID.replace("XGID=", "xgid= "),
        GNU_BLOCK,
        GNU_BLOCK.replace("\n", " "),
        f"Position-ID: {POSITION_ID}    Match-ID: {MATCH_ID}\n {XGID}",
        f"Position-ID: {POSITION_ID}    Match-ID: {MATCH_ID}",
        f"my ID is {GNU_ID}, please",
    ],
)
def test_the_identifier_is_taken_out(text: str) -> None:
    assert parse_identifier(text) == SITUATION


@pytest.mark.parametrize(
    "text", [f"position {START} to play", f"look: {START}.", f"Position ID: {START}", f"a\n{START}"]
)
def test_a_bare_position_among_words(text: str) -> None:
    assert parse_identifier(text) == parse_identifier(START)


def test_our_own_diagrams_are_read() -> None:
    for ascii_only in (True, False):
        assert parse_identifier(format_diagram(SITUATION, ascii_only=ascii_only)) == SITUATION


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("no identifier at all", "no identifier in 'no identifier at all'"),
        (f"{XGID} and {OTHER}", "2 positions where one is expected"),
        (f"{START} or 4HPwATDgc/ABIA", "2 positions where one is expected"),
        ("look at XGID=-b----E-C---eE---c-e----B-:0:0:1:77:0:0:3:0:10 now", "XGID dice"),
        ("look at XGID=abc now", "10 fields, this one 1"),
        ("x " * 20_000, "at most 20000 are looked through"),
    ],
)
def test_what_holds_none_or_several_is_refused(text: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        parse_identifier(text)


def test_the_same_identifier_twice_is_one() -> None:
    assert parse_identifier(f"{XGID} {XGID}") == SITUATION


@pytest.mark.parametrize(
    "text", [" :" * 9_000, "XGID=" * 3_000 + " x", "a" * 19_000 + " b", ("A" * 14 + " ") * 1_300,
             "0:0:W1N:31:W:IW " * 1_000, "Position ID: " * 1_500, "1:" * 9_000 + " "]
)  # fmt: skip
def test_looking_takes_no_time(text: str) -> None:
    begun = time.process_time()
    with pytest.raises(InputError):
        parse_identifier(text)
    assert time.process_time() - begun < 1


# --- OGID -----------------------------------------------------------------------------------


def test_ogids() -> None:
    start = "11jjjjjhhhccccc:ooddddd88866666:N0N::W:IW:0:0:1:0"
    found = parse_identifier(start)
    assert format_gnu_id(found).startswith(START)
    assert found.seat is Seat.BOTTOM
    rolled = parse_identifier("11jjjjjhhhccccc:ooddddd88866666:W1N:52:B:DR:2:3:7:4")
    assert str(rolled.roll) == "52"
    assert rolled.cube == Cube(2, CubeOwner.ON_ROLL)
    assert rolled.score is not None
    assert (rolled.score.length, rolled.score.on_roll, rolled.score.opponent) == (7, 2, 3)
    assert parse_identifier(f"OGID={start}") == found
    assert parse_identifier(f"see {start} there") == found


def test_an_ogid_with_a_double_names_the_doubler() -> None:
    found = parse_identifier("11jjjjjhhhccccc:ooddddd88866666:N0O::W:OD:0:0:7:4")
    assert found.offer is Offer.DOUBLED
    assert found.seat is Seat.BOTTOM  # White doubled
    assert found.score is not None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("11jjjjjhhhccccc:ooddddd88866666:N9N::W:IW:0:0:1:0", "OGID"),
        ("0p:p0:N0N::W:IW:0:0:0:0", "OGID"),
        ("11jjjjjhhhccccc:ooddddd88866661:N0N::W:IW:0:0:0:0", "OGID"),
        ("11jjjjjhhhccccc:ooddddd88866666:N0N::W:IW:9:0:7:0", "OGID"),
    ],
)
def test_bad_ogids_are_refused(text: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        parse_identifier(text)


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_words_around_an_xgid(before: str, after: str) -> None:
    """Whatever stands around it, it is found or refused with words, never mistaken."""
    try:
        found = parse_identifier(f"{before} {XGID} {after}")
    except InputError:
        return
    assert format_xgid(found) == XGID
