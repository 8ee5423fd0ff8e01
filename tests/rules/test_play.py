"""Plays recovered from positions, and made again."""

from itertools import pairwise

import numpy as np
import pytest
from random_positions import KINDS, random_position

from bgai.rules.dice import Roll, roll_dice, roll_of
from bgai.rules.legal_plays import has_legal_play, legal_plays, legal_plays_batch
from bgai.rules.play import Move, PlayError, apply_play, recover_play
from bgai.rules.position import Positions, position_from_points, starting_position, swap_sides


def board(mine: dict[int, int], theirs: dict[int, int]) -> Positions:
    """A position with enemy checkers in the mover's numbering."""
    return position_from_points(mine, {25 - point: count for point, count in theirs.items()})


# Before, roll, the play. Whatever a play may leave out is left out.
USUAL = [
    (starting_position(), (3, 1), (Move(8, 5), Move(6, 5))),
    (starting_position(), (2, 1), (Move(13, 11), Move(6, 5))),
    (starting_position(), (6, 5), (Move(24, 13),)),
    (starting_position(), (4, 4), (Move(24, 16), Move(24, 16))),
    (starting_position(), (1, 1), (Move(8, 7), Move(8, 7), Move(6, 5), Move(6, 5))),
    (board({13: 1}, {10: 1}), (3, 1), (Move(13, 10, True), Move(10, 9))),
    (board({13: 1}, {10: 1, 9: 1}), (3, 1), (Move(13, 10, True), Move(10, 9, True))),
    (board({13: 1}, {12: 1}), (3, 1), (Move(13, 9),)),
    (board({13: 1}, {12: 1}), (3, 1), (Move(13, 12, True), Move(12, 9))),
    (board({25: 1, 6: 1}, {22: 1}), (3, 1), (Move(25, 22, True), Move(6, 5))),
    (board({6: 1, 5: 1}, {}), (6, 5), (Move(6, 0), Move(5, 0))),
    (board({2: 1}, {1: 1}), (2, 1), (Move(2, 1, True), Move(1, 0))),
    (board({6: 2}, {5: 1}), (1, 1), (Move(6, 5, True), Move(5, 4), Move(6, 4))),
    (board({6: 3}, {5: 1}), (1, 1), (Move(6, 5, True), Move(6, 5), Move(6, 4))),
    (board({8: 1, 6: 1}, {}), (2, 2), (Move(8, 4), Move(6, 2))),
    (board({13: 2}, {10: 1}), (3, 3), (Move(13, 10, True), Move(10, 7), Move(13, 7))),
]  # fmt: skip


@pytest.mark.parametrize(("before", "roll", "play"), USUAL)
def test_usual_form(before: Positions, roll: tuple[int, int], play: tuple[Move, ...]) -> None:
    after = apply_play(before, play)
    assert any(np.array_equal(after, each) for each in legal_plays(before, roll_of(*roll)))
    found = recover_play(before, after, roll_of(*roll))
    assert np.array_equal(apply_play(before, found), after)
    assert found == play


def test_every_play_is_recovered() -> None:
    rng = np.random.default_rng(6)
    positions = np.stack([random_position(rng, KINDS[i % len(KINDS)]) for i in range(1_400)])
    rolls = roll_dice(rng, len(positions))
    after, offsets = legal_plays_batch(positions, rolls)
    for i, position in enumerate(positions):
        results = after[offsets[i] : offsets[i + 1]]
        roll = roll_of(*rolls[i].tolist())
        plays = [recover_play(position, each, roll) for each in results]
        assert len(set(plays)) == len(plays)
        assert (plays == [()]) is not has_legal_play(position, results)
        for play, each in zip(plays, results, strict=True):
            assert np.array_equal(apply_play(position, play), each)
            starts = [
                two.source
                for one, two in pairwise((Move(26, 26), *play))
                if not (one.hit and one.destination == two.source)
            ]
            assert starts == sorted(starts, reverse=True)


def test_what_can_not_be_recovered() -> None:
    start = starting_position()
    with pytest.raises(PlayError, match="no play of 31"):
        recover_play(start, apply_play(start, (Move(24, 18),)), Roll(3, 1))
    with pytest.raises(PlayError, match="more than four"):
        recover_play(start, apply_play(start, (Move(24, 4),)), Roll(2, 2))
    with pytest.raises(PlayError):
        recover_play(start, swap_sides(board({13: 1}, {5: 1})), Roll(3, 1))


@pytest.mark.parametrize(
    ("play", "message"),
    [
        ((Move(7, 5),), "no checker on 7"),
        ((Move(24, 19),), "19 point is blocked"),
        ((Move(6, 6),), "can't move from 6 to 6"),
        ((Move(25, 22),), "no checker on bar"),
        ((Move(6, -1),), "can't move"),
    ],
)
def test_plays_that_can_not_be_made(play: tuple[Move, ...], message: str) -> None:
    with pytest.raises(PlayError, match=message):
        apply_play(starting_position(), play)
