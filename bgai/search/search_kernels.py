"""Compiled steps between the evaluations of a search.

Which replies are the best is decided by ``ranking_kernels``. Every sum runs in a fixed order:
results don't depend on how a batch was cut.
"""

from typing import Any

import numpy as np

from bgai.compiled import compiled
from bgai.rules.dice import ROLL_CHANCES

ROLL_COUNT = 21


@compiled()
def linear_worths(chances: Any, base: float, weights: Any) -> Any:
    """``base + chances @ weights`` row by row, float64 ``(n,)``."""
    worths = np.empty(chances.shape[0])
    for i in range(chances.shape[0]):
        total = base
        for j in range(5):
            total += weights[j] * chances[i, j]
        worths[i] = total
    return worths


@compiled()
def average_replies(chances: Any, rows: Any) -> Any:
    """Chances ``(n, 5)`` of the player who rolls, from the chosen row of each of 21 n segments.

    ``chances`` are the other player's after the play; rolls are in the order of ``ROLLS``.
    """
    out = np.empty((rows.shape[0] // ROLL_COUNT, 5), dtype=np.float32)
    for i in range(out.shape[0]):
        win = wg = wbg = lg = lbg = 0.0
        for roll in range(ROLL_COUNT):
            row = rows[i * ROLL_COUNT + roll]
            weight = ROLL_CHANCES[roll]
            win += weight * (1.0 - chances[row, 0])
            wg += weight * chances[row, 3]
            wbg += weight * chances[row, 4]
            lg += weight * chances[row, 1]
            lbg += weight * chances[row, 2]
        # rounding must not make more gammons than wins, nor more backgammons than gammons
        out[i, 0] = win
        out[i, 1] = min(np.float32(wg), out[i, 0])
        out[i, 2] = min(np.float32(wbg), out[i, 1])
        out[i, 3] = min(np.float32(lg), np.float32(1) - out[i, 0])
        out[i, 4] = min(np.float32(lbg), out[i, 3])
    return out


@compiled()
def every_roll(positions: Any) -> Any:
    """Each position 21 times, ``(21 n, 2, 26)``, and the rolls ``(21 n, 2)`` beside them."""
    n = positions.shape[0]
    repeated = np.empty((n * ROLL_COUNT, 2, 26), dtype=np.int8)
    rolls = np.empty((n * ROLL_COUNT, 2), dtype=np.int8)
    row = 0
    for i in range(n):
        for high in range(1, 7):
            for low in range(1, high + 1):
                rolls[row, 0] = high
                rolls[row, 1] = low
                for side in range(2):
                    for slot in range(26):
                        repeated[row, side, slot] = positions[i, side, slot]
                row += 1
    return repeated, rolls
