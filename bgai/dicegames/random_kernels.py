"""Dice inside compiled loops: a fixed function of game, stream and count.

Each seat rolls from its own stream, so the same seat meets the same dice whatever the
others do, and a seed reproduces its game. The mixing is splitmix64's (Steele, Lea and Flood,
"Fast splittable pseudorandom number generators", 2014).
"""

import numpy as np
from numpy.typing import NDArray

from bgai.compiled import compiled


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
def draw_roll(seed: np.uint64, stream: int, count: int, ways: NDArray[np.int64]) -> int:
    """The number of a roll drawn by its ways."""
    left = draw(seed, stream, count, ways.sum())
    for roll in range(len(ways)):
        left -= ways[roll]
        if left < 0:
            return roll
    return len(ways) - 1
