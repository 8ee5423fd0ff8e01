"""Open Sage as an engine that talks the Universal Backgammon Interface.

Runs with the Python of an environment that has the package bgsage and imports nothing of bgai.
Its plies are one less than Open Sage's own numbers.
"""

import base64
import os
import sys
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import deepening  # type: ignore[import-not-found]
import loop  # type: ignore[import-not-found]
import talk  # type: ignore[import-not-found]
from bgsage import create_analyzer

DEEPEST = 3
OWNERS = {1: "player", 0: "centered", -1: "opponent"}


class Sage:
    """Decides with Open Sage's analyzer, cubeful, on one thread."""

    name = "Open Sage"
    version = "2"
    keys = (
        talk.Key("engine.plies", "int", "1", ("0", str(DEEPEST)), about="how far it looks ahead"),
    )

    def __init__(self) -> None:
        self.plies = 1
        self._analyzers: dict[tuple[int, bool], Any] = {}
        self._plays, self._cube = deepening.Deepening(DEEPEST), deepening.Deepening(DEEPEST)

    def set(self, name: str, value: str) -> None:
        self.plies = int(value)

    def check(self, kind: str, position: str) -> None:
        if kind != "xgid":
            raise talk.TalkError(talk.Fault.UNSUPPORTED, f"position {kind}")

    def decide(self, question: Any) -> Any:
        fields = question.position.partition("=")[2].split(":")
        if len(fields) != 10 or len(fields[0]) != 26:
            raise talk.TalkError(talk.Fault.VALUE, "not an XGID")
        if question.role == talk.TURN:
            raise talk.TalkError(talk.Fault.UNSUPPORTED, "go turn")
        board, told = board_of(fields), context_of(fields)
        dice = question.dice
        if dice is None and fields[4].isdigit() and fields[4] != "00":
            dice = (int(fields[4][0]), int(fields[4][1]))
        if question.role == talk.CHEQUER or (not question.role and dice):
            if dice is None:
                raise talk.TalkError(talk.Fault.STATE, "missing dice")
            return talk.Reply(move=self._move(question, board, dice, told, fields[9] != "0"))
        return talk.Reply(cube=self._turned(question, board, told, fields[4]))

    def _analyzer(self, plies: int, cubeful: bool) -> Any:
        key = (plies, cubeful)
        if key not in self._analyzers:
            made = create_analyzer(f"{plies + 1}ply", cubeful=cubeful, parallel_threads=1)
            self._analyzers[key] = made
        return self._analyzers[key]

    def _best(self, question: Any, deeper: Any, think: Any) -> Any:
        if question.seconds is not None:
            return deeper.best(question.seconds, think)[0]
        return think(self.plies if question.depth is None else question.depth)

    def _move(
        self, question: Any, board: "list[int]", dice: "tuple[int, int]", told: "dict[str, Any]",
        cubeful: bool,
    ) -> str:  # fmt: skip
        def think(plies: int) -> Any:
            return self._analyzer(plies, cubeful).checker_play(board, *dice, **told)

        moves = self._best(question, self._plays, think).moves
        return position_id(moves[0].board) if moves else talk.PASS

    def _turned(self, question: Any, board: "list[int]", told: "dict[str, Any]", dice: str) -> str:
        def think(plies: int) -> Any:
            return self._analyzer(plies, True).cube_action(board, **told)

        found = self._best(question, self._cube, think)
        if dice == "B":
            return "take"  # a beaver is as good as never passed
        if dice in ("D", "R"):
            if dice == "D" and found.is_beaver:
                return "beaver"
            return "take" if found.should_take else "pass"
        return "double" if found.should_double else "nodouble"


def board_of(fields: "list[str]") -> "list[int]":
    """26 slots in the numbering of the player on roll: theirs positive, the other's negative.

    Slots 25 and 0 are the bars, both counted positive.
    """
    counts = [
        0 if letter == "-" else (ord(letter.upper()) - 64) * (1 if letter.isupper() else -1)
        for letter in fields[0]
    ]
    if fields[3] == "-1":
        counts = [-count for count in reversed(counts)]
    counts[0] = -counts[0]
    return counts


def context_of(fields: "list[str]") -> "dict[str, Any]":
    """Cube, score and rules as the analyzer's arguments."""
    seat = int(fields[3])
    length, rules = int(fields[8]), int(fields[7])
    points = (int(fields[5]), int(fields[6]))
    mine, theirs = points if seat == 1 else points[::-1]
    return {
        "cube_value": 1 << int(fields[1]),
        "cube_owner": OWNERS[int(fields[2]) * seat],
        "away1": length - mine if length else 0,
        "away2": length - theirs if length else 0,
        "is_crawford": bool(length and rules & 1),
        "jacoby": bool(not length and rules & 1),
        "beaver": bool(not length and rules & 2),
    }


def position_id(board: "list[int]") -> str:
    """GNU Backgammon's ID of a board after the mover's play, the other player on roll."""
    mover = [max(count, 0) for count in board[1:26]]
    other = [max(-board[point], 0) for point in range(24, 0, -1)] + [board[0]]
    bits = "".join("1" * count + "0" for side in (mover, other) for count in side).ljust(80, "0")
    data = bytes(int(bits[at : at + 8][::-1], 2) for at in range(0, 80, 8))
    return base64.b64encode(data).decode().rstrip("=")


if __name__ == "__main__":
    loop.serve(Sage(), sys.stdin, lambda line: print(line, flush=True))
