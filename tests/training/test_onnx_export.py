"""ONNX there and back: the exported network plays the same, and foreign models are read."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from bgai_training import __main__ as training
from bgai_training.onnx_export import export
from bgai_training.vector_games import VectorGames

from bgai.analysis.duel import duel
from bgai.errors import InputError
from bgai.evaluation.encoding import COLUMNS
from bgai.evaluation.evaluator import chances_of_equity
from bgai.evaluation.onnx_evaluator import OnnxEvaluator
from bgai.players.engines import engine


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("onnx") / "expert.onnx"
    export("expert", path)
    return path


def _decisions(count: int) -> Any:
    games = VectorGames(count, seed=5, desynchronised=True)
    return games.positions, games.rolls


def test_an_exported_network_judges_and_plays_the_same(exported: Path) -> None:
    positions, rolls = _decisions(1000)
    here, there = engine("expert@0").lookahead, engine(f"{exported}@0").lookahead
    # The kernels round weights to 16 bits; the model has them whole.
    assert np.abs(here.evaluate(positions) - there.evaluate(positions)).max() < 2e-3
    same = (here.choose(positions, rolls) == there.choose(positions, rolls)).all(axis=(1, 2))
    assert same.mean() >= 0.99


def test_it_is_torchs_network_to_the_last_digits(exported: Path) -> None:
    pytest.importorskip("torch")
    from bgai.evaluation.torch_evaluator import load_torch_evaluator

    positions, _ = _decisions(500)
    there = engine(f"{exported}@0").lookahead.evaluate(positions)
    np.testing.assert_allclose(there, load_torch_evaluator("expert").evaluate(positions), atol=2e-6)


def test_it_searches_rolls_out_and_duels(exported: Path) -> None:
    import bgai

    start = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:3:0:10"
    assert bgai.best(start, engine=f"{exported}@1").plays[0].play == "8/5 6/5"
    before = bgai.cube(start.replace(":31:", ":00:"), engine=f"{exported}@1")
    assert before.verdict.startswith("No double")
    rolled = bgai.rollout(start, engine=f"{exported}@0", trials=36, truncate=3, count=2)
    assert len(rolled.to_dict()["rows"]) == 2
    result = duel(engine(f"{exported}@0").lookahead, engine("handmade").lookahead, games=20)
    assert result.games == 20


def test_a_folder_with_a_model_is_an_engine(exported: Path) -> None:
    folder = exported.parent / "mine"
    folder.mkdir()
    (folder / "model.onnx").write_bytes(exported.read_bytes())
    positions, _ = _decisions(20)
    np.testing.assert_array_equal(
        engine(f"{folder}@0").lookahead.evaluate(positions),
        engine(f"{exported}@0").lookahead.evaluate(positions),
    )


def test_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(*arguments: str) -> int:
        monkeypatch.setattr(sys, "argv", ["bgai-train", *arguments])
        with pytest.raises(SystemExit) as stop:
            training.main()
        return int(stop.value.code or 0)

    path = tmp_path / "net.onnx"
    assert run("export", "expert", str(path)) == 0
    assert path.stat().st_size > 100_000
    assert "Wrote" in capsys.readouterr().out
    assert run("export", "expert", str(tmp_path / "net.pt")) == 2
    assert run("export", "nobody", str(path)) == 2
    assert run("export", "expert", str(path / "net.onnx")) == 2  # a file is no folder


def _model(path: Path, shape: list[Any], kind: int, width: int, **about: str) -> Path:
    """A model whose every answer is the mean of its inputs, ``width`` times."""
    from onnx import TensorProto, helper, numpy_helper

    size = int(np.prod(shape[1:]))
    weights = np.full((size, width), 1 / size, dtype=np.float32)
    nodes = [
        helper.make_node("Cast", ["x"], ["f"], to=TensorProto.FLOAT),
        helper.make_node("Flatten", ["f"], ["flat"]),
        helper.make_node("MatMul", ["flat", "w"], ["y"]),
    ]
    graph = helper.make_graph(
        nodes,
        "mean",
        [helper.make_tensor_value_info("x", kind, shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", width])],
        [numpy_helper.from_array(weights, "w")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    helper.set_model_props(model, about)
    path.write_bytes(model.SerializeToString())
    return path


@pytest.mark.parametrize(
    ("shape", "kind"),
    [(["n", 2, 26], 1), (["n", 2, 26], 3), (["n", 52], 7), (["n", 52], 1), (["n", COLUMNS], 1)],
)
def test_foreign_models_of_each_shape(tmp_path: Path, shape: list[Any], kind: int) -> None:
    from bgai.evaluation.encoding import encode

    positions, _ = _decisions(50)
    given = encode(positions) if shape[1] == COLUMNS else positions
    mean = given.reshape(50, -1).mean(axis=1, dtype=np.float64)
    five = OnnxEvaluator(_model(tmp_path / "five.onnx", shape, kind, 5))
    np.testing.assert_allclose(five.evaluate(positions), np.repeat(mean[:, None], 5, 1), rtol=1e-5)
    one = OnnxEvaluator(_model(tmp_path / "one.onnx", shape, kind, 1))
    np.testing.assert_allclose(one.evaluate(positions), chances_of_equity(mean), atol=1e-6)
    logits = OnnxEvaluator(
        _model(tmp_path / "l.onnx", shape, kind, 5, **{"bgai.outputs": "logits"})
    )
    np.testing.assert_allclose(logits.evaluate(positions)[:, 0], 1 / (1 + np.exp(-mean)), rtol=1e-5)


def test_models_that_cant_be_used(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        engine(str(tmp_path / "none.onnx"))
    (tmp_path / "bad.onnx").write_bytes(b"not a model")
    with pytest.raises(InputError, match=r"bad\.onnx: no ONNX model"):
        engine(str(tmp_path / "bad.onnx"))
    with pytest.raises(InputError, match="the input x is"):
        engine(str(_model(tmp_path / "shape.onnx", ["n", 7], 1, 5)))
    with pytest.raises(InputError, match=r"the output has shape \(2, 3\)"):
        engine(str(_model(tmp_path / "three.onnx", ["n", 52], 1, 3)))
    with pytest.raises(InputError, match="runs on no such device"):
        OnnxEvaluator(_model(tmp_path / "fine.onnx", ["n", 52], 1, 5), "cuda")
