"""Rolls: reading, chances, and the same dice from the same seed."""

import numpy as np
import pytest

from bgai.rules.dice import (
    ROLL_CHANCES,
    ROLL_DICE,
    ROLLS,
    Roll,
    RollError,
    parse_roll,
    roll_dice,
    roll_of,
)


def test_the_21_rolls() -> None:
    assert len(ROLLS) == len(set(ROLLS)) == 21
    assert all(roll.high >= roll.low for roll in ROLLS)
    assert ROLL_DICE.tolist() == [list(roll) for roll in ROLLS]
    counted = dict.fromkeys(ROLLS, 0)
    for first in range(1, 7):
        for second in range(1, 7):
            counted[roll_of(first, second)] += 1
    assert np.allclose(ROLL_CHANCES * 36, list(counted.values()))


@pytest.mark.parametrize("text", ["31", "13", "3-1", "1 3", "3,1", " 3 1 ", "3x1"])
def test_reading_a_roll(text: str) -> None:
    assert parse_roll(text) == Roll(3, 1)


@pytest.mark.parametrize("text", ["", "3", "311", "70", "3-0", "ab", "3.1", "-", "²1"])
def test_no_roll(text: str) -> None:
    with pytest.raises(RollError, match="is not a roll of two dice"):
        parse_roll(text)


def test_impossible_dice() -> None:
    with pytest.raises(RollError, match="not 7"):
        roll_of(7, 1)


def test_the_same_seed_rolls_the_same_dice() -> None:
    one = roll_dice(np.random.default_rng(7), 5_000)
    assert np.array_equal(one, roll_dice(np.random.default_rng(7), 5_000))
    assert not np.array_equal(one, roll_dice(np.random.default_rng(8), 5_000))
    assert (one[:, 0] >= one[:, 1]).all()


def test_dice_are_fair() -> None:
    dice = roll_dice(np.random.default_rng(1), 36_000)
    for roll, chance in zip(ROLLS, ROLL_CHANCES, strict=True):
        seen = int((dice == roll).all(axis=1).sum())
        spread = (36_000 * chance * (1 - chance)) ** 0.5
        assert abs(seen - 36_000 * chance) < 5 * spread, roll
