"""The compiled turn of Cubilete."""

import numpy as np

from bgai.compiled import compiled
from bgai.dicegames.cubilete.tables import STOP, Floats, Ints, Tables

_STOP = STOP


@compiled()
def best_keeps(worth: Floats, most: int, tables: Tables) -> Ints:
    """``(2, 252)``: what to keep after one and two rolls; see ``play_turn``."""
    rolls = len(tables.hands)
    keeps = len(tables.hand_odds)
    chosen = np.full((2, rolls), _STOP)
    values = np.zeros(rolls)
    kept = np.zeros(keeps)
    for made in range(most - 1, 0, -1):
        for keep in range(keeps):
            total = 0.0
            if made == most - 1:
                for hand in range(worth.shape[1]):
                    total += tables.hand_odds[keep, hand] * worth[made, hand]
            else:
                for lead in range(tables.lead_offsets[keep], tables.lead_offsets[keep + 1]):
                    total += tables.odds[lead] * values[tables.leads[lead]]
            kept[keep] = total
        for roll in range(rolls):
            best = worth[made - 1, tables.hands[roll]]
            for place in range(tables.choice_offsets[roll], tables.choice_offsets[roll + 1]):
                keep = tables.choices[place]
                if kept[keep] > best:
                    best = kept[keep]
                    chosen[made - 1, roll] = keep
            values[roll] = best
    return chosen


@compiled()
def follow(keep: int, made: int, most: int, chosen: Ints, tables: Tables) -> Floats:
    """``(3, 8)``: odds of the rolls made and the hand at the end of a turn.

    ``made`` rolls are done and the dice of ``keep`` are kept for the next.
    """
    ends = np.zeros((3, tables.hand_odds.shape[1]))
    current = np.zeros(len(tables.hand_odds))
    current[keep] = 1.0
    while made + 1 < most:
        made += 1
        following = np.zeros(len(current))
        for number in range(len(current)):
            if current[number] == 0.0:
                continue
            for lead in range(tables.lead_offsets[number], tables.lead_offsets[number + 1]):
                roll = tables.leads[lead]
                share = current[number] * tables.odds[lead]
                after = chosen[made - 1, roll]
                if after == _STOP:
                    ends[made - 1, tables.hands[roll]] += share
                else:
                    following[after] += share
        current = following
    for number in range(len(current)):
        for hand in range(ends.shape[1]):
            ends[made, hand] += current[number] * tables.hand_odds[number, hand]
    return ends
