"""Points as bits against numpy, at the edges of memory too."""

import numpy as np

from bgai.compiled import compiled
from bgai.evaluation.bits_kernels import mirrored, more_than
from bgai.evaluation.possible_kernels import in_contact
from bgai.rules.position import has_contact


@compiled(keep=False)
def both(row: np.ndarray, side: int, count: int) -> tuple[int, int]:
    bits = more_than(row, side, count)  # type: ignore[call-arg]
    return bits, mirrored(bits)  # type: ignore[call-arg]


def test_bits() -> None:
    rng = np.random.default_rng(1)
    rows = rng.integers(0, 4, size=(200, 52)).astype(np.int8)
    rows[0], rows[1] = 0, 15
    for row in rows:
        for side in (0, 1):
            for count in (0, 1, 2):
                bits, turned = both(row, side, count)
                mask = row[26 * side : 26 * side + 26] > count
                assert bits == sum(1 << int(p) for p in np.flatnonzero(mask))
                assert turned == sum(1 << (25 - int(p)) for p in np.flatnonzero(mask))


def test_contact() -> None:
    for mine in range(26):
        for theirs in range(26):
            row = np.zeros(52, dtype=np.int8)
            row[mine] += 1
            row[26 + theirs] += 1
            row[0] += 14 - (mine == 0) * 14
            assert in_contact(row) == bool(has_contact(row.reshape(2, 26)))
