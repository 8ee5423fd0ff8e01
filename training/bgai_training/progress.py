"""What a stage reports after each round."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray


@dataclass
class Progress:
    """``done`` of ``of`` units of the stage, games so far, scalars for the log."""

    stage: str
    done: int
    of: int
    games: int
    scalars: dict[str, float] = field(default_factory=dict)
    results: NDArray[np.int64] | None = None
    milestone: bool = False
    """A good moment to save and to measure the networks."""
