"""Looking n plies ahead.

The value of a position at n-ply is the mean over the 21 rolls of the value, at (n-1)-ply, of
the position after the best play; 0-ply is the evaluator itself. The best play inside the
tree is chosen at 0-ply (``replies=1``) or, with more replies kept, by their own values.
Positions that are over or in the bear-off tables end a line.

Everything runs breadth first: all rolls of many positions become one batch of plays, that
batch one call of the evaluator. A small *pruner* may look at the plays first and leave only
its best few of each roll to the real evaluator. Work is cut into pieces of a fixed size;
threads take pieces, so their number changes nothing but the time.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from bgai.errors import InputError
from bgai.evaluation.composite import SmallNetwork, settling
from bgai.evaluation.evaluator import Chances, Evaluator, swap_chances
from bgai.rules.dice import Roll
from bgai.rules.legal_plays import legal_plays, legal_plays_batch
from bgai.rules.position import Positions
from bgai.search.greedy import GreedyPlayer
from bgai.search.move_filter import FILTER_SETS, Filters, MoveFilter
from bgai.search.pruning import Pruner, every_reply
from bgai.search.utility import MONEY, LinearUtility, Utility, Worths

Offsets = NDArray[np.int64]
Rows = NDArray[np.int64]
T = TypeVar("T")

MOST_PLIES = 3
_PLAYS_A_POSITION = 256  # a piece of positions only to be evaluated is that much longer


class RankedPlay(NamedTuple):
    """One play of a decision, judged for the player who makes it."""

    after: Positions
    """Position ``(2, 26)`` after the play, the opponent on roll."""
    chances: Chances
    """Chances ``(5,)`` of the player who made the play."""
    worth: float
    """Worth to that player, by the search's utility."""
    plies: int
    """Depth this play was judged at; filters stop some early."""


class Lookahead:
    """An evaluator that looks ``plies`` rolls further than the one inside."""

    def __init__(
        self,
        evaluator: Evaluator,
        plies: int = 1,
        *,
        filters: Filters | None = None,
        pruner: Pruner | None = None,
        replies: int = 1,
        utility: Utility = MONEY,
        threads: int = 1,
        piece: int = 16,
    ) -> None:
        """``filters`` default to ``FILTER_SETS["normal"]``.

        ``replies`` are kept a roll inside the tree before the deepest ply. ``piece``
        positions are expanded together: 16 make about 6,700 plays, which stay in a CPU's L2
        cache; a GPU wants a few hundred. Raises ``InputError`` for impossible settings.
        """
        if not 0 <= plies <= MOST_PLIES:
            raise InputError(f"{plies}-ply: a lookahead goes from 0 to {MOST_PLIES} plies")
        if min(replies, threads, piece) < 1:
            raise InputError("replies a roll, threads and positions a piece must be 1 or more")
        self.evaluator = settling(evaluator)
        self.pruner = pruner
        self._greedy = GreedyPlayer.of(self.evaluator, pruner) if plies == 0 else None
        self.plies = plies
        self.filters = FILTER_SETS["normal"] if filters is None else filters
        if len(self.filters) < plies:
            raise InputError(f"{plies}-ply needs {plies} move filters, not {len(self.filters)}")
        self.replies = replies
        self.utility = utility
        self.threads = threads
        self.piece = piece
        self._pool: ThreadPoolExecutor | None = None

    @property
    def cube_network(self) -> SmallNetwork | None:
        """The evaluator's network of cube efficiency in contact, if it has one."""
        return getattr(self.evaluator, "cube_network", None)

    # -- values ---------------------------------------------------------------------------

    def evaluate(self, positions: Positions) -> Chances:
        """Chances ``(n, 5)`` of the player on roll at this search's depth."""
        return self.evaluate_at(positions, self.plies)

    def evaluate_at(
        self, positions: Positions, plies: int, utility: Utility | None = None
    ) -> Chances:
        """The same at another depth; ``utility`` is that of the player on roll."""
        positions = np.ascontiguousarray(positions, dtype=np.int8)
        return self._values(positions, plies, self.utility if utility is None else utility)

    def settled(self, positions: Positions) -> NDArray[np.bool_]:
        """Mask ``(n,)`` of the positions at which the search stops."""
        return self.evaluator.settled(positions)

    def _values(self, positions: Positions, plies: int, utility: Utility) -> Chances:
        if plies == 0 or not len(positions):
            return self._static(positions)
        settled = self.evaluator.settled(positions)
        if not settled.any():
            return self._deeper(positions, plies, utility)
        chances = np.empty((len(positions), 5), dtype=np.float32)
        chances[settled] = self.evaluator.evaluate(positions[settled])
        if not settled.all():
            chances[~settled] = self._deeper(positions[~settled], plies, utility)
        return chances

    def _static(self, positions: Positions) -> Chances:
        size = self.piece * _PLAYS_A_POSITION
        if len(positions) <= size:
            return self.evaluator.evaluate(positions)
        pieces = self._each_piece(self.evaluator.evaluate, positions, size)
        return np.concatenate(pieces) if len(pieces) != 1 else pieces[0]

    def _deeper(self, positions: Positions, plies: int, utility: Utility) -> Chances:
        from bgai.search import search_kernels as kernels

        other = utility.other()
        if plies == 1:
            return np.concatenate(self._each_piece(lambda p: self._one_ply(p, other), positions))
        pieces = self._each_piece(lambda p: self._best_replies(p, other), positions)
        after = np.concatenate([piece[0] for piece in pieces])
        counts = np.concatenate([np.diff(piece[1]) for piece in pieces])
        offsets = np.concatenate([[0], np.cumsum(counts)])
        values = self._values(after, plies - 1, other)
        rows = offsets[:-1]
        if len(after) > len(rows):
            rows = kernels.least_rows(other.worth(values), offsets)
        return kernels.average_replies(values, rows)

    def best_by_roll(
        self, positions: Positions, utility: Utility | None = None
    ) -> tuple[Positions, Chances]:
        """For each position and each of the 21 rolls, the best play as seen at 0-ply.

        Returns positions after ``(21 n, 2, 26)`` and their chances for the opponent, then on
        roll; rolls in the order of ``ROLLS``. The positions must not be over.
        """
        other = (self.utility if utility is None else utility).other()
        pieces = self._each_piece(
            lambda piece: self._best_of_each_roll(piece, other),
            np.ascontiguousarray(positions, dtype=np.int8),
        )
        return (
            np.concatenate([after for after, _ in pieces]),
            np.concatenate([chances for _, chances in pieces]),
        )

    def _best_of_each_roll(self, positions: Positions, other: Utility) -> tuple[Positions, Chances]:
        from bgai.evaluation.composite_kernels import gather
        from bgai.search.search_kernels import least_rows

        after, chances, worths, offsets = self._judged_replies(positions, other)
        rows = least_rows(worths, offsets)
        return gather(after, rows), chances[rows]

    def _one_ply(self, positions: Positions, other: Utility) -> Chances:
        from bgai.search import search_kernels as kernels

        _, chances, worths, offsets = self._judged_replies(positions, other)
        return kernels.average_replies(chances, kernels.least_rows(worths, offsets))

    def _best_replies(self, positions: Positions, other: Utility) -> tuple[Positions, Offsets]:
        """The positions after the best ``replies`` plays of each roll, and their offsets."""
        from bgai.evaluation.composite_kernels import gather
        from bgai.search.search_kernels import filter_segments

        after, _, worths, offsets = self._judged_replies(positions, other)
        rows, offsets = filter_segments(worths, offsets, self.replies, 0, 0.0)
        return gather(after, rows), offsets

    def _judged_replies(
        self, positions: Positions, other: Utility
    ) -> tuple[Positions, Chances, Worths, Offsets]:
        """All plays of all rolls (those the pruner leaves) with the evaluator's verdict."""
        if self.pruner is None:
            after, offsets = every_reply(positions)
        else:
            after, offsets = self.pruner.replies(positions, other)
        chances = self.evaluator.evaluate(after)
        return after, chances, other.worth(chances), offsets

    def _each_piece(
        self, work: Callable[[Positions], T], positions: Positions, size: int = 0
    ) -> list[T]:
        size = size or self.piece
        pieces = [positions[i : i + size] for i in range(0, max(len(positions), 1), size)]
        if self.threads == 1 or len(pieces) == 1:
            return [work(piece) for piece in pieces]
        return list(self._executor().map(work, pieces))

    def _executor(self) -> ThreadPoolExecutor:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads, thread_name_prefix="lookahead")
        return self._pool

    # -- decisions ------------------------------------------------------------------------

    def best_plays(
        self, position: Positions, roll: Roll, utility: Utility | None = None
    ) -> list[RankedPlay]:
        """All plays of a roll, the best first.

        Those judged deeper stand before those that a filter stopped. ``utility`` is that of
        the player who rolls. One row, the lost turn, where no play is legal.
        """
        after = legal_plays(position, roll)
        offsets = np.array([0, len(after)])
        utility = self.utility if utility is None else utility
        chances, worths, plies = self._judge(after, offsets, utility, forced=True)
        order = sorted(range(len(after)), key=lambda row: (-plies[row], worths[row], row))
        mine = swap_chances(chances)
        return [
            RankedPlay(after[row], mine[row], -float(worths[row]), int(plies[row])) for row in order
        ]

    def best_play(
        self, position: Positions, roll: Roll, utility: Utility | None = None
    ) -> Positions:
        """Position ``(2, 26)`` after the best play. A forced play costs no thought."""
        rolls = np.array([roll], dtype=np.int8)
        return self.choose(position[None], rolls, utility)[0]

    def choose(
        self, positions: Positions, rolls: NDArray[np.int8], utility: Utility | None = None
    ) -> Positions:
        """Positions ``(n, 2, 26)`` after the best play of each of many decisions."""
        wanted = self.utility if utility is None else utility
        if self._greedy is not None and isinstance(wanted, LinearUtility):
            return self._choose_greedily(self._greedy, positions, rolls, wanted)
        after, offsets = legal_plays_batch(positions, rolls)
        if len(after) == len(positions):
            return after
        from bgai.search.search_kernels import least_rows

        if self.plies == 0:
            worths = wanted.other().worth(self._static(after))
        else:
            _, worths, plies = self._judge(after, offsets, wanted, forced=False)
            # a play judged deeper beats every play a filter stopped before
            deepest = np.maximum.reduceat(plies, offsets[:-1])
            worths[plies < np.repeat(deepest, np.diff(offsets))] = np.inf
        return after[least_rows(worths, offsets)]

    def _choose_greedily(
        self,
        greedy: GreedyPlayer,
        positions: Positions,
        rolls: NDArray[np.int8],
        utility: LinearUtility,
    ) -> Positions:
        """Decisions are independent: with threads they are shared out."""
        if self.threads == 1 or len(positions) < 2 * self.piece:
            return greedy.choose(positions, rolls, utility)
        size = -(-len(positions) // self.threads)
        parts = [slice(i, i + size) for i in range(0, len(positions), size)]
        pool = self._executor()
        return np.concatenate(
            list(pool.map(lambda p: greedy.choose(positions[p], rolls[p], utility), parts))
        )

    def _judge(
        self, after: Positions, offsets: Offsets, utility: Utility, *, forced: bool
    ) -> tuple[Chances, Worths, NDArray[np.int8]]:
        """Opponent's chances and worths of every play, each as deep as the filters let it.

        Where one play is left it is judged further only with ``forced``.
        """
        other = utility.other()
        chances = self._static(after)
        worths = other.worth(chances)
        plies = np.zeros(len(after), dtype=np.int8)
        rows = np.arange(len(after))
        for depth in range(1, self.plies + 1):
            chosen = self.filters[depth - 1]
            kept, offsets = self._filtered(worths[rows], offsets, chosen)
            rows = rows[kept]
            if not forced:
                rows, offsets = _undecided(rows, offsets)
                if not len(rows):
                    break
            chances[rows] = self._values(after[rows], depth, other)
            worths[rows] = other.worth(chances[rows])
            plies[rows] = depth
        return chances, worths, plies

    @staticmethod
    def _filtered(worths: Worths, offsets: Offsets, chosen: MoveFilter) -> tuple[Rows, Offsets]:
        from bgai.search.search_kernels import filter_segments

        most = int(np.diff(offsets).max())
        always, extra = min(chosen.always, most), min(chosen.extra, most)
        return filter_segments(worths, offsets, always, extra, chosen.within)


def _undecided(rows: Rows, offsets: Offsets) -> tuple[Rows, Offsets]:
    """Without the decisions of which one play is left."""
    counts = np.diff(offsets)
    open_ = counts > 1
    if open_.all():
        return rows, offsets
    return rows[np.repeat(open_, counts)], np.concatenate([[0], np.cumsum(counts[open_])])
