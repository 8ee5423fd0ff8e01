"""GNU Backgammon's 0-ply network as an evaluator, in a process of its own.

The network comes with the package gnubg-nn (GPL), which lives in its own environment and is
never imported by bgai:

    python3 -m venv engines
    engines/bin/pip install gnubg-nn
"""

import json
import subprocess
from pathlib import Path

import numpy as np

from bgai.errors import InputError
from bgai.evaluation.choose import evaluate_with_ends
from bgai.evaluation.evaluator import Chances
from bgai.rules.position import Positions

WORKER = Path(__file__).with_name("gnubg_worker.py")


class _Worker:
    """The bare network; its word on finished games isn't used."""

    def __init__(self, python: str) -> None:
        try:
            self.process = subprocess.Popen(
                [python, str(WORKER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        except OSError as error:
            raise InputError(f"can't run {python}: {error.strerror}\n{__doc__}") from error

    def evaluate(self, positions: Positions) -> Chances:
        requests, answers = self.process.stdin, self.process.stdout
        assert requests is not None
        assert answers is not None
        count = len(positions)
        try:
            requests.write(json.dumps({"positions": count}).encode() + b"\n")
            requests.write(np.ascontiguousarray(positions, dtype=np.int8).tobytes())
            requests.flush()
        except BrokenPipeError:
            pass
        line = answers.readline()
        if not line:
            raise InputError(f"the gnubg process ended (code {self.process.wait()})\n{__doc__}")
        data = answers.read(4 * 5 * json.loads(line)["chances"])
        return np.frombuffer(data, dtype=np.float32).reshape(count, 5)


class GnubgEvaluator:
    """Chances by gnubg at 0-ply; exact where the game is over.

    ``python`` is the interpreter of the environment that has gnubg-nn. Raises ``InputError``
    where it can't be run.
    """

    def __init__(self, python: str) -> None:
        self._worker = _Worker(python)

    def evaluate(self, positions: Positions) -> Chances:
        """Chances ``(n, 5)`` of the player on roll in ``(n, 2, 26)`` positions."""
        return evaluate_with_ends(self._worker, positions)

    def close(self) -> None:
        """End the process."""
        if self._worker.process.stdin is not None:
            self._worker.process.stdin.close()
        self._worker.process.wait()
