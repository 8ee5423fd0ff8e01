"""Cube error: what an engine's cube verdicts give up, by a reference's equities.

A reference position has the doubler's equities with no double, double and take, double and
pass. The doubler doubles where the engine's min(double/take, double/pass) is above its no
double, the taker takes where its double/take is at most double/pass; each is charged what the
reference says the other act is better by. Where the cube can't be turned there is nothing to
double: double and take count as no double.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bgai.errors import InputError

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class CubeReference:
    """Positions as XGIDs with ``equities`` ``(n, 3)``: no double, double/take, double/pass."""

    xgids: tuple[str, ...]
    equities: Floats

    def __len__(self) -> int:
        return len(self.xgids)


@dataclass(frozen=True)
class CubeError:
    """Mean errors in mEq a position, with the standard error of their sum."""

    doubler: float
    taker: float
    standard_error: float
    wrong: int
    """Positions at which something is given up."""

    @property
    def total(self) -> float:
        return self.doubler + self.taker


def load_cube_reference(path: str | Path) -> CubeReference:
    """Read lines ``{"xgid": ..., "ref": {"nd": ..., "dt": ..., "dp": ...}}``.

    Raises ``InputError`` naming the line that is wrong.
    """
    xgids, rows = [], []
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), 1):
        try:
            entry = json.loads(line)
            rows.append([float(entry["ref"][key]) for key in ("nd", "dt", "dp")])
            xgids.append(str(entry["xgid"]))
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(f"{path} line {number}: not a cube decision: {error!r}") from None
    if not rows:
        raise InputError(f"{path}: no cube decisions")
    return CubeReference(tuple(xgids), np.array(rows))


def equity_lost(found: ArrayLike, reference: ArrayLike) -> Floats:
    """Equity ``(n, 2)`` lost by doubler and taker; both arguments ``(n, 3)``.

    A double/take that is NaN means that the engine can't turn the cube.
    """
    found, wanted = np.array(found, dtype=np.float64), np.asarray(reference, dtype=np.float64)
    waits, takes, passes = found.T
    takes = np.where(np.isnan(takes), waits, takes)
    doubles = np.minimum(takes, passes) > waits
    keeps = takes <= passes
    doubled = np.minimum(wanted[:, 1], wanted[:, 2])
    doubler = np.maximum(wanted[:, 0], doubled) - np.where(doubles, doubled, wanted[:, 0])
    taker = np.where(keeps, wanted[:, 1], wanted[:, 2]) - doubled
    return np.stack([doubler, taker], axis=1)


def cube_error(found: ArrayLike | Sequence[Sequence[float]], reference: Floats) -> CubeError:
    """Summary of :func:`equity_lost`."""
    lost = 1000 * equity_lost(found, reference)
    total = lost.sum(axis=1)
    spread = total.std(ddof=1) / np.sqrt(len(total)) if len(total) > 1 else 0.0
    doubler, taker = lost.mean(axis=0)
    return CubeError(float(doubler), float(taker), float(spread), int((total > 1e-9).sum()))
