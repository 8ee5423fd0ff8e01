"""Plans: one plain example of each, and the same plan whoever is on roll."""

import json
from pathlib import Path

import numpy as np
import pytest
from bgai_training.starts import random_positions

from bgai.analysis.decision_error import load_decisions, score_by_plan, score_decisions
from bgai.analysis.plans import Plan, plan_of
from bgai.evaluation.baseline import HandmadeEvaluator
from bgai.notation.position_id import format_position_id
from bgai.rules.position import position_from_points, starting_position

EXAMPLES = [
    (Plan.RACE, {6: 5, 5: 5, 4: 5}, {6: 5, 5: 5, 4: 5}),
    (Plan.BACK_GAME, {24: 2, 22: 3, 6: 5, 8: 5}, {6: 4, 5: 4, 4: 4, 8: 3}),
    (Plan.CRASHED, {24: 2, 1: 4, 2: 4, 3: 3, 6: 2}, {6: 5, 8: 5, 9: 5}),
    (Plan.BLITZ, {6: 4, 5: 3, 4: 3, 8: 3, 13: 2}, {25: 2, 6: 5, 8: 3, 13: 5}),
    (Plan.PRIMING, {4: 2, 5: 3, 6: 3, 7: 2, 13: 3, 24: 2}, {24: 2, 6: 5, 8: 3, 13: 5}),
    (Plan.OPENING, {24: 2, 13: 5, 8: 3, 6: 5}, {24: 2, 13: 5, 8: 3, 6: 5}),
    (Plan.HOLDING, {20: 2, 6: 5, 4: 4, 3: 2, 8: 2}, {13: 3, 6: 5, 8: 3, 4: 4}),
]


@pytest.mark.parametrize(("plan", "mine", "theirs"), EXAMPLES)
def test_examples(plan: Plan, mine: dict[int, int], theirs: dict[int, int]) -> None:
    position = position_from_points(mine, theirs)
    assert plan_of(position) is plan
    assert plan_of(position[::-1]) is plan


def test_plan_does_not_depend_on_the_side() -> None:
    for row in random_positions(np.random.default_rng(1), 300, 60).reshape(-1, 2, 26):
        assert plan_of(row) is plan_of(row[::-1])


def test_split_adds_up(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    rows = random_positions(rng, 60, 50).reshape(-1, 2, 26)
    rows = np.concatenate([rows, starting_position()[None]])
    lines = [
        {"candidates": [{"id": format_position_id(p), "probs": [w, 0, 0, 0, 0]} for p, w in pairs]}
        for pairs in [
            [(rows[i], rng.random()), (rows[i + 1], rng.random())] for i in range(len(rows) - 1)
        ]
    ]
    path = tmp_path / "decisions.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines))
    decisions = load_decisions(path)
    whole = score_decisions(HandmadeEvaluator(), decisions)
    parts = score_by_plan(HandmadeEvaluator(), decisions)
    assert sum(part.decisions for part in parts.values()) == whole.decisions
    assert sum(part.candidates for part in parts.values()) == whole.candidates
    mean = sum(part.mean_meq * part.decisions for part in parts.values()) / whole.decisions
    assert mean == pytest.approx(whole.mean_meq)
