"""XGID, position ID and match ID: golden rows, round trips, and what is refused."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from situations import positions, situations

from bgai.errors import InputError
from bgai.notation.identifiers import format_gnu_id, parse_identifier
from bgai.notation.match_id import format_match_id
from bgai.notation.position_id import IdentifierError, format_position_id, parse_position_id
from bgai.notation.situation import Offer, Seat, Situation
from bgai.notation.xgid import format_xgid, parse_xgid
from bgai.rules.cube import Cube, CubeOwner, HouseRules
from bgai.rules.dice import Roll
from bgai.rules.match import MatchScore
from bgai.rules.position import Positions, starting_position, swap_sides

GOLDEN = Path(__file__).parent.parent / "golden" / "ids.jsonl"
ROWS = [json.loads(line) for line in GOLDEN.read_text().splitlines()]
START = "4HPwATDgc/ABMA"
XGID_START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:3:0:10"


def test_golden_rows() -> None:
    assert len(ROWS) == 79
    for row in ROWS:
        situation = parse_identifier(row["xgid"])
        assert format_xgid(situation) == row["xgid"]
        assert format_position_id(situation.position) == row["position_id"]
        assert format_match_id(situation) == row["match_id"]
        # GNU Backgammon's pair says the same, but for the seat, beavers and the cube's limit.
        gnu_id = f"{row['position_id']}:{row['match_id']}"
        other = parse_identifier(gnu_id)
        assert format_gnu_id(other) == gnu_id
        beavers = replace(situation.rules, beaver_turns=other.rules.beaver_turns)
        assert replace(situation, seat=Seat.BOTTOM, rules=beavers) == other


@given(situations())
def test_xgid_round_trip(situation: Situation) -> None:
    assert parse_identifier(format_xgid(situation)) == situation


@given(situations())
def test_gnu_id_round_trip(situation: Situation) -> None:
    read = parse_identifier(format_gnu_id(situation))
    assert format_gnu_id(read) == format_gnu_id(situation)
    assert np.array_equal(read.position, situation.position)
    assert (read.score, read.roll, read.offer) == (
        situation.score,
        situation.roll,
        situation.offer,
    )
    assert read.stake == situation.stake
    assert read.session == situation.session
    if situation.offer < Offer.BEAVERED:
        assert read.cube == situation.cube


@given(positions())
def test_position_id_round_trip(position: Positions) -> None:
    text = format_position_id(position)
    assert len(text) == 14
    assert np.array_equal(parse_position_id(text), position)


@given(situations())
def test_swapping_twice_only_clears_the_roll(situation: Situation) -> None:
    plain = replace(situation, roll=None, offer=Offer.NONE)
    assert situation.swapped().swapped() == plain
    assert hash(situation.swapped().swapped()) == hash(plain)
    # Who is on roll changes only the turn of an XGID: the board stays where it is.
    before, after = (format_xgid(each).split(":") for each in (plain, plain.swapped()))
    assert before[3] == str(-int(after[3]))
    assert before[:3] + before[4:] == after[:3] + after[4:]


def test_plain_position_id_is_money_play() -> None:
    situation = parse_identifier(f"  {START}\n")
    assert np.array_equal(situation.position, starting_position())
    assert situation == Situation(starting_position())
    assert format_xgid(situation) == XGID_START


def test_the_prefix_may_be_left_out() -> None:
    assert parse_identifier(XGID_START[5:]) == parse_identifier(XGID_START)
    assert parse_identifier(XGID_START.lower()[:5] + XGID_START[5:]) == parse_identifier(XGID_START)


def test_everything_is_seen_by_the_player_on_roll() -> None:
    situation = parse_xgid("XGID=-b----E-C---eE---c-e----B-:1:1:-1:31:4:2:0:7:6")
    assert situation.seat is Seat.TOP
    assert situation.cube == Cube(2, CubeOwner.OPPONENT)
    assert situation.score == MatchScore(7, 2, 4)
    assert situation.roll == Roll(3, 1)
    assert situation.rules.max_cube == 64
    assert np.array_equal(situation.position, swap_sides(starting_position()))


def test_offers() -> None:
    fields = "XGID=-b----E-C---eE---c-e----B-:1:1:1:{}:0:0:3:0:10"
    doubled, beavered, raccooned = (parse_xgid(fields.format(letter)) for letter in "DBR")
    assert [s.offer for s in (doubled, beavered, raccooned)] == [
        Offer.DOUBLED,
        Offer.BEAVERED,
        Offer.RACCOONED,
    ]
    assert [s.stake for s in (doubled, beavered, raccooned)] == [4, 8, 16]
    assert [s.answers_on_roll for s in (doubled, beavered, raccooned)] == [False, True, False]
    for situation in (doubled, beavered, raccooned):
        assert parse_identifier(format_gnu_id(situation)).offer is situation.offer


@pytest.mark.parametrize(
    ("text", "letter"),
    [("cBEAAAAAAAAA", "D"), ("QRkAAAAAAAAA", "B"), ("QhEAAAAAAAAA", "R")],
)
def test_offers_as_gnu_backgammon_prints_them(text: str, letter: str) -> None:
    # Observed with GNU Backgammon 1.07: double, then redouble twice, from the start.
    situation = parse_identifier(f"{START}:{text}")
    assert situation == parse_xgid(XGID_START.replace(":00:", f":{letter}:"))
    assert format_match_id(situation) == text


def test_player_zero_on_roll_in_a_match_id() -> None:
    # The same game with GNU Backgammon's player 0 on roll, who owns the cube at 2 and leads 3-1.
    fields = [(1, 4), (0, 2), (0, 1), (0, 1), (1, 3), (0, 1), (0, 1), (0, 2), (6, 3), (5, 3)]
    fields += [(7, 15), (3, 15), (1, 15), (1, 1)]
    situation = parse_identifier(f"{START}:{packed(fields)}")
    assert situation.seat is Seat.TOP
    assert situation.cube == Cube(2, CubeOwner.ON_ROLL)
    assert situation.score == MatchScore(7, 3, 1)
    assert situation.roll == Roll(6, 5)


def packed(fields: list[tuple[int, int]]) -> str:
    """A match ID of (number, bits) pairs."""
    import base64

    bits = at = 0
    for number, width in fields:
        bits |= number << at
        at += width
    return base64.b64encode(bits.to_bytes(9, "little")).decode()


PLAYING = {
    "cube": (0, 4), "owner": (3, 2), "on_roll": (1, 1), "crawford": (0, 1), "state": (1, 3),
    "turn": (1, 1), "doubled": (0, 1), "resigned": (0, 2), "die": (0, 3), "other": (0, 3),
    "length": (0, 15), "score0": (0, 15), "score1": (0, 15), "no_jacoby": (0, 1), "rest": (0, 5),
}  # fmt: skip


def match_id(**numbers: int) -> str:
    return packed([(numbers.get(name, number), bits) for name, (number, bits) in PLAYING.items()])


def test_the_helper_writes_a_readable_match_id() -> None:
    assert match_id() == "cAkAAAAAAAAA"
    assert parse_identifier(f"{START}:{match_id()}").roll is None


@pytest.mark.parametrize(
    ("numbers", "field"),
    [
        ({"state": 2}, "game state"),
        ({"state": 0}, "game state"),
        ({"owner": 2}, "cube owner"),
        ({"turn": 0}, "turn"),
        ({"doubled": 1}, "turn"),
        ({"resigned": 1}, "resignation"),
        ({"crawford": 1}, "Crawford"),
        ({"die": 7, "other": 1}, "a die shows 1 to 6, not 7"),
        ({"die": 3}, "a die shows 1 to 6, not 0"),
        ({"length": 5, "score1": 5}, "score 5 of the player on roll"),
        ({"length": 5, "score0": 9}, "score 9 of the opponent"),
        ({"length": 5, "crawford": 1}, "Crawford"),
        ({"doubled": 1, "owner": 0}, "too low after a beaver"),
        ({"rest": 1}, "bits after the last field"),
    ],
)
def test_bad_match_ids(numbers: dict[str, int], field: str) -> None:
    with pytest.raises(IdentifierError, match=f"match ID.*{field}"):
        parse_identifier(f"{START}:{match_id(**numbers)}")


BOARD = "-b----E-C---eE---c-e----B-"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"XGID={BOARD}:0:0:1:00:0:0:3:0", "10 fields, this one 9"),
        (f"XGID={BOARD}:0:0:1:00:0:0:3:0:10:1", "10 fields, this one 11"),
        (f"XGID={BOARD}-:0:0:1:00:0:0:3:0:10", "position.*27 characters"),
        ("XGID=-b----E-C---eE---c-e---BB-:0:0:1:00:0:0:3:0:10", "position: 17 checkers of the b"),
        ("XGID=-b----E-C---eE---p------B-:0:0:1:00:0:0:3:0:10", "position: 23 checkers of the top"),
        ("XGID=-b----E-C---eE---c-e----Q-:0:0:1:00:0:0:3:0:10", "position: 'Q'"),
        ("XGID=-b----E-C---eE---c-e----é-:0:0:1:00:0:0:3:0:10", "position: 'é'"),
        ("XGID=Bb----E-C---eE---c-e------:0:0:1:00:0:0:3:0:10", "position: character 0"),
        ("XGID=-b----E-C---eE---c-e-----b:0:0:1:00:0:0:3:0:10", "position: character 25"),
        ("XGID=--------------------------:0:0:1:00:0:0:3:0:10", "position: both sides have borne"),
        (f"XGID={BOARD}:-1:0:1:00:0:0:3:0:10", "cube: '-1'"),
        (f"XGID={BOARD}:x:0:1:00:0:0:3:0:10", "cube: 'x'"),
        (f"XGID={BOARD}:1.5:0:1:00:0:0:3:0:10", "cube: '1.5'"),
        (f"XGID={BOARD}:99:0:1:00:0:0:3:0:10", "cube: '99' must be from 0 to 30"),
        (f"XGID={BOARD}:1:2:1:00:0:0:3:0:10", "owner: '2'"),
        (f"XGID={BOARD}:0:0:0:00:0:0:3:0:10", "turn: '0'"),
        (f"XGID={BOARD}:0:0::00:0:0:3:0:10", "turn: ''"),
        (f"XGID={BOARD}:0:0:1:71:0:0:3:0:10", "dice: '71'"),
        (f"XGID={BOARD}:0:0:1:0:0:0:3:0:10", "dice: '0'"),
        (f"XGID={BOARD}:0:0:1:30:0:0:3:0:10", "dice: '30'"),
        (f"XGID={BOARD}:0:0:1:d:0:0:3:0:10", "dice: 'd'"),
        (f"XGID={BOARD}:0:0:1:00:5:0:0:5:10", "score1: '5' must be from 0 to 4"),
        (f"XGID={BOARD}:0:0:1:00:0:6:0:5:10", "score2: '6' must be from 0 to 4"),
        (f"XGID={BOARD}:0:0:1:00:-1:0:0:5:10", "score1: '-1'"),
        (f"XGID={BOARD}:0:0:1:00:0:0:4:0:10", "rules: '4' must be from 0 to 3"),
        (f"XGID={BOARD}:0:0:1:00:0:0:2:5:10", "rules: '2' must be 0 or 1"),
        (f"XGID={BOARD}:0:0:1:00:0:0:1:5:10", "rules: in the Crawford game"),
        (f"XGID={BOARD}:0:0:1:00:0:0:3:-1:10", "length: '-1'"),
        (f"XGID={BOARD}:0:0:1:00:0:0:3:0:-5", "maxcube: '-5'"),
        (f"XGID={BOARD}:0:0:1:00:0:0:3:0:٣", "maxcube"),
        ("", "no identifier"),
        ("XGID=", "10 fields, this one 1"),
        ("4HPwATDgc/ABM", "position ID '4HPwATDgc/ABM' has 13 characters"),
        ("4HPwATDgc/AB-A", "characters other than"),
        ("4HPwATDgc/ABMB", "last character"),
        ("//////////////", "position ID"),
        (f"{START}:", "match ID '' has 0 characters"),
        (f"{START}:cAkAAAAAAAA", "match ID 'cAkAAAAAAAA' has 11 characters"),
        (f"{START}:cAkAAAAAAAAA:1", "neither an XGID"),
    ],
)
def test_refused_with_the_field(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_identifier(text)


def test_position_id_of_too_many_checkers_names_the_side() -> None:
    # Sixteen 1 bits for the side that comes first: the opponent's ace point.
    with pytest.raises(IdentifierError, match="16 checkers of the opponent"):
        parse_position_id("//8AAAAAAAAAAA"[:14])


def test_position_id_with_a_shared_point() -> None:
    text = format_position_id(starting_position())
    shared = np.zeros((2, 26), dtype=np.int8)
    shared[0, [6, 0]], shared[1, [19, 0]] = (2, 13), (2, 13)
    assert text == START
    with pytest.raises(InputError, match="both sides have checkers on the 6 point"):
        parse_position_id(format_position_id(shared))


def test_match_id_limits() -> None:
    large = Situation(starting_position(), cube=Cube(1 << 16))
    with pytest.raises(IdentifierError, match="match ID cube: 16"):
        format_match_id(large)


def test_contradictions_are_refused() -> None:
    start = starting_position()
    with pytest.raises(InputError, match="rolled while a double"):
        Situation(start, roll=Roll(3, 1), offer=Offer.DOUBLED)
    with pytest.raises(InputError, match="Crawford"):
        Situation(start, score=MatchScore(3, 2, 0, True), offer=Offer.DOUBLED)
    with pytest.raises(InputError, match="beavers"):
        Situation(start, score=MatchScore(3, 0, 0), offer=Offer.BEAVERED)
    with pytest.raises(InputError, match="opponent owns the cube"):
        Situation(start, cube=Cube(2, CubeOwner.OPPONENT), offer=Offer.DOUBLED)
    with pytest.raises(InputError, match="session"):
        Situation(start, score=MatchScore(3, 0, 0), session=(1, 0))


def test_house_rules_do_not_apply_in_a_match() -> None:
    situation = Situation(
        starting_position(), score=MatchScore(3), rules=HouseRules(True, 2, 3, max_cube=64)
    )
    assert situation.rules == HouseRules(False, 0, 0, max_cube=64)


def test_a_situation_keeps_its_own_position() -> None:
    position = starting_position()
    situation = Situation(position)
    position[0, 6] = 0
    assert situation.position[0, 6] == 5
