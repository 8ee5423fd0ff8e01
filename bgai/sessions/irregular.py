"""What is wrong with a play made at a real board."""

from enum import StrEnum

from bgai.rules.dice import Roll
from bgai.rules.game import Game
from bgai.rules.position import BAR, OFF, POINTS, Positions, swap_sides


class Fault(StrEnum):
    """How a play breaks the rules."""

    INCOMPLETE = "incomplete"  # every move is legal, but more dice could be played
    ILLEGAL = "illegal"


def fault_of(game: Game, after: Positions) -> Fault | None:
    """What is wrong with the position after a play, ``(2, 26)``; None for a legal play.

    The game waits for a play. ``after`` has the opponent on roll.
    """
    if (game.plays == after).all(axis=(1, 2)).any():
        return None
    assert game.roll is not None
    depths = _on_the_way(game.position, game.roll)
    used = depths.get(swap_sides(after).tobytes())
    return Fault.ILLEGAL if used in (None, max(depths.values())) else Fault.INCOMPLETE


def _on_the_way(position: Positions, roll: Roll) -> dict[bytes, int]:
    """Positions, the mover still side 0, after legal moves, and the fewest dice they take."""
    orders = [(roll.high,) * 4] if roll.is_double else [tuple(roll), tuple(roll)[::-1]]
    depths = {position.tobytes(): 0}
    for dice in orders:
        layer = [position]
        for used, die in enumerate(dice, 1):
            after = [each for before in layer for each in _moves(before, die)]
            layer = list({each.tobytes(): each for each in after}.values())
            for each in layer:
                depths[each.tobytes()] = min(used, depths.get(each.tobytes(), used))
    return depths


def _moves(position: Positions, die: int) -> list[Positions]:
    """Positions after each legal move of one die, the mover still side 0."""
    mine = position[0]
    highest = max((slot for slot in range(BAR + 1) if slot != OFF and mine[slot]), default=OFF)
    sources = [BAR] if mine[BAR] else [slot for slot in range(POINTS, 0, -1) if mine[slot]]
    results = []
    for source in sources:
        destination = source - die
        if destination <= OFF:
            if highest > 6 or (destination < OFF and source != highest):
                continue
            destination = OFF
        elif position[1, POINTS + 1 - destination] > 1:
            continue
        after = position.copy()
        after[0, source] -= 1
        after[0, destination] += 1
        if destination != OFF and after[1, POINTS + 1 - destination] == 1:
            after[1, POINTS + 1 - destination] = 0
            after[1, BAR] += 1
        results.append(after)
    return results
