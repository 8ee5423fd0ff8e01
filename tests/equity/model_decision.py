"""The cube decision by the model alone, for tests."""

import numpy as np
from numpy.typing import NDArray

from bgai.equity.cube_action import CubeDecision, cube_decision
from bgai.equity.cubeful import cube_equities
from bgai.equity.stakes import Stakes

Floats = NDArray[np.float64]


def model_decision(
    chances: NDArray[np.floating], stakes: Stakes, efficiency: Floats
) -> CubeDecision:
    """The decision by the model alone (0-ply) for one row of chances ``(5,)``."""
    equities = cube_equities(chances[None], stakes, efficiency)
    wait, taken, passed = (float(array[0]) for array in equities)
    return cube_decision((wait, taken, passed), stakes, chances, efficiency)
