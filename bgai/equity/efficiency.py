"""Cube efficiency: how much of the live cube's worth a position lets one use.

The model takes this share of the live-cube worth and the rest of the dead one (0: the cube is
never turned again, 1: always at the perfect moment). In a race it follows from how many rolls
either side needs, how sure that number is and the winning chance: a small network, fitted to
exact races by ``scripts/fit_cube_efficiency.py``, whose weights are in
``data/race-efficiency.safetensors``. In contact another small network reads the chances and a
few numbers of the position; it is fitted by self-play to the evaluator that it serves, is kept
in that one's checkpoint and made by ``python -m bgai_training.cube``. A checkpoint without one
gets one number for each owner of the cube.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgai.equity.cubeful import Chances
from bgai.evaluation.bearoff import load_bearoff_tables
from bgai.evaluation.checkpoint import CUBE_ARRAYS
from bgai.evaluation.composite import SmallNetwork, position_classes
from bgai.rules.position import Positions

Floats = NDArray[np.float64]

CONTACT = (0.756, 0.743, 0.774)
"""Efficiency in contact of a cube centred, of the player on roll, of the opponent; fitted by
``scripts/fit_cube_efficiency.py`` to 144 rollouts of ``scripts/sample_cube_worths.py``."""
WASTE = 4
"""Pips a side that is not yet home wastes more than one checker running alone."""


@dataclass(frozen=True, eq=False)
class CubeModel:
    """What cube efficiency is read from: the networks of races and, if there is one, of contact."""

    race: SmallNetwork
    contact: SmallNetwork | None = None

    @cached_property
    def arrays(self) -> tuple[Any, ...]:
        """As the kernels take it; without a network of contact its arrays are empty."""
        contact = padded(self.contact) if self.contact else _no_network()
        return padded(self.race), side_features(), contact, np.array(CONTACT * 2)


def padded(network: SmallNetwork) -> SmallNetwork:
    """The same with inputs that are always 0, up to a whole number of vectors."""
    from bgai.equity.efficiency_kernels import VECTOR

    first, *rest = network
    filled = np.pad(first, ((0, 0), (0, -first.shape[1] % VECTOR)))
    return np.ascontiguousarray(filled), *rest


def _no_network() -> SmallNetwork:
    weights, biases = np.empty((0, 0), dtype=np.float32), np.empty(0, dtype=np.float32)
    return (weights, biases) * 3


def cube_model(contact: SmallNetwork | None = None) -> CubeModel:
    """The packaged network of races with a network of contact."""
    return CubeModel(_packaged_race(), contact)


@lru_cache(maxsize=1)
def _packaged_race() -> SmallNetwork:
    path = resources.files("bgai.equity") / "data" / "race-efficiency.safetensors"
    return small_network_of(path.read_bytes())


def small_network_of(data: bytes) -> SmallNetwork:
    """The network of a file's bytes."""
    from safetensors.numpy import load

    arrays = load(data)
    return tuple(arrays[name] for name in CUBE_ARRAYS)


@lru_cache(maxsize=1)
def side_features() -> NDArray[np.float32]:
    """Features ``(LONG_RACES + 54264, SIDE_FEATURES)`` of every side of a race.

    A side that is not home is taken for one checker with its pips and ``WASTE`` to go; it
    stands at its pips. Then the home positions by rank.
    """
    from bgai.equity import efficiency_kernels as kernels

    runner = one_checker_tails(kernels.LONG_RACES + WASTE)[WASTE:]
    tails = load_bearoff_tables().tails
    return np.concatenate([features_of(runner), features_of(tails)]).astype(np.float32)


def features_of(tails: NDArray[np.floating]) -> Floats:
    """Features ``(n, SIDE_FEATURES)`` from ``tails[:, t]``, the chances of t rolls or more."""
    later = tails[:, 1:].astype(np.float64)
    mean = later.sum(axis=1)
    square = (later * (2 * np.arange(1, tails.shape[1]) - 1)).sum(axis=1)
    deviation = np.sqrt(np.maximum(square - mean**2, 0))
    off = [1 - later[:, rolls] for rolls in (1, 2, 3)]
    return np.stack([np.log(np.maximum(mean, 1)), deviation, *off, mean], axis=1)


def one_checker_tails(longest: int) -> Floats:
    """Chances ``(longest, 64)`` of t rolls or more for one checker with that many pips to go.

    It moves by the full count of every roll.
    """
    tails = np.zeros((longest, 64))
    tails[:, 0] = 1
    for pips in range(1, longest):
        for high in range(1, 7):
            for low in range(1, 7):
                left = max(pips - (high + low) * (2 if high == low else 1), 0)
                tails[pips, 1:] += tails[left, :-1] / 36
    return tails


def cube_efficiency(
    positions: Positions, chances: Chances, model: CubeModel | None = None
) -> Floats:
    """Efficiency ``(n, 6)`` of a cube centred, of the player on roll, of the opponent.

    ``positions`` ``(n, 2, 26)``, ``chances`` ``(n, 5)`` of the same. The first three columns are
    for a cube that can go on being turned, the others for the last turn, after which nobody can:
    in contact they are the same. 0 where the game is over.
    """
    from bgai.equity import efficiency_kernels as kernels

    rows = np.ascontiguousarray(positions, dtype=np.int8)
    wide = np.ascontiguousarray(chances, dtype=np.float32)
    found = np.empty((len(rows), kernels.KINDS))
    arrays = (model or cube_model()).arrays
    kernels.efficiencies(rows, position_classes(rows), wide, arrays, found)
    return found
