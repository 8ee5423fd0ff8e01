"""Checkpoints: written, read back, refused when damaged or foreign."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from bgai_training.start import load_networks

from bgai.evaluation.checkpoint import (
    CARD_FILE,
    MODEL_FILE,
    CheckpointError,
    load_arrays,
    load_checkpoint,
    load_evaluator,
    read_card,
    released_checkpoints,
    save_checkpoint,
)
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


def test_weights_that_are_not_numbers_are_refused(folder: Path) -> None:
    arrays, card = load_arrays(folder)
    arrays["race.bias"][2] = np.nan
    save_checkpoint(folder, arrays, card)
    with pytest.raises(CheckpointError, match="not finite"):
        load_arrays(folder)


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
