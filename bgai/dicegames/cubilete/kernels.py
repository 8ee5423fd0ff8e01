"""The compiled turn of Cubilete."""

import numpy as np

from bgai.compiled import compiled
from bgai.dicegames.cubilete.tables import STOP, Floats, Ints, Tables

_STOP = STOP


@compiled()
def allowed(choice: int, held: int, tables: Tables) -> bool:
    """Whether keeping ``choice`` keeps all the dice of ``held``."""
    return bool((tables.counts[choice] >= tables.counts[held]).all())


@compiled()
def best_keeps(worth: Floats, most: int, strict: bool, tables: Tables) -> tuple[Ints, Ints]:
    """What to keep after the first and after the second of ``most`` rolls; see ``Turn``."""
    rolls, keeps = len(tables.hands), len(tables.hand_odds)
    first = np.full(rolls, _STOP)
    second = np.full(len(tables.leads) if strict else rolls, _STOP)
    kept = np.zeros(keeps)
    if most == 1:
        return first, second
    for keep in range(keeps):
        for hand in range(worth.shape[1]):
            kept[keep] += tables.hand_odds[keep, hand] * worth[most - 1, hand]
    if most > 2:
        values = np.zeros(len(second))
        if strict:
            for held in range(keeps):
                for lead in range(tables.lead_offsets[held], tables.lead_offsets[held + 1]):
                    second[lead], values[lead] = _best(
                        tables.leads[lead], held, worth[1], kept, tables
                    )
        else:
            for roll in range(rolls):
                second[roll], values[roll] = _best(roll, 0, worth[1], kept, tables)
        kept[:] = 0.0
        for keep in range(keeps):
            for lead in range(tables.lead_offsets[keep], tables.lead_offsets[keep + 1]):
                place = lead if strict else tables.leads[lead]
                kept[keep] += tables.odds[lead] * values[place]
    for roll in range(rolls):
        first[roll], _ = _best(roll, 0, worth[0], kept, tables)
    return first, second


@compiled()
def _best(roll: int, held: int, worth: Floats, kept: Floats, tables: Tables) -> tuple[int, float]:
    """The best dice to keep of a roll, those of ``held`` among them, and what that is worth."""
    chosen, best = _STOP, worth[tables.hands[roll]]
    for place in range(tables.choice_offsets[roll], tables.choice_offsets[roll + 1]):
        keep = tables.choices[place]
        if kept[keep] > best and (not held or allowed(keep, held, tables)):
            chosen, best = keep, kept[keep]
    return chosen, best


@compiled()
def follow(
    keep: int, made: int, most: int, first: Ints, second: Ints, strict: bool, tables: Tables
) -> Floats:
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
                after = first[roll] if made == 1 else second[lead if strict else roll]
                if after == _STOP:
                    ends[made - 1, tables.hands[roll]] += share
                else:
                    following[after] += share
        current = following
    for number in range(len(current)):
        for hand in range(ends.shape[1]):
            ends[made, hand] += current[number] * tables.hand_odds[number, hand]
    return ends
