"""Times the move generators of GNU Backgammon and Open Sage on given positions.

Run by scripts/bench_movegen.py with the Python of an environment that has gnubg-nn and
bgsage; needs nothing of bgai. Reads a JSON file with, for each roll, the 26 slots of the
player on roll, the 26 of the opponent and the two dice. Prints one JSON object an engine.
"""

import json
import sys
from collections.abc import Callable
from time import process_time
from typing import Any

import bgbot_cpp
import gnubg_nn

Turn = tuple[list[int], list[int], int, int]
Generate = Callable[[Any, int, int], Any]


def gnubg_board(mover: list[int], opponent: list[int]) -> list[list[int]]:
    """25 slots a side, the opponent first; the last one is the bar."""
    return [opponent[1:], mover[1:]]


def sage_board(mover: list[int], opponent: list[int]) -> list[int]:
    """26 slots in the mover's numbering; the opponent's points negative, both bars positive."""
    points = [mover[p] - opponent[25 - p] for p in range(1, 25)]
    return [opponent[25], *points, mover[25]]


def measure(name: str, generate: Generate, turns: list[tuple[Any, int, int]], passes: int) -> None:
    """Print rolls, distinct positions after (a lost turn counts one) and the fastest pass."""
    seconds = []
    for _ in range(passes):
        start = process_time()
        for board, high, low in turns:
            generate(board, high, low)
        seconds.append(process_time() - start)
    after = sum(max(1, len(generate(*turn))) for turn in turns)
    print(
        json.dumps(
            {
                "engine": name,
                "rolls": len(turns),
                "positions_after": after,
                "seconds": min(seconds),
            }
        )
    )


def main(path: str, passes: int) -> None:
    with open(path, encoding="utf-8") as file:
        turns: list[Turn] = json.load(file)
    gnubg_turns = [(gnubg_board(mover, other), high, low) for mover, other, high, low in turns]
    measure("GNU Backgammon (gnubg-nn)", gnubg_nn.moves, gnubg_turns, passes)
    sage_turns = [(sage_board(mover, other), high, low) for mover, other, high, low in turns]
    measure("Open Sage (bgsage)", bgbot_cpp.possible_moves, sage_turns, passes)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
