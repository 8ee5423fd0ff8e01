"""Cube efficiency: the packaged table, its reading, and the model it makes on exact bear-offs."""

from itertools import pairwise

import numpy as np
import pytest

from bgai.equity.bearoff_cube import COLUMN, exact_equities
from bgai.equity.cubeful import model_worths
from bgai.equity.efficiency import cube_efficiency, efficiency_table
from bgai.equity.stakes import money_stakes
from bgai.evaluation.bearoff import bearoff_chances
from bgai.rules.cube import Cube, CubeOwner
from bgai.rules.position import CHECKERS, position_from_points, starting_position


def _race(pips: int) -> np.ndarray:
    """A race with both sides on the same points, the pips those of one side."""
    high, low = divmod(pips, CHECKERS)
    return position_from_points({high + 1: low, high: CHECKERS - low}, {1: CHECKERS})


def test_values_at_the_knots_and_between() -> None:
    table = efficiency_table()
    positions = np.stack([_race(int(pips)) for pips in table.race_pips[4:7]])
    for j, win in enumerate(table.wins):
        chances = np.tile([win, 0, 0, 0, 0], (len(positions), 1))
        np.testing.assert_allclose(cube_efficiency(positions, chances), table.race[4:7, j])
    between = np.tile([table.wins[:2].mean(), 0, 0, 0, 0], (len(positions), 1))
    expected = table.race[4:7, :2].mean(axis=1)
    np.testing.assert_allclose(cube_efficiency(positions, between), expected)


def test_contact_and_ends() -> None:
    table = efficiency_table()
    positions = np.stack([starting_position(), _race(15), _race(150)])
    low = cube_efficiency(positions, np.zeros((3, 5)))
    np.testing.assert_allclose(low[0], table.contact[0])
    np.testing.assert_allclose(low[2], table.race[-1, 0])
    high = cube_efficiency(positions, np.ones((3, 5)))
    np.testing.assert_allclose(high[2], table.race[-1, -1])
    assert (low > 0).all()


@pytest.mark.parametrize("owner", list(CubeOwner))
def test_the_fit_is_closer_to_exact_bearoffs_than_two_thirds(owner: CubeOwner) -> None:
    rng = np.random.default_rng(4)
    sides = [
        {int(p): int(n) for p, n in enumerate(rng.multinomial(6, [1 / 6] * 6), 1) if n}
        for _ in range(400)
    ]
    positions = np.stack([position_from_points(*pair) for pair in pairwise(sides)])
    chances = bearoff_chances(positions)
    exact = exact_equities(positions)[:, COLUMN[owner]]
    stakes = money_stakes(Cube(1, owner))

    def error(efficiency: np.ndarray) -> float:
        model = model_worths(chances, stakes, efficiency)[:, 0]
        return float(np.sqrt(np.mean((model - exact) ** 2)))

    assert error(cube_efficiency(positions, chances)) < 0.04
    assert error(cube_efficiency(positions, chances)) < error(np.full(3, 2 / 3))
