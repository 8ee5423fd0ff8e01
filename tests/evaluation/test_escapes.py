"""Escapes against moving a checker by hand."""

import numpy as np
import pytest
from bgai_training.starts import random_positions, rare_positions

from bgai.evaluation.encoding import input_rows
from bgai.evaluation.input_slots import ESCAPES, FIRST_ESCAPES
from bgai.rules.dice import ROLLS
from bgai.rules.position import BAR, Positions, position_from_points


def escapes(position: Positions, point: int) -> int:
    """Rolls of 36 that the player on roll's checker on ``point`` could play whole."""

    def free(place: int) -> bool:
        return place < 1 or position[1, BAR - place] < 2

    count = 0
    for high, low in ROLLS:
        whole = free(point - high - low)
        if whole and (free(point - high) or free(point - low)):
            count += 1 if high == low else 2
    return count


def counts_by_hand(position: Positions) -> list[int]:
    held = [point for point in range(BAR, 0, -1) if position[0, point]]
    firsts = [escapes(position, point) for point in held[:2]]
    further = {point: escapes(position, point) for point in range(13, BAR + 1)}
    ahead = [count for point, count in further.items() if held and point <= held[0]]
    firsts += [0] * (2 - len(firsts))
    return [*firsts, min(further.values()), min(ahead, default=36)]


def in_threes(counts: list[int]) -> list[int]:
    return [(count + 2) // 3 for count in counts]


def found(position: Positions) -> list[int]:
    inputs: list[int] = input_rows(position[None])[0, FIRST_ESCAPES:][:ESCAPES].tolist()
    return inputs


@pytest.mark.parametrize(
    ("mine", "theirs", "counts"),
    [
        # Two points behind a full prime: 1-1 alone can be played, by moving up to it.
        ({24: 2, 6: 2}, dict.fromkeys(range(4, 10), 2), [1, 36, 0, 0]),
        # At the edge of a five-prime: every six but 6-6, which lands on the other's midpoint.
        ({24: 1}, {**dict.fromkeys(range(2, 7), 2), 13: 2}, [10, 0, 2, 10]),
        ({24: 2}, {6: 5}, [31, 0, 30, 31]),  # five away: not 4-1, 3-2 and 5-5
        ({12: 2}, {6: 5, 8: 3}, [36, 0, 24, 36]),  # past everything
    ],
)
def test_escapes_by_hand(mine: dict[int, int], theirs: dict[int, int], counts: list[int]) -> None:
    position = position_from_points(mine, theirs)
    assert found(position) == in_threes(counts_by_hand(position))
    assert counts_by_hand(position) == counts


def test_escapes_agree_with_the_slow_count() -> None:
    rng = np.random.default_rng(3)
    rows = np.concatenate([random_positions(rng, 600, 60), rare_positions(rng, 400)])
    for position in rows.reshape(-1, 2, 26):
        assert found(position) == in_threes(counts_by_hand(position))


def test_the_opponents_escapes_are_those_after_changing_sides() -> None:
    rows = random_positions(np.random.default_rng(4), 300, 60).reshape(-1, 2, 26)
    here = input_rows(rows)[:, FIRST_ESCAPES : FIRST_ESCAPES + 2 * ESCAPES]
    there = input_rows(np.ascontiguousarray(rows[:, ::-1]))[:, FIRST_ESCAPES:]
    np.testing.assert_array_equal(here[:, :ESCAPES], there[:, ESCAPES : 2 * ESCAPES])
    np.testing.assert_array_equal(here[:, ESCAPES:], there[:, :ESCAPES])
