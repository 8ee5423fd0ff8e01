"""The order of plays: the one comparison behind lists, bots, move filters, search trees, rollouts.

Plays are judged by their *worth to the opponent*, then on roll; the mover wants the least. Two
plays tie when their worths agree to a millionth of a point, the last digit that answers print.
Ties are common with a live cube: an opponent who cashes whatever is played makes every play
worth exactly -1. They go

1. to the better cubeless equity at the stakes (opponents may forget to double), to a millionth too;
2. to the better cubeless money equity, where a score makes gammons worthless;
3. to what a person would play: more checkers off, then fewer pips left, then fewer blots;
4. to the first row, in the order of the move generator.

A millionth is far less than any evaluator knows and more than the last bits of a float32 chance
or of a mean over 21 rolls. Worths are rounded, not compared within a margin, so that the order is
one order: what ties with the same play ties with each other.

Worth and cubeless equity make one number, the *key* of a play. Inside a search the least key is
all that is asked; from the third point on only plays that are made or shown are compared.
"""

import numpy as np
from numpy.typing import NDArray

from bgai.evaluation.evaluator import MONEY_WEIGHTS, Chances
from bgai.rules.position import Positions
from bgai.search.move_filter import MoveFilter

Offsets = NDArray[np.int64]
Rows = NDArray[np.int64]
Worths = NDArray[np.float64]
Keys = NDArray[np.float64]


def keys_of(worths: Worths, chances: Chances, weights: NDArray[np.float64] = MONEY_WEIGHTS) -> Keys:
    """Keys ``(m,)`` or ``(m, C)`` of plays from their worths in points, of the same shape.

    Seen by the opponent on roll after the play, as are ``chances`` ``(m, 5)`` and ``weights``
    ``(5,)``, what each chance adds to the cubeless equity at the stakes.
    """
    from bgai.search.ranking_kernels import keys_of_columns

    if worths.ndim == 1:
        return np.asarray(keys_of_columns(worths[:, None], chances, weights)[:, 0])
    return np.asarray(keys_of_columns(worths, chances, weights))


def least_rows(keys: Keys, offsets: Offsets) -> Rows:
    """The row ``(n,)`` of least key of each segment ``offsets[i]:offsets[i + 1]``."""
    from bgai.search.ranking_kernels import least_rows_by_column

    return np.asarray(least_rows_by_column(keys[:, None], offsets)[:, 0])


def made_rows(keys: Keys, chances: Chances, after: Positions, offsets: Offsets) -> Rows:
    """The row ``(n,)`` of each segment that is played, equal keys settled."""
    from bgai.search.ranking_kernels import made_rows_by_column

    return np.asarray(made_rows_by_column(keys[:, None], chances, after, offsets)[:, 0])


def ranked_rows(
    keys: Keys, chances: Chances, after: Positions, plies: NDArray[np.int8] | None = None
) -> Rows:
    """All rows, the best first; those judged deeper stand before the others."""
    from bgai.search.ranking_kernels import order_rows

    if plies is None:
        plies = np.zeros(len(keys), dtype=np.int8)
    return np.asarray(order_rows(keys, chances, after, plies))


def filtered(
    keys: Keys, chances: Chances, after: Positions, offsets: Offsets, chosen: MoveFilter
) -> tuple[Rows, Offsets]:
    """Rows that pass a move filter, rising inside a segment, and their offsets."""
    from bgai.search.ranking_kernels import filter_segments

    most = int(np.diff(offsets).max())
    always, extra = min(chosen.always, most), min(chosen.extra, most)
    return filter_segments(keys, chances, after, offsets, always, extra, chosen.within)


def best_replies(keys: Keys, offsets: Offsets, count: int) -> tuple[Rows, Offsets]:
    """The rows of the ``count`` least keys of each segment, rising, and their offsets."""
    from bgai.search.ranking_kernels import kept_rows

    rows, kept, _ = kept_rows(keys[:, None], offsets, np.zeros(1, dtype=np.int64), count)
    return rows, kept
