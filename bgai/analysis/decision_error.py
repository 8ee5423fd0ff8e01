"""Decision error: what an evaluator's choices between close plays cost.

The yardstick is a file of rolled-out decisions, one JSON object a line::

    {"candidates": [{"id": "4NvgESDge0cAKA", "probs": [five chances], "se": 0.00668}, ...]}

``id`` is the position after a play with the opponent on roll and ``probs`` are the
rolled-out chances of that opponent. For each decision the evaluator takes the candidate
that is best for the mover (least for the opponent) and is charged the rolled-out equity
it gives up against the best candidate. Equities are cubeless money.
"""

import json
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bgai.analysis.plans import Plan, plan_of
from bgai.errors import InputError
from bgai.evaluation.evaluator import Chance, Evaluator, cubeless_equity
from bgai.notation.position_id import parse_position_id
from bgai.rules.position import Positions

Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Decisions:
    """Rolled-out decisions as arrays.

    ``positions`` ``(n, 2, 26)`` are all candidates, the opponent of the mover on roll, and
    ``equities`` ``(n,)`` their rolled-out equity for that opponent. The candidates of
    decision ``i`` are rows ``offsets[i]:offsets[i + 1]``.
    """

    positions: Positions
    equities: NDArray[np.float32]
    offsets: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.offsets) - 1


@dataclass(frozen=True, slots=True)
class DecisionError:
    """Mean equity lost a decision and its standard error, both in mEq (thousandths of a point).

    ``rmse`` is the root mean square error of equity over all candidates, in points.
    """

    mean_meq: float
    standard_error: float
    rmse: float
    decisions: int
    candidates: int


def load_decisions(path: str | PathLike[str]) -> Decisions:
    """Read a file of rolled-out decisions. Raises ``InputError`` naming file and line."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"can't read the decisions file {path}: {error}") from error
    positions: list[Positions] = []
    chances: list[list[float]] = []
    offsets = [0]
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            for candidate in json.loads(line)["candidates"]:
                positions.append(parse_position_id(candidate["id"]))
                chances.append([float(chance) for chance in candidate["probs"]])
                if len(chances[-1]) != len(Chance):
                    raise ValueError(f"{len(chances[-1])} chances, there must be {len(Chance)}")
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(
                f"{path}, line {number}: not a rolled-out decision ({error})"
            ) from error
        if len(positions) == offsets[-1]:
            raise InputError(f"{path}, line {number}: a decision without candidates")
        offsets.append(len(positions))
    if not positions:
        raise InputError(f"{path} holds no decisions")
    equities = cubeless_equity(np.array(chances, dtype=np.float32))
    return Decisions(np.stack(positions), equities, np.array(offsets, dtype=np.int64))


def score_decisions(evaluator: Evaluator, decisions: Decisions) -> DecisionError:
    """Decision error of ``evaluator`` on decisions already loaded."""
    return _summary(*_losses(evaluator, decisions))


def score_by_plan(evaluator: Evaluator, decisions: Decisions) -> dict[Plan, DecisionError]:
    """The same split by the plan of each decision's first candidate; absent plans left out."""
    lost, squares = _losses(evaluator, decisions)
    plans = [plan_of(decisions.positions[start]) for start in decisions.offsets[:-1]]
    split = {}
    for plan in Plan:
        chosen = np.flatnonzero([found is plan for found in plans])
        if len(chosen):
            rows = [
                np.arange(decisions.offsets[i], decisions.offsets[i + 1]) for i in chosen.tolist()
            ]
            split[plan] = _summary(lost[chosen], squares[np.concatenate(rows)])
    return split


def _losses(evaluator: Evaluator, decisions: Decisions) -> tuple[Doubles, Doubles]:
    """Equity lost by each decision, and the squared error of each candidate's equity."""
    judged = cubeless_equity(evaluator.evaluate(decisions.positions))
    lost = np.empty(len(decisions))
    for i in range(len(decisions)):
        rows = slice(decisions.offsets[i], decisions.offsets[i + 1])
        rolled_out = decisions.equities[rows]
        lost[i] = rolled_out[np.argmin(judged[rows])] - rolled_out.min()
    return lost, (judged.astype(np.float64) - decisions.equities) ** 2


def _summary(lost: Doubles, squares: Doubles) -> DecisionError:
    spread = lost.std(ddof=1) / np.sqrt(len(lost)) if len(lost) > 1 else float("nan")
    return DecisionError(
        mean_meq=float(1000 * lost.mean()),
        standard_error=float(1000 * spread),
        rmse=float(np.sqrt(squares.mean())),
        decisions=len(lost),
        candidates=len(squares),
    )


def decision_error(evaluator: Evaluator, path: str | PathLike[str]) -> DecisionError:
    """Decision error of ``evaluator`` on the file at ``path``. Raises ``InputError``."""
    return score_decisions(evaluator, load_decisions(path))
