"""Tables kept between runs: built once, written to the user's cache, checked when read.

A file is in the safetensors layout (no pickle) and carries a SHA-256 of its arrays. A missing,
damaged or older file is built again. Arrays come back read-only and memory-mapped.
"""

import contextlib
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgai import notices
from bgai.errors import FileError
from bgai.files import write_bytes
from bgai.folders import cache_dir

Arrays = dict[str, NDArray[Any]]

_DTYPES: dict[str, str] = {
    "F64": "<f8",
    "F32": "<f4",
    "F16": "<f2",
    "I64": "<i8",
    "I32": "<i4",
    "I16": "<i2",
    "I8": "|i1",
    "U64": "<u8",
    "U32": "<u4",
    "U16": "<u2",
    "U8": "|u1",
    "BOOL": "|b1",
}


def cache_path(name: str, version: int) -> Path:
    """The file that holds version ``version`` of the table ``name``."""
    return cache_dir() / f"{name}-v{version}.safetensors"


def load_arrays(
    name: str, version: int, build: Callable[[], Arrays], *, title: str | None = None
) -> Arrays:
    """The arrays of a table, from the cache or from ``build``, which is then kept.

    ``title`` is what people are told is being built, such as "bear-off tables".
    Raise ``version`` whenever ``build`` would give other numbers. Where the cache can't be
    written the arrays are returned all the same. The arrays are read-only.
    """
    path = cache_path(name, version)
    arrays = read_arrays(path)
    if arrays is not None:
        return arrays
    with notices.busy(f"Building {title or name} (once)"):
        built = {key: np.ascontiguousarray(array) for key, array in build().items()}
    with contextlib.suppress(FileError):
        write_arrays(path, built)
        # the built copy would stay in memory; the mapped one is shared between processes
        return read_arrays(path) or built
    for array in built.values():
        array.flags.writeable = False
    return built


def write_arrays(path: Path, arrays: Arrays) -> None:
    """Write arrays with their checksum. Raises ``FileError``."""
    from safetensors.numpy import save

    write_bytes(path, save(arrays, metadata={"sha256": _checksum(arrays)}))


def read_arrays(path: Path) -> Arrays | None:
    """The arrays of a file, or ``None`` where it is missing or damaged in any way."""
    try:
        with open(path, "rb") as file:
            header_size = int.from_bytes(file.read(8), "little")
            header = json.loads(file.read(header_size)) if header_size < 2**20 else {}
        expected = header.pop("__metadata__")["sha256"]
        data = np.memmap(path, dtype=np.uint8, mode="r", offset=8 + header_size)
        arrays: Arrays = {}
        for key, entry in header.items():
            start, end = entry["data_offsets"]
            array = np.asarray(data[start:end]).view(_DTYPES[entry["dtype"]])
            arrays[key] = array.reshape(entry["shape"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return arrays if _checksum(arrays) == expected else None


def _checksum(arrays: Arrays) -> str:
    digest = hashlib.sha256()
    for key in sorted(arrays):
        array = np.ascontiguousarray(arrays[key])
        digest.update(f"{key} {array.dtype.str} {array.shape}\n".encode())
        digest.update(array.reshape(-1).view(np.uint8).data)
    return digest.hexdigest()
