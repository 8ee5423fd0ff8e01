"""Labels of the cube network: slow twins, the policy's own arithmetic, and learning itself."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from bgai_training import cube
from bgai_training.cube_labels import END, CubeSteps, joined, labels, plain_stakes, play_steps
from bgai_training.small_network import fit_small, small_outputs

from bgai.evaluation.checkpoint import CUBE_FILE, find_checkpoint, load_checkpoint
from bgai.rules.position import is_over
from bgai.search.cubeful_lookahead import CubefulLookahead
from bgai.search.engine import EngineSettings, build_engine


@pytest.fixture(scope="module")
def steps() -> CubeSteps:
    search = CubefulLookahead(build_engine(EngineSettings()), plain_stakes())
    return joined([play_steps(search, 4, 30, seed) for seed in (1, 2)])


def label_by_hand(steps: CubeSteps, row: int, column: int, decay: float) -> float:
    value = float(steps.worths[row, column])
    after = int(steps.next[row])
    if after == END or not steps.same[row, column]:
        return value
    theirs = (0, 2, 1)[column]  # my cube is the opponent's to them
    worths = steps.worths[after]
    doubled = min(2 * worths[2], 1)
    if theirs != 2 and doubled > worths[theirs]:
        then = 1.0 if doubled == 1 else 2 * label_by_hand(steps, after, 2, decay)
    else:
        then = label_by_hand(steps, after, theirs, decay)
    return value + decay * (-then - float(steps.taken_for[row, column]))


def test_labels_by_hand(steps: CubeSteps) -> None:
    for decay in (0.0, 0.7):
        found = labels(steps, decay)
        for row in range(0, len(found), 7):
            for column in range(3):
                by_hand = label_by_hand(steps, row, column, decay)
                assert found[row, column] == pytest.approx(by_hand, abs=1e-12)


def test_games_follow_one_another(steps: CubeSteps) -> None:
    assert steps.same[:, 0].all()
    assert not is_over(steps.rows).any()
    going = np.nonzero(steps.next != END)[0]
    assert len(going) > 150
    mover = steps.rows[going, 0]
    waiting = steps.rows[steps.next[going], 1]
    still = steps.rows[going, 1].sum(axis=1) - steps.rows[steps.next[going], 0].sum(axis=1)
    assert (still == 0).all()  # 15 checkers each
    pips = np.arange(26)
    assert ((waiting @ pips) <= (mover @ pips)).all()


def test_the_fit_finds_a_known_efficiency() -> None:
    rng = np.random.default_rng(3)
    inputs = rng.normal(size=(4000, 5)).astype(np.float32)
    true = 0.6 + 0.2 * np.tanh(inputs[:, :3])
    spans = rng.uniform(-0.5, 0.5, (4000, 3))
    network = fit_small(inputs, spans, true * spans, np.ones(4000), hidden=(16, 8), steps=1500)
    assert np.abs(small_outputs(inputs, network) - true).mean() < 0.02


def test_one_command_teaches_a_checkpoint(tmp_path: Path) -> None:
    folder = tmp_path / "expert"
    shutil.copytree(find_checkpoint("expert"), folder)
    (folder / CUBE_FILE).unlink(missing_ok=True)
    before = (folder / "model.safetensors").read_bytes()
    assert load_checkpoint(str(folder)).cube is None
    cube.teach(str(folder), positions=100, cycles=1, decay=0.5, steps=20, pull=0.0, seed=5)
    network = load_checkpoint(str(folder)).cube
    assert network is not None
    assert [array.shape for array in network][1::2] == [(16,), (8,), (3,)]
    assert (folder / "model.safetensors").read_bytes() == before
    assert json.loads((folder / "card.json").read_text())["cube"]["positions"] == 100
