"""Compiled bear-off: ranking of home positions, building the tables, reading them.

A side is *home* when all its checkers are on its points 1-6 or off. Home positions with at
most ``c`` checkers are ranked 0 ... C(c+6, 6)-1 in the lexicographic order of
``(points[6], points[5], ..., points[1])``. Every move lowers that tuple, so a table filled
in rank order always finds the positions after a play already done; rank 0 is all off.

Without contact every die can be played while a checker is left: both orders of a roll are
tried, and four moves of a double.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgai.compiled import compiled

HOME_POINTS = 6
MAX_ROLLS = 32
"""Length of a stored distribution; 15 checkers on the 6 point never need more rolls."""
FIRST_ROLLS = 8
TWO_SIDED_CHECKERS = 6
TWO_SIDED_POSITIONS = 924
"""Home positions with at most ``TWO_SIDED_CHECKERS`` checkers: C(12, 6)."""


def _binomials() -> NDArray[np.int64]:
    table = np.zeros((22, 7), dtype=np.int64)
    table[:, 0] = 1
    for n in range(1, 22):
        for k in range(1, 7):
            table[n, k] = table[n - 1, k - 1] + table[n - 1, k]
    return table


_BINOMIAL = _binomials()


@compiled()
def home_rank(side: Any, checkers: int) -> int:
    """Rank of one side ``(26,)`` among home positions of at most ``checkers``; -1 if not one."""
    total = 0
    for point in range(1, HOME_POINTS + 1):
        total += side[point]
    if total + side[0] != 15 or total > checkers:
        return -1
    left = checkers
    rank = 0
    for point in range(HOME_POINTS, 0, -1):
        count = side[point]
        rank += _BINOMIAL[left + point, point] - _BINOMIAL[left - count + point, point]
        left -= count
    return rank


@compiled()
def home_unrank(rank: int, checkers: int, side: Any) -> None:
    """Write the home position of a rank into ``side`` ``(26,)``, the rest of 15 borne off."""
    side[:] = 0
    left = checkers
    total = 0
    for point in range(HOME_POINTS, 0, -1):
        count = 0
        while _BINOMIAL[left + point, point] - _BINOMIAL[left - count - 1 + point, point] <= rank:
            count += 1
            if count == left:
                break
        rank -= _BINOMIAL[left + point, point] - _BINOMIAL[left - count + point, point]
        side[point] = count
        left -= count
        total += count
    side[0] = 15 - total


@compiled()
def _move(side: Any, point: int, die: int) -> bool:
    """Play one die from a point if the rules of bearing off allow it."""
    if side[point] == 0:
        return False
    if point < die:
        for higher in range(point + 1, HOME_POINTS + 1):
            if side[higher] > 0:
                return False
    side[point] -= 1
    side[max(point - die, 0)] += 1
    return True


@compiled()
def _undo(side: Any, point: int, die: int) -> None:
    side[max(point - die, 0)] -= 1
    side[point] += 1


@compiled()
def _double_plays(side: Any, die: int, checkers: int, ranks: Any) -> int:
    """Up to four moves with falling source points, so that no play is found twice.

    Written with a stack of points: compiled recursion can't be cached.
    """
    at = np.empty(4, dtype=np.int64)
    depth = 0
    at[0] = HOME_POINTS
    n = 0
    while True:
        point = at[depth]
        if point == 0:
            if depth == 0:
                return n
            depth -= 1
            _undo(side, at[depth], die)
            at[depth] -= 1
        elif not _move(side, point, die):
            at[depth] -= 1
        elif depth == 3 or side[0] == 15:
            ranks[n] = home_rank(side, checkers)
            n += 1
            _undo(side, point, die)
            at[depth] -= 1
        else:
            depth += 1
            at[depth] = point


@compiled()
def home_plays(side: Any, first: int, second: int, checkers: int, ranks: Any) -> int:
    """Ranks after each play of a roll, into ``ranks`` (duplicates possible); their number.

    ``side`` must have a checker left; it is used as scratch and given back unchanged.
    """
    if first == second:
        return _double_plays(side, first, checkers, ranks)
    n = 0
    for order in range(2):
        one, other = (first, second) if order == 0 else (second, first)
        for point in range(HOME_POINTS, 0, -1):
            if not _move(side, point, one):
                continue
            if side[0] == 15:
                ranks[n] = 0
                n += 1
            for then in range(HOME_POINTS, 0, -1):
                if _move(side, then, other):
                    ranks[n] = home_rank(side, checkers)
                    n += 1
                    _undo(side, then, other)
            _undo(side, point, one)
    return n


@compiled()
def build_one_sided(checkers: int, size: int) -> Any:
    """Tails ``P(rolls >= t)`` to bear off and to bear off the first checker; mean rolls.

    Each table's plays are those with the least expected rolls for its own goal.
    """
    tails = np.zeros((size, MAX_ROLLS))
    first_tails = np.zeros((size, FIRST_ROLLS))
    mean = np.zeros(size)
    first_mean = np.zeros(size)
    side = np.zeros(26, dtype=np.int64)
    ranks = np.empty(512, dtype=np.int64)
    tails[:, 0] = 1.0
    first_tails[:, 0] = 1.0
    for rank in range(1, size):
        home_unrank(rank, checkers, side)
        none_off = side[0] == 0
        mean[rank] = 1.0
        first_mean[rank] = 1.0 if none_off else 0.0
        for high in range(1, 7):
            for low in range(1, high + 1):
                chance = 1 / 36 if high == low else 2 / 36
                count = home_plays(side, high, low, checkers, ranks)
                best = ranks[0]
                best_first = ranks[0]
                for i in range(1, count):
                    if mean[ranks[i]] < mean[best]:
                        best = ranks[i]
                    if first_mean[ranks[i]] < first_mean[best_first]:
                        best_first = ranks[i]
                mean[rank] += chance * mean[best]
                for t in range(MAX_ROLLS - 1):
                    tails[rank, t + 1] += chance * tails[best, t]
                if none_off:
                    first_mean[rank] += chance * first_mean[best_first]
                    _add_first(first_tails, rank, best_first, chance, first_mean[best_first] > 0)
    return tails, first_tails, mean


@compiled()
def _add_first(first_tails: Any, rank: int, after: int, chance: float, waiting: bool) -> None:
    first_tails[rank, 1] += chance
    if waiting:
        for t in range(1, FIRST_ROLLS - 1):
            first_tails[rank, t + 1] += chance * first_tails[after, t]


@compiled()
def play_lists(checkers: int, size: int) -> Any:
    """Distinct ranks after each roll: those of rank r, roll t are
    ``plays[starts[r, t]:starts[r, t + 1]]``, rolls in the order 11, 21, 22, ..., 66."""
    side = np.zeros(26, dtype=np.int64)
    ranks = np.empty(512, dtype=np.int64)
    starts = np.zeros((size, 22), dtype=np.int64)
    plays = np.empty(size * 21 * 24, dtype=np.int64)
    used = 0
    for rank in range(1, size):
        home_unrank(rank, checkers, side)
        roll = 0
        for high in range(1, 7):
            for low in range(1, high + 1):
                starts[rank, roll] = used
                for i in range(home_plays(side, high, low, checkers, ranks)):
                    known = False
                    for j in range(starts[rank, roll], used):
                        known = known or plays[j] == ranks[i]
                    if not known:
                        plays[used] = ranks[i]
                        used += 1
                roll += 1
        starts[rank, 21] = used
    return starts, plays[:used].copy()


@compiled()
def build_two_sided(checkers: int, size: int) -> Any:
    """Exact cubeless win chance ``(size, size)`` of the side on roll (row) against a column.

    No gammons (at most ``checkers`` < 15 each). Filled by the greater rank of the two, so
    that the positions after a play, turn passed, are known.
    """
    wins = np.zeros((size, size))
    wins[0, 1:] = 1.0
    starts, plays = play_lists(checkers, size)
    for last in range(1, size):
        for other in range(1, last):
            wins[last, other] = _best_wins(wins, starts, plays, last, other)
            wins[other, last] = _best_wins(wins, starts, plays, other, last)
        wins[last, last] = _best_wins(wins, starts, plays, last, last)
    return wins


@compiled()
def _best_wins(wins: Any, starts: Any, plays: Any, mine: int, theirs: int) -> float:
    total = 0.0
    roll = 0
    for high in range(1, 7):
        for low in range(1, high + 1):
            least = 1.0
            for i in range(starts[mine, roll], starts[mine, roll + 1]):
                least = min(least, wins[theirs, plays[i]])
            total += (1.0 if high == low else 2.0) * (1.0 - least)
            roll += 1
    return total / 36.0


@compiled()
def pair_chances(mine: int, theirs: int, tails: Any, first_tails: Any, chances: Any) -> None:
    """Five chances of the side on roll from two one-sided ranks (15 checkers), neither 0.

    With ``t`` and ``u`` the rolls the sides need: the side on roll wins when t <= u and wins
    a gammon when the other's first checker needs at least t rolls; it loses a gammon when
    its own first checker needs more than u. Nobody can be backgammoned at home.
    """
    win = 0.0
    gammon = 0.0
    lost_gammon = 0.0
    for t in range(1, MAX_ROLLS - 1):
        if tails[mine, t] == 0.0:
            break
        # in float64, so that what is certain adds up to 1
        exactly = np.float64(tails[mine, t]) - np.float64(tails[mine, t + 1])
        win += exactly * tails[theirs, t]
        if t < FIRST_ROLLS:
            gammon += exactly * first_tails[theirs, t]
    for t in range(1, FIRST_ROLLS - 1):
        exactly = np.float64(tails[theirs, t]) - np.float64(tails[theirs, t + 1])
        lost_gammon += exactly * first_tails[mine, t + 1]
    win = min(max(win, 0.0), 1.0)
    chances[0] = win
    chances[1] = min(gammon, win)
    chances[2] = 0.0
    chances[3] = min(lost_gammon, 1.0 - win)
    chances[4] = 0.0


@compiled()
def bearoff_chances_kernel(
    positions: Any, tails: Any, first_tails: Any, two_sided: Any, chances: Any, kinds: Any
) -> int:
    """Fill ``chances`` ``(n, 5)`` where both sides are home and the game goes on.

    ``kinds`` ``(n,)`` int8 becomes 0 elsewhere (the row of ``chances`` is left alone), 1 where
    the one-sided tables were used and 2 where the exact two-sided one was. Returns how many
    rows were filled. The tables are ``tails``, ``first_tails`` and ``two_sided`` of
    :class:`bgai.evaluation.bearoff.BearoffTables`.
    """
    filled = 0
    for i in range(positions.shape[0]):
        kinds[i] = 0
        if positions[i, 0, 0] == 15 or positions[i, 1, 0] == 15:
            continue
        mine = home_rank(positions[i, 0], 15)
        if mine < 0:
            continue
        theirs = home_rank(positions[i, 1], 15)
        if theirs < 0:
            continue
        filled += 1
        few = TWO_SIDED_CHECKERS
        if positions[i, 0, 0] >= 15 - few and positions[i, 1, 0] >= 15 - few:
            kinds[i] = 2
            chances[i, :] = 0.0
            chances[i, 0] = two_sided[
                home_rank(positions[i, 0], few), home_rank(positions[i, 1], few)
            ]
        else:
            kinds[i] = 1
            pair_chances(mine, theirs, tails, first_tails, chances[i])
    return filled
