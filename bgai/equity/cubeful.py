"""Cubeful equity from chances: Janowski's model for every cube that can arise, in batches.

See :mod:`bgai.equity.stakes` for worth, levels, states and views, and
:mod:`bgai.equity.cubeful_kernels` for the model. The shortest way in is
:func:`cube_equities` (no double, double/take, double/pass) and :func:`position_equities`
(a position as it stands, its player free to double).
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bgai.equity.stakes import CANNOT_DOUBLE, Stakes

Floats = NDArray[np.float64]
Chances = NDArray[np.floating[Any]]


class CubeEquities(NamedTuple):
    """Equities to the doubler in units of the present cube, arrays of one shape.

    ``double_take`` and ``double_pass`` are NaN where the cube can't be turned.
    """

    no_double: Floats
    double_take: Floats
    double_pass: Floats


def model_worths(chances: Chances, stakes: Stakes, efficiency: Floats, view: int = 0) -> Floats:
    """Worth ``(n, S)`` of every state to the player about to roll, who does not double now.

    ``chances`` ``(n, 5)``, ``efficiency`` ``(n, 6)`` or ``(6,)`` as in
    :func:`bgai.equity.efficiency.cube_efficiency`; its first three alone stand for the others
    too. In view 1 the player about to roll is
    the opponent of the player the stakes were made for.
    """
    from bgai.equity import cubeful_kernels as kernels

    wide = np.ascontiguousarray(chances, dtype=np.float64)
    shares = np.asarray(efficiency, dtype=np.float64)
    if shares.shape[-1] == 3:
        shares = np.concatenate([shares, shares], axis=-1)
    shares = np.ascontiguousarray(np.broadcast_to(shares, (len(wide), 6)))
    out = np.empty((len(wide), stakes.states))
    kernels.model_worths(wide, stakes.view(view), shares, out)
    return out


def decided_worths(worths: Floats, stakes: Stakes, view: int = 0) -> Floats:
    """Worth ``(n, S)`` of every state when its player may double first, from those without."""
    from bgai.equity import cubeful_kernels as kernels

    out = np.empty_like(worths)
    kernels.decide_all(worths, stakes.view(view), out)
    return out


def equities_from_worths(worths: Floats, stakes: Stakes) -> CubeEquities:
    """The three equities ``(n,)`` of the player on roll now from worths ``(n, S)`` in view 0."""
    no_double = stakes.equity(worths[:, 0])
    after = stakes.after_take[0, 0]
    if after == CANNOT_DOUBLE:
        missing = np.full_like(no_double, np.nan)
        return CubeEquities(no_double, missing, missing)
    return CubeEquities(
        no_double,
        stakes.equity(stakes.take_factor * worths[:, after]),
        np.ones_like(no_double),
    )


def cube_equities(chances: Chances, stakes: Stakes, efficiency: Floats) -> CubeEquities:
    """The three equities ``(n,)`` of the player on roll by the model; shapes as above."""
    return equities_from_worths(model_worths(chances, stakes, efficiency), stakes)


def position_equities(
    chances: Chances, stakes: Stakes, efficiency: Floats, view: int = 0
) -> Floats:
    """Equity ``(n,)`` to the player about to roll, who doubles first where that is best.

    In units of the present cube. In view 1 the sign is that player's own too.
    """
    worths = decided_worths(model_worths(chances, stakes, efficiency, view), stakes, view)
    sign = 1 if view == 0 else -1
    return sign * stakes.equity(sign * worths[:, 0])


@dataclass(frozen=True, slots=True)
class CubePoints:
    """Winning chances of the player on roll at which the cube action changes.

    The position's gammon shares (of wins and of losses) are held fixed. ``double``: doubling
    beats waiting from here on (with a wholly live cube only at the cash point; 0 where the
    player loses nothing more by it). ``cash``: the opponent should pass from here on, so that
    ``take`` = 1 - ``cash`` is the opponent's take point. ``too_good``: playing on beats
    cashing in from here on. None where there is no such point.
    """

    double: float | None
    cash: float | None
    too_good: float | None

    @property
    def take(self) -> float | None:
        """The opponent's take point, in their own winning chance."""
        return None if self.cash is None else 1 - self.cash


def cube_points(chances: Chances, stakes: Stakes, efficiency: Floats) -> CubePoints:
    """Cube points for one row of ``(5,)`` chances; ``efficiency`` ``(6,)``.

    Efficiency 0 gives the points of a dead cube, 1 those of a live one.
    """
    after = stakes.after_take[0, 0]
    if after == CANNOT_DOUBLE:
        return CubePoints(None, None, None)

    # Between the corners of the live-cube worths the model is linear, but for a cube that costs
    # nothing: the grid is for that.
    grid = _GRID if stakes.free_double.any() else _GRID[[0, -1]]
    wins = np.unique(np.concatenate([grid, _corners(chances, stakes)]))
    worths = model_worths(_with_wins(chances, wins), stakes, efficiency)
    waiting, taken = worths[:, 0], stakes.take_factor * worths[:, after]
    cash_worth = stakes.payoffs[0, 0, 0]
    cash = _rises_above(cash_worth, wins, taken)
    too_good = None if cash is None else _rises_above(cash_worth, wins, waiting)
    if stakes.free_double[0]:
        return CubePoints(0.0, cash, too_good)
    if cash is not None:
        before = wins < cash
        ends = np.append(wins[before], cash)
        gain = np.append((taken - waiting)[before], np.interp(cash, wins, taken - waiting))
    else:
        ends, gain = wins, taken - waiting
    double = _rises_above(0.0, ends, gain)
    return CubePoints(cash if double is None else double, cash, too_good)


_GRID = np.linspace(0, 1, 65)
_LEAST = 1e-9  # a difference of this or less is none


def _corners(chances: Chances, stakes: Stakes) -> Floats:
    """Winning chances where some live-cube worth bends, for the gammon shares of ``chances``."""
    from bgai.equity import cubeful_kernels as kernels

    levels = stakes.payoffs.shape[1]
    averages, cash = np.empty((2, levels)), np.empty((levels, 2))
    wide = np.asarray(chances, dtype=np.float64)
    kernels.average_results(wide, stakes.payoffs[0], averages[0], averages[1])
    kernels.live_cash_points(averages[0], averages[1], stakes.view(0), cash)
    return cash.ravel()


def _with_wins(chances: Chances, wins: Floats) -> Floats:
    """Rows ``(m, 5)`` with the gammon shares of ``chances`` ``(5,)`` and other winning chances."""
    win, wg, wbg, lg, lbg = np.asarray(chances, dtype=np.float64)
    won, lost = max(win, 1e-12), max(1 - win, 1e-12)
    rows = np.empty((len(wins), 5))
    rows[:, 0] = wins
    rows[:, 1:3] = wins[:, None] * np.minimum([wg / won, wbg / won], 1)
    rows[:, 3:5] = (1 - wins[:, None]) * np.minimum([lg / lost, lbg / lost], 1)
    return rows


def _rises_above(level: float, wins: Floats, values: Floats) -> float | None:
    """Where ``values``, linear between ``wins``, rise above a level for good, or None."""
    below = np.nonzero(values <= level + _LEAST)[0]
    if len(below) == 0:
        return float(wins[0])
    last = int(below[-1])
    if last == len(wins) - 1:
        return None
    low, high = values[last] - level, values[last + 1] - level
    return float(wins[last] + (wins[last + 1] - wins[last]) * max(-low, 0.0) / (high - low))
