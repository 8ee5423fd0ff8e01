"""Positions: building, checking, swapping, counting."""

import numpy as np
import pytest

from bgai.errors import InputError
from bgai.rules.position import (
    PositionError,
    check_position,
    has_contact,
    is_over,
    pip_counts,
    position_from_points,
    starting_position,
    swap_sides,
)


def test_starting_position() -> None:
    start = starting_position()
    assert start.shape == (2, 26)
    assert start.dtype == np.int8
    assert start.sum(axis=1).tolist() == [15, 15]
    assert pip_counts(start).tolist() == [167, 167]
    assert np.array_equal(swap_sides(start), start)


def test_swapping_twice_changes_nothing() -> None:
    position = position_from_points({24: 2, 6: 5}, {25: 1, 13: 3})
    swapped = swap_sides(position)
    assert swapped[0, 25] == 1
    assert swapped[1, 24] == 2
    assert np.array_equal(swap_sides(swapped), position)
    batch = np.stack([position, swapped])
    assert np.array_equal(swap_sides(batch)[0], swapped)


def test_pips_count_the_bar_as_25() -> None:
    assert pip_counts(position_from_points({25: 2, 1: 1}, {6: 3})).tolist() == [51, 18]


@pytest.mark.parametrize(
    ("mine", "theirs", "contact"),
    [
        ({24: 1}, {2: 1, 20: 1}, True),
        ({12: 1}, {12: 1}, False),  # mine is on their 13, past their 12
        ({14: 1}, {12: 1}, True),
        ({25: 1}, {1: 1}, True),
        ({6: 5}, {6: 5}, False),
        ({}, {6: 5}, False),
    ],
)
def test_contact(mine: dict[int, int], theirs: dict[int, int], contact: bool) -> None:
    position = position_from_points(mine, theirs)
    assert bool(has_contact(position)) is contact
    assert bool(has_contact(swap_sides(position))) is contact


def test_over_when_a_side_is_off() -> None:
    assert is_over(position_from_points({}, {6: 1}))
    assert is_over(position_from_points({6: 1}, {}))
    assert not is_over(starting_position())


@pytest.mark.parametrize(
    ("mine", "theirs", "message"),
    [
        ({6: 16}, {1: 1}, "player on roll: -1 checkers"),
        ({6: -1}, {1: 1}, "player on roll: -1 checkers on point 6"),
        ({1: 1}, {26: 1}, "opponent: there is no point 26"),
        ({13: 1}, {12: 1}, "both sides have checkers on the 13 point"),
        ({}, {}, "both sides have borne off"),
        ({6: 2}, {19: 1}, "both sides have checkers on the 6 point"),
    ],
)
def test_bad_positions(mine: dict[int, int], theirs: dict[int, int], message: str) -> None:
    with pytest.raises(PositionError, match=message):
        position_from_points(mine, theirs)


def test_bad_shape_and_total() -> None:
    with pytest.raises(InputError, match="shape"):
        check_position(np.zeros((2, 25)))
    short = starting_position()
    short[1, 6] -= 1
    with pytest.raises(InputError, match="opponent: 14 checkers, there must be 15"):
        check_position(short)
