"""Families sort positions as their names say, and agree for both players."""

import numpy as np
import pytest
from bgai_training.families import Family, family_numbers, of_families
from bgai_training.starts import random_positions, rare_positions

from bgai.analysis.plans import Plan, plan_of
from bgai.rules.position import SLOTS, position_from_points, starting_position

ORDER = list(Family)


@pytest.mark.parametrize(
    ("mine", "theirs", "family"),
    [
        ({6: 5, 8: 3, 13: 5, 24: 2}, {6: 5, 8: 3, 13: 5, 24: 2}, Family.OPENING),
        ({24: 2, 22: 2, 13: 5, 8: 3, 6: 3}, {8: 3, 7: 2, 6: 4, 5: 3, 4: 3}, Family.BACK_GAME),
        ({24: 2, 6: 5, 5: 4, 4: 4}, {6: 4, 5: 4, 4: 4, 3: 3}, Family.ACE_POINT),
        ({25: 1, 3: 5, 2: 4}, dict.fromkeys(range(1, 8), 2) | {13: 1}, Family.CONTAINMENT),
        ({25: 1, 5: 5, 4: 5, 3: 4}, dict.fromkeys(range(1, 8), 2) | {8: 1}, Family.CLOSE_OUT),
        ({1: 8, 2: 4, 3: 3}, {12: 5, 11: 5, 10: 5}, Family.STACKED_RACE),
        ({6: 5, 8: 5, 9: 5}, {12: 5, 11: 5, 10: 5}, Family.LONG_RACE),
        ({6: 5, 5: 5}, {4: 5, 3: 5}, Family.RACE),
        (
            {4: 2, 5: 2, 6: 2, 7: 2, 13: 5, 24: 2},
            {4: 2, 5: 2, 6: 2, 7: 2, 13: 5, 24: 2},
            Family.PRIME_AGAINST_PRIME,
        ),
        ({20: 2, 6: 5, 8: 4, 13: 4}, {6: 5, 8: 5, 13: 5}, Family.HOLDING),
    ],
)
def test_families_by_hand(mine: dict[int, int], theirs: dict[int, int], family: Family) -> None:
    position = position_from_points(mine, theirs)
    both = np.stack([position, position[::-1]])
    assert [ORDER[n] for n in family_numbers(both)] == [family, family]
    assert of_families(both, (family,)).all()
    assert not of_families(both, tuple(f for f in Family if f is not family)).any()


def test_families_are_the_same_for_both_players_and_refine_the_plans() -> None:
    rng = np.random.default_rng(5)
    rows = np.concatenate([random_positions(rng, 500, 80), rare_positions(rng, 500)])
    positions = rows.reshape(-1, 2, SLOTS)
    numbers = family_numbers(rows)
    np.testing.assert_array_equal(numbers, family_numbers(positions))
    turned = np.ascontiguousarray(positions[:, ::-1])
    np.testing.assert_array_equal(numbers, family_numbers(turned))
    races = {Family.STACKED_RACE, Family.LONG_RACE, Family.RACE}
    for position, number in zip(positions, numbers, strict=True):
        plan, family = plan_of(position), ORDER[number]
        assert (plan is Plan.RACE) == (family in races)
        if family is Family.BACK_GAME:
            assert plan is Plan.BACK_GAME
        if family is Family.BLITZ:
            assert plan in (Plan.BLITZ, Plan.CRASHED)
    assert ORDER[int(family_numbers(starting_position()[None])[0])] is Family.OPENING
