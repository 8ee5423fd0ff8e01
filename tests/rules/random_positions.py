"""Random positions of every kind for tests: scattered, on the bar, bearing off, late."""

import numpy as np

from bgai.rules.position import Positions

# Where each side's checkers may stand, as (lowest, highest, chance of each being off, bar weight).
_KINDS = {
    "scattered": ((1, 24, 0.0, 1), (1, 24, 0.0, 1)),
    "late": ((1, 24, 0.5, 1), (1, 24, 0.5, 1)),
    "bar": ((1, 24, 0.0, 8), (1, 12, 0.1, 1)),
    "bear-off": ((1, 6, 0.5, 0), (1, 24, 0.3, 2)),
    "last checkers": ((1, 6, 0.85, 0), (18, 24, 0.3, 4)),
    "nearly home": ((1, 8, 0.2, 0), (12, 24, 0.5, 1)),
    "blocked": ((7, 24, 0.3, 3), (1, 8, 0.0, 0)),
}
KINDS = tuple(_KINDS)


def random_position(rng: np.random.Generator, kind: str) -> Positions:
    """One ``(2, 26)`` position; both sides keep at least one checker on the board."""
    position = np.zeros((2, 26), dtype=np.int8)
    taken: set[int] = set()
    for side in (0, 1) if rng.random() < 0.5 else (1, 0):
        lowest, highest, off, bar_weight = _KINDS[kind][side]
        free = [slot for slot in range(lowest, highest + 1) if 25 - slot not in taken]
        free = free or [slot for slot in range(1, 25) if 25 - slot not in taken]
        free = list(rng.permutation(free)[: rng.integers(2, 12)]) + [25] * bar_weight
        borne_off = min(14, int(rng.binomial(15, off)))
        for slot in rng.choice(free, size=15 - borne_off):
            position[side, slot] += 1
        position[side, 0] = borne_off
        taken = {int(slot) for slot in np.flatnonzero(position[side]) if 0 < slot < 25}
    return position
