"""The state of a run on disk: nested dictionaries of arrays and plain values, no pickle."""

import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from bgai.errors import InputError
from bgai.files import write_bytes

State = dict[str, Any]


def _flatten(value: Any, path: str, arrays: dict[str, NDArray[Any]]) -> Any:
    """Move arrays into ``arrays``; what is left is JSON with their paths in place."""
    if isinstance(value, np.ndarray):
        arrays[path] = np.array(value, order="C")  # keeps arrays without axes as they are
        return {"array": path}
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, dict):
        return {key: _flatten(item, f"{path}/{key}", arrays) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_flatten(item, f"{path}/{i}", arrays) for i, item in enumerate(value)]
    return value


def _restore(value: Any, arrays: dict[str, NDArray[Any]]) -> Any:
    if isinstance(value, dict):
        if set(value) == {"array"}:
            return arrays[value["array"]]
        return {key: _restore(item, arrays) for key, item in value.items()}
    if isinstance(value, list):
        return [_restore(item, arrays) for item in value]
    return value


def save_state(path: Path, state: State) -> None:
    """Write a state, whole or not at all; the one before stays as ``.previous``.

    Raises ``FileError``.
    """
    arrays: dict[str, NDArray[Any]] = {}
    rest = _flatten(state, "", arrays)
    text = json.dumps(rest)
    metadata = {"state": text, "checksum": _checksum(text, arrays)}
    write_bytes(path, save(arrays, metadata=metadata), before=path.with_suffix(".previous"))


def _checksum(text: str, arrays: dict[str, NDArray[Any]]) -> str:
    found = zlib.crc32(text.encode())
    for name in sorted(arrays):
        found = zlib.crc32(np.ascontiguousarray(arrays[name]).tobytes(), found)
    return str(found)


def load_state(path: Path) -> State:
    """Read a state. Raises ``InputError`` when the file is not one."""
    try:
        with safe_open(path, framework="numpy") as file:
            metadata = file.metadata()
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        state: State = _restore(json.loads(metadata["state"]), arrays)
        expected = metadata.get("checksum")  # version 0.1 wrote none
    except (SafetensorError, OSError, KeyError, TypeError, ValueError, RecursionError) as error:
        said = str(error).partition("\n")[0]
        raise InputError(f"{path}: not the state of a training run ({said})") from None
    if expected is not None and expected != _checksum(metadata["state"], arrays):
        raise InputError(f"{path}: the state of a training run, but damaged")
    return state
