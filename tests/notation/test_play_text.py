"""Plays as text: the usual form, and what people type."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from situations import positions

from bgai.notation.play_text import NO_PLAY, AmbiguousPlayError, format_play, parse_play
from bgai.rules.dice import ROLLS, Roll, parse_roll
from bgai.rules.legal_plays import has_legal_play, legal_plays
from bgai.rules.play import Move, PlayError, apply_play, recover_play
from bgai.rules.position import Positions, is_over, position_from_points, starting_position

START = starting_position()


def board(mine: dict[int, int], theirs: dict[int, int]) -> Positions:
    """A position with enemy checkers in the mover's numbering."""
    return position_from_points(mine, {25 - point: count for point, count in theirs.items()})


@pytest.mark.parametrize(
    ("play", "text"),
    [
        ((Move(13, 8), Move(6, 5, True)), "13/8 6/5*"),
        ((Move(24, 20), Move(24, 20)), "24/20(2)"),
        ((Move(13, 10, True), Move(10, 9)), "13/10*/9"),
        ((Move(25, 22),), "bar/22"),
        ((Move(6, 0),), "6/off"),
        ((Move(6, 5, True), Move(6, 5)), "6/5*(2)"),
        ((Move(13, 10, True), Move(10, 7), Move(13, 7)), "13/10*/7 13/7"),
        ((Move(25, 22, True), Move(22, 21, True)), "bar/22*/21*"),
        ((Move(8, 7), Move(8, 7), Move(6, 5), Move(6, 5)), "8/7(2) 6/5(2)"),
        ((), NO_PLAY),
    ],
)
def test_usual_form(play: tuple[Move, ...], text: str) -> None:
    assert format_play(play) == text


BLITZ = board({24: 2, 13: 5, 8: 3, 6: 5}, {5: 1, 10: 1, 7: 1, 22: 2, 19: 5})
BAR = board({25: 1, 24: 1, 8: 3, 6: 5}, {18: 1, 20: 3, 19: 5})
HOME = board({6: 3, 5: 2, 2: 1}, {24: 2})


@pytest.mark.parametrize(
    ("position", "roll", "typed", "usual"),
    [
        (START, "31", "8/5 6/5", "8/5 6/5"),
        (START, "31", "6/5 8/5", "8/5 6/5"),
        (START, "31", "6/5, 8/5", "8/5 6/5"),
        (START, "31", "6/5,8/5;", "8/5 6/5"),
        (START, "31", "  8 / 5   6 / 5 ", "8/5 6/5"),
        (START, "31", "13/9", "13/9"),
        (START, "31", "13/10 10/9", "13/9"),
        (START, "31", "10/9 13/10", "13/9"),
        (START, "31", "24/23/20", "24/20"),
        (START, "66", "24/18(2) 13/7(2)", "24/18(2) 13/7(2)"),
        (START, "66", "24/18 13/7 24/18 13/7", "24/18(2) 13/7(2)"),
        (START, "66", "24/18 (2), 13/7 (2)", "24/18(2) 13/7(2)"),
        (START, "22", "13/11/9/7/5", "13/5"),
        (START, "22", "13/9 6/4(2)", "13/9 6/4(2)"),
        (BLITZ, "31", "8/5 6/5", "8/5* 6/5"),
        (BLITZ, "31", "8/5* 6/5*", "8/5* 6/5"),
        (BLITZ, "31", "8/5*6/5", "8/5* 6/5"),
        (BLITZ, "21", "8/7*/5*", "8/7*/5*"),
        (BLITZ, "21", "8/7/5", "8/7*/5*"),
        (BLITZ, "21", "8/6 6/5", "8/5*"),
        (BAR, "52", "bar/23 8/3", "bar/23 8/3"),
        (BAR, "52", "25/23 8/3", "bar/23 8/3"),
        (BAR, "52", "8/3 BAR/23", "bar/23 8/3"),
        (BAR, "52", "b/23 8/3", "bar/23 8/3"),
        (BAR, "52", "bar/23/18", "bar/18*"),
        (BAR, "52", "bar/18", "bar/18*"),
        (HOME, "65", "6/off 5/off", "6/off 5/off"),
        (HOME, "65", "6/0 5/0", "6/off 5/off"),
        (HOME, "65", "5/OFF 6/o", "6/off 5/off"),
        (HOME, "66", "6/off(3) 5/off", "6/off(3) 5/off"),
    ],
)  # fmt: skip
def test_what_people_type(position: Positions, roll: str, typed: str, usual: str) -> None:
    assert format_play(parse_play(typed, position, parse_roll(roll))) == usual


def test_joined_hit_from_the_issue() -> None:
    position = board({24: 1, 6: 2}, {18: 1, 1: 2})
    assert format_play(parse_play("24/22/18*", position, Roll(4, 2))) == "24/18*"


@pytest.mark.parametrize(
    ("position", "roll", "typed", "message"),
    [
        (START, "31", "", "no move given"),
        (START, "31", "hello", "'hello' is not a move"),
        (START, "31", "8-5 6-5", "'8-5' is not a move"),
        (START, "31", "8/5/ 6/5", "does not go down from 5 to 6"),
        (START, "31", "8/5(7) 6/5", "is not a move"),
        (START, "31", "8/26", "there is no point 26"),
        (START, "31", "99/5", "there is no point 99"),
        (START, "31", "5/8 6/5", "does not go down from 5 to 8"),
        (START, "31", "8/8", "does not go down"),
        (START, "31", "7/4 6/5", "no checker on the 7 point"),
        (START, "11", "24/23(3) 6/5", "not enough checkers on the 24 point"),
        (START, "31", "bar/22 6/5", "no checker on bar"),
        (START, "31", "8/3", "8/3 can't be played with 31"),
        (START, "51", "24/19 6/5", "19 point is blocked"),
        (START, "31", "8/5", "'8/5' is not a legal play of 31; legal: .* and 12 more"),
        (START, "31", "8/5 6/5 24/23", "takes more than the 2 moves of 31"),
        (START, "31", "8/5 13/10", "is not a legal play"),
        (START, "31", "8/5* 6/5", "hits of .* are not those of 8/5 6/5"),
        (START, "61", "6/off 8/7", "all 15 checkers must be home"),
        (BAR, "52", "8/3 8/6", "a checker on the bar must enter first"),
    ],
)
def test_refused(position: Positions, roll: str, typed: str, message: str) -> None:
    with pytest.raises(PlayError, match=message):
        parse_play(typed, position, parse_roll(roll))


def test_ambiguous_text_lists_the_candidates() -> None:
    # Both ways from 13 to 9 hit, so the text without a mark fits two plays.
    position = board({13: 1, 6: 2}, {12: 1, 10: 1})
    with pytest.raises(AmbiguousPlayError, match=r"13/10\*/9, 13/12\*/9|13/12\*/9, 13/10\*/9") as e:
        parse_play("13/9", position, Roll(3, 1))
    assert sorted(map(format_play, e.value.candidates)) == ["13/10*/9", "13/12*/9"]
    assert format_play(parse_play("13/10/9", position, Roll(3, 1))) == "13/10*/9"
    assert format_play(parse_play("13/12*/9", position, Roll(3, 1))) == "13/12*/9"


def test_no_mark_means_no_hit_where_that_is_possible() -> None:
    position = board({13: 1, 6: 2}, {12: 1})
    assert format_play(parse_play("13/9", position, Roll(3, 1))) == "13/9"
    assert format_play(parse_play("13/12/9", position, Roll(3, 1))) == "13/12*/9"


def test_no_legal_play() -> None:
    position = board({25: 1, 6: 2}, {22: 2, 24: 2})
    assert parse_play("", position, Roll(3, 1)) == ()
    assert parse_play(NO_PLAY, position, Roll(3, 1)) == ()
    with pytest.raises(PlayError, match="no legal play of 31"):
        parse_play("6/5", position, Roll(3, 1))


@given(positions(), st.sampled_from(ROLLS), st.randoms(use_true_random=False))
def test_round_trip(position: Positions, roll: Roll, random: object) -> None:
    if is_over(position):
        return
    after = legal_plays(position, roll)
    chosen = after[:: max(1, len(after) // 12)]
    texts = []
    for each in chosen:
        play = recover_play(position, each, roll)
        texts.append(format_play(play))
        assert parse_play(texts[-1], position, roll) == play
        assert np.array_equal(apply_play(position, play), each)
        shuffled = texts[-1].split(" ")
        if has_legal_play(position, after):
            random.shuffle(shuffled)  # type: ignore[attr-defined]
            assert parse_play(" ".join(shuffled), position, roll) == play
    assert len(set(texts)) == len(texts)


@given(st.text(alphabet="0123456789/*() ,barofBO-x", max_size=20), st.sampled_from(ROLLS))
def test_any_text_is_read_or_refused(text: str, roll: Roll) -> None:
    try:
        play = parse_play(text, BLITZ, roll)
    except PlayError:
        return
    assert any(np.array_equal(apply_play(BLITZ, play), a) for a in legal_plays(BLITZ, roll))
