"""Looking n plies ahead.

The value of a position at n-ply is the mean over the 21 rolls of the value, at (n-1)-ply, of
the position after the best play; 0-ply is the evaluator itself. The best play inside the
tree is chosen at 0-ply (``replies=1``) or, with more replies kept, by their own values.
Positions that are over or in the bear-off tables end a line.

Everything runs breadth first: all rolls of many positions become one batch of plays, that
batch one call of the evaluator. A small *pruner* may look at the plays first and leave only
its best few of each roll to the real evaluator.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, Unpack

import numpy as np
from numpy.typing import NDArray

from bgai.errors import InputError
from bgai.evaluation.evaluator import MONEY_WEIGHTS, Chances, Evaluator, swap_chances
from bgai.rules.dice import Roll
from bgai.rules.legal_plays import legal_plays, legal_plays_batch
from bgai.rules.position import Positions
from bgai.search.deciding import Judgement, judge_plays
from bgai.search.greedy import GreedyPlayer
from bgai.search.ranking import (
    Keys,
    Offsets,
    Rows,
    Worths,
    best_replies,
    keys_of,
    least_rows,
    made_rows,
)
from bgai.search.tree import SearchTree, Settings
from bgai.search.utility import MONEY, LinearUtility, Utility


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
    trials: int = 0
    """Games of a rollout that its worth is a mean with, 0 without one."""
    shift: float = 0.0
    """What a roller added to the searched worth."""


class Reorderer(Protocol):
    """Thinks again about plays and cubes of a cubeful search: ``bgai.search.roller``."""

    def reordered(self, plays: list[RankedPlay], search: Any) -> list[RankedPlay]: ...

    def rolled_cube(
        self, position: Positions, no_double: float, taken: float, search: Any
    ) -> tuple[float, float]: ...


def listed(judgement: Judgement) -> list[RankedPlay]:
    """The plays of one decision, the best first; ``bgai.search.ranking`` is the order."""
    after, theirs, worths, _, plies = judgement
    mine = swap_chances(theirs)
    return [
        RankedPlay(after[row], mine[row], -float(worths[row]), int(plies[row]))
        for row in judgement.order()
    ]


class Lookahead(SearchTree):
    """An evaluator that looks ``plies`` rolls further than the one inside."""

    def __init__(
        self,
        evaluator: Evaluator,
        plies: int = 1,
        *,
        utility: Utility = MONEY,
        **settings: Unpack[Settings],
    ) -> None:
        """``utility`` is what is played for; ``settings`` are those of a tree."""
        super().__init__(evaluator, plies, **settings)
        self.utility = utility
        self._greedy = GreedyPlayer.of(self.evaluator, self.pruner) if plies == 0 else None
        self.roller: Reorderer | None = None
        """Thinks again about the best plays of a cubeful search, where it is set."""
        self.remade: tuple[Callable[..., Lookahead], tuple[Any, ...]] | None = None
        """What makes the same search in another process: a function and its arguments."""

    def __reduce__(self) -> tuple[Callable[..., "Lookahead"], tuple[Any, ...]]:
        if self.remade is None:
            raise InputError("a search that no settings made can't go to another process")
        return self.remade

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
        pieces = self.each_leaf_piece(self.evaluator.evaluate, positions)
        return np.concatenate(pieces) if len(pieces) != 1 else pieces[0]

    def _deeper(self, positions: Positions, plies: int, utility: Utility) -> Chances:
        from bgai.search.search_kernels import average_replies

        other = utility.other()
        if plies == 1:
            return np.concatenate(self.each_piece(lambda p: self._one_ply(p, other), positions))
        pieces = self.each_piece(lambda p: self._best_replies(p, other), positions)
        after = np.concatenate([piece[0] for piece in pieces])
        counts = np.concatenate([np.diff(piece[1]) for piece in pieces])
        offsets = np.concatenate([[0], np.cumsum(counts)])
        values = self._values(after, plies - 1, other)
        rows = offsets[:-1]
        if len(after) > len(rows):
            rows = least_rows(keys_of(other.worth(values), values), offsets)
        return average_replies(values, rows)

    def best_by_roll(
        self, positions: Positions, utility: Utility | None = None
    ) -> tuple[Positions, Chances]:
        """For each position and each of the 21 rolls, the best play as seen at 0-ply.

        Returns positions after ``(21 n, 2, 26)`` and their chances for the opponent, then on
        roll; rolls in the order of ``ROLLS``. The positions must not be over.
        """
        other = (self.utility if utility is None else utility).other()
        pieces = self.each_piece(
            lambda piece: self._best_of_each_roll(piece, other),
            np.ascontiguousarray(positions, dtype=np.int8),
        )
        return (
            np.concatenate([after for after, _ in pieces]),
            np.concatenate([chances for _, chances in pieces]),
        )

    def _best_of_each_roll(self, positions: Positions, other: Utility) -> tuple[Positions, Chances]:
        from bgai.evaluation.composite_kernels import gather

        after, chances, keys, offsets = self._judged_replies(positions, other)
        rows = made_rows(keys, chances, after, offsets)
        return gather(after, rows), chances[rows]

    def _one_ply(self, positions: Positions, other: Utility) -> Chances:
        from bgai.search.search_kernels import average_replies

        _, chances, keys, offsets = self._judged_replies(positions, other)
        return average_replies(chances, least_rows(keys, offsets))

    def _best_replies(self, positions: Positions, other: Utility) -> tuple[Positions, Offsets]:
        """The positions after the best ``replies`` plays of each roll, and their offsets."""
        from bgai.evaluation.composite_kernels import gather

        after, _, keys, offsets = self._judged_replies(positions, other)
        rows, offsets = best_replies(keys, offsets, self.replies)
        return gather(after, rows), offsets

    def _judged_replies(
        self, positions: Positions, other: Utility
    ) -> tuple[Positions, Chances, Keys, Offsets]:
        """All plays of all rolls (those the pruner leaves) with the evaluator's verdict."""
        after, offsets = self.replies_to(positions, other)
        chances = self.evaluator.evaluate(after)
        return after, chances, keys_of(other.worth(chances), chances), offsets

    # -- decisions ------------------------------------------------------------------------

    def best_plays(
        self, position: Positions, roll: Roll, utility: Utility | None = None
    ) -> list[RankedPlay]:
        """All plays of a roll, the best first.

        Those judged deeper stand before those that a filter stopped. ``utility`` is that of
        the player who rolls. One row, the lost turn, where no play is legal.
        """
        after = legal_plays(position, roll)
        utility = self.utility if utility is None else utility
        return listed(self._judge(after, np.array([0, len(after)]), utility, forced=True))

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
        return after[self._judge(after, offsets, wanted, forced=False).best(offsets)]

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
    ) -> Judgement:
        other = utility.other()

        def value(rows: Rows | slice, depth: int) -> tuple[Chances, Worths]:
            chances = self._values(after[rows], depth, other)
            return chances, other.worth(chances)

        filters = self.filters[: self.plies]
        return judge_plays(after, offsets, value, filters, MONEY_WEIGHTS, forced=forced)
