"""What every search shares: its pieces, its pruner, its filters and one pool of threads.

:class:`bgai.search.lookahead.Lookahead` (cubeless) is such a tree;
:class:`bgai.search.cubeful_lookahead.CubefulLookahead` grows one with the cube on the pieces of
another. Work is cut into pieces of a fixed size; threads take pieces, so their number changes
nothing but the time.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TypedDict, TypeVar, Unpack

import numpy as np
from numpy.typing import NDArray

from bgai.equity.efficiency import CubeModel, cube_model
from bgai.errors import InputError
from bgai.evaluation.composite import SmallNetwork, for_search
from bgai.evaluation.evaluator import Evaluator
from bgai.rules.position import Positions
from bgai.search.move_filter import FILTER_SETS, Filters
from bgai.search.pruning import Pruner, every_reply
from bgai.search.ranking import Offsets
from bgai.search.utility import Utility

T = TypeVar("T")

MOST_PLIES = 3
_LEAVES = 256  # a piece of positions only to be evaluated is that much longer


class Settings(TypedDict, total=False):
    """How a search is made, by name; all may be left out."""

    filters: Filters | None
    """By default ``FILTER_SETS["normal"]``."""
    pruner: Pruner | None
    replies: int
    """Kept a roll inside the tree before the deepest ply, by default 1."""
    threads: int
    """By default 1."""
    piece: int
    """Positions expanded together, by default 16: these make about 6,700 plays, which stay in a
    CPU's L2 cache. A GPU wants a few hundred."""


class SearchTree:
    """An evaluator, how far and how wide to look around it, and who does the work."""

    def __init__(self, evaluator: Evaluator, plies: int, **settings: Unpack[Settings]) -> None:
        """Raises ``InputError`` for impossible settings."""
        filters = settings.get("filters")
        replies, threads = settings.get("replies", 1), settings.get("threads", 1)
        piece = settings.get("piece", 16)
        if not 0 <= plies <= MOST_PLIES:
            raise InputError(f"{plies}-ply: a lookahead goes from 0 to {MOST_PLIES} plies")
        if min(replies, threads, piece) < 1:
            raise InputError("replies a roll, threads and positions a piece must be 1 or more")
        self.evaluator = for_search(evaluator)
        self.pruner = settings.get("pruner")
        self.plies = plies
        self.filters = FILTER_SETS["normal"] if filters is None else filters
        if len(self.filters) < plies:
            raise InputError(f"{plies}-ply needs {plies} move filters, not {len(self.filters)}")
        self.replies = replies
        self.threads = threads
        self.piece = piece
        self._pool: ThreadPoolExecutor | None = None

    @property
    def cube_network(self) -> SmallNetwork | None:
        """The evaluator's network of cube efficiency in contact, if it has one."""
        return getattr(self.evaluator, "cube_network", None)

    @cached_property
    def cube_model(self) -> CubeModel:
        """What cube efficiency is read from."""
        return cube_model(self.cube_network)

    def settled(self, positions: Positions) -> NDArray[np.bool_]:
        """Mask ``(n,)`` of the positions at which the search stops."""
        return self.evaluator.settled(positions)

    def replies_to(self, positions: Positions, other: Utility) -> tuple[Positions, Offsets]:
        """All plays of all 21 rolls, those that the pruner leaves: see ``Pruner.replies``."""
        if self.pruner is None:
            return every_reply(positions)
        return self.pruner.replies(positions, other)

    def each_piece(self, work: Callable[[Positions], T], positions: Positions) -> list[T]:
        """The results of ``work`` for pieces of ``positions``, in order; threads share them."""
        return self._shared(work, positions, self.piece)

    def each_leaf_piece(self, work: Callable[[Positions], T], positions: Positions) -> list[T]:
        """The same for work that looks at the positions and no further: longer pieces."""
        return self._shared(work, positions, self.piece * _LEAVES)

    def _shared(self, work: Callable[[Positions], T], positions: Positions, size: int) -> list[T]:
        pieces = [positions[i : i + size] for i in range(0, max(len(positions), 1), size)]
        if self.threads == 1 or len(pieces) == 1:
            return [work(piece) for piece in pieces]
        return list(self._executor().map(work, pieces))

    def _executor(self) -> ThreadPoolExecutor:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads, thread_name_prefix="lookahead")
        return self._pool
