"""Boards in text: every checker, number and count where it belongs."""

import re

import pytest
from hypothesis import given
from situations import situations

from bgai.notation.diagram import format_diagram
from bgai.notation.identifiers import parse_identifier
from bgai.notation.situation import Seat, Situation
from bgai.rules.position import pip_counts

OPENING = """\
+13-14-15-16-17-18-+-----+19-20-21-22-23-24-+------+
| X           O    |     | O              X |      |  O opponent
| X           O    |     | O              X |      |    pips 167
| X           O    |     | O                |      |  money play
| X                |     | O                |      |  Jacoby
| X                |     | O                |      |  beavers
|                  | BAR |                  | [1]  |  X to play 3-1
| O                |     | X                |      |
| O                |     | X                |      |
| O           X    |     | X                |      |
| O           X    |     | X              O |      |    pips 167
| O           X    |     | X              O |      |  X on roll
+12-11-10--9--8--7-+-----+-6--5--4--3--2--1-+------+
XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:3:0:10
GNU ID 4HPwATDgc/ABMA:cIkFAAAAAAAA"""


def test_opening() -> None:
    situation = parse_identifier("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:3:0:10")
    assert format_diagram(situation, ascii_only=True) == OPENING
    drawn = format_diagram(situation)
    assert drawn.translate(str.maketrans("●○─│┌┬┐└┴┘", "XO-|++++++")) == OPENING


def test_bar_trays_cube_and_match() -> None:
    situation = parse_identifier("XGID=bBC---------------b-----CB:3:-1:-1:D:3:2:0:5:10")
    drawn = format_diagram(situation, names={Seat.BOTTOM: "Ann", Seat.TOP: "Bob"}, ascii_only=True)
    lines = drawn.splitlines()
    # The top player is on roll, so drawn below; the cube is theirs.
    assert lines[0].startswith("+13-14")
    assert lines[1].endswith("|  X Ann")
    assert lines[2].endswith("pips 130, 2 away")
    assert lines[11].endswith("| 11 O |  O Bob")
    assert "[8]" in lines[9]
    assert lines[6].endswith("O doubles to 16")
    assert lines[7].endswith("X to answer")
    assert "match to 5" in drawn
    assert [line[22] for line in lines[1:12]] == list("   OOAXX   ")


def test_stacks_of_more_than_five_are_counted() -> None:
    situation = parse_identifier("XGID=-O--------------------gh--:0:0:1:00:0:0:0:0:10")
    lines = format_diagram(situation, ascii_only=True).splitlines()
    assert [line[41:43] for line in lines[7:12]] == ["15", " X", " X", " X", " X"]
    assert lines[5].count("7") == 1
    assert lines[5].count("8") == 1


def test_numbers_are_those_of_the_player_on_roll() -> None:
    for turn in (1, -1):
        text = f"XGID=-b----E-C---eE---c-e----B-:0:0:{turn}:00:0:0:0:0:10"
        situation = parse_identifier(text)
        below = format_diagram(situation).splitlines()
        above = format_diagram(situation, view=situation.seat.other()).splitlines()
        assert below[0].startswith("┌13")
        assert above[0].startswith("┌12")
        assert below[12].startswith("└12")
        assert above[12].startswith("└13")


@pytest.mark.parametrize("ascii_only", [True, False])
def test_symbols_stay_with_their_player(ascii_only: bool) -> None:
    for turn in (1, -1):
        text = f"XGID=-b----E-C---eE---c-e----B-:0:0:{turn}:00:0:0:0:0:10"
        drawn = format_diagram(
            parse_identifier(text), view=Seat.BOTTOM, ascii_only=ascii_only
        ).splitlines()
        bottom, top = ("X", "O") if ascii_only else ("●", "○")
        assert drawn[1][2] == bottom
        assert drawn[11][2] == top


@given(situations())
def test_every_situation_is_drawn(situation: Situation) -> None:
    for view in Seat:
        drawn = format_diagram(situation, view=view, ids=False)
        lines = drawn.splitlines()
        assert len(lines) == 13
        assert len({line.rindex(line[0]) for line in lines[1:12]}) == 1  # straight edges
        assert all(len(line) <= 84 for line in lines)
        assert ascii_is_ascii(format_diagram(situation, view=view, ascii_only=True))
        for pips in pip_counts(situation.position):
            assert re.search(rf"pips {pips}\b", drawn)
    position = situation.position
    shown = format_diagram(situation, ids=False).splitlines()[1:12]
    symbols = "".join(line[:47] for line in shown)
    for seat, side in ((situation.seat, 0), (situation.seat.other(), 1)):
        mark = "●" if seat is Seat.BOTTOM else "○"
        expected = sum(min(int(n), 5) - (n > 5) for n in position[side, 1:])
        assert symbols.count(mark) == expected


def ascii_is_ascii(text: str) -> bool:
    return text.isascii()
