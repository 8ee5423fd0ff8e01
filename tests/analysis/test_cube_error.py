"""Cube error: what each wrong act is charged, and files that are no such thing."""

from pathlib import Path

import numpy as np
import pytest

from bgai.analysis.cube_error import cube_error, equity_lost, load_cube_reference
from bgai.errors import InputError

NAN = float("nan")


@pytest.mark.parametrize(
    ("found", "reference", "lost"),
    [
        ((0.5, 0.6, 1), (0.5, 0.6, 1), (0, 0)),
        ((0.7, 0.6, 1), (0.5, 0.6, 1), (0.1, 0)),  # not doubled
        ((0.5, 0.6, 1), (0.7, 0.6, 1), (0.1, 0)),  # doubled
        ((0.5, 1.1, 1), (0.5, 0.6, 1), (0, 0.4)),  # passed
        ((0.5, 0.9, 1), (0.5, 1.2, 1), (0, 0.2)),  # taken
        ((1.1, 1.5, 1), (0.8, 1.2, 1), (0.2, 0)),  # played on
        ((0.5, NAN, 1), (0.5, 0.5, 1), (0, 0)),  # no cube to turn
    ],
)
def test_each_wrong_act(
    found: tuple[float, ...], reference: tuple[float, ...], lost: tuple[float, ...]
) -> None:
    np.testing.assert_allclose(equity_lost([found], [reference]), [lost], atol=1e-12)


def test_the_summary_is_in_meq() -> None:
    reference = np.array([[0.5, 0.6, 1], [0.5, 0.6, 1]])
    found = cube_error([(0.7, 0.6, 1), (0.5, 1.1, 1)], reference)
    assert (found.doubler, found.taker) == pytest.approx((50, 200))
    assert found.total == pytest.approx(250)
    assert found.wrong == 2


def test_reading_and_what_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "cube.jsonl"
    line = '{"xgid": "XGID=x", "ref": {"nd": 0.5, "dt": 0.6, "dp": 1.0}}\n'
    path.write_text(line)
    reference = load_cube_reference(path)
    assert len(reference) == 1
    assert reference.equities.tolist() == [[0.5, 0.6, 1.0]]
    path.write_text(line + "{}\n")
    with pytest.raises(InputError, match="line 2"):
        load_cube_reference(path)
    path.write_text("")
    with pytest.raises(InputError, match="no cube decisions"):
        load_cube_reference(path)
