"""Where self-play games begin: the start, random play, and kinds of position games rarely reach."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from bgai.rules.dice import roll_dice
from bgai.rules.legal_plays import legal_plays_batch
from bgai.rules.position import (
    BAR,
    CHECKERS,
    OFF,
    POINTS,
    SLOTS,
    has_contact,
    is_over,
    starting_position,
)

Rows = NDArray[np.int8]
"""Positions as rows of 52: the player on roll's 26 slots, then the opponent's."""

ROW = 2 * SLOTS


def start_rows(count: int) -> Rows:
    """The starting position, ``count`` times."""
    return np.repeat(starting_position().reshape(1, ROW), count, axis=0)


def random_positions(rng: np.random.Generator, count: int, most_plies: int) -> Rows:
    """``count`` rows after 1 to ``most_plies`` random plies from the start, none over."""
    positions = np.repeat(starting_position()[None], count, axis=0)
    plies = rng.integers(1, most_plies + 1, size=count)
    for ply in range(most_plies):
        after, offsets = legal_plays_batch(positions, roll_dice(rng, count))
        picks = offsets[:-1] + (rng.random(count) * np.diff(offsets)).astype(np.int64)
        moving = (ply < plies) & ~is_over(after[picks])
        positions[moving] = after[picks][moving]
    return positions.reshape(count, ROW)


def _spread(
    rng: np.random.Generator, side: Rows, checkers: int, points: NDArray[np.int64], blocked: Rows
) -> bool:
    """Put ``checkers`` on random ``points`` of one side that the other doesn't hold."""
    free = points[blocked[POINTS + 1 - points] == 0]
    if len(free) == 0:
        return False
    for point in rng.choice(free, size=checkers):
        side[point] += 1
    return True


def _back_game(rng: np.random.Generator, row: Rows) -> bool:
    """Two anchors deep in the other's home, the rest waiting; the other comes home."""
    holder, other = row[:SLOTS], row[SLOTS:]
    anchors = rng.choice(np.arange(20, 25), size=2, replace=False)
    back = rng.integers(4, 7)
    holder[anchors] = 2
    holder[anchors[0]] += back - 4
    home = rng.integers(7, 13)
    if not _spread(rng, other, int(home), np.arange(1, 8), holder):
        return False
    if not _spread(rng, other, CHECKERS - int(home), np.arange(7, 19), holder):
        return False
    return _spread(rng, holder, CHECKERS - int(back), np.arange(1, 14), other)


def _crashed(rng: np.random.Generator, row: Rows) -> bool:
    """One side's home has run to its low points while it still holds an anchor."""
    crashed, other = row[:SLOTS], row[SLOTS:]
    crashed[rng.integers(19, 25)] = 2
    if not _spread(rng, other, 13, np.arange(1, 14), crashed):
        return False
    if not _spread(rng, crashed, 10, np.arange(1, 5), other):
        return False
    if not _spread(rng, crashed, 3, np.arange(4, 12), other):
        return False
    return _spread(rng, other, 2, np.arange(18, 25), crashed)


def _closed_out(rng: np.random.Generator, row: Rows) -> bool:
    """Checkers on the bar against a strong home while the other bears in or off."""
    owner, other = row[:SLOTS], row[SLOTS:]
    other[BAR] = rng.integers(1, 3)
    owner[2:7] = 2
    if not _spread(rng, owner, 5, np.arange(1, 12), other):
        return False
    return _spread(rng, other, CHECKERS - int(other[BAR]), np.arange(1, 10), owner)


def _mutual_back_games(rng: np.random.Generator, row: Rows) -> bool:
    """Either side holds two anchors in the other's home, the rest is between them."""
    sides = (row[:SLOTS], row[SLOTS:])
    for side, other in (sides, sides[::-1]):
        free = [point for point in range(19, 25) if other[POINTS + 1 - point] == 0]
        anchors = rng.choice(free, size=2, replace=False)
        side[anchors] = 2
        side[anchors[0]] += rng.integers(0, 2)
    return all(
        _spread(rng, side, CHECKERS - int(side.sum()), np.arange(2, 17), other)
        for side, other in (sides, sides[::-1])
    )


def _snake(rng: np.random.Generator, row: Rows) -> bool:
    """A long chain that must come round behind the last checker of a side that is home."""
    chain, other = row[:SLOTS], row[SLOTS:]
    other[rng.integers(20, BAR + 1)] = 1
    other[OFF] = rng.integers(0, 4)
    back = int(rng.integers(9, 13))
    if not _spread(rng, chain, back, np.arange(13, 25), other):
        return False
    if not _spread(rng, chain, CHECKERS - back, np.arange(3, 13), other):
        return False
    return _spread(rng, other, CHECKERS - int(other.sum()), np.arange(1, 7), chain)


def _late_hit(rng: np.random.Generator, row: Rows) -> bool:
    """A side that has begun to bear off is hit and must come round the other's home."""
    keeper, other = row[:SLOTS], row[SLOTS:]
    other[rng.integers(19, BAR + 1)] = 1
    other[OFF] = rng.integers(1, 12)
    if not _spread(rng, other, CHECKERS - int(other.sum()), np.arange(1, 6), keeper):
        return False
    return _spread(rng, keeper, CHECKERS, np.arange(1, rng.integers(9, 16)), other)


def _ace_point(rng: np.random.Generator, row: Rows) -> bool:
    """The ace-point held to the end while the other comes home or bears off."""
    holder, other = row[:SLOTS], row[SLOTS:]
    holder[24] = rng.integers(2, 4)
    if not _spread(rng, holder, CHECKERS - int(holder[24]), np.arange(1, 10), other):
        return False
    other[OFF] = max(0, int(rng.integers(-6, 7)))
    out = int(rng.integers(0, 4)) if other[OFF] == 0 else 0
    if not _spread(rng, other, out, np.arange(7, 13), holder):
        return False
    return _spread(rng, other, CHECKERS - int(other.sum()), np.arange(2, 7), holder)


def _primes(rng: np.random.Generator, row: Rows) -> bool:
    """Either side has four or five points in a row before one or two checkers of the other."""
    sides = (row[:SLOTS], row[SLOTS:])
    for side, other in (sides, sides[::-1]):
        length, lowest = rng.integers(4, 6), rng.integers(2, 6)
        side[lowest : lowest + length] = 2
        behind = POINTS + 1 - np.arange(1, lowest)
        if not _spread(rng, other, int(rng.integers(1, 3)), behind, side):
            return False
    return all(
        _spread(rng, side, CHECKERS - int(side.sum()), np.arange(1, 15), other)
        for side, other in (sides, sides[::-1])
    )


def _race_side(rng: np.random.Generator, side: Rows, highest: int) -> None:
    """Checkers of one side up to the point ``highest``, spread or stacked, some perhaps off."""
    side[:] = 0
    side[OFF] = max(0, int(rng.integers(-12, 8)))
    points = np.arange(1, highest + 1)
    weights = rng.dirichlet(np.full(highest, 0.8)) * np.where(points < 7, 0.5 + points / 6, 1)
    picks = rng.choice(points, size=CHECKERS - int(side[OFF]), p=weights / weights.sum())
    np.add.at(side, picks, 1)


def _race(rng: np.random.Generator, row: Rows) -> bool:
    """No contact any more, mostly a close race, long or short."""
    border = int(rng.integers(4, 21))  # the player on roll is below, the other above
    sides = ((row[:SLOTS], border), (row[SLOTS:], POINTS - border))
    for _ in range(40):
        for side, highest in sides:
            _race_side(rng, side, max(highest, 1))
        mine, theirs = (int(side @ np.arange(SLOTS)) for side, _ in sides)
        if abs(mine - theirs) < 6 + max(mine, theirs) // 8 or rng.random() < 0.02:
            break
    # The tables know what is left once both sides are home.
    return bool(row[7:BAR].any() or row[SLOTS + 7 : SLOTS + BAR].any())


RARE_KINDS: dict[str, Callable[[np.random.Generator, Rows], bool]] = {
    "back game": _back_game,
    "crashed": _crashed,
    "closed out": _closed_out,
    "mutual back games": _mutual_back_games,
    "snake": _snake,
    "late hit": _late_hit,
    "ace-point": _ace_point,
    "primes": _primes,
    "race": _race,
}
"""Makers of rare positions by name; each fills a row of zeros and says whether it could."""

COMMON_RARE = ("back game", "back game", "crashed", "closed out")


def rare_positions(
    rng: np.random.Generator, count: int, kinds: tuple[str, ...] = COMMON_RARE
) -> Rows:
    """``count`` rows of positions of ``kinds``, one as likely as another, either side on roll."""
    rows = np.zeros((count, ROW), dtype=np.int8)
    for row in rows:
        while True:
            row[:] = 0
            kind = kinds[rng.integers(len(kinds))]
            if not RARE_KINDS[kind](rng, row):
                continue
            if has_contact(row.reshape(2, SLOTS)) == (kind != "race"):
                break
        if rng.random() < 0.5:
            row[:] = np.concatenate([row[SLOTS:], row[:SLOTS]])
    return rows


def mixed_starts(
    rng: np.random.Generator,
    count: int,
    varied: float,
    rare: float,
    most_plies: int,
    kinds: tuple[str, ...] = COMMON_RARE,
) -> Rows:
    """Starts of ``count`` games: ``varied`` after random plies, ``rare`` positions of ``kinds``."""
    rows = start_rows(count)
    kind = rng.random(count)
    after_plies = kind < varied
    unusual = (kind >= varied) & (kind < varied + rare)
    if after_plies.any():
        rows[after_plies] = random_positions(rng, int(after_plies.sum()), most_plies)
    if unusual.any():
        rows[unusual] = rare_positions(rng, int(unusual.sum()), kinds)
    return rows
