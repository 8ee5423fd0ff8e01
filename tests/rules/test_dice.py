"""Throws: reading, chances, and the same dice from the same seed."""

from itertools import islice

import numpy as np
import pytest

from bgai.rules.dice import (
    THROW_CHANCES,
    THROW_DICE,
    THROWS,
    Throw,
    ThrowError,
    dice_stream,
    parse_throw,
    throw_dice,
    throw_of,
)


def test_the_21_throws() -> None:
    assert len(THROWS) == len(set(THROWS)) == 21
    assert all(throw.high >= throw.low for throw in THROWS)
    assert THROW_DICE.tolist() == [list(throw) for throw in THROWS]
    counted = dict.fromkeys(THROWS, 0)
    for first in range(1, 7):
        for second in range(1, 7):
            counted[throw_of(first, second)] += 1
    assert np.allclose(THROW_CHANCES * 36, list(counted.values()))


@pytest.mark.parametrize("text", ["31", "13", "3-1", "1 3", "3,1", " 3 1 ", "3x1"])
def test_reading_a_throw(text: str) -> None:
    assert parse_throw(text) == Throw(3, 1)


@pytest.mark.parametrize("text", ["", "3", "311", "70", "3-0", "ab", "3.1", "-", "²1"])
def test_no_throw(text: str) -> None:
    with pytest.raises(ThrowError, match="is not a throw of two dice"):
        parse_throw(text)


def test_impossible_dice() -> None:
    with pytest.raises(ThrowError, match="not 7"):
        throw_of(7, 1)


def test_the_same_seed_throws_the_same_dice() -> None:
    one = throw_dice(np.random.default_rng(7), 5_000)
    assert np.array_equal(one, throw_dice(np.random.default_rng(7), 5_000))
    assert not np.array_equal(one, throw_dice(np.random.default_rng(8), 5_000))
    assert (one[:, 0] >= one[:, 1]).all()
    stream = list(islice(dice_stream(np.random.default_rng(7)), 50))
    assert stream == list(islice(dice_stream(np.random.default_rng(7)), 50))


def test_dice_are_fair() -> None:
    dice = throw_dice(np.random.default_rng(1), 36_000)
    for throw, chance in zip(THROWS, THROW_CHANCES, strict=True):
        seen = int((dice == throw).all(axis=1).sum())
        spread = (36_000 * chance * (1 - chance)) ** 0.5
        assert abs(seen - 36_000 * chance) < 5 * spread, throw
