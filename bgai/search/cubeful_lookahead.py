"""Looking ahead with the cube: every cube that can arise is carried through the search.

The worth of a position is known for all states of the cube at once (:mod:`bgai.equity.stakes`).
At the leaves the evaluator's chances become worths by the cubeful model, or come from the
exact bear-off table. At every node below the root the player on roll may double first, decided
from the searched worths; then each roll is answered by the play that is best for the state.
The root itself is valued *undecided*: its player rolls without doubling, so that "no double"
and "double, take" (the worth of the doubled state) fall out of one search.

Inside the tree the plays best for the present cube or for a cube turned once are searched;
each state then picks its own among them.

Chances are cubeless: those that :class:`Lookahead` finds at the same depth. A cube that is never
turned is carried through the tree like one state more, with a play of its own for each roll.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bgai.equity.bearoff_cube import answers_for, exact_state_worths
from bgai.equity.cubeful import decided_worths
from bgai.equity.stakes import CANNOT_DOUBLE, Stakes
from bgai.evaluation.evaluator import Chances
from bgai.rules.dice import Roll
from bgai.rules.legal_plays import legal_plays, legal_plays_batch
from bgai.rules.position import Positions
from bgai.search.deciding import Judgement, judge_plays
from bgai.search.lookahead import Lookahead, RankedPlay, listed
from bgai.search.ranking import Keys, Offsets, Rows
from bgai.search.utility import cubeless_utility

Floats = NDArray[np.float64]


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
        self.cube_model = lookahead.cube_model
        self._model = self.cube_model.arrays
        self._views = (stakes.view(0), stakes.view(1))
        self._exact = answers_for(stakes)
        mine = cubeless_utility(stakes)
        self._cubeless = (mine, mine.other())
        turned = [int(stakes.after_take[view, 0]) for view in (0, 1)]
        asked = dict.fromkeys([0, *(state for state in turned if state != CANNOT_DOUBLE)])
        self._searched = np.array([*asked, stakes.states])

    def __reduce__(self) -> tuple[type["CubefulLookahead"], tuple[Lookahead, Stakes]]:
        return CubefulLookahead, (self.lookahead, self.stakes)

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
        positions = np.ascontiguousarray(positions, dtype=np.int8)
        parts = self.lookahead.each_piece(
            lambda piece: self._expand(piece, depth, view, made=True), positions
        )
        shift, moved = 0, []
        for part in parts:
            moved.append(part._replace(best=part.best + shift))
            shift += len(part.after)
        valued = _joined([part.valued for part in moved])
        self._settle(positions, valued.chances)
        if len(moved) == 1:
            return moved[0]
        return Outlook(
            valued,
            np.concatenate([part.worths for part in moved]),
            np.concatenate([part.best for part in moved]),
            np.concatenate([part.after for part in moved]),
            _joined([part.replies for part in moved]),
        )

    def ends(self, positions: Positions) -> NDArray[np.bool_]:
        """Where looking further can't improve anything: over, or in the exact table."""
        from bgai.search.cubeful_search_kernels import ends_mask

        return np.asarray(ends_mask(positions, self._exact))

    def _leaves(self, positions: Positions, view: int, *, decided: bool) -> Valued:
        return _joined(
            self.lookahead.each_leaf_piece(
                lambda piece: self._leaf_piece(piece, view, decided), positions
            )
        )

    def _leaf_piece(self, positions: Positions, view: int, decided: bool) -> Valued:
        from bgai.search import cubeful_search_kernels as kernels

        chances = self.lookahead.evaluator.evaluate(positions)
        worths = np.empty((len(positions), self.stakes.states))
        inside = kernels.leaf_worths(
            positions, chances, self._views[view], self._model, decided, worths
        )
        if inside and self._exact:
            rows = kernels.exact_rows(positions)
            exact = exact_state_worths(positions[rows], self.stakes, view)
            worths[rows] = decided_worths(exact, self.stakes, view) if decided else exact
        return Valued(chances, worths)

    def _deeper(self, positions: Positions, depth: int, view: int) -> Valued:
        valued = _joined(
            self.lookahead.each_piece(
                lambda piece: self._expand(piece, depth, view).valued, positions
            )
        )
        self._settle(positions, valued.chances)
        return valued

    def _settle(self, positions: Positions, chances: Chances) -> None:
        """Put in the chances of positions at which a cubeless search stops."""
        settled = self.lookahead.settled(positions)
        if settled.any():
            chances[settled] = self.lookahead.evaluator.evaluate(positions[settled])

    def _expand(
        self, positions: Positions, depth: int, view: int, *, made: bool = False
    ) -> Outlook:
        """One ply of at most a piece of positions, none of them over.

        ``made``: the best plays will be made or shown.
        """
        from bgai.evaluation.composite_kernels import gather
        from bgai.search.cubeful_search_kernels import back_up
        from bgai.search.ranking_kernels import (
            kept_rows,
            least_rows_by_column,
            made_rows_by_column,
        )
        from bgai.search.search_kernels import average_replies

        after, offsets = self.lookahead.replies_to(positions, self._cubeless[1 - view])
        replies = self._leaf_piece(after, 1 - view, True)
        keys = self._keys(replies, 1 - view)
        if depth > 1:
            rows, offsets, cubeless = kept_rows(
                keys, offsets, self._searched, self.lookahead.replies
            )
            after = gather(after, rows)
            replies = self._decided_serially(after, depth - 1, 1 - view, replies.chances[rows])
            keys = self._keys(replies, 1 - view)
            keys[~cubeless, -1] = np.inf  # a cubeless search would not have looked there
        best = least_rows_by_column(keys, offsets)
        by_roll, mean = back_up(replies.worths, best)
        chances = average_replies(replies.chances, np.ascontiguousarray(best[:, -1]))
        if made:
            best = made_rows_by_column(keys, replies.chances, after, offsets)
        best = best[:, :-1].reshape(by_roll.shape)
        return Outlook(Valued(chances, mean), by_roll, best, after, replies)

    def _keys(self, valued: Valued, view: int) -> Keys:
        """Keys ``(m, S + 1)`` of plays: by state, then with a cube that is never turned."""
        from bgai.search.cubeful_search_kernels import cubeful_keys

        cubeless = self._cubeless[view]
        return cubeful_keys(valued.worths, valued.chances, cubeless.lose, cubeless.weights)

    def _decided_serially(
        self, positions: Positions, depth: int, view: int, static: Chances
    ) -> Valued:
        """As :meth:`value_decided` in the thread of the caller; ``static`` chances are 0-ply."""
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
        settled = self.lookahead.settled(positions)
        chances[settled] = static[settled]
        return Valued(chances, worths)

    # -- decisions ------------------------------------------------------------------------

    def best_plays(self, position: Positions, roll: Roll) -> list[RankedPlay]:
        """All plays of a roll by cubeful equity, the best first, for the player on roll.

        ``worth`` is the equity in units of the present cube, normalised in a match. Filters
        as in :class:`Lookahead`: plays judged deeper stand before those a filter stopped. A
        roller has the last word.
        """
        after = legal_plays(position, roll)
        states = np.zeros(len(after), dtype=np.int64)
        plays = listed(self._judge(after, np.array([0, len(after)]), states, 0, forced=True))
        roller = self.lookahead.roller
        return plays if roller is None else roller.reordered(plays, self)

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
        after, offsets = legal_plays_batch(positions, rolls)
        mine = np.repeat(states, np.diff(offsets))
        return after[self._judge(after, offsets, mine, view, forced=False).best(offsets)]

    def _judge(
        self, after: Positions, offsets: Offsets, states: Rows, view: int, *, forced: bool
    ) -> Judgement:
        """Every play as deep as the filters let it, in the state ``(m,)`` of its cube."""

        def value(rows: Rows | slice, depth: int) -> tuple[Chances, Floats]:
            chances, worths = self.value_decided(after[rows], depth, 1 - view)
            return chances, worths[np.arange(len(worths)), states[rows]]

        filters = self.lookahead.filters[: self.lookahead.plies]
        weights = self._cubeless[1 - view].weights
        return judge_plays(after, offsets, value, filters, weights, forced=forced)


def _joined(parts: Sequence[Valued]) -> Valued:
    if len(parts) == 1:
        return parts[0]
    return Valued(
        np.concatenate([part.chances for part in parts]),
        np.concatenate([part.worths for part in parts]),
    )
