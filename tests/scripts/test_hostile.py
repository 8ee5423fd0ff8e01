"""The drivers of ``scripts/hostile.py``, a few inputs each: nothing crashes, hangs or is lost."""

import importlib
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

from hostile import MODULES, all_drivers

FEW = {
    "kill -9 of a game": 1,
    "kill -9 of a training run": 1,
    "damaged checkpoints": 4,
    "damaged analyses": 4,
    "damaged .xg files": 10,
}
# These take a while and have tests of their own.
LONG = {"torchrun with 2, 1, 2 processes", "Ctrl-C in rollout, duel, analyse, best"}


@pytest.mark.parametrize(
    ("module", "name"),
    [(module, name) for module, name, _ in all_drivers() if name not in LONG],
    ids=lambda value: value.replace(" ", "-"),
)
def test_a_few_inputs_of_each_driver(module: str, name: str) -> None:
    driver = next(each[1] for each in importlib.import_module(module).drivers() if each[0] == name)
    outcome = driver(FEW.get(name, 40))
    assert outcome.tried >= FEW.get(name, 40)
    assert (outcome.crashes, outcome.hangs, outcome.wrong) == (0, 0, 0), outcome.notes


def test_every_module_has_drivers() -> None:
    assert {module for module, _, _ in all_drivers()} == set(MODULES)
