"""Dice: the 21 distinct rolls and seeded rolling.

A roll is a pair of dice, the higher first. Rolls are drawn from a generator that is
handed down and never depend on any evaluation, so the same seed gives the same dice.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bgai.errors import InputError


class Roll(NamedTuple):
    """Two dice, the higher first."""

    high: int
    low: int

    @property
    def is_double(self) -> bool:
        return self.high == self.low

    def __str__(self) -> str:
        return f"{self.high}{self.low}"


class RollError(InputError):
    """Dice that no roll can show."""


def roll_of(first: int, second: int) -> Roll:
    """The roll of two dice in any order. Raises ``RollError`` outside 1-6."""
    for die in (first, second):
        if not 1 <= die <= 6:
            raise RollError(f"a die shows 1 to 6, not {die}")
    return Roll(max(first, second), min(first, second))


def parse_roll(text: str) -> Roll:
    """Read ``"31"``, ``"3-1"``, ``"3 1"`` or ``"3,1"``. Raises ``RollError``."""
    digits = [character for character in text if character not in " -,/x"]
    if len(digits) != 2 or not all(digit in "123456" for digit in digits):
        raise RollError(f"'{text}' is not a roll of two dice, such as 31 or 6-6")
    return roll_of(int(digits[0]), int(digits[1]))


ROLLS: tuple[Roll, ...] = tuple(
    Roll(high, low) for high in range(1, 7) for low in range(1, high + 1)
)
ROLL_DICE: NDArray[np.int8] = np.array(ROLLS, dtype=np.int8)
"""The 21 rolls, shape ``(21, 2)``, in the order 11, 21, 22, 31, ..., 66."""
ROLL_CHANCES: NDArray[np.float64] = np.array([(1 if roll.is_double else 2) / 36 for roll in ROLLS])
"""Chance of each of ``ROLLS``, shape ``(21,)``, summing to 1."""


def roll_dice(rng: np.random.Generator, count: int) -> NDArray[np.int8]:
    """``count`` independent rolls, shape ``(count, 2)``, the higher die first."""
    dice = rng.integers(1, 7, size=(count, 2), dtype=np.int8)
    return np.ascontiguousarray(np.sort(dice, axis=1)[:, ::-1])
