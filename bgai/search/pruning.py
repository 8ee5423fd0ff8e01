"""Which replies of a roll the real evaluator gets to see.

A pruner lists the replies of all 21 rolls of many positions and leaves out those it takes
to be hopeless, judging by something much cheaper than the evaluator. What it costs in
accuracy is measured by ``scripts/bench_search.py``.
"""

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from bgai.errors import InputError
from bgai.evaluation.packing import PackedPruner
from bgai.rules.legal_plays import legal_plays_batch
from bgai.rules.position import Positions
from bgai.search.utility import Utility

Offsets = NDArray[np.int64]


class Pruning(NamedTuple):
    """How the kernels drop replies: see :class:`NetworkPruner`."""

    network: PackedPruner
    keep: int
    window: np.float32


class Pruner(Protocol):
    """Lists replies, the hopeless ones left out."""

    def replies(self, positions: Positions, other: Utility) -> tuple[Positions, Offsets]:
        """Positions after ``(m, 2, 26)``, the opponent on roll, and offsets ``(21 n + 1,)``.

        Every roll of every position has at least one row. ``other`` is what the opponent
        plays for, so the player who replies wants it least.
        """
        ...


def every_reply(positions: Positions) -> tuple[Positions, Offsets]:
    """All replies of all 21 rolls, as a pruner gives them."""
    from bgai.search.search_kernels import every_roll

    return legal_plays_batch(*every_roll(positions))


@dataclass(frozen=True, eq=False)
class NetworkPruner:
    """Keeps the best few replies in contact as a checkpoint's small network sees them.

    ``network`` is the ``pruner`` of a ``Checkpoint``: it estimates cubeless money equity. At
    most ``keep`` replies stay, none more than ``window`` points behind the best; plays that
    break contact or end the game always stay, and so does everything once contact is over.
    """

    network: PackedPruner
    keep: int = 8
    window: float = 0.5

    def __post_init__(self) -> None:
        if self.keep < 1 or self.window < 0:
            raise InputError(f"a pruner must keep at least one reply, not {self.keep}")

    def replies(self, positions: Positions, other: Utility) -> tuple[Positions, Offsets]:
        """See :class:`Pruner`; what the opponent plays for is not asked."""
        from bgai.rules.kernels import SLOT_KEYS
        from bgai.search.pruning_kernels import kept_of_every_roll

        pruning = Pruning(self.network, self.keep, np.float32(self.window))
        after, offsets = kept_of_every_roll(positions, pruning, SLOT_KEYS)
        return after.reshape(-1, 2, 26), offsets
