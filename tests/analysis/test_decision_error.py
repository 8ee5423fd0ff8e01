import json
from pathlib import Path

import numpy as np
import pytest

from bgai.analysis.decision_error import DecisionError, decision_error, load_decisions
from bgai.errors import InputError
from bgai.evaluation.evaluator import Chances
from bgai.rules.position import Positions

# Candidates of two real decisions with round chances; equities for the opponent on roll
# are 0.10, 0.16 and 0.30, 0.00.
_LINES = [
    {
        "candidates": [
            {"id": "4NvgESDge0cAKA", "probs": [0.55, 0, 0, 0, 0], "se": 0.007},
            {"id": "4LvBASTge0cAKA", "probs": [0.55, 0.1, 0.01, 0.04, 0.01], "se": 0.007},
        ]
    },
    {
        "candidates": [
            {"id": "mE/JASLgc/AAWA", "probs": [0.65, 0, 0, 0, 0], "se": 0.007},
            {"id": "hnPJASLgc/AAWA", "probs": [0.5, 0, 0, 0, 0], "se": 0.007},
        ]
    },
]


class FixedEvaluator:
    """Gives the winning chances it was made with, in order."""

    def __init__(self, wins: list[float]) -> None:
        self._wins = wins

    def evaluate(self, positions: Positions) -> Chances:
        assert positions.shape == (len(self._wins), 2, 26)
        chances = np.zeros((len(positions), 5), dtype=np.float32)
        chances[:, 0] = self._wins
        return chances


@pytest.fixture
def decisions_file(tmp_path: Path) -> Path:
    path = tmp_path / "decisions.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in _LINES) + "\n")
    return path


def test_right_choices_cost_nothing(decisions_file: Path) -> None:
    found = decision_error(FixedEvaluator([0.55, 0.58, 0.65, 0.5]), decisions_file)
    assert found == DecisionError(0.0, 0.0, pytest.approx(0, abs=1e-6), 2, 4)


def test_a_wrong_choice_costs_the_equity_given_up(decisions_file: Path) -> None:
    # The second decision goes wrong by 0.30; the evaluations err by 0, 0, -0.4 and 0.
    found = decision_error(FixedEvaluator([0.55, 0.58, 0.45, 0.5]), decisions_file)
    assert found.mean_meq == pytest.approx(150, abs=0.01)
    assert found.standard_error == pytest.approx(150, abs=0.01)
    assert found.rmse == pytest.approx(0.2, abs=1e-5)


def test_arrays_hold_the_file(decisions_file: Path) -> None:
    decisions = load_decisions(decisions_file)
    assert len(decisions) == 2
    assert decisions.offsets.tolist() == [0, 2, 4]
    np.testing.assert_allclose(decisions.equities, [0.10, 0.16, 0.30, 0.0], atol=1e-6)
    assert (decisions.positions.sum(axis=-1) == 15).all()


@pytest.mark.parametrize(
    "line",
    [
        "not json",
        "[]",
        '{"candidates": []}',
        '{"candidates": [{"id": "nonsense", "probs": [0.5, 0, 0, 0, 0]}]}',
        '{"candidates": [{"id": "4NvgESDge0cAKA", "probs": [0.5, 0]}]}',
        '{"candidates": [{"id": "4NvgESDge0cAKA"}]}',
    ],
)
def test_a_bad_line_is_named(decisions_file: Path, line: str) -> None:
    with decisions_file.open("a") as file:
        file.write(line + "\n")
    with pytest.raises(InputError, match="line 3"):
        load_decisions(decisions_file)


def test_missing_and_empty_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="can't read"):
        load_decisions(tmp_path / "none.jsonl")
    (tmp_path / "empty.jsonl").write_text("\n")
    with pytest.raises(InputError, match="no decisions"):
        load_decisions(tmp_path / "empty.jsonl")
