"""Checkpoints: a folder with ``model.safetensors`` and ``card.json``.

The weights of three networks lie side by side under the prefixes ``contact.``, ``race.``
and ``pruner.``. The card says what they are: format, encoding, architecture, what they were
trained for and how strong they were measured. Nothing in a checkpoint is ever executed.

A small network of cube efficiency may lie beside them, in ``cube.safetensors``: it is made for
the others when they are done and can be made again without touching them.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgai.errors import InputError
from bgai.evaluation.composite import Composite, SmallNetwork
from bgai.evaluation.encoding import COLUMNS, COLUMNS_OF_ENCODINGS, ENCODING
from bgai.evaluation.inference import NetworkEvaluator
from bgai.evaluation.packing import PackedNetwork, PackedPruner, pack, pack_pruner
from bgai.files import write_bytes, write_text
from bgai.rules.position import starting_position

FORMAT = 1
MODEL_FILE = "model.safetensors"
CARD_FILE = "card.json"
CUBE_FILE = "cube.safetensors"
CUBE_ARRAYS = ("w1", "b1", "w2", "b2", "w3", "b3")
NETWORK_ARRAYS = (
    "weights",
    "bias",
    "layer2.weight",
    "layer2.bias",
    "layer3.weight",
    "layer3.bias",
    "output.weight",
    "output.bias",
)
PRUNER_ARRAYS = ("weights", "bias", "output.weight", "output.bias")

_LARGEST_WEIGHT = 1e6
_WIDEST = 8192

Arrays = Mapping[str, NDArray[np.float32]]


class CheckpointError(InputError):
    """A checkpoint that is damaged, foreign or of another version."""


@dataclass(frozen=True)
class Checkpoint:
    """The networks of a checkpoint as kernel weights, and its card."""

    contact: PackedNetwork
    race: PackedNetwork
    pruner: PackedPruner
    card: dict[str, Any]
    cube: SmallNetwork | None = None


def _packaged_folders() -> Iterator[Path]:
    package = Path(__file__).resolve().parent.parent
    yield package / "checkpoints"  # in a wheel
    yield package.parent / "checkpoints"  # in a checkout


def released_checkpoints() -> dict[str, Path]:
    """Released networks by name."""
    found: dict[str, Path] = {}
    for folder in _packaged_folders():
        if folder.is_dir():
            for entry in sorted(folder.iterdir()):
                if (entry / CARD_FILE).is_file():
                    found.setdefault(entry.name, entry)
    return found


def find_checkpoint(name_or_path: str) -> Path:
    """The folder of a released network's name or of a path. Raises ``CheckpointError``."""
    released = released_checkpoints()
    if name_or_path in released:
        return released[name_or_path]
    path = Path(name_or_path)
    if (path / CARD_FILE).is_file():
        return path
    names = ", ".join(released) or "none"
    raise CheckpointError(
        f"'{name_or_path}' is neither a released network ({names}) nor a folder with {CARD_FILE}"
    )


def save_checkpoint(folder: Path, arrays: Arrays, card: Mapping[str, Any]) -> None:
    """Write a checkpoint; ``card`` is completed with format, encoding and architecture.

    ``arrays`` are named ``contact.weights`` and so on. The card is written last. Raises
    ``FileError``.
    """
    from safetensors.numpy import save

    arrays = {name: np.ascontiguousarray(array, dtype=np.float32) for name, array in arrays.items()}
    full = {
        "format": FORMAT,
        "encoding": ENCODING,
        "architecture": _architecture(arrays),
        **card,
    }
    write_bytes(folder / MODEL_FILE, save(arrays))
    write_text(folder / CARD_FILE, json.dumps(full, indent=2) + "\n")


def _architecture(arrays: Arrays) -> dict[str, list[int]]:
    """Widths of the hidden layers of each network."""
    widths = {}
    for part in ("contact", "race"):
        widths[part] = [
            len(arrays[f"{part}.{layer}"]) for layer in ("bias", "layer2.bias", "layer3.bias")
        ]
    widths["pruner"] = [len(arrays["pruner.bias"])]
    return widths


def read_card(folder: Path) -> dict[str, Any]:
    """The card of a checkpoint. Raises ``CheckpointError``."""
    path = folder / CARD_FILE
    try:
        card = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise CheckpointError(f"{path}: can't be read: {error}") from None
    if not isinstance(card, dict) or card.get("format") != FORMAT:
        raise CheckpointError(f"{path}: not a checkpoint of format {FORMAT}")
    if card.get("encoding") not in COLUMNS_OF_ENCODINGS:
        known = ", ".join(COLUMNS_OF_ENCODINGS)
        raise CheckpointError(
            f"{path}: encoding {card.get('encoding')!r}, this version knows {known}"
        )
    return card


def load_arrays(folder: Path) -> tuple[dict[str, NDArray[np.float32]], dict[str, Any]]:
    """All arrays and the card, checked against each other. Raises ``CheckpointError``.

    A network of an earlier encoding gets weights of 0 for the inputs that it lacks.
    """
    from safetensors import SafetensorError
    from safetensors.numpy import load

    card = read_card(folder)
    path = folder / MODEL_FILE
    try:
        arrays = load(path.read_bytes())
    except (OSError, SafetensorError, ValueError) as error:
        raise CheckpointError(f"{path}: can't be read: {error}") from None
    expected = _expected_shapes(card, path)
    for name, shape in expected.items():
        if name not in arrays:
            raise CheckpointError(f"{path}: {name} is missing")
        if arrays[name].shape != shape or arrays[name].dtype != np.float32:
            raise CheckpointError(
                f"{path}: {name} is {arrays[name].dtype} {arrays[name].shape}, "
                f"the card says float32 {shape}"
            )
        if not (np.abs(arrays[name]) <= _LARGEST_WEIGHT).all():
            raise CheckpointError(
                f"{path}: {name} holds numbers that are not finite or above {_LARGEST_WEIGHT:g}"
            )
    found = {name: _with_all_columns(name, arrays[name]) for name in expected}
    return found, card | {"encoding": ENCODING}


def _with_all_columns(name: str, array: NDArray[np.float32]) -> NDArray[np.float32]:
    """``array`` with rows of zeros for the columns added since, before its last row."""
    if not name.endswith(".weights"):
        return array
    added = np.zeros((COLUMNS + 1 - len(array), array.shape[1]), dtype=np.float32)
    return np.concatenate([array[:-1], added, array[-1:]])


def _expected_shapes(card: Mapping[str, Any], path: Path) -> dict[str, tuple[int, ...]]:
    shapes: dict[str, tuple[int, ...]] = {}
    columns = COLUMNS_OF_ENCODINGS[card["encoding"]]
    try:
        for part in ("contact", "race"):
            h1, h2, h3 = map(_width, card["architecture"][part])
            sizes = [(columns + 1, h1), (h1,), (h2, h1), (h2,), (h3, h2), (h3,), (5, h3), (5,)]
            for name, size in zip(NETWORK_ARRAYS, sizes, strict=True):
                shapes[f"{part}.{name}"] = size
        (hidden,) = map(_width, card["architecture"]["pruner"])
    except (KeyError, TypeError, ValueError) as error:
        raise CheckpointError(f"{path}: the card's architecture is unreadable: {error}") from None
    pruner_sizes: list[tuple[int, ...]] = [(columns + 1, hidden), (hidden,), (1, hidden), (1,)]
    for name, size in zip(PRUNER_ARRAYS, pruner_sizes, strict=True):
        shapes[f"pruner.{name}"] = size
    return shapes


def _width(width: Any) -> int:
    if type(width) is not int or not 1 <= width <= _WIDEST:
        raise ValueError(f"a width of {width!r} is none from 1 to {_WIDEST}")
    return width


def load_checkpoint(name_or_path: str) -> Checkpoint:
    """The networks of a released name or a folder, ready for the kernels.

    Raises ``CheckpointError``, also where the networks make no chances of a few positions.
    """
    folder = find_checkpoint(name_or_path)
    arrays, card = load_arrays(folder)

    def part(name: str, keys: tuple[str, ...]) -> tuple[np.ndarray, ...]:
        return tuple(np.ascontiguousarray(arrays[f"{name}.{key}"]) for key in keys)

    w1, bias1, w2, bias2 = part("pruner", PRUNER_ARRAYS)
    checkpoint = Checkpoint(
        contact=pack(part("contact", NETWORK_ARRAYS)),
        race=pack(part("race", NETWORK_ARRAYS)),
        pruner=pack_pruner((w1, bias1, w2[0], bias2)),
        card=card,
        cube=load_cube_network(folder),
    )
    _probe(checkpoint, folder / MODEL_FILE)
    return checkpoint


def _probe(checkpoint: Checkpoint, path: Path) -> None:
    """Have the networks judge an opening, a race and checkers on the bar."""
    positions = np.zeros((3, 2, 26), dtype=np.int8)
    positions[0] = starting_position()
    positions[1, :, 1:6] = 3
    positions[2, :, 25] = 15
    for name in ("contact", "race"):
        chances = NetworkEvaluator(getattr(checkpoint, name)).evaluate(positions)
        if not ((chances >= 0) & (chances <= 1)).all():
            raise CheckpointError(f"{path}: the {name} network's chances are no numbers")
    if not np.isfinite(checkpoint.pruner[-1]).all():
        raise CheckpointError(f"{path}: the pruner's equities are no numbers")


def save_cube_network(folder: Path, arrays: SmallNetwork, notes: Mapping[str, Any]) -> None:
    """Write the cube network of a checkpoint, and ``notes`` on it into the card as ``cube``."""
    from safetensors.numpy import save

    from bgai.evaluation.contact_kernels import INPUTS

    card = {**read_card(folder), "cube": {"inputs": INPUTS, **notes}}
    named = dict(zip(CUBE_ARRAYS, arrays, strict=True))
    write_bytes(folder / CUBE_FILE, save(named, metadata={"inputs": INPUTS}))
    write_text(folder / CARD_FILE, json.dumps(card, indent=2) + "\n")


def load_cube_network(folder: Path) -> SmallNetwork | None:
    """The cube network of a checkpoint, None where there is none.

    One made for other inputs is left out too: it can be made again, and play goes on without.
    Raises ``CheckpointError`` for a damaged one.
    """
    from safetensors import SafetensorError, safe_open

    from bgai.evaluation.contact_kernels import CONTACT_INPUTS, INPUTS

    path = folder / CUBE_FILE
    if not path.is_file():
        return None
    try:
        with safe_open(path, "numpy") as file:
            if (file.metadata() or {}).get("inputs") != INPUTS:
                return None
            arrays = tuple(file.get_tensor(name) for name in CUBE_ARRAYS)
    except (OSError, SafetensorError) as error:
        raise CheckpointError(f"{path}: can't be read: {error}") from None
    widths = (CONTACT_INPUTS, *(len(array) for array in arrays[1:4:2]), 3)
    shapes = [size for a, b in pairwise(widths) for size in ((b, a), (b,))]
    if [array.shape for array in arrays] != shapes or any(
        array.dtype != np.float32 or not np.isfinite(array).all() for array in arrays
    ):
        raise CheckpointError(f"{path}: not the arrays of a cube network")
    return arrays


def load_evaluator(name_or_path: str) -> Composite:
    """The evaluator of a checkpoint: over, bear-off tables, race and contact networks."""
    checkpoint = load_checkpoint(name_or_path)
    return composite_of(checkpoint)


def composite_of(checkpoint: Checkpoint) -> Composite:
    """The same of a checkpoint that is loaded."""
    return Composite(
        NetworkEvaluator(checkpoint.contact),
        NetworkEvaluator(checkpoint.race),
        cube_network=checkpoint.cube,
    )
