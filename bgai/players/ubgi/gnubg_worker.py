"""GNU Backgammon as an engine that talks the Universal Backgammon Interface.

Run by the program itself (``gnubg -t -q -r -p gnubg_worker.py``), in the Python inside it, which
is why nothing of bgai is imported. Every decision is the whole program's: its evaluation, move
filters, pruning networks, bear-off databases, match equities and cube. What it prints goes
nowhere; the talk has the standard output to itself.
"""

import os
import sys
from typing import Any

sys.path.insert(0, os.environ["BGAI_UBGI"])  # this file's folder: no __file__ here

import deepening  # type: ignore[import-not-found]
import gnubg  # type: ignore[import-not-found]
import loop  # type: ignore[import-not-found]
import talk  # type: ignore[import-not-found]

FILTERS = {
    "tiny": ((5, 0.08), (2, 0.02)),
    "narrow": ((8, 0.12), (2, 0.03)),
    "normal": ((8, 0.16), (2, 0.04)),
    "large": ((16, 0.32), (4, 0.08)),
    "huge": ((20, 0.44), (6, 0.11)),
}
"""How many plays and within what equity, from 0-ply on and from 2-ply on."""
DEEPEST = 4
QUIET = (
    "set display off", "set automatic roll off", "set automatic game off",
    "set automatic move off", "set automatic bearoff off", "set confirm new off",
    "set confirm default yes", "set player 0 human", "set player 1 human", "set threads 1",
)  # fmt: skip


class Gnubg:
    """Decides as GNU Backgammon does at a number of plies."""

    name = "GNU Backgammon"
    version = "1"
    keys = (
        talk.Key("engine.plies", "int", "2", ("0", str(DEEPEST)), about="how far it looks ahead"),
        talk.Key("engine.filter", "enum", "normal", tuple(FILTERS), about="its move filters"),
        talk.Key("engine.prune", "bool", "true", about="use the pruning networks"),
    )

    def __init__(self) -> None:
        self.values = {key.name: key.default for key in self.keys}
        self._plays, self._cube = deepening.Deepening(3), deepening.Deepening(3)
        for line in QUIET:
            gnubg.command(line)

    def set(self, name: str, value: str) -> None:
        self.values[name] = value
        if name == "engine.filter":
            (first, within), (second, closer) = FILTERS[value]
            for plies in range(1, DEEPEST + 1):
                gnubg.command(f"set evaluation movefilter {plies} 0 0 {first} {within}")
                if plies > 2:
                    gnubg.command(f"set evaluation movefilter {plies} 2 0 {second} {closer}")

    def check(self, kind: str, position: str) -> None:
        if kind != "xgid":
            raise talk.TalkError(talk.Fault.UNSUPPORTED, f"position {kind}")

    def decide(self, question: Any) -> Any:
        fields = question.position.partition("=")[2].split(":")
        if len(fields) != 10:
            raise talk.TalkError(talk.Fault.VALUE, "an XGID has 10 fields")
        dice = fields[4] if question.dice is None else "".join(map(str, question.dice))
        if question.role == talk.TURN:
            raise talk.TalkError(talk.Fault.UNSUPPORTED, "go turn")
        gnubg.command(f"set xgid XGID={':'.join([*fields[:4], dice, *fields[5:]])}")
        info = dict(gnubg.cubeinfo())
        if fields[8] == "0":
            info["beavers"] = int(fields[7]) >> 1 & 1
        cubeful = int(fields[9] != "0")
        if question.role == talk.CHEQUER or (not question.role and dice.isdigit() and dice != "00"):
            return talk.Reply(move=self._move(question, info, cubeful))
        return talk.Reply(cube=self._turned(question, info, dice))

    def _context(self, plies: int, cubeful: int) -> "dict[str, Any]":
        prune = int(self.values["engine.prune"] == "true")
        return {
            "cubeful": cubeful, "plies": plies, "deterministic": 1, "prune": prune, "noise": 0.0,
        }  # fmt: skip

    def _best(self, question: Any, deeper: Any, think: Any) -> Any:
        if question.seconds is not None:
            return deeper.best(question.seconds, think)[0]
        plies = int(self.values["engine.plies"]) if question.depth is None else question.depth
        return think(plies)

    def _move(self, question: Any, info: "dict[str, Any]", cubeful: int) -> str:
        board = gnubg.board()

        def think(plies: int) -> Any:
            return gnubg.findbestmove(board, info, self._context(plies, cubeful))

        found = self._best(question, self._plays, think)
        pairs = [pair for pair in zip(found[::2], found[1::2], strict=True) if pair[0] > 0]
        names = {0: "off", 25: "bar"}
        moves = " ".join("/".join(names.get(slot, str(slot)) for slot in pair) for pair in pairs)
        return moves or talk.PASS

    def _turned(self, question: Any, info: "dict[str, Any]", dice: str) -> str:
        board = gnubg.board()

        def think(plies: int) -> Any:
            return gnubg.cfevaluate(board, info, self._context(plies, 1))

        _, waiting, taken, passed, *_ = self._best(question, self._cube, think)
        if dice in ("D", "R"):
            if info["beavers"] and dice == "D" and taken < 0:
                return "beaver"
            return "take" if taken <= passed else "pass"
        if dice == "B":  # the cube has been turned once more: a loss now costs one such cube
            return "take" if 2 * taken >= -2 else "pass"
        return "double" if min(taken, passed) > waiting else "nodouble"


def main() -> None:
    sys.stdout.flush()
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    loop.serve(Gnubg(), sys.stdin, lambda line: answers.write(line + "\n"))


main()
