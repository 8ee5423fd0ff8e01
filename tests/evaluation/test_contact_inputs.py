"""Inputs of the cube network against the plainest possible counting."""

import numpy as np
import pytest
from bgai_training.starts import mixed_starts

from bgai.evaluation.contact_kernels import (
    CONTACT_INPUTS,
    CORNERS,
    SIDE_INPUTS,
    all_contact_inputs,
)
from bgai.rules.position import BAR, OFF, Positions, position_from_points, starting_position


def inputs_of(positions: Positions, chances: np.ndarray) -> np.ndarray:
    out = np.empty((len(positions), CONTACT_INPUTS), dtype=np.float32)
    all_contact_inputs(positions, chances.astype(np.float32), out)
    return out


def longest_prime(side: np.ndarray) -> int:
    made = "".join("x" if side[point] >= 2 else " " for point in range(1, 19))
    return max(len(run) for run in made.split(" "))


def side_by_hand(side: np.ndarray) -> list[float]:
    home, outfields, far = side[1:7], side[7:19], side[19:25]
    last = max((slot for slot in range(1, 26) if side[slot]), default=0)
    return [
        sum(slot * int(side[slot]) for slot in range(26)) / 100,
        side[BAR],
        side[OFF] / 5,
        far.sum(),
        (far >= 2).sum(),
        (home >= 2).sum(),
        (outfields >= 2).sum(),
        (home == 1).sum(),
        (outfields == 1).sum(),
        (far == 1).sum(),
        last / 10,
        side[13:19].sum(),
        longest_prime(side),
        side[1:4].sum() / 3,
    ]


def test_inputs_by_hand() -> None:
    rng = np.random.default_rng(6)
    positions = mixed_starts(rng, 2000, 0.7, 0.3, 90).reshape(-1, 2, 26)
    wins = rng.random(len(positions))
    chances = np.stack([wins, wins / 3, wins / 20, (1 - wins) / 4, (1 - wins) / 30], axis=1)
    found = inputs_of(positions, chances)
    for position, row, inputs in zip(positions, chances, found, strict=True):
        mine, theirs = side_by_hand(position[0]), side_by_hand(position[1])
        above = [max(row[0] - corner, 0) for corner in CORNERS]
        expected = [*row, *above, *mine, *theirs, mine[0] - theirs[0]]
        np.testing.assert_allclose(inputs, expected, atol=1e-5)


def test_the_start() -> None:
    found = inputs_of(starting_position()[None], np.full((1, 5), 0.5))[0]
    mine = found[5 + len(CORNERS) :][:SIDE_INPUTS]
    expected = [1.67, 0, 0, 2, 1, 1, 2, 0, 0, 0, 2.4, 5, 1, 0]
    assert mine.tolist() == pytest.approx(expected)


def test_a_checker_on_the_bar_is_the_last() -> None:
    position = position_from_points({BAR: 1, 3: 2}, {6: 4})
    mine = inputs_of(position[None], np.full((1, 5), 0.5))[0, 5 + len(CORNERS) :]
    assert mine[[1, 3, 10]].tolist() == pytest.approx([1, 0, 2.5])
