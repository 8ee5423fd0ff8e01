"""A slow, plain twin of the exact bear-off table: exact fractions, straight from the rules.

A side is a sorted tuple of the points of its checkers, all at home.
"""

from fractions import Fraction
from functools import cache
from itertools import product

Side = tuple[int, ...]


def moves(side: Side, die: int) -> set[Side]:
    """Every way to play one die."""
    after = set()
    for i, point in enumerate(side):
        if point >= die or point == max(side):
            rest = side[:i] + side[i + 1 :]
            after.add(tuple(sorted(rest + ((point - die,) if point > die else ()))))
    return after


@cache
def plays(side: Side, first: int, second: int) -> frozenset[Side]:
    """Every position after a roll."""
    results = set()
    for dice in {(first, second), (second, first)} if first != second else {(first,) * 4}:
        reached = {side}
        for die in dice:
            reached = {then for one in reached for then in (moves(one, die) if one else {one})}
        results |= reached
    return frozenset(results)


@cache
def waiting(mine: Side, theirs: Side, owner: int | None) -> Fraction:
    """Equity of ``mine`` about to roll, in units of the cube; ``owner`` None: no cube.

    ``owner`` 0 centred, 1 the side on roll, -1 the other.
    """
    total = Fraction(0)
    for first, second in product(range(1, 7), repeat=2):
        total += max(
            Fraction(1) if not after else -decided(theirs, after, None if owner is None
                                                           else -owner)
            for after in plays(mine, max(first, second), min(first, second))
        )  # fmt: skip
    return total / 36


@cache
def decided(mine: Side, theirs: Side, owner: int | None) -> Fraction:
    """The same when ``mine`` may double first."""
    wait = waiting(mine, theirs, owner)
    if owner is None or owner == -1:
        return wait
    return max(wait, min(2 * waiting(mine, theirs, -1), Fraction(1)))
