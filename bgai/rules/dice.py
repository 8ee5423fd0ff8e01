"""Dice: the 21 distinct throws and seeded throwing.

A throw is a pair of dice, the higher first. Throws are drawn from a generator that is
handed down and never depend on any evaluation, so the same seed gives the same dice.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bgai.errors import InputError


class Throw(NamedTuple):
    """Two dice, the higher first."""

    high: int
    low: int

    @property
    def is_double(self) -> bool:
        return self.high == self.low

    def __str__(self) -> str:
        return f"{self.high}{self.low}"


class ThrowError(InputError):
    """Dice that no throw can show."""


def throw_of(first: int, second: int) -> Throw:
    """The throw of two dice in any order. Raises ``ThrowError`` outside 1-6."""
    for die in (first, second):
        if not 1 <= die <= 6:
            raise ThrowError(f"a die shows 1 to 6, not {die}")
    return Throw(max(first, second), min(first, second))


def parse_throw(text: str) -> Throw:
    """Read ``"31"``, ``"3-1"``, ``"3 1"`` or ``"3,1"``. Raises ``ThrowError``."""
    digits = [character for character in text if character not in " -,/x"]
    if len(digits) != 2 or not all(digit in "123456" for digit in digits):
        raise ThrowError(f"'{text}' is not a throw of two dice, such as 31 or 6-6")
    return throw_of(int(digits[0]), int(digits[1]))


THROWS: tuple[Throw, ...] = tuple(
    Throw(high, low) for high in range(1, 7) for low in range(1, high + 1)
)
THROW_DICE: NDArray[np.int8] = np.array(THROWS, dtype=np.int8)
"""The 21 throws, shape ``(21, 2)``, in the order 11, 21, 22, 31, ..., 66."""
THROW_CHANCES: NDArray[np.float64] = np.array(
    [(1 if throw.is_double else 2) / 36 for throw in THROWS]
)
"""Chance of each of ``THROWS``, shape ``(21,)``, summing to 1."""


def throw_dice(rng: np.random.Generator, count: int) -> NDArray[np.int8]:
    """``count`` independent throws, shape ``(count, 2)``, the higher die first."""
    dice = rng.integers(1, 7, size=(count, 2), dtype=np.int8)
    return np.ascontiguousarray(np.sort(dice, axis=1)[:, ::-1])


def dice_stream(rng: np.random.Generator) -> Iterator[Throw]:
    """Endless single throws; reproducible from the state of ``rng``."""
    while True:
        first, second = rng.integers(1, 7, size=2)
        yield throw_of(int(first), int(second))
