"""Looking deeper while the time for a decision lasts. Only Python's own library is used."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class Deepening:
    """Looks deeper while the time for a decision lasts.

    A depth is only begun where it should end in time. How much longer than the depth before it
    takes is learnt: a higher figure counts at once, a lower one partly, and a depth that is not
    begun is thought a little quicker next time. A search that is being made is not broken off.
    """

    FIRST = 12.0
    SLOW = 0.3
    HOPE = 0.98

    def __init__(self, deepest: int) -> None:
        self.deepest = deepest
        self._growth = [self.FIRST] * deepest

    def best(self, seconds: float, think: "Callable[[int], T]") -> "tuple[T, int]":
        """What ``think(plies)`` finds at the last depth there was time for, and that depth."""
        begun = last = time.perf_counter()
        found = think(0)
        now = time.perf_counter()
        for plies in range(1, self.deepest + 1):
            took = now - last
            if now - begun + took * self._growth[plies - 1] > seconds:
                self._growth[plies - 1] *= self.HOPE
                return found, plies - 1
            last = now
            found = think(plies)
            now = time.perf_counter()
            self._learn(plies - 1, (now - last) / max(took, 1e-6))
        return found, self.deepest

    def _learn(self, index: int, growth: float) -> None:
        known = self._growth[index]
        share = self.SLOW if growth < known else 1.0
        self._growth[index] = max(1.0, known + share * (growth - known))
