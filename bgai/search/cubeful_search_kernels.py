"""Compiled steps of the cubeful search; states, levels and views as in ``bgai.equity.stakes``.

Worths are those of the player on roll in the position, ``(n, S)`` float64, one column a state
of the cube. Segments of replies are as in ``search_kernels``: rows ``offsets[i]:offsets[i + 1]``
belong to one roll, and whoever rolled picks the row of least worth, state by state.

``cube`` is ``(payoffs, can_turn, level, owner, turned, sure, jacoby, endless, factor,
beavers)`` of one view, ``model`` the arrays of a ``CubeModel``.
"""

from typing import Any

import numpy as np

from bgai.compiled import compiled
from bgai.equity.cubeful_kernels import decide, state_worths
from bgai.equity.efficiency_kernels import efficiencies
from bgai.evaluation.composite_kernels import OVER, position_class
from bgai.search.search_kernels import ROLL_COUNT

_WEIGHTS = np.array(
    [(1.0 if high == low else 2.0) / 36 for high in range(1, 7) for low in range(1, high + 1)]
)
_FEW = 6  # checkers a side in the exact bear-off table with the cube


@compiled()
def leaf_worths(
    positions: Any, chances: Any, cube: Any, model: Any, decided: bool, out: Any
) -> Any:
    """Worths ``(n, S)`` of each position by the model, into ``out``.

    ``decided``: the player on roll may double first. Returns how many positions the exact
    bear-off table covers, for whoever wants to put those right.
    """
    payoffs, can_turn, level, owner, turned, sure, jacoby, endless, factor, beavers = cube
    scratch = np.empty((4, payoffs.shape[0]))
    waiting = np.empty(level.shape[0])
    kinds = np.empty(positions.shape[0], dtype=np.int8)
    for i in range(positions.shape[0]):
        kinds[i] = position_class(positions[i])
    shares = np.empty((positions.shape[0], 3))
    efficiencies(positions, kinds, chances, model, shares)
    inside = 0
    for i in range(positions.shape[0]):
        over = kinds[i] == OVER
        target = waiting if decided and not over else out[i]
        state_worths(
            chances[i], payoffs, can_turn, level, owner, sure, jacoby, endless, shares[i],
            scratch, target,
        )  # fmt: skip
        if decided and not over:
            decide(waiting, payoffs, level, turned, factor, beavers, out[i])
        if in_exact_table(positions[i], kinds[i]):
            inside += 1
    return inside


@compiled()
def in_exact_table(position: Any, kind: int) -> bool:
    """Whether a position of this class is in the exact bear-off table with the cube."""
    return bool(kind == 1 and position[0, 0] >= 15 - _FEW and position[1, 0] >= 15 - _FEW)


@compiled()
def exact_rows(positions: Any) -> Any:
    """Indices of the positions in the exact bear-off table."""
    rows = np.empty(positions.shape[0], dtype=np.int64)
    n = 0
    for i in range(positions.shape[0]):
        if in_exact_table(positions[i], position_class(positions[i])):
            rows[n] = i
            n += 1
    return rows[:n]


@compiled()
def least_rows_by_state(worths: Any, offsets: Any) -> Any:
    """The row of least worth of each segment and state, ``(segments, S)``; the first of equals."""
    states = worths.shape[1]
    best = np.empty((offsets.shape[0] - 1, states), dtype=np.int64)
    for i in range(best.shape[0]):
        for s in range(states):
            best[i, s] = offsets[i]
        for row in range(offsets[i] + 1, offsets[i + 1]):
            for s in range(states):
                if worths[row, s] < worths[best[i, s], s]:
                    best[i, s] = row
    return best


@compiled()
def back_up(worths: Any, best: Any) -> Any:
    """Worths to the player who rolls: by roll ``(n, 21, S)`` and their mean ``(n, S)``."""
    n, states = best.shape[0] // ROLL_COUNT, best.shape[1]
    by_roll = np.empty((n, ROLL_COUNT, states))
    mean = np.zeros((n, states))
    for i in range(n):
        for roll in range(ROLL_COUNT):
            weight = _WEIGHTS[roll]
            for s in range(states):
                worth = -worths[best[i * ROLL_COUNT + roll, s], s]
                by_roll[i, roll, s] = worth
                mean[i, s] += weight * worth
    return by_roll, mean


@compiled()
def kept_rows(worths: Any, offsets: Any, states: Any, replies: int) -> Any:
    """Rows among the best ``replies`` of their segment for one of ``states``.

    Returns ``(rows, offsets)``, rows rising inside a segment.
    """
    rows = np.empty(worths.shape[0], dtype=np.int64)
    kept = np.empty(offsets.shape[0], dtype=np.int64)
    chosen = np.zeros(worths.shape[0], dtype=np.int64)
    n = 0
    for i in range(offsets.shape[0] - 1):
        kept[i] = n
        for k in range(states.shape[0]):
            s = states[k]
            mark = k + 1
            for _ in range(min(replies, offsets[i + 1] - offsets[i])):
                least = -1
                for row in range(offsets[i], offsets[i + 1]):
                    # rows marked for this state are taken; a mark of another doesn't matter
                    taken = (chosen[row] >> mark) & 1
                    if not taken and (least < 0 or worths[row, s] < worths[least, s]):
                        least = row
                chosen[least] |= 1 << mark
        for row in range(offsets[i], offsets[i + 1]):
            if chosen[row]:
                rows[n] = row
                n += 1
    kept[offsets.shape[0] - 1] = n
    return rows[:n], kept
