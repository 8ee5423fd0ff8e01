"""Checkpoints: written, read back, refused when damaged or foreign."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from bgai_training.start import load_networks
from bgai_training.starts import random_positions

from bgai.evaluation.checkpoint import (
    CARD_FILE,
    CUBE_FILE,
    MODEL_FILE,
    CheckpointError,
    load_arrays,
    load_checkpoint,
    load_evaluator,
    read_card,
    released_checkpoints,
    save_checkpoint,
    save_cube_network,
)
from bgai.evaluation.contact_kernels import CONTACT_INPUTS
from bgai.evaluation.encoding import COLUMNS, COLUMNS_OF_ENCODINGS, ENCODING
from bgai.evaluation.network import PositionNetwork, Pruner
from bgai.rules.position import starting_position


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    torch.manual_seed(1)
    parts = {
        "contact": PositionNetwork((12, 8, 6)),
        "race": PositionNetwork((6, 5, 4)),
        "pruner": Pruner(3),
    }
    arrays = {
        f"{part}.{name}": value.numpy()
        for part, network in parts.items()
        for name, value in network.state_dict().items()
    }
    save_checkpoint(tmp_path / "net", arrays, {"name": "net", "games": 5})
    return tmp_path / "net"


def change_card(folder: Path, **changes: object) -> None:
    path = folder / CARD_FILE
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


def test_round_trip(folder: Path) -> None:
    arrays, card = load_arrays(folder)
    assert card["games"] == 5
    assert card["architecture"] == {"contact": [12, 8, 6], "race": [6, 5, 4], "pruner": [3]}
    assert arrays["pruner.weights"].shape == (COLUMNS + 1, 3)
    checkpoint = load_checkpoint(str(folder))
    contact, race, pruner = load_networks(str(folder))
    for network, weights in (
        (contact, checkpoint.contact),
        (race, checkpoint.race),
        (pruner, checkpoint.pruner),
    ):
        for got, expected in zip(network.kernel_weights(), weights, strict=True):
            np.testing.assert_array_equal(got, expected)


def test_an_earlier_encoding_is_read_as_if_the_new_inputs_had_no_weight(folder: Path) -> None:
    arrays, _ = load_arrays(folder)
    old = {
        name: np.concatenate([array[: COLUMNS_OF_ENCODINGS["points-2"]], array[-1:]])
        if name.endswith(".weights")
        else array
        for name, array in arrays.items()
    }
    save_checkpoint(folder, old, {"name": "net", "encoding": "points-2"})
    assert read_card(folder)["encoding"] == "points-2"
    grown, card = load_arrays(folder)
    assert card["encoding"] == ENCODING
    for name, array in arrays.items():
        if not name.endswith(".weights"):
            np.testing.assert_array_equal(grown[name], array)
            continue
        assert grown[name].shape == array.shape
        np.testing.assert_array_equal(grown[name][: len(old[name]) - 1], old[name][:-1])
        assert not grown[name][len(old[name]) - 1 : -1].any()
    load_evaluator(str(folder)).evaluate(starting_position()[None])


def test_damaged_and_foreign_files_are_refused(folder: Path) -> None:
    model = (folder / MODEL_FILE).read_bytes()
    (folder / MODEL_FILE).write_bytes(model[: len(model) // 2])
    with pytest.raises(CheckpointError, match=r"model\.safetensors: can't be read"):
        load_arrays(folder)
    (folder / MODEL_FILE).write_bytes(b"PK\x03\x04 a pickle in a zip")
    with pytest.raises(CheckpointError, match="can't be read"):
        load_arrays(folder)
    (folder / CARD_FILE).write_text("{")
    with pytest.raises(CheckpointError, match=r"card\.json: can't be read"):
        load_arrays(folder)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": 99}, "not a checkpoint of format"),
        ({"encoding": "points-0"}, "encoding 'points-0'"),
        ({"architecture": {"contact": [12, 8, 7], "race": [6, 5, 4], "pruner": [3]}}, "card says"),
        ({"architecture": {"contact": [12, 8]}}, "architecture is unreadable"),
    ],
)
def test_cards_that_do_not_fit_are_refused(
    folder: Path, changes: dict[str, object], message: str
) -> None:
    change_card(folder, **changes)
    with pytest.raises(CheckpointError, match=message):
        load_arrays(folder)


@pytest.mark.parametrize("value", [np.nan, np.inf, -1e38, 1e38, 3e38])
@pytest.mark.parametrize("name", ["race.bias", "contact.output.weight", "pruner.weights"])
def test_weights_that_are_no_numbers_or_absurd_are_refused(
    folder: Path, name: str, value: float
) -> None:
    arrays, card = load_arrays(folder)
    arrays[name].flat[2] = value
    save_checkpoint(folder, arrays, card)
    with pytest.raises(CheckpointError, match=rf"{name} holds numbers that are not finite or"):
        load_checkpoint(str(folder))


@pytest.mark.parametrize("size", [1e-30, 1.0, 100.0, 1e6])
def test_what_loads_gives_chances(folder: Path, size: float) -> None:
    """Whatever weights are let in: every position's chances are numbers from 0 to 1."""
    arrays, card = load_arrays(folder)
    rng = np.random.default_rng(5)
    for array in arrays.values():
        array[:] = rng.uniform(-size, size, array.shape)
    save_checkpoint(folder, arrays, card)
    try:
        evaluator = load_evaluator(str(folder))
    except CheckpointError:
        return
    positions = random_positions(rng, 500, 80).reshape(-1, 2, 26)
    chances = evaluator.evaluate(positions)
    assert ((chances >= 0) & (chances <= 1)).all()


@pytest.mark.parametrize("width", [0, -1, 10**9, True, 12.5, "12", None, [12], 10**400])
def test_absurd_widths_are_refused(folder: Path, width: object) -> None:
    architecture = {"contact": [width, 8, 7], "race": [6, 5, 4], "pruner": [3]}
    change_card(folder, architecture=architecture)
    with pytest.raises(CheckpointError, match="architecture is unreadable: a width of"):
        load_arrays(folder)


@pytest.mark.parametrize("card", ["[" * 99_999, "[]", "1" * 9_999, "null", '"text"', ""])
def test_absurd_cards_are_refused(folder: Path, card: str) -> None:
    (folder / CARD_FILE).write_text(card)
    with pytest.raises(CheckpointError, match=r"card\.json: ") as caught:
        load_checkpoint(str(folder))
    assert "\n" not in str(caught.value)


def test_unknown_names_list_the_known(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="neither a released network"):
        load_checkpoint(str(tmp_path))


def test_released_networks_load_and_are_small() -> None:
    released = released_checkpoints()
    assert released, "at least one network is released"
    for name, folder in released.items():
        assert (folder / MODEL_FILE).stat().st_size < 8 * 2**20
        chances = load_evaluator(name).evaluate(starting_position()[None])[0]
        # The player about to roll first in a game has a small advantage.
        assert 0.50 < chances[0] < 0.56, name
        assert 0.10 < chances[1] < 0.20, name


def cube_network(inputs: int = CONTACT_INPUTS) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(2)
    shapes = [(4, inputs), (4,), (3, 4), (3,), (3, 3), (3,)]
    return tuple(rng.normal(size=shape).astype(np.float32) for shape in shapes)


def test_cube_network_round_trip(folder: Path) -> None:
    assert load_checkpoint(str(folder)).cube is None
    model = (folder / MODEL_FILE).read_bytes()
    save_cube_network(folder, cube_network(), {"positions": 7})
    assert (folder / MODEL_FILE).read_bytes() == model
    checkpoint = load_checkpoint(str(folder))
    assert checkpoint.cube is not None
    for got, expected in zip(checkpoint.cube, cube_network(), strict=True):
        np.testing.assert_array_equal(got, expected)
    assert checkpoint.card["cube"]["positions"] == 7
    assert load_evaluator(str(folder)).cube_network is not None


def test_a_cube_network_of_other_inputs_is_left_out(folder: Path) -> None:
    from safetensors.numpy import save_file

    named = dict(zip(("w1", "b1", "w2", "b2", "w3", "b3"), cube_network(9), strict=True))
    save_file(named, folder / CUBE_FILE, metadata={"inputs": "cube-0"})
    assert load_checkpoint(str(folder)).cube is None


def test_a_damaged_cube_network_is_refused(folder: Path) -> None:
    save_cube_network(folder, cube_network(9), {})
    with pytest.raises(CheckpointError, match=CUBE_FILE):
        load_checkpoint(str(folder))
    (folder / CUBE_FILE).write_bytes(b"nothing of the kind")
    with pytest.raises(CheckpointError, match=CUBE_FILE):
        load_checkpoint(str(folder))
