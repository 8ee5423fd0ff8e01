"""Legal plays by definition: slow, and simple enough to be seen to be right.

Try every checker with the dice in both orders, one die at a time. Keep the ways that use
most dice; if only one die can be used and either could be, keep those that use the higher.
"""

Side = tuple[int, ...]
Board = tuple[Side, Side]  # mover, opponent; each 26 slots, 0 off, 25 bar, as in rules/position


def slow_legal_plays(board: Board, throw: tuple[int, int]) -> set[Board]:
    """Distinct boards after a play, the opponent's side first; the swapped board if none."""
    high, low = max(throw), min(throw)
    orders = [(high,) * 4] if high == low else [(high, low), (low, high)]
    played: dict[Board, set[tuple[int, ...]]] = {}
    for order in orders:
        for after, used in _play(board, order, ()):
            played.setdefault(after, set()).add(used)
    most = max(len(used) for ways in played.values() for used in ways)
    results = {after: ways for after, ways in played.items() if any(len(w) == most for w in ways)}
    if most == 1 and any((high,) in ways for ways in results.values()):
        results = {after: ways for after, ways in results.items() if (high,) in ways}
    return {(opponent, mover) for mover, opponent in results}


def _play(board: Board, dice: tuple[int, ...], used: tuple[int, ...]):
    """Every board reached by the dice in this order, stopping where a die can't be played."""
    moves = [] if not dice else list(_single_moves(board, dice[0]))
    if not moves:
        yield board, used
    for after in moves:
        yield from _play(after, dice[1:], (*used, dice[0]))


def _single_moves(board: Board, die: int):
    mover, opponent = board
    for source in range(1, 26):
        if mover[source] == 0:
            continue
        if mover[25] > 0 and source != 25:
            continue  # a checker on the bar must enter first
        destination = source - die
        if destination <= 0:
            if any(mover[slot] for slot in range(7, 26)):
                continue  # not all home
            if destination < 0 and any(mover[slot] for slot in range(source + 1, 7)):
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
