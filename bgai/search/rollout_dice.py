"""Dice of a rollout: stratified, and a function of seed, set and turn alone.

A set is 36 trials. In turns 0, 1 and 2 its trials run through the 36 rolls once. Turn 0 is
roll ``i`` for trial ``i``; turn 1 is number ``i + set`` (mod 36) of an order shuffled for
every 36 sets, so that those make every pair of rolls once; turn 2 is shuffled for every set.
Later turns are independent. Each turn of each trial is fair on its own.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

SET = 36
_ROLLS = np.array([(a, b) for a in range(1, 7) for b in range(1, 7)], dtype=np.int8)
_BLOCK = 64  # turns drawn at once


@lru_cache(maxsize=512)
def _drawn(seed: int, number: int, block: int) -> NDArray[np.int64]:
    """Roll numbers ``(64, 36)`` of the turns of one block of a set."""
    rng = np.random.default_rng([seed, number, block])
    rolls = rng.integers(0, SET, size=(_BLOCK, SET))
    if block == 0:
        trials = np.arange(SET)
        shuffled = np.random.default_rng([seed, number // SET]).permutation(SET)
        rolls[0] = trials
        rolls[1] = shuffled[(trials + number) % SET]
        rolls[2] = rng.permutation(SET)
    return rolls


def roll_numbers(seed: int, sets: NDArray[np.int64], turn: int) -> NDArray[np.int64]:
    """Roll numbers 0-35 ``(36 * len(sets),)`` of one turn; trial 36 s + i is trial i of set s."""
    block, row = divmod(turn, _BLOCK)
    return np.concatenate([_drawn(seed, int(number), block)[row] for number in sets])


def rolls_of_sets(seed: int, sets: NDArray[np.int64], turn: int) -> NDArray[np.int8]:
    """The dice ``(36 * len(sets), 2)`` of one turn."""
    return _ROLLS[roll_numbers(seed, sets, turn)]
