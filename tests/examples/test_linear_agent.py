import sys
from pathlib import Path

import pytest

from bgai.analysis.duel import duel
from bgai.evaluation.baseline import RandomEvaluator

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def test_it_learns_to_beat_random_play(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    sys.modules.pop("linear_agent", None)
    from linear_agent import LinearEvaluator, train

    untrained = duel(LinearEvaluator(), RandomEvaluator(), games=100)
    trained = duel(train(steps=4000), RandomEvaluator(), games=100)
    assert trained.points > untrained.points + 0.5
    assert trained.points > 0.5
