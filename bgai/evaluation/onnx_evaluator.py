"""Networks in the ONNX format (extra ``onnx``), made here or elsewhere.

What a model is given follows from its inputs, one or more of:

* ``(n, 2, 26)`` or ``(n, 52)``: the positions themselves, the player on roll first;
* ``(n, COLUMNS)``: the dense inputs of ``bgai.evaluation.encoding.encode``.

Any number type is served. What it answers follows from its one output: ``(n, 5)`` are the five
chances, ``(n, 1)`` or ``(n,)`` the cubeless money equity. Where the model's metadata has
``bgai.outputs = logits``, the five are logits.
"""

from pathlib import Path
from typing import Any

import numpy as np

from bgai.errors import InputError, needs
from bgai.evaluation.encoding import COLUMNS, encode
from bgai.evaluation.evaluator import Chances, chances_of_equity
from bgai.rules.position import SLOTS, Positions

OUTPUTS_KEY = "bgai.outputs"
LOGITS = "logits"
_ROWS = 1 << 13  # evaluated at once: bounds the memory of the dense inputs

_TYPES = {
    "tensor(float)": np.float32,
    "tensor(float16)": np.float16,
    "tensor(double)": np.float64,
    "tensor(int8)": np.int8,
    "tensor(uint8)": np.uint8,
    "tensor(int32)": np.int32,
    "tensor(int64)": np.int64,
}


class OnnxEvaluator:
    """A model judging every position alike; a ``Composite`` around it knows ends and tables."""

    def __init__(self, path: Path, device: str = "cpu") -> None:
        """``device`` is cpu or cuda. Raises ``InputError`` for a model that can't be used."""
        with needs("onnx", f"{path}: an ONNX file"):
            import onnxruntime
        if not path.is_file():
            raise InputError(f"{path}: there is no such file")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # searches have threads of their own
        options.log_severity_level = 4
        try:
            self.session = onnxruntime.InferenceSession(
                str(path), options, providers=[_provider(onnxruntime, device)]
            )
        except InputError:
            raise
        except Exception as error:
            reason = str(error).partition("\n")[0][:200]
            raise InputError(f"{path}: no ONNX model that can be run: {reason}") from None
        self.path = path
        self.feeds = [self._feed(each) for each in self.session.get_inputs()]
        if len(self.session.get_outputs()) != 1:
            raise InputError(f"{path}: {len(self.session.get_outputs())} outputs, one is expected")
        about = self.session.get_modelmeta().custom_metadata_map
        self.logits = about.get(OUTPUTS_KEY) == LOGITS

    def _feed(self, given: Any) -> tuple[str, str, Any]:
        """Name of an input, what it is given and as which type."""
        kind = _TYPES.get(given.type)
        width = tuple(given.shape[1:])
        wanted = {(2, SLOTS): "positions", (2 * SLOTS,): "rows", (COLUMNS,): "columns"}.get(width)
        if kind is None or wanted is None:
            raise InputError(
                f"{self.path}: the input {given.name} is {given.type} {list(given.shape)}; known "
                f"are numbers of shape (n, 2, {SLOTS}), (n, {2 * SLOTS}) and (n, {COLUMNS})"
            )
        return given.name, wanted, kind

    def evaluate(self, positions: Positions) -> Chances:
        """Chances ``(n, 5)`` of the player on roll in each of ``(n, 2, 26)`` positions."""
        parts = [
            self._judge(positions[start : start + _ROWS])
            for start in range(0, max(len(positions), 1), _ROWS)
        ]
        return np.concatenate(parts)

    def _judge(self, positions: Positions) -> Chances:
        made: dict[str, Any] = {
            "positions": lambda: positions,
            "rows": lambda: positions.reshape(len(positions), 2 * SLOTS),
            "columns": lambda: encode(positions),
        }
        feeds = {name: made[what]().astype(kind) for name, what, kind in self.feeds}
        (answer,) = self.session.run(None, feeds)
        if answer.shape in ((len(positions),), (len(positions), 1)):
            return chances_of_equity(answer.reshape(-1))
        if answer.shape != (len(positions), 5):
            raise InputError(
                f"{self.path}: the output has shape {answer.shape} for {len(positions)} positions; "
                "known are (n, 5), five chances, and (n, 1), an equity"
            )
        if self.logits:
            answer = 1 / (1 + np.exp(-np.clip(answer.astype(np.float32), -30, 30)))
        return np.asarray(answer, dtype=np.float32)


def _provider(onnxruntime: Any, device: str) -> Any:
    if device == "cpu":
        return "CPUExecutionProvider"
    kind, _, number = device.partition(":")
    if kind != "cuda" or "CUDAExecutionProvider" not in onnxruntime.get_available_providers():
        raise InputError(f"--device {device}: this onnxruntime runs on no such device")
    return "CUDAExecutionProvider", {"device_id": int(number or 0)}
