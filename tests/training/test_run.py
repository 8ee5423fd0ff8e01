"""Whole runs on tiny networks: learning, resuming, several processes, recipes."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from bgai_training import distributed
from bgai_training.__main__ import app
from bgai_training.config import load_recipe, recipe_from_table, recipe_table
from bgai_training.families import Family, of_families
from bgai_training.fit import FitRunner, arrays_of
from bgai_training.learner import Learner, Settings
from bgai_training.recipe_files import find_recipe, packaged_recipes
from bgai_training.runstate import load_state, save_state
from bgai_training.starts import random_positions
from bgai_training.trainer import Options, Run
from typer.testing import CliRunner

from bgai.claims import Claim
from bgai.errors import FileError, InputError
from bgai.evaluation.checkpoint import load_arrays
from bgai.evaluation.network import PositionNetwork
from bgai.rules.position import has_contact, position_from_points

torch.set_num_threads(1)  # the networks are tiny: threads would only wait for each other

ROOT = Path(__file__).resolve().parents[2]

TINY = {
    "name": "tiny",
    "selfplay": {"games_at_once": 64, "longest_game": 96},
    "pruning": {"hidden": 4},
    "stage": [
        {"kind": "td", "games": 150, "contact": [16, 8, 8], "race": [8, 8, 8], "batch": 128},
        {
            "kind": "fit",
            "cycles": 2,
            "labels": 600,
            "shard": 300,
            "contact": [16, 16, 8],
            "race": [8, 8, 8],
            "passes": 4,
            "batch": 64,
            "special": [
                {"name": "back-games", "labels": 100, "pool": 150, "games_at_once": 32},
                {
                    "name": "races",
                    "labels": 50,
                    "kinds": ["race"],
                    "families": ["long race", "stacked race", "race"],
                    "games_at_once": 32,
                },
            ],
        },
        {
            "kind": "race",
            "cycles": 2,
            "positions": 300,
            "labels": ["race", "races"],
            "passes": 3,
            "batch": 64,
        },
    ],
}


def tiny_run(folder: Path, **options: object) -> Run:
    return Run(recipe_from_table(TINY, "tiny"), Options(folder, **options))  # type: ignore[arg-type]


def final_weights(folder: Path) -> dict[str, np.ndarray]:
    return load_arrays(folder / "checkpoint")[0]


def test_interrupted_run_gives_the_same_weights(tmp_path: Path) -> None:
    assert tiny_run(tmp_path / "whole").go()
    interruptions = 0
    while True:
        run = tiny_run(tmp_path / "parts")
        # The run is cut off after a few rounds, as by a kill after the last save.
        run.limit_rounds = 12
        if run.go():
            break
        interruptions += 1
    assert interruptions >= 2
    whole, parts = final_weights(tmp_path / "whole"), final_weights(tmp_path / "parts")
    assert whole.keys() == parts.keys()
    for name, array in whole.items():
        np.testing.assert_array_equal(array, parts[name], err_msg=name)


def test_special_labels_are_of_their_families_and_reach_the_fit(tmp_path: Path) -> None:
    run = tiny_run(tmp_path)
    while not run.go():
        pass
    assert run.shards["back-games"].count == 2  # one shard a cycle
    labels = run.shards["back-games"].newest(2)
    assert len(labels) == 200
    assert of_families(labels.rows, (Family.BACK_GAME,)).all()
    races = run.shards["races"].newest(2)
    assert not has_contact(races.rows.reshape(-1, 2, 26)).any()
    runner = FitRunner(
        run.recipe,
        run.recipe.stages[1],  # type: ignore[arg-type]
        np.random.SeedSequence(1),
        run.current(),
        run.shards,
    )
    runner._load_data()
    # The newest 150 round down to one shard of 100, after the ordinary labels.
    np.testing.assert_array_equal(runner.data["contact"].rows[-100:], labels.rows[100:])
    assert len(runner.data["contact"]) == 1200 - 120 + 100
    np.testing.assert_array_equal(runner.data["race"].rows[-100:], races.rows)


def test_a_run_with_another_recipe_is_refused(tmp_path: Path) -> None:
    run = tiny_run(tmp_path)
    run.limit_rounds = 1
    run.go()
    other = recipe_from_table({**TINY, "seed": 9}, "other")
    with pytest.raises(InputError, match="another recipe"):
        Run(other, Options(tmp_path))


def test_fit_lowers_the_loss_on_positions_it_has_not_seen() -> None:
    torch.manual_seed(0)
    rows = random_positions(np.random.default_rng(1), 3000, 60)
    # Something to learn: the side with fewer checkers back wins more often.
    back = rows[:, 19:26].sum(axis=1).astype(float) - rows[:, 45:52].sum(axis=1)
    win = 1 / (1 + np.exp(back))
    targets = np.stack([win, win / 4, win / 50, (1 - win) / 4, (1 - win) / 50], axis=1)
    targets = targets.astype(np.float32)
    learner = Learner(PositionNetwork((32, 16, 8)), Settings(equity_weight=3.0))
    held_rows, held_targets = rows[:500], targets[:500]
    before = float(learner.loss(held_rows, held_targets).detach())
    rng = np.random.default_rng(2)
    for _ in range(150):
        picks = rng.integers(500, 3000, 128)
        learner.step(rows[picks], targets[picks], 4e-3)
    after = float(learner.loss(held_rows, held_targets).detach())
    floor = float(-(targets * np.log(targets) + (1 - targets) * np.log(1 - targets)).sum(1).mean())
    assert after - floor < 0.25 * (before - floor)


def test_nothing_is_learned_about_what_the_rules_decide() -> None:
    torch.manual_seed(3)
    learner = Learner(PositionNetwork((16, 8, 8)), Settings(equity_weight=3.0))
    both_off = position_from_points({6: 10, 24: 1}, {6: 10, 24: 1}).reshape(1, 52)
    other = np.float32([[0.4, 0.3, 0.2, 0.5, 0.1]])  # gammons that can't be won or lost
    wanted = np.float32([[0.4, 0, 0, 0, 0]])
    assert learner.loss(both_off, other) == learner.loss(both_off, wanted)
    learner.loss(both_off, other).backward()
    gradient = learner.network.output.bias.grad
    assert gradient is not None
    assert gradient[0] != 0
    assert (gradient[1:] == 0).all()
    lost = position_from_points({20: 5, 13: 10}, {1: 2}).reshape(1, 52)
    assert learner.loss(lost, other) == 0


def test_two_processes_step_like_one_on_the_joined_batch(tmp_path: Path) -> None:
    """Gradients averaged over two processes equal those of the joined batch."""
    worker = Path(__file__).parent / "two_process_step.py"
    paths = os.pathsep.join((str(ROOT), str(ROOT / "training")))
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": paths}
    command = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "2"]
    command += ["--standalone", str(worker), str(tmp_path / "two.npy")]
    subprocess.run(command, check=True, env=environment, timeout=180, capture_output=True)
    alone = tmp_path / "one.npy"
    subprocess.run([sys.executable, str(worker), str(alone)], check=True, env=environment)
    np.testing.assert_allclose(np.load(tmp_path / "two.npy"), np.load(alone), atol=2e-6)


def test_recipes_read_and_round_trip() -> None:
    assert set(packaged_recipes()) == {"expert", "quick"}
    for name, path in packaged_recipes().items():
        recipe = load_recipe(path)
        assert recipe.name == name
        assert recipe_from_table(recipe_table(recipe), str(path)) == recipe


def test_recipes_are_found_by_name_and_by_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    mine = tmp_path / "mine.toml"
    mine.write_text('name = "mine"\n[[stage]]\nkind = "td"\ngames = 1\n')
    assert find_recipe("mine.toml").resolve() == mine
    assert load_recipe(find_recipe("quick")).name == "quick"
    with pytest.raises(InputError, match=r"'slow' is neither .*\(expert, quick\) nor a file"):
        find_recipe("slow")
    result = CliRunner().invoke(app, ["--list"])
    assert result.exit_code == 0
    assert [line.split()[0] for line in result.output.splitlines()] == ["expert", "quick"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"stage": []}, "at least one"),
        ({"stage": [{"kind": "sgd"}]}, "stage 1: kind"),
        ({"stage": [{"kind": "td", "gamse": 3}]}, "stage 1: there is no setting 'gamse'"),
        ({"stage": [{"kind": "td"}]}, "stage 1.*games"),
        ({"selfplay": {"speed": 1}}, "selfplay: there is no setting 'speed'"),
        (
            {"stage": [{"kind": "fit", "cycles": 1, "labels": 1, "special": 3}]},
            "stage 1: special labels are tables",
        ),
        ({"selfplay": {"kinds": ["endgame"]}}, "selfplay: kinds: 'endgame' is none of back game"),
        (
            {"stage": [{"kind": "fit", "cycles": 1, "labels": 1, "special": [{"label": 9}]}]},
            "stage 1: special: there is no setting 'label'",
        ),
        (
            {
                "stage": [
                    {
                        "kind": "fit",
                        "cycles": 1,
                        "labels": 1,
                        "special": [{"name": "x", "labels": 9, "families": ["backgame"]}],
                    }
                ]
            },
            "stage 1: special: families: 'backgame' is none of",
        ),
    ],
)
def test_bad_recipes_are_refused_by_name(change: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        recipe_from_table({**TINY, **change}, "bad.toml")


def test_states_round_trip_and_damage_is_refused(tmp_path: Path) -> None:
    state = {"a": np.arange(3), "b": {"c": [np.ones((2, 2)), 5, "text", None]}, "d": 2**100}
    save_state(tmp_path / "s", state)
    back = load_state(tmp_path / "s")
    np.testing.assert_array_equal(back["a"], state["a"])
    np.testing.assert_array_equal(back["b"]["c"][0], np.ones((2, 2)))
    assert back["b"]["c"][1:] == [5, "text", None]
    assert back["d"] == 2**100
    content = (tmp_path / "s").read_bytes()
    rng = np.random.default_rng(1)
    for damaged in (b"", content[:40], content[:-3], rng.bytes(len(content)), b"{" * 99_999):
        (tmp_path / "s").write_bytes(damaged)
        with pytest.raises(InputError, match="not the state of a training run") as caught:
            load_state(tmp_path / "s")
        assert "\n" not in str(caught.value)
    (tmp_path / "s").write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    with pytest.raises(InputError, match="damaged"):
        load_state(tmp_path / "s")


def cut_off(folder: Path, rounds: int, **options: object) -> Run:
    """A run that is stopped after some more rounds."""
    run = tiny_run(folder, **options)
    run.limit_rounds = rounds
    assert not run.go()
    return run


@pytest.mark.parametrize("damage", [b"", b"\x00" * 64, None])
def test_a_damaged_state_falls_back_to_the_one_before(
    tmp_path: Path, damage: bytes | None, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):
        cut_off(tmp_path, 2)
    path = tmp_path / "state-0.safetensors"
    before = load_state(path.with_suffix(".previous"))["rounds"]
    path.write_bytes(path.read_bytes()[:-9] if damage is None else damage)
    assert tiny_run(tmp_path).rounds == before
    assert f"{path}: not the state of a training run" in capsys.readouterr().out
    path.with_suffix(".previous").write_bytes(b"x")
    with pytest.raises(InputError, match="not the state of a training run"):
        tiny_run(tmp_path)


def test_a_failed_save_loses_nothing_and_training_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cut_off(tmp_path, 2)
    kept = (tmp_path / "state-0.safetensors").read_bytes()

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileError, match="No space left"):
        cut_off(tmp_path, 4, save_minutes=0)
    assert capsys.readouterr().out.count("training goes on and will try again") == 3
    assert (tmp_path / "state-0.safetensors").read_bytes() == kept
    monkeypatch.undo()
    assert cut_off(tmp_path, 1).rounds == 3


class TwoProcesses:
    """The first process's words and both processes' wishes, for one process at a time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self.offers: object = None
        self.lacking = False
        self.count = 2
        monkeypatch.setattr(distributed, "told_by_the_first", self.tell)
        monkeypatch.setattr(distributed, "any_of", lambda *flags: flags)
        monkeypatch.setattr(distributed, "process_count", lambda: self.count)
        self.folder = folder

    def tell(self, value: object) -> object:
        if self.rank == 0:
            self.offers = value
        return self.offers

    def run(self, rank: int, rounds: int) -> Run:
        self.rank = rank
        run = tiny_run(self.folder, rank=rank)
        run.limit_rounds = rounds
        if rounds:
            run.go()
        return run


def test_a_run_goes_on_with_any_number_of_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two, one, two: the one that left and came back begins where the first one is."""
    both = TwoProcesses(monkeypatch, tmp_path)
    monkeypatch.setattr("bgai_training.td.total", float)
    monkeypatch.setattr("bgai_training.fit.total", float)
    for rank in (0, 1):
        assert both.run(rank, 4).rounds == 4
    both.count = 1
    assert both.run(0, 5).rounds == 9
    both.count = 2
    first = both.run(0, 0)
    assert first.rounds == 9
    second = both.run(1, 0)
    assert (second.rounds, second.joined) == (9, 9)
    for name, array in arrays_of(first.current()[0]).items():
        np.testing.assert_array_equal(array, arrays_of(second.current()[0])[name])
    assert first.runner is not None
    assert second.runner is not None
    assert (first.runner.games.rows != second.runner.games.rows).any()


def test_two_runs_in_one_folder(tmp_path: Path) -> None:
    claim = Claim(tmp_path)
    command = [sys.executable, "-m", "bgai_training", "quick", "--folder", str(tmp_path)]
    paths = os.pathsep.join((str(ROOT), str(ROOT / "training")))
    result = subprocess.run(
        command,
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    claim.release()
    assert result.returncode == 2
    assert result.stderr == f"error: {tmp_path} is in use by another program\n"
