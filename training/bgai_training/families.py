"""Families: finer kinds of position than plans, for whole batches of positions.

A family says what a position is about for either side; the first that fits, in the order of
:class:`Family`, is taken. They sort positions for the map of errors (``error_map``) and choose
those that get labels of their own; nothing in play depends on them. Everything here is rules of
thumb.
"""

from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from bgai.rules.position import BAR, CHECKERS, OFF, SLOTS

Bits = NDArray[np.bool_]
Counts = NDArray[np.int64]


class Family(StrEnum):
    """Kinds of position, in the order in which they are tried."""

    STACKED_RACE = "stacked race"
    LONG_RACE = "long race"
    RACE = "race"
    MUTUAL_BACK_GAMES = "mutual back games"
    SNAKE = "snake"
    CONTAINMENT = "containment"
    CLOSE_OUT = "close-out"
    BACK_GAME = "back game"
    ACE_POINT = "ace-point game"
    BEAR_OFF = "bear-off against contact"
    BEAR_IN = "bear-in against contact"
    CRASHED = "crashed"
    CRUNCHING = "crunching"
    BLITZ = "blitz"
    PRIME_AGAINST_PRIME = "prime against prime"
    PRIMING = "priming"
    MANY_HITS = "many hits"
    OPENING = "opening"
    HOLDING = "holding"
    OTHER = "other contact"


STACK = 7  # checkers on one point: a stack
LONG_RACE_PIPS = 75  # both sides have at least so many
BACK_GAME_PIPS = 30  # behind with two anchors, as in ``plans``
SPENT = 7  # checkers on the two lowest points or off: a crashed home
OPENING_PIPS = 145  # both sides have at least so many,
MANY_HITS_PIPS = 190  # and neither so many
PRIME = 4
SNAKE = 8  # checkers in the further half, around one that they try to contain
CLOSED = 5  # points of a home that keep a checker on the bar
HOME_OR_OFF = 11  # checkers of a side that is coming home


class _Side:
    """What the families look at, of one side in each of ``n`` positions."""

    def __init__(self, mine: Counts, theirs: Counts) -> None:
        self.mine = mine
        self.theirs = theirs
        slots = np.arange(SLOTS)
        self.pips = mine @ slots
        self.last = np.where(mine[:, 1:] > 0, slots[1:], 0).max(axis=1)
        self.anchors = (mine[:, 19:BAR] >= 2).sum(axis=1)
        self.back = mine[:, 19:].sum(axis=1)
        self.home = mine[:, :7].sum(axis=1)  # off ones too
        self.home_points = (mine[:, 1:7] >= 2).sum(axis=1)
        self.spent = mine[:, OFF] + mine[:, 1] + mine[:, 2]
        self.primes = self._primes()

    def _primes(self) -> Bits:
        """A prime between the 1 point and the midpoint with a checker of the other behind it."""
        made = self.mine >= 2
        found = np.zeros(len(made), dtype=np.bool_)
        for lowest in range(1, 13 - PRIME + 1):
            behind = self.theirs[:, BAR - lowest + 1 :].any(axis=1)
            found |= made[:, lowest : lowest + PRIME].all(axis=1) & behind
        return found


def _masks(a: _Side, b: _Side) -> dict[Family, Bits]:
    """Which positions fit a family for side ``a`` against side ``b``, contact given."""
    ahead = b.pips + BACK_GAME_PIPS < a.pips
    trapped = (b.mine[:, 13:].sum(axis=1) >= 1) & (b.mine[:, 13:].sum(axis=1) <= 2)
    rest_home = b.home >= CHECKERS - 2
    return {
        Family.SNAKE: (a.mine[:, 13:].sum(axis=1) >= SNAKE) & trapped & rest_home,
        Family.CONTAINMENT: (b.mine[:, OFF] >= 1) & (b.mine[:, 13:].sum(axis=1) >= 1),
        Family.CLOSE_OUT: (b.mine[:, BAR] >= 1) & (a.home_points >= CLOSED),
        Family.BACK_GAME: (a.anchors >= 2) & ahead,
        Family.ACE_POINT: (a.mine[:, 24] >= 2) & (a.anchors == 1) & (b.home >= HOME_OR_OFF) & ahead,
        Family.BEAR_OFF: (b.home == CHECKERS) & (a.mine[:, 19:].sum(axis=1) >= 1),
        Family.BEAR_IN: (b.home >= HOME_OR_OFF) & (b.last <= 18) & (a.anchors >= 1) & ahead,
        Family.CRASHED: (a.spent >= SPENT) & (a.mine[:, 18:].any(axis=1)),
        Family.CRUNCHING: (a.back >= 1) & (a.home + a.back == CHECKERS) & (a.back <= 4),
        Family.BLITZ: (a.home_points >= 3) & (b.back >= 2) & (b.anchors == 0),
    }


def family_numbers(positions: NDArray[np.int8]) -> NDArray[np.int64]:
    """Number of the family, as in ``list(Family)``, of positions ``(n, 2, 26)`` or ``(n, 52)``."""
    counts = positions.reshape(len(positions), 2, SLOTS).astype(np.int64)
    a, b = _Side(counts[:, 0], counts[:, 1]), _Side(counts[:, 1], counts[:, 0])
    contact = (a.last > 0) & (b.last > 0) & (a.last + b.last >= BAR)
    here, there = _masks(a, b), _masks(b, a)
    masks = {family: contact & (here[family] | there[family]) for family in here}
    stacked = counts[:, :, 1:7].max(axis=(1, 2)) >= STACK
    long = np.minimum(a.pips, b.pips) >= LONG_RACE_PIPS
    early = np.minimum(a.pips, b.pips) >= OPENING_PIPS
    masks |= {
        Family.STACKED_RACE: ~contact & stacked,
        Family.LONG_RACE: ~contact & long,
        Family.RACE: ~contact,
        Family.MUTUAL_BACK_GAMES: (a.anchors >= 2) & (b.anchors >= 2),
        Family.PRIME_AGAINST_PRIME: a.primes & b.primes,
        Family.PRIMING: a.primes | b.primes,
        Family.MANY_HITS: early & (np.maximum(a.pips, b.pips) >= MANY_HITS_PIPS),
        Family.OPENING: early,
        Family.HOLDING: (counts[:, :, [18, 20, 21]] >= 2).any(axis=(1, 2)),
        Family.OTHER: np.ones(len(counts), dtype=np.bool_),
    }
    order = [masks[family] for family in Family]
    return np.asarray(np.argmax(np.stack(order), axis=0), dtype=np.int64)


def of_families(positions: NDArray[np.int8], families: tuple[str, ...]) -> Bits:
    """Which of positions ``(n, 2, 26)`` or ``(n, 52)`` belong to one of ``families``."""
    order = list(Family)
    return np.isin(family_numbers(positions), [order.index(Family(family)) for family in families])
