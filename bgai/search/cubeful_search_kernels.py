"""Compiled steps of the cubeful search; states, levels and views as in ``bgai.equity.stakes``.

Worths are those of the player on roll in the position, ``(n, S)`` float64, one column a state
of the cube. Which replies are the best is decided by ``ranking_kernels``, state by state.

``stakes`` is a ``StakesView``, ``model`` the arrays of a ``CubeModel``.
"""

from typing import Any

import numpy as np

from bgai.compiled import compiled
from bgai.equity.cubeful_kernels import decide, state_worths
from bgai.equity.efficiency_kernels import KINDS, efficiencies
from bgai.evaluation.composite_kernels import OVER, position_class
from bgai.evaluation.evaluator import MONEY_WEIGHTS
from bgai.rules.dice import ROLL_CHANCES
from bgai.search.ranking_kernels import MILLIONTHS, key_fraction
from bgai.search.search_kernels import ROLL_COUNT

_FEW = 6  # checkers a side in the exact bear-off table with the cube


@compiled()
def leaf_worths(
    positions: Any, chances: Any, stakes: Any, model: Any, decided: bool, out: Any
) -> Any:
    """Worths ``(n, S)`` of each position by the model, into ``out``.

    ``decided``: the player on roll may double first. Returns how many positions the exact
    bear-off table covers, for whoever wants to put those right.
    """
    scratch = np.empty((4, stakes.payoffs.shape[0]))
    waiting = np.empty(stakes.level.shape[0])
    kinds = np.empty(positions.shape[0], dtype=np.int8)
    for i in range(positions.shape[0]):
        kinds[i] = position_class(positions[i])
    shares = np.empty((positions.shape[0], KINDS))
    efficiencies(positions, kinds, chances, model, shares)
    inside = 0
    for i in range(positions.shape[0]):
        over = kinds[i] == OVER
        target = waiting if decided and not over else out[i]
        state_worths(chances[i], stakes, shares[i], scratch, target)
        if decided and not over:
            decide(waiting, stakes, out[i])
        if in_exact_table(positions[i], kinds[i]):
            inside += 1
    return inside


@compiled()
def in_exact_table(position: Any, kind: int) -> bool:
    """Whether a position of this class is in the exact bear-off table with the cube."""
    return bool(kind == 1 and position[0, 0] >= 15 - _FEW and position[1, 0] >= 15 - _FEW)


@compiled()
def ends_mask(positions: Any, exact: bool) -> Any:
    """Mask ``(n,)`` of positions that are over or, if ``exact``, in the exact bear-off table."""
    mask = np.empty(positions.shape[0], dtype=np.bool_)
    for i in range(positions.shape[0]):
        kind = position_class(positions[i])
        mask[i] = kind == OVER or (exact and in_exact_table(positions[i], kind))
    return mask


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
def cubeful_keys(worths: Any, chances: Any, base: float, weights: Any) -> Any:
    """Keys ``(m, S + 1)`` of plays by state, the last column with a cube that is never turned.

    The cubeless equity is ``base + chances @ weights``; keys are those of ``bgai.search.ranking``.
    """
    states = worths.shape[1]
    keys = np.empty((worths.shape[0], states + 1))
    for row in range(worths.shape[0]):
        fraction = key_fraction(chances, row, weights)
        for s in range(states):
            keys[row, s] = np.rint(MILLIONTHS * worths[row, s]) + fraction
        total = base
        for j in range(5):
            total += weights[j] * chances[row, j]
        keys[row, states] = np.rint(MILLIONTHS * total) + key_fraction(chances, row, MONEY_WEIGHTS)
    return keys


@compiled()
def back_up(worths: Any, best: Any) -> Any:
    """Worths to the player who rolls: by roll ``(n, 21, S)`` and their mean ``(n, S)``.

    ``best`` ``(21 n, S or more)`` are the rows of the plays chosen, the first S columns by state.
    """
    n, states = best.shape[0] // ROLL_COUNT, worths.shape[1]
    by_roll = np.empty((n, ROLL_COUNT, states))
    mean = np.zeros((n, states))
    for i in range(n):
        for roll in range(ROLL_COUNT):
            weight = ROLL_CHANCES[roll]
            for s in range(states):
                worth = -worths[best[i * ROLL_COUNT + roll, s], s]
                by_roll[i, roll, s] = worth
                mean[i, s] += weight * worth
    return by_roll, mean
