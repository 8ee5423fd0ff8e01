"""Engines by name, with networks on the kernels and in torch."""

import json
from pathlib import Path

import numpy as np
import pytest
from search_examples import random_positions

from bgai.errors import InputError
from bgai.evaluation import checkpoint
from bgai.evaluation.baseline import HandmadeEvaluator
from bgai.evaluation.checkpoint import NETWORK_ARRAYS, PRUNER_ARRAYS, save_checkpoint
from bgai.evaluation.encoding import COLUMNS
from bgai.rules.dice import Roll
from bgai.rules.position import starting_position
from bgai.search.cache import CachedEvaluator
from bgai.search.engine import (
    HANDMADE,
    EngineSettings,
    NoNetworkWarning,
    build_engine,
    default_network,
    warn_without_network,
)
from bgai.search.pruning import NetworkPruner


def make_checkpoint(folder: Path, error: float | None = None, seed: int = 0) -> Path:
    """A small random network as a checkpoint."""
    rng = np.random.default_rng(seed)
    sizes = [(COLUMNS + 1, 16), (16,), (8, 16), (8,), (8, 8), (8,), (5, 8), (5,)]
    arrays = {
        f"{part}.{name}": rng.standard_normal(size).astype(np.float32) / 3
        for part in ("contact", "race")
        for name, size in zip(NETWORK_ARRAYS, sizes, strict=True)
    }
    pruner_sizes = [(COLUMNS + 1, 8), (8,), (1, 8), (1,)]
    for name, size in zip(PRUNER_ARRAYS, pruner_sizes, strict=True):
        arrays[f"pruner.{name}"] = rng.standard_normal(size).astype(np.float32) / 3
    for part in ("contact", "race", "pruner"):
        arrays[f"{part}.weights"][COLUMNS] = 0
    save_checkpoint(folder, arrays, {} if error is None else {"decision_error_meq": error})
    return folder


def test_a_checkpoint_becomes_a_pruned_search(tmp_path: Path) -> None:
    folder = make_checkpoint(tmp_path / "tiny")
    engine = build_engine(EngineSettings(str(folder), 1, keep=3))
    assert isinstance(engine.pruner, NetworkPruner)
    assert (engine.plies, engine.pruner.keep) == (1, 3)
    assert len(engine.best_plays(starting_position(), Roll(3, 1))) == 16
    assert build_engine(EngineSettings(str(folder), 1, keep=0)).pruner is None
    assert EngineSettings(str(folder), 2).label == "tiny 2-ply (XG 3-ply)"


def test_the_cache_changes_nothing(tmp_path: Path) -> None:
    folder = str(make_checkpoint(tmp_path / "tiny", seed=5))
    cached = build_engine(EngineSettings(folder, 2))
    assert isinstance(cached.evaluator, CachedEvaluator)
    plain = build_engine(EngineSettings(folder, 2, cache=0))
    positions = random_positions(np.random.default_rng(2), 3, 8)
    for _ in range(2):
        np.testing.assert_array_equal(cached.evaluate(positions), plain.evaluate(positions))
    assert cached.evaluator.hits > 0


def test_the_handmade_engine_needs_no_network() -> None:
    engine = build_engine(EngineSettings(HANDMADE))
    positions = random_positions(np.random.default_rng(1), 4, 6)
    np.testing.assert_array_equal(
        engine.evaluate(positions), HandmadeEvaluator().evaluate(positions)
    )
    assert engine.pruner is None


def test_the_network_of_least_error_is_the_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "_packaged_folders", lambda: iter([tmp_path]))
    warn_without_network.cache_clear()
    with pytest.warns(NoNetworkWarning, match="far weaker"):
        assert default_network() == HANDMADE
    make_checkpoint(tmp_path / "unmeasured")
    assert default_network() == "unmeasured"
    make_checkpoint(tmp_path / "weak", 9.0)
    make_checkpoint(tmp_path / "strong", 4.0)
    assert default_network() == "strong"


def test_unknown_names_are_refused() -> None:
    with pytest.raises(InputError, match="nobody"):
        build_engine(EngineSettings("nobody"))
    with pytest.raises(InputError, match="no move filters"):
        build_engine(EngineSettings(HANDMADE, filters="endless"))


def test_torch_and_the_kernels_agree(tmp_path: Path) -> None:
    from bgai.evaluation.torch_evaluator import load_torch_evaluator, torch_device

    folder = make_checkpoint(tmp_path / "tiny", seed=3)
    positions = np.concatenate(
        [random_positions(np.random.default_rng(turns), 40, turns) for turns in (2, 20, 90)]
    )
    kernels = build_engine(EngineSettings(str(folder))).evaluate(positions)
    np.testing.assert_allclose(
        load_torch_evaluator(str(folder)).evaluate(positions), kernels, atol=1e-3
    )
    with pytest.raises(InputError, match="no torch device"):
        torch_device("abacus")


def test_card_of_a_checkpoint_is_plain_json(tmp_path: Path) -> None:
    folder = make_checkpoint(tmp_path / "tiny", 5.5)
    assert json.loads((folder / "card.json").read_text())["decision_error_meq"] == 5.5
