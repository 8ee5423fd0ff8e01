"""Networks on a CPU without torch: compiled kernels behind the evaluator protocol."""

import numpy as np

from bgai.evaluation.evaluator import Chances
from bgai.evaluation.packing import PackedNetwork
from bgai.rules.position import Positions


class NetworkEvaluator:
    """One network judging every position alike; wrap it in a ``Composite`` for play."""

    def __init__(self, network: PackedNetwork) -> None:
        self.network = network

    def evaluate(self, positions: Positions) -> Chances:
        """Chances ``(n, 5)`` of the player on roll in each of ``(n, 2, 26)`` positions."""
        from bgai.evaluation.network_kernels import evaluate_rows

        rows = np.ascontiguousarray(positions, dtype=np.int8).reshape(len(positions), -1)
        chances = np.empty((len(rows), 5), dtype=np.float32)
        evaluate_rows(rows, len(rows), self.network, chances)
        return chances
