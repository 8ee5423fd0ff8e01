"""One turn of Cubilete: the best dice to keep for any worth of the hands.

Tables over the 252 different rolls of five dice and the 462 choices of dice to keep.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np

from bgai.dicegames.chance_game import Roll, chance, rolls_of
from bgai.dicegames.cubilete.rules import DICE, ROLLS, Hand, hand_of, keeps_of
from bgai.dicegames.cubilete.tables import STOP, Floats, Ints, Tables

DICE_ROLLS: tuple[Roll, ...] = tuple(roll for roll, _ in rolls_of(DICE))
ROLL_NUMBER: dict[Roll, int] = {roll: number for number, roll in enumerate(DICE_ROLLS)}
KEEPS: tuple[Roll, ...] = tuple(keep for size in range(DICE + 1) for keep, _ in rolls_of(size))
"""All choices of dice to keep: none first, then single dice, ..., and all five (a stop)."""
KEEP_NUMBER: dict[Roll, int] = {keep: number for number, keep in enumerate(KEEPS)}
HANDS: Ints = np.array([hand_of(roll) for roll in DICE_ROLLS], dtype=np.int64)


@cache
def reached(keep: Roll) -> tuple[tuple[int, int], ...]:
    """The rolls that keeping dice leads to, by number, with their ways."""
    return tuple(
        (ROLL_NUMBER[tuple(sorted(keep + roll))], ways) for roll, ways in rolls_of(DICE - len(keep))
    )


@cache
def tables() -> Tables:
    """The tables of the compiled turn."""
    hand_odds = np.zeros((len(KEEPS), len(Hand)))
    leads, odds, lead_offsets = [], [], [0]
    for number, keep in enumerate(KEEPS):
        for roll, ways in reached(keep):
            leads.append(roll)
            odds.append(ways / 6 ** (DICE - len(keep)))
            hand_odds[number, HANDS[roll]] += odds[-1]
        lead_offsets.append(len(leads))
    choices, choice_offsets = [], [0]
    for dice in DICE_ROLLS:
        choices += [KEEP_NUMBER[keep] for keep in keeps_of(dice)[1:]]
        choice_offsets.append(len(choices))
    faces = range(1, 7)
    counts = np.array([[keep.count(face) for face in faces] for keep in KEEPS])
    added = np.full((len(KEEPS), 6), -1)
    lead_of = np.full((len(KEEPS), len(DICE_ROLLS)), -1)
    for number, keep in enumerate(KEEPS):
        lead_of[number, leads[lead_offsets[number] : lead_offsets[number + 1]]] = np.arange(
            lead_offsets[number], lead_offsets[number + 1]
        )
        if len(keep) < DICE:
            added[number] = [KEEP_NUMBER[tuple(sorted((*keep, face)))] for face in faces]
    whole = np.array
    return Tables(
        HANDS,
        hand_odds,
        whole(leads),
        whole(odds),
        whole(lead_offsets),
        whole(choices),
        whole(choice_offsets),
        counts,
        added,
        lead_of,
    )


@dataclass(frozen=True)
class Turn:
    """A turn played for the greatest worth.

    ``first`` ``(252,)``: the number of the dice kept after the first roll, ``STOP`` to end the
    turn; ``second``: the same after the second, by roll, or where kept dice must stay
    (``strict``) by the lead from what was kept. ``odds`` ``(3, 8)``: chance to end with each
    hand after 1, 2 and 3 rolls; ``most``: rolls allowed.
    """

    first: Ints
    second: Ints
    odds: Floats
    most: int
    strict: bool

    def keeps(self, dice: Roll, rolls: int, kept: Roll = ()) -> Roll:
        """The dice to keep of those on the table, all five to end the turn."""
        number = ROLL_NUMBER[dice]
        if rolls == 1:
            keep = int(self.first[number])
        elif self.strict:
            keep = int(self.second[tables().lead_of[KEEP_NUMBER[kept], number]])
        else:
            keep = int(self.second[number])
        return dice if keep == STOP else KEEPS[keep]

    def odds_after(self, kept: Roll, rolls: int) -> Floats:
        """``(3, 8)`` as ``odds``, with ``rolls`` made and ``kept`` dice on the table."""
        return _odds(self.first, self.second, self.most, self.strict, kept, rolls)


def _odds(
    first: Ints, second: Ints, most: int, strict: bool, kept: Roll = (), rolls: int = 0
) -> Floats:
    from bgai.dicegames.cubilete.kernels import follow

    odds: Floats = follow(KEEP_NUMBER[kept], rolls, most, first, second, strict, tables())
    return odds


def play_turn(worth: Floats, most: int = ROLLS, *, strict: bool = False) -> Turn:
    """The turn for ``worth`` ``(3, 8)`` of each hand after 1, 2 and 3 rolls."""
    from bgai.dicegames.cubilete.kernels import best_keeps

    first, second = best_keeps(np.ascontiguousarray(worth), most, strict, tables())
    return Turn(first, second, _odds(first, second, most, strict), most, strict)


def greatest_exactly(worth: Sequence[int], rolls: int = ROLLS) -> Fraction:
    """The greatest expected worth of one turn, ``worth`` by hand, as a fraction."""
    stop = [Fraction(worth[hand_of(roll)]) for roll in DICE_ROLLS]
    values = stop
    for _ in range(rolls - 1):
        kept = {
            keep: sum(
                (values[roll] * chance(ways, DICE - len(keep)) for roll, ways in reached(keep)),
                Fraction(0),
            )
            for keep in KEEPS[: -len(DICE_ROLLS)]
        }
        values = [
            max([stop[number], *(kept[keep] for keep in keeps_of(roll)[1:])])
            for number, roll in enumerate(DICE_ROLLS)
        ]
    return sum((values[roll] * chance(ways, DICE) for roll, ways in reached(())), Fraction(0))
