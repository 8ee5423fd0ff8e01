"""A checkpoint as one ONNX model (extra ``onnx``): contact and race networks, and which judges.

Inputs are ``positions (n, 2, 26)`` int8, the player on roll first, and ``columns (n, COLUMNS)``
float32, what ``bgai.evaluation.encoding.encode`` makes of them (shots and escapes are counted by
code, not by a network). The output ``chances (n, 5)`` is held consistent; games that are over and
bear-offs, which tables know better, are for the caller. Weights are those of the checkpoint; the
program's own kernels round them to 16 bits.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgai.errors import InputError, needs
from bgai.evaluation.checkpoint import find_checkpoint, load_arrays
from bgai.evaluation.encoding import COLUMNS
from bgai.files import write_bytes
from bgai.rules.position import POINTS, SLOTS

_OPSET = 17
_IR = 8  # the oldest that has this opset: old runtimes read it
_LAYERS = ("layer2", "layer3", "output")


def export(name: str, path: Path) -> None:
    """Write the networks of a checkpoint as an ONNX file.

    Raises ``InputError`` for a checkpoint that isn't there or a file that can't be written.
    """
    if path.suffix != ".onnx":
        raise InputError(f"{path}: an ONNX file ends in .onnx")
    arrays, card = load_arrays(find_checkpoint(name))
    with needs("onnx", "export"):
        import onnx
    model = _Graph().model(arrays, {"bgai.name": str(card.get("name", name))})
    onnx.checker.check_model(model, full_check=True)
    write_bytes(path, model.SerializeToString())


class _Graph:
    """Nodes and constants as they are added; every method returns the name of its result."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def op(self, kind: str, *inputs: str, **attributes: Any) -> str:
        from onnx import helper

        name = f"{kind.lower()}{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def constant(self, value: Any) -> str:
        from onnx import numpy_helper

        name = f"constant{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    def model(self, arrays: Mapping[str, NDArray[np.float32]], about: Mapping[str, str]) -> Any:
        from onnx import TensorProto, helper

        judged = [self._network(arrays, part) for part in ("contact", "race")]
        chosen = self.op("Where", self._in_contact(), *judged)
        self.op("Identity", self._consistent(chosen))
        self.nodes[-1].output[0] = "chances"
        inputs = [
            helper.make_tensor_value_info("positions", TensorProto.INT8, ["n", 2, SLOTS]),
            helper.make_tensor_value_info("columns", TensorProto.FLOAT, ["n", COLUMNS]),
        ]
        outputs = [helper.make_tensor_value_info("chances", TensorProto.FLOAT, ["n", 5])]
        graph = helper.make_graph(self.nodes, "bgai", inputs, outputs, self.constants)
        made = helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", _OPSET)], producer_name="bgai"
        )
        made.ir_version = _IR
        helper.set_model_props(made, {**about, "bgai.outputs": "chances"})
        return made

    def _network(self, arrays: Mapping[str, NDArray[np.float32]], part: str) -> str:
        """``PositionNetwork.forward`` on dense inputs, then the sigmoid."""
        weights = self.constant(arrays[f"{part}.weights"][:COLUMNS])
        x = self.op("MatMul", "columns", weights)
        x = self.op("Add", x, self.constant(arrays[f"{part}.bias"]))
        for layer in _LAYERS:
            x = self.op("Mul", x, self.op("Sigmoid", x))  # SiLU
            weight = self.constant(arrays[f"{part}.{layer}.weight"])
            bias = self.constant(arrays[f"{part}.{layer}.bias"])
            x = self.op("Gemm", x, weight, bias, transB=1)
        return self.op("Sigmoid", x)

    def _in_contact(self) -> str:
        """Bool ``(n, 1)``: ``bgai.rules.position.has_contact``."""
        counts = self.op("Cast", "positions", to=1)
        there = self.op("Cast", self.op("Greater", counts, self.constant(np.float32(0))), to=1)
        reach = self.op("Mul", there, self.constant(np.arange(SLOTS, dtype=np.float32)))
        last = self.op("ReduceMax", reach, axes=[2], keepdims=0)
        both = self.op("ReduceSum", last, self.constant(np.array([1])), keepdims=1)
        enough = self.op("Greater", both, self.constant(np.float32(POINTS)))
        least = self.op("ReduceMin", last, axes=[1], keepdims=1)
        return self.op("And", enough, self.op("Greater", least, self.constant(np.float32(0))))

    def _consistent(self, chances: str) -> str:
        """A backgammon is a gammon, a gammon a win or a loss."""
        from onnx import helper

        columns = [f"chance{i}" for i in range(5)]
        self.nodes.append(helper.make_node("Split", [chances], columns, axis=1))
        win, wg, wbg, lg, lbg = columns
        wg = self.op("Min", wg, win)
        lg = self.op("Min", lg, self.op("Sub", self.constant(np.float32(1)), win))
        parts = [win, wg, self.op("Min", wbg, wg), lg, self.op("Min", lbg, lg)]
        return self.op("Concat", *parts, axis=1)
