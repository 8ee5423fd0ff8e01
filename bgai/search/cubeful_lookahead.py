"""Looking ahead with the cube: every cube that can arise is carried through the search.

The worth of a position is known for all states of the cube at once (:mod:`bgai.equity.stakes`).
At the leaves the evaluator's chances become worths by the cubeful model, or come from the
exact bear-off table. At every node below the root the player on roll may double first, decided
from the searched worths; then each roll is answered by the play that is best for the state.
The root itself is valued *undecided*: its player rolls without doubling, so that "no double"
and "double, take" (the worth of the doubled state) fall out of one search.

Inside the tree the plays best for the present cube or for a cube turned once are searched;
each state then picks its own among them.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from bgai.equity.bearoff_cube import answers_for, exact_state_worths
from bgai.equity.cubeful import decided_worths
from bgai.equity.efficiency import cube_model
from bgai.equity.stakes import NOT_TURNED, Stakes
from bgai.evaluation.evaluator import Chances, swap_chances
from bgai.rules.dice import Roll
from bgai.rules.legal_plays import legal_plays, legal_plays_batch
from bgai.rules.position import Positions, is_over
from bgai.search.lookahead import Lookahead, RankedPlay
from bgai.search.pruning import every_reply

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]
T = TypeVar("T")

_PLAYS_A_POSITION = 256


class Valued(NamedTuple):
    """Positions valued for their player on roll, who does not double now."""

    chances: Chances
    """``(n, 5)``"""
    worths: Floats
    """``(n, S)``, see :class:`Stakes`."""


class Outlook(NamedTuple):
    """What each of the 21 rolls leads to, for ``n`` positions (rolls in order of ``ROLLS``).

    ``worths`` ``(n, 21, S)`` are those of the player who rolls after the best play for each
    state; ``best`` ``(n, 21, S)`` is that play, a row of ``after`` ``(m, 2, 26)``; ``replies``
    are the plays' values, seen by the opponent on roll and free to double.
    """

    valued: Valued
    worths: Floats
    best: Rows
    after: Positions
    replies: Valued


class CubefulLookahead:
    """A cubeful search around the evaluator, pruner and depth of a :class:`Lookahead`."""

    def __init__(
        self,
        lookahead: Lookahead,
        stakes: Stakes,
    ) -> None:
        """``stakes`` are those of the player on roll at the root.

        Depth, move filters, replies kept, threads and the size of a piece are the
        ``lookahead``'s; its utility is not asked.
        """
        self.lookahead = lookahead
        self.stakes = stakes
        self.cube_model = cube_model(lookahead.cube_network)
        self._model = self.cube_model.arrays()
        self._cubes = tuple(_cube_arrays(stakes, view) for view in (0, 1))
        self._exact = answers_for(stakes)
        turned = [int(stakes.turned[view, 0]) for view in (0, 1)]
        self._ranking = np.array(
            [0, *(state for state in dict.fromkeys(turned) if state not in (0, NOT_TURNED))]
        )

    # -- values ---------------------------------------------------------------------------

    def value(self, positions: Positions, plies: int | None = None, view: int = 0) -> Valued:
        """Chances and worths of positions ``(n, 2, 26)`` without a double now.

        ``view`` 1: the player on roll is the opponent of the one the stakes were made for.
        """
        positions = np.ascontiguousarray(positions, dtype=np.int8)
        depth = self.lookahead.plies if plies is None else plies
        if depth == 0 or not len(positions):
            return self._leaves(positions, view, decided=False)
        ends = self.ends(positions)
        if not ends.any():
            return self._deeper(positions, depth, view)
        values = Valued(
            np.empty((len(positions), 5), dtype=np.float32),
            np.empty((len(positions), self.stakes.states)),
        )
        parts = [(ends, self._leaves(positions[ends], view, decided=False))]
        if not ends.all():
            parts.append((~ends, self._deeper(positions[~ends], depth, view)))
        for mask, part in parts:
            values.chances[mask], values.worths[mask] = part
        return values

    def value_decided(
        self, positions: Positions, plies: int | None = None, view: int = 0
    ) -> Valued:
        """The same where the player on roll doubles first if that is best."""
        depth = self.lookahead.plies if plies is None else plies
        if depth == 0:
            return self._leaves(np.ascontiguousarray(positions, dtype=np.int8), view, decided=True)
        chances, worths = self.value(positions, depth, view)
        return Valued(chances, decided_worths(worths, self.stakes, view))

    def outlook(self, positions: Positions, plies: int | None = None, view: int = 0) -> Outlook:
        """Values at a depth of 1 or more with the best play of each roll.

        The positions must not be over.
        """
        depth = max(self.lookahead.plies if plies is None else plies, 1)
        parts = self._each_piece(lambda piece: self._expand(piece, depth, view), positions)
        shift, moved = 0, []
        for part in parts:
            moved.append(part._replace(best=part.best + shift))
            shift += len(part.after)
        if len(moved) == 1:
            return moved[0]
        return Outlook(
            _joined([part.valued for part in moved]),
            np.concatenate([part.worths for part in moved]),
            np.concatenate([part.best for part in moved]),
            np.concatenate([part.after for part in moved]),
            _joined([part.replies for part in moved]),
        )

    def ends(self, positions: Positions) -> NDArray[np.bool_]:
        """Where looking further can't improve anything: over, or in the exact table."""
        ends = is_over(positions)
        if self._exact:
            from bgai.search.cubeful_search_kernels import exact_rows

            ends[exact_rows(positions)] = True
        return ends

    def _leaves(self, positions: Positions, view: int, *, decided: bool) -> Valued:
        parts = self._each_piece(
            lambda piece: self._leaf_piece(piece, view, decided),
            positions,
            self.lookahead.piece * _PLAYS_A_POSITION,
        )
        return _joined(parts)

    def _leaf_piece(self, positions: Positions, view: int, decided: bool) -> Valued:
        from bgai.search import cubeful_search_kernels as kernels

        chances = self.lookahead.evaluator.evaluate(positions)
        worths = np.empty((len(positions), self.stakes.states))
        inside = kernels.leaf_worths(
            positions, chances, self._cubes[view], self._model, decided, worths
        )
        if inside and self._exact:
            rows = kernels.exact_rows(positions)
            exact = exact_state_worths(positions[rows], self.stakes, view)
            worths[rows] = decided_worths(exact, self.stakes, view) if decided else exact
        return Valued(chances, worths)

    def _deeper(self, positions: Positions, depth: int, view: int) -> Valued:
        return _joined(
            self._each_piece(lambda piece: self._expand(piece, depth, view).valued, positions)
        )

    def _expand(self, positions: Positions, depth: int, view: int) -> Outlook:
        """One ply of at most a piece of positions, none of them over."""
        from bgai.evaluation.composite_kernels import gather
        from bgai.search import cubeful_search_kernels as kernels
        from bgai.search.search_kernels import average_replies

        after, offsets = self._replies(positions)
        replies = self._leaf_piece(after, 1 - view, True)
        if depth > 1:
            rows, offsets = kernels.kept_rows(
                replies.worths, offsets, self._ranking, self.lookahead.replies
            )
            after = gather(after, rows)
            replies = self._decided_serially(after, depth - 1, 1 - view)
        best = kernels.least_rows_by_state(replies.worths, offsets)
        by_roll, mean = kernels.back_up(replies.worths, best)
        chances = average_replies(replies.chances, np.ascontiguousarray(best[:, 0]))
        shape = by_roll.shape
        return Outlook(Valued(chances, mean), by_roll, best.reshape(shape), after, replies)

    def _decided_serially(self, positions: Positions, depth: int, view: int) -> Valued:
        """As :meth:`value_decided` in the thread of the caller."""
        ends = self.ends(positions)
        chances = np.empty((len(positions), 5), dtype=np.float32)
        worths = np.empty((len(positions), self.stakes.states))
        if ends.any():
            chances[ends], worths[ends] = self._leaf_piece(positions[ends], view, True)
        going = np.nonzero(~ends)[0]
        for start in range(0, len(going), self.lookahead.piece):
            rows = going[start : start + self.lookahead.piece]
            part = self._expand(positions[rows], depth, view).valued
            chances[rows] = part.chances
            worths[rows] = decided_worths(part.worths, self.stakes, view)
        return Valued(chances, worths)

    def _replies(self, positions: Positions) -> tuple[Positions, Rows]:
        pruner = self.lookahead.pruner
        if pruner is None:
            return every_reply(positions)
        return pruner.replies(positions, self.lookahead.utility)

    def _each_piece(
        self, work: Callable[[Positions], T], positions: Positions, size: int = 0
    ) -> list[T]:
        size = size or self.lookahead.piece
        positions = np.ascontiguousarray(positions, dtype=np.int8)
        pieces = [positions[i : i + size] for i in range(0, max(len(positions), 1), size)]
        threads = self.lookahead.threads
        if threads == 1 or len(pieces) == 1:
            return [work(piece) for piece in pieces]
        with ThreadPoolExecutor(threads, thread_name_prefix="cubeful") as pool:
            return list(pool.map(work, pieces))

    # -- decisions ------------------------------------------------------------------------

    def best_plays(self, position: Positions, roll: Roll) -> list[RankedPlay]:
        """All plays of a roll by cubeful equity, the best first, for the player on roll.

        ``worth`` is the equity in units of the present cube, normalised in a match. Filters
        as in :class:`Lookahead`: plays judged deeper stand before those a filter stopped.
        """
        after = legal_plays(position, roll)
        chances, worths, plies = self._judge(after)
        order = sorted(range(len(after)), key=lambda row: (-plies[row], worths[row], row))
        mine = swap_chances(chances)
        return [
            RankedPlay(after[row], mine[row], -float(worths[row]), int(plies[row])) for row in order
        ]

    def best_play(self, position: Positions, roll: Roll) -> Positions:
        """Position ``(2, 26)`` after the best play. A forced play costs no thought."""
        after = legal_plays(position, roll)
        return after[0] if len(after) == 1 else self.best_plays(position, roll)[0].after

    def choose(
        self,
        positions: Positions,
        rolls: NDArray[np.int8],
        states: Rows,
        view: int = 0,
    ) -> Positions:
        """Positions ``(n, 2, 26)`` after the best play of each of many decisions.

        ``states`` ``(n,)`` is the state of the cube in each.
        """
        from bgai.search.search_kernels import filter_segments, least_rows

        after, offsets = legal_plays_batch(positions, rolls)
        counts = np.diff(offsets)
        mine = np.repeat(states, counts)
        worths = self._state_worths(after, 0, mine, view)
        for depth in range(1, self.lookahead.plies + 1):
            if len(after) == len(positions):
                break
            chosen = self.lookahead.filters[depth - 1]
            most = int(np.diff(offsets).max())
            always, extra = min(chosen.always, most), min(chosen.extra, most)
            rows, offsets = filter_segments(worths, offsets, always, extra, chosen.within)
            after, mine = after[rows], mine[rows]
            worths = worths[rows]
            open_ = np.repeat(np.diff(offsets) > 1, np.diff(offsets))
            if open_.any():
                worths[open_] = self._state_worths(after[open_], depth, mine[open_], view)
        return after[least_rows(worths, offsets)]

    def _state_worths(
        self, after: Positions, depth: int, states: Rows, view: int
    ) -> NDArray[np.float32]:
        worths = self.value_decided(after, depth, 1 - view).worths
        return worths[np.arange(len(after)), states].astype(np.float32)

    def _judge(self, after: Positions) -> tuple[Chances, Floats, NDArray[np.int8]]:
        """Opponent's chances and equities of every play, each as deep as the filters let it."""
        from bgai.search.search_kernels import filter_segments

        valued = self.value_decided(after, 0, 1)
        chances, worths = valued.chances, self._opponent_equities(valued)
        plies = np.zeros(len(after), dtype=np.int8)
        rows = np.arange(len(after))
        for depth in range(1, self.lookahead.plies + 1):
            chosen = self.lookahead.filters[depth - 1]
            always, extra = min(chosen.always, len(rows)), min(chosen.extra, len(rows))
            kept, _ = filter_segments(
                worths[rows].astype(np.float32), np.array([0, len(rows)]), always, extra,
                chosen.within,
            )  # fmt: skip
            rows = rows[kept]
            valued = self.value_decided(after[rows], depth, 1)
            chances[rows] = valued.chances
            worths[rows] = self._opponent_equities(valued)
            plies[rows] = depth
        return chances, worths, plies

    def _opponent_equities(self, valued: Valued) -> Floats:
        return -self.stakes.equity(-valued.worths[:, 0])


def _joined(parts: Sequence[Valued]) -> Valued:
    if len(parts) == 1:
        return parts[0]
    return Valued(
        np.concatenate([part.chances for part in parts]),
        np.concatenate([part.worths for part in parts]),
    )


def _cube_arrays(stakes: Stakes, view: int) -> tuple[Any, ...]:
    """The ``cube`` of the kernels."""
    return (
        stakes.payoffs[view], stakes.can_turn[view], stakes.level, stakes.owner[view],
        stakes.turned[view], stakes.sure, stakes.jacoby, stakes.endless, stakes.factor,
        stakes.beavers,
    )  # fmt: skip
