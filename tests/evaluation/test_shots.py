"""Shots against the rules: which rolls can really hit."""

import numpy as np
import pytest
from bgai_training.starts import random_positions

from bgai.evaluation.encoding import input_rows
from bgai.evaluation.input_slots import FIRST_SHOTS, ZONES
from bgai.rules.dice import ROLLS
from bgai.rules.legal_plays import legal_plays
from bgai.rules.position import BAR, Positions, position_from_points

ZONE_OF = np.repeat([0, 1, 2], [7, 12, 6])[:BAR]  # of a point in the hitter's numbering


def shots_by_the_rules(position: Positions) -> np.ndarray:
    """Rolls of 36 with a legal play that hits, ``(ZONES,)``, for the player on roll."""
    counts = np.zeros(ZONES, dtype=int)
    blots = [point for point in range(1, BAR) if position[1, BAR - point] == 1]
    for roll in ROLLS:
        after = legal_plays(position, roll)  # the opponent, hit or not, is now first
        hit = {
            ZONE_OF[point]
            for point in blots
            if (after[:, 0, BAR - point] == 0).any()
            and (after[after[:, 0, BAR - point] == 0][:, 0, BAR] > position[1, BAR]).any()
        }
        for zone in hit:
            counts[zone] += 1 if roll[0] == roll[1] else 2
    return counts


def counted(position: Positions) -> np.ndarray:
    """The same in threes from the inputs."""
    return input_rows(position[None])[0, FIRST_SHOTS : FIRST_SHOTS + ZONES].astype(int)


@pytest.mark.parametrize(
    ("mine", "theirs", "threes"),
    [
        ({6: 2}, {20: 1, 10: 2}, [4, 0, 0]),  # a direct shot one point away: 11 of 36
        ({24: 1}, {12: 1, 3: 2}, [0, 1, 0]),  # eleven away: 6-5 alone, 2 of 36
        ({25: 1}, {4: 1}, [0, 0, 5]),  # from the bar with a four: 11, 3-1, 1-1, 2-2: 15
        ({6: 2, 5: 2}, {12: 1, 10: 2}, [0, 0, 0]),  # behind, out of reach
    ],
)
def test_shots_by_hand(mine: dict[int, int], theirs: dict[int, int], threes: list[int]) -> None:
    position = position_from_points(mine, theirs)
    assert [(n + 2) // 3 for n in shots_by_the_rules(position)] == counted(position).tolist()


def test_shots_agree_with_the_rules_in_play() -> None:
    rows = random_positions(np.random.default_rng(3), 400, 60).reshape(-1, 2, 26)
    wrong = 0
    for position in rows:
        expected = [(n + 2) // 3 for n in shots_by_the_rules(position)]
        wrong += expected != counted(position).tolist()
    assert wrong <= 0.06 * len(rows)  # rolls that can't be played whole in that way


def test_the_opponents_shots_are_those_after_changing_sides() -> None:
    rows = random_positions(np.random.default_rng(4), 300, 60).reshape(-1, 2, 26)
    here = input_rows(rows)[:, FIRST_SHOTS : FIRST_SHOTS + 2 * ZONES]
    there = input_rows(np.ascontiguousarray(rows[:, ::-1]))[
        :, FIRST_SHOTS : FIRST_SHOTS + 2 * ZONES
    ]
    np.testing.assert_array_equal(here[:, :ZONES], there[:, ZONES : 2 * ZONES])
    np.testing.assert_array_equal(here[:, ZONES:], there[:, :ZONES])
