"""A cache of evaluations, shared by everything that holds it.

Each entry keeps the whole position (both sides' 25 counts, four bits each) beside its
chances, so a hit is always right and results are the same with and without the cache. A new
position replaces whatever sits in its place. A lock makes it safe to share between threads.
"""

import threading

import numpy as np
from numpy.typing import NDArray

from bgai.errors import InputError
from bgai.evaluation.composite import for_search
from bgai.evaluation.evaluator import Chances, Evaluator
from bgai.rules.position import Positions


class CachedEvaluator:
    """Wraps an evaluator; the same chances, sooner where a position comes again."""

    def __init__(self, evaluator: Evaluator, entries: int = 2**16) -> None:
        if entries < 1 or entries & (entries - 1):
            raise InputError(f"a cache of {entries} entries: the number must be a power of two")
        self.evaluator = for_search(evaluator)
        self.cube_network = getattr(evaluator, "cube_network", None)
        self._keys = np.zeros((entries, 4), dtype=np.uint64)
        self._chances = np.zeros((entries, 5), dtype=np.float32)
        self._lock = threading.Lock()
        self.hits = 0
        self.asked = 0

    def evaluate(self, positions: Positions) -> Chances:
        """Chances ``(n, 5)``, from the cache or from the evaluator inside."""
        from bgai.evaluation.composite_kernels import gather, scatter
        from bgai.search import cache_kernels as kernels

        positions = np.ascontiguousarray(positions, dtype=np.int8)
        keys = kernels.pack(positions)
        with self._lock:
            chances, missing = kernels.look_up(keys, self._keys, self._chances)
            self.asked += len(positions)
            self.hits += len(positions) - len(missing)
        if len(missing) == len(positions):
            fresh = self.evaluator.evaluate(positions)
        elif len(missing):
            fresh = self.evaluator.evaluate(gather(positions, missing))
        else:
            return chances
        scatter(fresh, missing, chances)
        with self._lock:
            kernels.store(keys, missing, fresh, self._keys, self._chances)
        return chances

    def settled(self, positions: Positions) -> NDArray[np.bool_]:
        """As the evaluator inside."""
        return self.evaluator.settled(positions)

    def clear(self) -> None:
        """Forget everything; for another evaluator's weights."""
        with self._lock:
            self._keys[:] = 0
            self.hits = self.asked = 0
