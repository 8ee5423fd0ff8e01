"""Legal plays by definition: slow, and simple enough to be seen to be right.

Try every checker with the dice in both orders, one die at a time. Keep the ways that use
most dice; if only one die can be used and either could be, keep those that use the higher.
"""

from collections.abc import Iterator

Side = tuple[int, ...]
Board = tuple[Side, Side]  # mover, opponent; each 26 slots, 0 off, 25 bar, as in rules/position
Way = tuple[Board, tuple[int, ...]]  # a board and the dice used to reach it


def slow_legal_plays(board: Board, roll: tuple[int, int]) -> set[Board]:
    """Distinct boards after a play, the opponent's side first; the swapped board if none."""
    high, low = max(roll), min(roll)
    orders = [(high,) * 4] if high == low else [(high, low), (low, high)]
    ways = {way for order in orders for way in _ways(board, order)}
    most = max(len(used) for _, used in ways)
    ways = {(after, used) for after, used in ways if len(used) == most}
    if most == 1 and any(used == (high,) for _, used in ways):
        ways = {(after, used) for after, used in ways if used == (high,)}
    return {(opponent, mover) for (mover, opponent), _ in ways}


def _ways(board: Board, dice: tuple[int, ...]) -> set[Way]:
    """Every way to play the dice in this order, each stopping where a die can't be played."""
    finished: set[Way] = set()
    going: set[Way] = {(board, ())}
    for die in dice:
        further: set[Way] = set()
        for before, used in going:
            boards = set(_single_moves(before, die))
            if not boards:
                finished.add((before, used))
            further |= {(after, (*used, die)) for after in boards}
        going = further
    return finished | going


def _single_moves(board: Board, die: int) -> Iterator[Board]:
    mover, opponent = board
    for source in range(1, 26):
        if mover[source] == 0:
            continue
        if mover[25] > 0 and source != 25:
            continue  # a checker on the bar must enter first
        destination = source - die
        if destination <= 0:
            if any(mover[7:]):
                continue  # not all home
            if destination < 0 and any(mover[source + 1 :]):
                continue  # a higher checker must be moved
            destination = 0
        elif opponent[25 - destination] >= 2:
            continue
        yield _moved(mover, opponent, source, destination)


def _moved(mover: Side, opponent: Side, source: int, destination: int) -> Board:
    mine, theirs = list(mover), list(opponent)
    mine[source] -= 1
    mine[destination] += 1
    if destination > 0 and theirs[25 - destination] == 1:
        theirs[25 - destination] = 0
        theirs[25] += 1
    return tuple(mine), tuple(theirs)
