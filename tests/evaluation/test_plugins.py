"""Evaluators from outside: what a name means, and what happens to bad ones."""

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from bgai.errors import InputError
from bgai.evaluation import plugins
from bgai.evaluation.evaluator import (
    chances_of_equity,
    consistent_chances,
    cubeless_equity,
)
from bgai.evaluation.plugins import CheckedEvaluator, is_plugin, load_plugin
from bgai.players import engines
from bgai.players.engines import engine
from bgai.rules.position import starting_position
from bgai.search.engine import shared_engine

START = starting_position()[None]
AGENTS = """
import numpy as np
from bgai.evaluation.baseline import HandmadeEvaluator

class Same:
    def evaluate(self, positions):
        return HandmadeEvaluator().evaluate(positions)

same = Same()
def make():
    return same
class nested:
    inside = same
def broken():
    raise RuntimeError("no weights here")
nothing = 7
class Narrow:
    def evaluate(self, positions):
        return np.zeros((len(positions), 4))
class Late:
    def evaluate(self, positions):
        if len(positions) == 1:
            raise OSError("gone")
        return np.zeros((len(positions), 5))
class Wild:
    def evaluate(self, positions):
        return np.full((len(positions), 5), 2.0)
class Words:
    def evaluate(self, positions):
        return np.full((len(positions), 5), "x")
"""


@pytest.fixture
def agents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "own_agents.py").write_text(AGENTS, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setitem(sys.modules, "own_agents", None)
    del sys.modules["own_agents"]
    yield
    engines._made.cache_clear()  # what other tests share must not be half forgotten
    shared_engine.cache_clear()


@pytest.mark.usefixtures("agents")
@pytest.mark.parametrize("path", ["Same", "same", "make", "nested.inside"])
def test_a_python_path_is_an_engine(path: str) -> None:
    found = engine(f"own_agents:{path}@1")
    assert found.name == f"own_agents:{path}@1"
    assert found.label == f"own_agents:{path} 1-ply (XG 2-ply)"
    rolls = np.array([[3, 1]], dtype=np.int8)
    expected = engine("handmade@1").lookahead.choose(START, rolls)
    np.testing.assert_array_equal(found.lookahead.choose(START, rolls), expected)


@pytest.mark.usefixtures("agents")
@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("broken", "can't be loaded: RuntimeError: no weights here"),
        ("nothing", "can't be loaded: TypeError"),
        ("absent", "can't be loaded: AttributeError"),
        ("Narrow", r"gave shape \(2, 4\), not \(2, 5\)"),
        ("Wild", "chances that are not from 0 to 1"),
        ("Words", "not numbers"),
        ("np", "can't be loaded: TypeError"),
    ],
)
def test_what_is_wrong_with_one_is_told(path: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        engine(f"own_agents:{path}")


@pytest.mark.usefixtures("agents")
def test_one_that_fails_later_is_told_too() -> None:
    late = load_plugin("own_agents:Late")
    with pytest.raises(InputError, match="own_agents:Late': evaluate OSError: gone"):
        late.evaluate(START)


def test_what_is_no_plugin(tmp_path: Path) -> None:
    (tmp_path / "card.json").write_text("{}", encoding="utf-8")
    (tmp_path / "model.onnx").write_bytes(b"")
    assert not is_plugin(str(tmp_path))  # a checkpoint, whatever else lies there
    assert not is_plugin("expert")
    assert not is_plugin("nonsense")
    with pytest.raises(InputError, match="an ONNX file or module:object"):
        engine("nonsense")
    with pytest.raises(InputError, match="can't be loaded: ModuleNotFoundError"):
        engine("no_such_module_at_all:thing")


def test_a_package_cant_take_the_name_of_a_released_network(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from importlib.metadata import EntryPoint

    point = EntryPoint("expert", "os:path", plugins.GROUP)
    monkeypatch.setattr(plugins, "_entry_points", lambda: {"expert": point})
    assert not is_plugin("expert")
    assert engine("expert@0").lookahead.pruner is not None


def test_chances_of_an_equity_have_that_equity() -> None:
    equity = np.linspace(-3, 3, 601, dtype=np.float32)
    chances = chances_of_equity(equity)
    np.testing.assert_allclose(cubeless_equity(chances), equity, atol=1e-5)
    np.testing.assert_array_equal(consistent_chances(chances.copy()), chances)


def test_chances_are_made_consistent() -> None:
    rng = np.random.default_rng(1)
    held = consistent_chances(rng.random((1000, 5)))
    win, wg, wbg, lg, lbg = held.T
    assert ((wbg <= wg) & (wg <= win) & (lbg <= lg) & (lg <= 1 - win)).all()


def test_only_networks_run_on_other_devices() -> None:
    with pytest.raises(InputError, match="--device cuda: only networks"):
        load_plugin("own_agents:same", "cuda")


def test_the_wrapper_hands_on_what_is_fine() -> None:
    from bgai.evaluation.baseline import HandmadeEvaluator

    inner = HandmadeEvaluator()
    checked = CheckedEvaluator("it", inner)
    np.testing.assert_allclose(checked.evaluate(START), inner.evaluate(START), atol=1e-6)
