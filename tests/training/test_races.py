"""The race stage: its positions are open races, and it brings the network nearer to its labels."""

from pathlib import Path

import numpy as np
import torch
from bgai_training.config import RaceStage, recipe_from_table
from bgai_training.races import RaceRunner, open_races, recombined
from bgai_training.shards import Shard, Shards
from bgai_training.starts import random_positions, rare_positions

from bgai.evaluation.composite import PositionClass, position_classes
from bgai.evaluation.network import PositionNetwork, Pruner
from bgai.rules.position import SLOTS, check_position


def labels_of_races(count: int) -> Shard:
    rng = np.random.default_rng(1)
    rows = np.concatenate([rare_positions(rng, count, ("race",)), random_positions(rng, 50, 20)])
    targets = np.zeros((len(rows), 5), dtype=np.float32)
    targets[:, 0] = rng.choice([0.0, 0.4, 0.9, 0.9999], len(rows))
    # Some of the lost ones are races to save the gammon: these must be learned too.
    targets[:, 3] = np.where(targets[:, 0] == 0, rng.choice([0.0, 0.3], len(rows)), 0)
    return Shard(rows, targets)


def test_open_races_leave_out_contact_and_what_is_decided() -> None:
    labels = labels_of_races(200)
    rows = open_races(labels)
    wanted = {
        row.tobytes()
        for row, target in zip(labels.rows[:200], labels.targets[:200], strict=True)
        if 0.1 < target[0] < 0.95 or target[3] > 0.1
    }
    assert {row.tobytes() for row in rows} == wanted


def test_recombined_races_are_races_of_the_same_sides() -> None:
    races = open_races(labels_of_races(300))
    rows = recombined(np.random.default_rng(2), races, 400)
    assert len(rows) > 200
    positions = rows.reshape(-1, 2, SLOTS)
    sides = {side.tobytes() for side in races.reshape(-1, SLOTS)}
    for position in positions:
        check_position(position)
        assert {position[0].tobytes(), position[1].tobytes()} <= sides
    assert (position_classes(positions) == PositionClass.RACE).all()


def test_stage_fits_the_race_network_to_its_own_look_ahead(tmp_path: Path) -> None:
    torch.manual_seed(1)
    shards = {"race": Shards(tmp_path, "race")}
    shards["race"].write(labels_of_races(300))
    networks = (PositionNetwork((8, 8, 8)), PositionNetwork((16, 8, 8)), Pruner(4))
    before = networks[0].state_dict()["bias"].clone()
    stage = RaceStage(cycles=1, positions=300, passes=30, batch=32, rate=4e-3)
    recipe = recipe_from_table({"name": "r", "stage": [{"kind": "race", "cycles": 1}]}, "r")
    runner = RaceRunner(recipe, stage, np.random.SeedSequence(1), networks, shards)
    off = []
    for progress in runner.run():
        if runner.step or progress.milestone:
            with torch.no_grad():
                race = runner.networks()[1]
                found = torch.sigmoid(race(torch.from_numpy(runner.rows))).numpy()
            if len(runner.targets):
                targets = runner.targets
            off.append(float(np.abs(found[:, 0] - targets[:, 0]).mean()))
    assert progress.milestone
    with torch.no_grad():
        first = torch.sigmoid(networks[1](torch.from_numpy(runner.rows))).numpy()
    assert off[-1] < 0.5 * float(np.abs(first[:, 0] - targets[:, 0]).mean())
    torch.testing.assert_close(runner.networks()[0].state_dict()["bias"], before)
