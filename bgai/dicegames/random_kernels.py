"""Dice inside compiled loops: a fixed function of game, stream and count.

Each seat rolls from its own stream, so the same seat meets the same dice whatever the
others do, and a seed reproduces its game. The mixing is splitmix64's (Steele, Lea and Flood,
"Fast splittable pseudorandom number generators", 2014).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bgai.compiled import compiled


class Seats(NamedTuple):
    """Who plays in a compiled game."""

    kinds: NDArray[np.int64]
    """How each seat plays, by numbers of the game's own."""
    streams: NDArray[np.int64]
    """The dice of each seat."""


@compiled()
def mix(number: np.uint64) -> np.uint64:
    """Scramble 64 bits."""
    number = (number ^ (number >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    number = (number ^ (number >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return number ^ (number >> np.uint64(31))


@compiled()
def draw(seed: np.uint64, stream: int, count: int, below: int) -> int:
    """A number from 0 to ``below - 1`` (far below 2**32): draw ``count`` of a stream."""
    step = np.uint64(0x9E3779B97F4A7C15)
    inner = mix(seed + step * np.uint64(stream + 1))
    bits = mix(inner + step * np.uint64(count + 1)) >> np.uint64(32)
    return int((bits * np.uint64(below)) >> np.uint64(32))


@compiled()
def draw_from(seed: np.uint64, stream: int, count: int, rolls: NDArray[np.int64]) -> int:
    """One of ``rolls``, all alike: see :func:`by_ways`."""
    return rolls[draw(seed, stream, count, len(rolls))]


def by_ways(ways: Sequence[int] | NDArray[np.int64]) -> NDArray[np.int64]:
    """The numbers of the rolls, each as often as it has ways."""
    return np.repeat(np.arange(len(ways)), ways)
