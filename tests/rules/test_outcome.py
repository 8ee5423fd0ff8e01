"""How a finished game counts."""

import numpy as np
import pytest

from bgai.rules.outcome import game_points
from bgai.rules.position import position_from_points, starting_position, swap_sides


@pytest.mark.parametrize(
    ("loser", "points"),
    [
        ({1: 14}, 1),
        ({25: 14}, 1),  # one off saves the gammon, even from the bar
        ({6: 15}, 2),
        ({18: 1, 6: 14}, 2),  # just outside the winner's home
        ({19: 1, 6: 14}, 3),
        ({24: 1, 6: 14}, 3),
        ({25: 1, 6: 14}, 3),
    ],
)
def test_points(loser: dict[int, int], points: int) -> None:
    won = position_from_points({}, loser)
    assert game_points(won) == points
    assert game_points(swap_sides(won)) == -points


def test_undecided_and_batches() -> None:
    won = position_from_points({}, {6: 15})
    batch = np.stack([starting_position(), won, swap_sides(won)])
    assert game_points(batch).tolist() == [0, 2, -2]
    assert game_points(batch.reshape(3, 1, 2, 26)).shape == (3, 1)
