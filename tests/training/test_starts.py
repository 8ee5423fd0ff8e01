"""Starts of self-play games are legal positions of the kinds they claim."""

import numpy as np
import pytest
from bgai_training.families import Family, of_families
from bgai_training.starts import mixed_starts, random_positions, rare_positions

from bgai.evaluation.composite import PositionClass, position_classes
from bgai.rules.position import (
    check_position,
    has_contact,
    is_over,
    pip_counts,
    starting_position,
)


def test_rare_positions_are_legal_and_in_contact() -> None:
    positions = rare_positions(np.random.default_rng(1), 300).reshape(-1, 2, 26)
    for position in positions:
        check_position(position)
    assert has_contact(positions).all()
    assert not is_over(positions).any()
    # Both sides come to roll, and back games are among them: four and more in the far home.
    back = positions[:, :, 19:].sum(axis=-1)
    assert (back[:, 0] >= 4).any()
    assert (back[:, 1] >= 4).any()


def test_random_positions_are_legal() -> None:
    for position in random_positions(np.random.default_rng(2), 200, 60).reshape(-1, 2, 26):
        check_position(position)


def test_shares_and_seed() -> None:
    rows = mixed_starts(np.random.default_rng(3), 2000, 0.2, 0.1, 30)
    at_start = (rows == starting_position().reshape(52)).all(axis=1).mean()
    assert 0.66 < at_start < 0.74
    again = mixed_starts(np.random.default_rng(3), 2000, 0.2, 0.1, 30)
    np.testing.assert_array_equal(rows, again)


@pytest.mark.parametrize(
    ("kind", "family"),
    [
        ("back game", Family.BACK_GAME),
        ("closed out", Family.CLOSE_OUT),
        ("mutual back games", Family.MUTUAL_BACK_GAMES),
        ("snake", Family.SNAKE),
        ("late hit", Family.CONTAINMENT),
        ("ace-point", Family.ACE_POINT),
        ("primes", Family.PRIME_AGAINST_PRIME),
    ],
)
def test_kinds_of_rare_starts_are_mostly_of_their_family(kind: str, family: Family) -> None:
    rows = rare_positions(np.random.default_rng(4), 100, (kind,))
    assert has_contact(rows.reshape(-1, 2, 26)).all()
    for position in rows.reshape(-1, 2, 26):
        check_position(position)
    assert of_families(rows, (family,)).mean() > 0.6


def test_races_are_races_of_all_lengths_that_the_tables_do_not_know() -> None:
    positions = rare_positions(np.random.default_rng(5), 300, ("race",)).reshape(-1, 2, 26)
    for position in positions:
        check_position(position)
    assert not has_contact(positions).any()
    assert (position_classes(positions) == PositionClass.RACE).all()
    pips = pip_counts(positions)
    assert (pips < 40).any()
    assert (pips > 100).any()
    assert (positions[:, :, 1:].max(axis=2) >= 7).any()
