"""0-ply choice of plays in one compiled step, for networks with a pruner."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bgai.evaluation.bearoff import BearoffTables, load_bearoff_tables
from bgai.evaluation.composite import Composite
from bgai.evaluation.evaluator import Evaluator
from bgai.evaluation.inference import NetworkEvaluator
from bgai.evaluation.packing import PackedNetwork, PackedPruner
from bgai.rules.position import Positions
from bgai.search.pruning import NetworkPruner, Pruner, Pruning
from bgai.search.utility import MONEY, LinearUtility

# Wider than inside a search, where a lost reply is one of many: with 10 replies kept the best
# is lost in 1% of the rolls (``scripts/bench_search.py --pruning``).
_KEEP, _WINDOW = 10, 0.4
_ALL = 10**6


class ReplyPlayer(NamedTuple):
    """What ``reply_kernels`` choose plays by."""

    contact: PackedNetwork
    race: PackedNetwork
    bearoff: BearoffTables
    pruning: Pruning


def reply_player(
    contact: PackedNetwork, race: PackedNetwork, pruner: PackedPruner, keep: int, window: float
) -> ReplyPlayer:
    """Networks that look at the best ``keep`` replies of a roll within ``window`` points."""
    pruning = Pruning(pruner, keep, np.float32(window))
    return ReplyPlayer(contact, race, load_bearoff_tables(), pruning)


@dataclass(frozen=True)
class GreedyPlayer:
    """Chooses what :class:`bgai.search.lookahead.Lookahead` would at 0-ply, sooner.

    For money, plays that the pruner takes to be hopeless aren't looked at; at other stakes,
    which the pruner knows nothing of, all are.
    """

    contact: PackedNetwork
    race: PackedNetwork
    pruner: PackedPruner

    @staticmethod
    def of(evaluator: Evaluator, pruner: Pruner | None) -> "GreedyPlayer | None":
        """One that judges as ``evaluator`` does, None for those that aren't two networks."""
        if not isinstance(evaluator, Composite) or not isinstance(pruner, NetworkPruner):
            return None
        contact, race = evaluator.contact, evaluator.race
        usual = evaluator.tables and evaluator.bearoff is None
        if not (isinstance(contact, NetworkEvaluator) and isinstance(race, NetworkEvaluator)):
            return None
        return GreedyPlayer(contact.network, race.network, pruner.network) if usual else None

    def choose(
        self, positions: Positions, rolls: NDArray[np.int8], utility: LinearUtility
    ) -> Positions:
        """Positions ``(n, 2, 26)`` after the best plays; ``utility`` is of those who roll."""
        from bgai.rules.kernels import SLOT_KEYS
        from bgai.search.greedy_kernels import choose_rows

        rows = np.ascontiguousarray(positions, dtype=np.int8).reshape(len(positions), -1)
        after = np.empty_like(rows)
        other = utility.other()
        keep = _KEEP if utility == MONEY else _ALL
        choose_rows(
            rows,
            np.ascontiguousarray(rolls, dtype=np.int8),
            reply_player(self.contact, self.race, self.pruner, keep, _WINDOW),
            other.lose,
            other.weights,
            SLOT_KEYS,
            after,
        )
        return after.reshape(-1, 2, 26)
