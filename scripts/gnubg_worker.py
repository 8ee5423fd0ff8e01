"""Evaluates positions with GNU Backgammon's 0-ply network for scripts/gnubg_engine.py.

Runs with the Python of an environment that has gnubg-nn and needs nothing of bgai. For each
request on standard input, a line of JSON ``{"positions": n}`` followed by ``52 n`` bytes (the
26 slots of the player on roll, then the 26 of the opponent), it answers with a line
``{"chances": n}`` and ``5 n`` native 32-bit floats.
"""

import json
import sys
from array import array

import gnubg_nn

SLOTS = 26
ROW = 2 * SLOTS


def main() -> None:
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    while line := requests.readline():
        count = json.loads(line)["positions"]
        rows = requests.read(ROW * count)
        chances = array("f")
        for start in range(0, ROW * count, ROW):
            # gnubg's board: 24 points and the bar of each side, the side not on roll first.
            on_roll = list(rows[start + 1 : start + SLOTS])
            opponent = list(rows[start + SLOTS + 1 : start + ROW])
            chances.extend(gnubg_nn.probabilities([opponent, on_roll], 0))
        answers.write(json.dumps({"chances": count}).encode() + b"\n" + chances.tobytes())
        answers.flush()


if __name__ == "__main__":
    main()
