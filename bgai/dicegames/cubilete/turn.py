"""One turn of Cubilete: the best dice to keep for any worth of the hands.

Tables over the 252 different throws of five dice and the 462 choices of dice to keep.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bgai.dicegames.chance_game import Throw, chance, throws_of
from bgai.dicegames.cubilete.rules import DICE, THROWS, Hand, hand_of, keeps_of

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

DICE_THROWS: tuple[Throw, ...] = tuple(throw for throw, _ in throws_of(DICE))
THROW_NUMBER: dict[Throw, int] = {throw: number for number, throw in enumerate(DICE_THROWS)}
KEEPS: tuple[Throw, ...] = tuple(keep for size in range(DICE + 1) for keep, _ in throws_of(size))
"""All choices of dice to keep: none first, then single dice, ..., and all five (a stop)."""
KEEP_NUMBER: dict[Throw, int] = {keep: number for number, keep in enumerate(KEEPS)}
HANDS: Ints = np.array([hand_of(throw) for throw in DICE_THROWS], dtype=np.int64)


STOP = -1


class Tables(NamedTuple):
    """Keep ``k`` leads to the throws ``leads[lead_offsets[k]:lead_offsets[k + 1]]`` with the
    ``odds`` there, and to the hands with ``hand_odds[k]``; throw ``t`` leaves the ``choices``
    of keeps from ``choice_offsets[t]`` on (keeping all five not among them)."""

    hands: Ints
    hand_odds: Floats
    leads: Ints
    odds: Floats
    lead_offsets: Ints
    choices: Ints
    choice_offsets: Ints


@cache
def reached(keep: Throw) -> tuple[tuple[int, int], ...]:
    """The throws that keeping dice leads to, by number, with their ways."""
    return tuple(
        (THROW_NUMBER[tuple(sorted(keep + throw))], ways)
        for throw, ways in throws_of(DICE - len(keep))
    )


@cache
def tables() -> Tables:
    """The tables of the compiled turn."""
    hand_odds = np.zeros((len(KEEPS), len(Hand)))
    leads, odds, lead_offsets = [], [], [0]
    for number, keep in enumerate(KEEPS):
        for throw, ways in reached(keep):
            leads.append(throw)
            odds.append(ways / 6 ** (DICE - len(keep)))
            hand_odds[number, HANDS[throw]] += odds[-1]
        lead_offsets.append(len(leads))
    choices, choice_offsets = [], [0]
    for dice in DICE_THROWS:
        choices += [KEEP_NUMBER[keep] for keep in keeps_of(dice)[1:]]
        choice_offsets.append(len(choices))
    whole = np.array
    return Tables(
        HANDS,
        hand_odds,
        whole(leads),
        whole(odds),
        whole(lead_offsets),
        whole(choices),
        whole(choice_offsets),
    )


@dataclass(frozen=True)
class Turn:
    """A turn played for the greatest worth.

    ``keep[t - 1]`` ``(252,)``: the number of the dice kept after ``t`` throws, ``STOP`` to end
    the turn; ``odds`` ``(3, 8)``: chance to end with each hand after 1, 2 and 3 throws;
    ``most``: throws allowed.
    """

    keep: Ints
    odds: Floats
    most: int

    def odds_after(self, kept: Throw, throws: int) -> Floats:
        """``(3, 8)`` as ``odds``, with ``throws`` made and ``kept`` dice on the table."""
        from bgai.dicegames.cubilete.kernels import follow

        return follow(KEEP_NUMBER[kept], throws, self.most, self.keep, tables())


def play_turn(worth: Floats, most: int = THROWS) -> Turn:
    """The turn for ``worth`` ``(3, 8)`` of each hand after 1, 2 and 3 throws."""
    from bgai.dicegames.cubilete.kernels import best_keeps, follow

    keep = best_keeps(np.ascontiguousarray(worth), most, tables())
    return Turn(keep, follow(0, 0, most, keep, tables()), most)


def greatest_exactly(worth: Sequence[int], throws: int = THROWS) -> Fraction:
    """The greatest expected worth of one turn, ``worth`` by hand, as a fraction."""
    stop = [Fraction(worth[hand_of(throw)]) for throw in DICE_THROWS]
    values = stop
    for _ in range(throws - 1):
        kept = {
            keep: sum(
                (values[throw] * chance(ways, DICE - len(keep)) for throw, ways in reached(keep)),
                Fraction(0),
            )
            for keep in KEEPS[: -len(DICE_THROWS)]
        }
        values = [
            max([stop[number], *(kept[keep] for keep in keeps_of(throw)[1:])])
            for number, throw in enumerate(DICE_THROWS)
        ]
    return sum((values[throw] * chance(ways, DICE) for throw, ways in reached(())), Fraction(0))
