"""Game plans: the kinds of position by which errors are split.

The rules of thumb look at both sides and take the first plan that fits, in the order of
:class:`Plan`. They sort positions for tables of errors, nothing is decided by them.
"""

from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from bgai.rules.position import BAR, OFF, Positions, has_contact, pip_counts

BACK_GAME_PIPS = 30  # behind, with two anchors: a back game
CRASHED = 7  # checkers on the two lowest points or off, while others are still far away
OPENING_PIPS = 145  # both sides have at least so many
PRIME = 4  # made points in a row


class Plan(StrEnum):
    """Kinds of position."""

    RACE = "race"
    BACK_GAME = "back game"
    CRASHED = "crashed"
    BLITZ = "blitz"
    PRIMING = "priming"
    OPENING = "opening"
    HOLDING = "holding"
    OTHER = "other contact"


def plays_back_game(position: Positions, side: int) -> bool:
    """Two anchors or more in the other's home, and far behind in the race."""
    pips = pip_counts(position)
    anchors = int((position[side, 19:BAR] >= 2).sum())
    return anchors >= 2 and bool(pips[side] > pips[1 - side] + BACK_GAME_PIPS)


def plan_of(position: Positions) -> Plan:
    """The plan that a position ``(2, 26)`` is about, for either side."""
    if not has_contact(position):
        return Plan.RACE
    sides = [(position[side], position[1 - side]) for side in (0, 1)]
    if any(plays_back_game(position, side) for side in (0, 1)):
        return Plan.BACK_GAME
    if any(_crashed(mine) for mine, _ in sides):
        return Plan.CRASHED
    if any(_attacks(mine, theirs) for mine, theirs in sides):
        return Plan.BLITZ
    if any(_primes(mine, theirs) for mine, theirs in sides):
        return Plan.PRIMING
    if (pip_counts(position) >= OPENING_PIPS).all():
        return Plan.OPENING
    if any(_holds(mine) for mine, _ in sides):
        return Plan.HOLDING
    return Plan.OTHER


def _crashed(mine: NDArray[np.int8]) -> bool:
    spent = int(mine[OFF] + mine[1] + mine[2])
    return spent >= CRASHED and bool(mine[18:].any())


def _attacks(mine: NDArray[np.int8], theirs: NDArray[np.int8]) -> bool:
    """Three home points or more against two checkers or more there that have no anchor."""
    behind = theirs[19:BAR]  # their checkers in my home
    loose = int(behind.sum() + theirs[BAR])
    return bool((mine[1:7] >= 2).sum() >= 3) and loose >= 2 and not (behind >= 2).any()


def _primes(mine: NDArray[np.int8], theirs: NDArray[np.int8]) -> bool:
    """A prime with a checker of the other behind it."""
    run = 0
    for point in range(1, 13):
        run = run + 1 if mine[point] >= 2 else 0
        lowest = point - PRIME + 1
        # My point p is their 25 - p, so what is behind the prime is beyond 25 - lowest.
        if run >= PRIME and theirs[25 - lowest + 1 :].any():
            return True
    return False


def _holds(mine: NDArray[np.int8]) -> bool:
    """An anchor on the other's bar point, 5 point or 4 point."""
    return bool((mine[[18, 20, 21]] >= 2).any())
