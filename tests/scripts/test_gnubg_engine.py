"""The worker protocol, with a stand-in for gnubg-nn that shows what it was given."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from bgai.errors import InputError
from bgai.rules.position import position_from_points, starting_position

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
STAND_IN = """
def probabilities(board, plies):
    opponent, on_roll = board
    assert plies == 0 and len(opponent) == len(on_roll) == 25
    counts = sum(on_roll), sum(opponent), on_roll[24], opponent[24], on_roll[0]
    return tuple(count / 15 for count in counts)
"""


@pytest.fixture
def evaluator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    from gnubg_engine import GnubgEvaluator

    (tmp_path / "gnubg_nn.py").write_text(STAND_IN)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    made = GnubgEvaluator(sys.executable)
    yield made
    made.close()


def test_boards_reach_the_engine_and_chances_come_back(evaluator) -> None:
    position = position_from_points({1: 2, 25: 3, 8: 4}, {25: 1, 20: 5})
    for count in (1, 3000):
        batch = np.repeat(np.stack([position, position[::-1]]), count, axis=0)
        chances = evaluator.evaluate(batch)
        assert chances.shape == (2 * count, 5)
        assert chances.dtype == np.float32
        expected = np.array([[9, 6, 3, 1, 2], [6, 9, 1, 3, 0]], dtype=np.float32) / 15
        np.testing.assert_allclose(chances, np.repeat(expected, count, axis=0))


def test_a_finished_game_is_not_asked_about(evaluator) -> None:
    over = position_from_points({6: 5}, {})
    chances = evaluator.evaluate(np.stack([over, starting_position()]))
    assert chances[0].tolist() == [0, 0, 0, 0, 0]
    assert chances[1, 0] == 1


def test_without_gnubg_the_error_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    from gnubg_engine import GnubgEvaluator

    with pytest.raises(InputError, match="pip install gnubg-nn"):
        GnubgEvaluator("no-such-python")
    bare = GnubgEvaluator(sys.executable)
    with pytest.raises(InputError, match="pip install gnubg-nn"):
        bare.evaluate(starting_position()[None])


def test_the_scripts_explain_themselves() -> None:
    for name in ("duel_gnubg.py", "decision_error.py", "bench_movegen.py"):
        done = subprocess.run(
            [sys.executable, str(SCRIPTS / name), "--help"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert "usage" in done.stdout
