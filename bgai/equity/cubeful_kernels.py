"""Compiled cubeful model. ``stakes`` is a :class:`bgai.equity.stakes.StakesView`.

The live-cube worth of a cube is a broken line over the winning chance p: an average loss at
p = 0, the opponent's cash at their cash point, one's own cash at one's own, an average win at
p = 1; a player who can't turn the cube has no corner. Cash points follow from the highest
level down: a player cashes where the opponent's live-cube worth of the next level, theirs to
turn, equals giving up this one. The dead-cube worth is the straight line. The model takes
``efficiency`` of the one and the rest of the other (Rick Janowski, "Take-Points in Money
Games", 1993; the corners per level are the same idea at a match score).
"""

from typing import Any

import numpy as np

from bgai.compiled import compiled

CANNOT_DOUBLE = -1

SURE_LOSS = 0.65
"""Share of the ordinary inefficiency that is left, at the cash point, to a cube without risk."""
SURE_EXPONENT = 4
"""How late on the way to the cash point it appears; both by scripts/fit_cube_efficiency.py."""


@compiled()
def average_results(chances: Any, payoffs: Any, wins: Any, losses: Any) -> None:
    """Worth of an average win and of an average loss at each level, from five chances."""
    win = min(max(chances[0], 0.0), 1.0)
    lose = 1.0 - win
    wg = min(chances[1] / win, 1.0) if win > 0.0 else 0.0
    wbg = min(chances[2] / win, wg) if win > 0.0 else 0.0
    lg = min(chances[3] / lose, 1.0) if lose > 0.0 else 0.0
    lbg = min(chances[4] / lose, lg) if lose > 0.0 else 0.0
    for k in range(payoffs.shape[0]):
        pay = payoffs[k]
        wins[k] = pay[0] + wg * (pay[1] - pay[0]) + wbg * (pay[2] - pay[1])
        losses[k] = pay[3] + lg * (pay[4] - pay[3]) + lbg * (pay[5] - pay[4])


@compiled()
def live_cash_points(wins: Any, losses: Any, stakes: Any, cash: Any) -> None:
    """Live cash points ``cash`` ``(K, 2)`` in the winning chance of the view's player.

    Column 0: that player cashes at or above; column 1: the other cashes at or below. Where a
    player can't turn the cube the entry is 1 or 0.
    """
    payoffs, can_turn = stakes.payoffs, stakes.can_turn
    if stakes.unlimited:
        spread = wins[0] - losses[0] + 0.5
        cash[0, 0] = min((1.0 - losses[0]) / spread, 1.0)
        cash[0, 1] = max((-losses[0] - 0.5) / spread, 0.0)
        return
    for k in range(payoffs.shape[0] - 1, -1, -1):
        cash[k, 0] = 1.0
        cash[k, 1] = 0.0
        if can_turn[k, 0]:
            low = cash[k + 1, 1]
            worth = payoffs[k + 1, 3] if can_turn[k + 1, 1] else losses[k + 1]
            spread = wins[k + 1] - worth
            share = (payoffs[k, 0] - worth) / spread if spread > 0.0 else 1.0
            cash[k, 0] = min(low + (1.0 - low) * share, 1.0)
        if can_turn[k, 1]:
            high = cash[k + 1, 0]
            worth = payoffs[k + 1, 0] if can_turn[k + 1, 0] else wins[k + 1]
            spread = worth - losses[k + 1]
            share = (payoffs[k, 3] - losses[k + 1]) / spread if spread > 0.0 else 0.0
            cash[k, 1] = max(high * share, 0.0)


@compiled()
def broken_line(
    p: float, low: float, high: float, lose: float, pass_: float, cash: float, win: float
) -> float:
    """Live-cube worth at winning chance ``p``; no corner at ``low`` 0 or ``high`` 1."""
    left, left_worth = (low, pass_) if low > 0.0 else (0.0, lose)
    right, right_worth = (high, cash) if high < 1.0 else (1.0, win)
    if p < left:
        return lose + (pass_ - lose) * p / left
    if p > right:
        return cash + (win - cash) * (p - right) / (1.0 - right)
    if right <= left:
        return right_worth
    return left_worth + (right_worth - left_worth) * (p - left) / (right - left)


@compiled()
def sure_share(p: float, low: float, high: float, efficiency: float) -> float:
    """Share of the live worth where the one player who may turn the cube loses nothing by it.

    That cube comes at the next chance, so the live worth holds almost wholly until a single
    exchange of rolls can jump past the cash point; there part of the inefficiency appears.
    """
    way = 1.0
    if high < 1.0:
        way = p / high if p < high else 1.0
    elif p > low:
        way = (1.0 - p) / (1.0 - low)
    return 1.0 - SURE_LOSS * (1.0 - efficiency) * way**SURE_EXPONENT


@compiled()
def state_efficiency(efficiency: Any, stakes: Any, s: int) -> float:
    """Efficiency of the cube of state ``s`` from those of a cube that goes on and of a last turn.

    That of a last turn holds where winning and losing by it weigh alike; where much less is at
    risk the other comes nearer (exact bear-offs at random scores), half and half at .75.
    """
    holder, k, can_turn = stakes.owner[s], stakes.level[s], stakes.can_turn
    owner = holder % 3
    going_on, last = efficiency[owner], efficiency[3 + owner]
    if stakes.unlimited or k + 1 >= can_turn.shape[0]:
        return going_on
    last = going_on + max(2.0 * stakes.risk[s] - 1.0, 0.0) * (last - going_on)
    # whoever takes owns the next level: the other after the view's player has doubled
    mine = going_on if can_turn[k + 1, 1] else last
    theirs = going_on if can_turn[k + 1, 0] else last
    if holder == 0:
        return (mine + theirs) / 2
    return mine if holder == 1 else theirs


@compiled()
def state_worths(chances: Any, stakes: Any, efficiency: Any, scratch: Any, out: Any) -> None:
    """Worth of each state to the view's player about to roll, without doubling now.

    ``chances`` ``(5,)``, ``efficiency`` ``(6,)`` as in ``efficiency.cube_efficiency``,
    ``scratch`` float64 ``(4, K)``, ``out`` ``(S,)``.
    """
    wins, losses, cash = scratch[0], scratch[1], scratch[2:].T
    payoffs, can_turn = stakes.payoffs, stakes.can_turn
    average_results(chances, payoffs, wins, losses)
    live_cash_points(wins, losses, stakes, cash)
    p = min(max(chances[0], 0.0), 1.0)
    for s in range(stakes.level.shape[0]):
        k = stakes.level[s]
        holder = stakes.owner[s]
        win, lose = wins[k], losses[k]
        if stakes.jacoby and holder == 0:
            win, lose = payoffs[k, 0], payoffs[k, 3]
        dead = lose + (win - lose) * p
        low = cash[k, 1] if holder != 1 and can_turn[k, 1] else 0.0
        high = cash[k, 0] if holder != -1 and can_turn[k, 0] else 1.0
        live = broken_line(p, low, high, lose, payoffs[k, 3], payoffs[k, 0], win)
        # A cube that one player alone may turn is never worth less to them than a dead one; the
        # line says so where gammons win more than the cash at every winning chance.
        if low == 0.0:
            live = max(live, dead)
        elif high == 1.0:
            live = min(live, dead)
        share = state_efficiency(efficiency, stakes, s)
        if stakes.risk[s] == 0.0:
            share = sure_share(p, low, high, share)
        worth = dead + share * (live - dead)
        # Nobody can have more than their wins are worth or a pass, whatever the efficiency says.
        out[s] = min(max(worth, min(lose, payoffs[k, 3])), max(win, payoffs[k, 0]))


@compiled()
def model_worths(chances: Any, stakes: Any, efficiency: Any, out: Any) -> None:
    """:func:`state_worths` of many positions: ``(n, 5)``, ``(n, 6)`` to ``out`` ``(n, S)``."""
    scratch = np.empty((4, stakes.payoffs.shape[0]))
    for i in range(chances.shape[0]):
        state_worths(chances[i], stakes, efficiency[i], scratch, out[i])


@compiled()
def decide(worths: Any, stakes: Any, out: Any) -> None:
    """Worth of each state when the view's player may double first: ``(S,)`` to ``(S,)``.

    The opponent passes, takes or (``beavers``, in money play without a maximum cube) turns
    the cube back, whichever hurts most. ``out`` must not be ``worths``.
    """
    for s in range(stakes.level.shape[0]):
        out[s] = worths[s]
        after = stakes.after_take[s]
        if after != CANNOT_DOUBLE:
            taken = stakes.take_factor * worths[after]
            if stakes.beavers and stakes.unlimited and taken < 0.0:
                taken *= 2.0
            out[s] = max(out[s], min(taken, stakes.payoffs[stakes.level[s], 0]))


@compiled()
def decide_all(worths: Any, stakes: Any, out: Any) -> None:
    """:func:`decide` of many positions: ``(n, S)`` to ``(n, S)``."""
    for i in range(worths.shape[0]):
        decide(worths[i], stakes, out[i])
