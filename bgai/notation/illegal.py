"""Plays against the rules that were made all the same: their moves and the position after."""

import numpy as np

from bgai.notation.play_text import parse_moves
from bgai.rules.play import Move, PlayError, slot_name
from bgai.rules.position import BAR, OFF, POINTS, Positions, check_position, swap_sides


def position_as_written(position: Positions, text: str) -> Positions:
    """The position ``(2, 26)`` after the moves of a text, the opponent on roll.

    Neither dice nor directions are asked about; blots are hit where a move ends. Raises
    ``PlayError`` where the text is no moves, a checker is missing or a point is held.
    """
    return _after(position, parse_moves(text, backwards=True))


def moves_between(before: Positions, after: Positions) -> tuple[Move, ...] | None:
    """Moves that lead from ``before``, the mover on roll, to ``after``, the opponent on roll.

    None where no moves of that side alone do.
    """
    gone = (before[0] - after[1]).tolist()
    starts = [slot for slot in range(BAR, -1, -1) for _ in range(gone[slot])]
    ends = [slot for slot in range(BAR, -1, -1) for _ in range(-gone[slot])]
    moves = tuple(Move(*pair) for pair in zip(starts, ends, strict=True))
    try:
        led = _after(before, moves)
    except PlayError:
        return None
    if not np.array_equal(led, after):
        return None
    hits = {POINTS + 1 - slot for slot in range(1, BAR) if before[1, slot] > after[0, slot]}
    return tuple(move._replace(hit=move.destination in hits) for move in moves)


def moves_text(moves: tuple[Move, ...]) -> str:
    """The moves as people write them, one by one."""
    return " ".join(
        f"{slot_name(move.source)}/{slot_name(move.destination)}{'*' * move.hit}" for move in moves
    )


def _after(position: Positions, moves: tuple[Move, ...]) -> Positions:
    board = position.copy()
    for source, destination, _ in moves:
        if source == OFF or destination == BAR:
            raise PlayError("a checker can't come from off or go to the bar")
        board[0, source] -= 1
        board[0, destination] += 1
    if (board[0] < 0).any():
        raise PlayError("a checker to move is missing")
    for point in {move.destination for move in moves} - {OFF}:
        theirs = POINTS + 1 - point
        if board[1, theirs] > 1:
            raise PlayError(f"the {point} point is blocked")
        board[1, BAR] += board[1, theirs]
        board[1, theirs] = 0
    return swap_sides(check_position(board))
