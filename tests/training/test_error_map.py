"""The map of errors: what is put in wrong comes out, the reference's own error does not."""

from pathlib import Path

import numpy as np
import pytest
from bgai_training.error_map import ErrorMap, family_errors, roll_out
from bgai_training.families import Family
from bgai_training.starts import random_positions, rare_positions

from bgai.errors import InputError
from bgai.evaluation.baseline import HandmadeEvaluator
from bgai.rules.position import SLOTS, Positions, position_from_points
from bgai.search.lookahead import Lookahead


class Off:
    """The chances of a map with an error in the winning chance."""

    def __init__(self, chances: np.ndarray, errors: np.ndarray) -> None:
        self.chances = chances + errors[:, None] * np.array([1, 0, 0, 0, 0], dtype=np.float32)

    def evaluate(self, positions: Positions) -> np.ndarray:
        assert len(positions) == len(self.chances)
        return self.chances


def made_map(count: int, error: float) -> ErrorMap:
    rng = np.random.default_rng(1)
    rows = np.concatenate([random_positions(rng, count, 60), rare_positions(rng, count)])
    positions = rows.reshape(-1, 2, SLOTS)
    chances = np.zeros((2 * count, 5), dtype=np.float32)
    chances[:, 0] = rng.uniform(0.55, 0.9, 2 * count)
    return ErrorMap(positions, chances, np.full(2 * count, error, dtype=np.float32))


def test_errors_come_out_without_the_references_own() -> None:
    reference = made_map(2000, 0.03)
    rng = np.random.default_rng(2)
    # Twice the winning chance: an equity error of .04, on top of the reference's .03.
    noise = rng.normal(0, 0.025, 4000).astype(np.float32)
    found = {e.family: e for e in family_errors(Off(reference.chances, noise), reference)}
    assert sum(e.positions for e in found.values()) == 4000
    for error in found.values():
        if error.positions > 200:
            assert error.rmse == pytest.approx(0.04, abs=0.006)
            assert abs(error.bias) < 4 * error.bias_error
    bias = np.full(4000, 0.01, dtype=np.float32)
    for error in family_errors(Off(reference.chances, bias), made_map(2000, 0.0)):
        assert error.bias == pytest.approx(0.02, abs=1e-4)  # the player on roll is ahead
        assert error.rmse == pytest.approx(0.02, abs=1e-4)


def test_map_is_rolled_out_saved_and_read_back(tmp_path: Path) -> None:
    # One checker each, far from home: the race is all but even; and one that is won at once.
    near = position_from_points({1: 1}, {1: 1})
    rows = np.stack([near, position_from_points({3: 2, 7: 1}, {12: 3})]).reshape(2, 2 * SLOTS)
    (found,) = roll_out(rows, Lookahead(HandmadeEvaluator(), 0), 36, 1)
    won = int(np.flatnonzero((found.positions == near).all(axis=(1, 2)))[0])
    assert found.chances[won, 0] == pytest.approx(1)
    assert found.errors[won] == pytest.approx(0, abs=1e-6)
    assert 0 < found.chances[1 - won, 0] < 1
    found.save(tmp_path / "map")
    back = ErrorMap.load(tmp_path / "map")
    for name in ("positions", "chances", "errors"):
        np.testing.assert_array_equal(getattr(back, name), getattr(found, name))
    assert [e.family for e in family_errors(HandmadeEvaluator(), back)] == [Family.RACE]
    (tmp_path / "map").write_bytes(b"nothing")
    with pytest.raises(InputError, match="not a map of errors"):
        ErrorMap.load(tmp_path / "map")
