"""The move generator against the rules' reference values, other engines and its slow twin."""

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from random_positions import KINDS, random_position
from slow_legal_plays import Board, slow_legal_plays

from bgai.notation.position_id import format_position_id, parse_position_id
from bgai.rules.dice import ROLLS, Roll, roll_dice, roll_of
from bgai.rules.legal_plays import has_legal_play, legal_plays, legal_plays_batch
from bgai.rules.position import (
    Positions,
    check_position,
    pip_counts,
    position_from_points,
    starting_position,
)

GOLDEN = Path(__file__).parent.parent / "golden" / "plays.jsonl"

# Distinct positions after each first roll (rules.md, reference values).
FIRST_ROLLS = {
    21: 15, 31: 16, 32: 17, 41: 14, 42: 18, 43: 17, 51: 8, 52: 8, 53: 9, 54: 9, 61: 10,
    62: 14, 63: 14, 64: 14, 65: 7, 11: 42, 22: 75, 33: 73, 44: 52, 55: 4, 66: 11,
}  # fmt: skip

TWIN_POSITIONS = 21_000


def as_board(position: Positions) -> Board:
    return tuple(position[0].tolist()), tuple(position[1].tolist())


def boards(after: Positions) -> list[Board]:
    return [as_board(each) for each in after]


def twin_agrees(position: Positions, roll: Roll, after: Positions) -> bool:
    """Same results, and none of them twice."""
    fast = boards(after)
    return len(fast) == len(set(fast)) and set(fast) == slow_legal_plays(as_board(position), roll)


@pytest.mark.parametrize(("roll", "count"), FIRST_ROLLS.items())
def test_first_rolls(roll: int, count: int) -> None:
    assert len(legal_plays(starting_position(), roll_of(*divmod(roll, 10)))) == count


def test_second_rolls() -> None:
    opened = {
        each.tobytes(): each
        for roll in ROLLS
        if not roll.is_double
        for each in legal_plays(starting_position(), roll)
    }
    assert len(opened) == 175
    positions = np.repeat(np.stack(list(opened.values())), len(ROLLS), axis=0)
    rolls = np.tile(np.array(ROLLS, dtype=np.int8), (len(opened), 1))
    after, offsets = legal_plays_batch(positions, rolls)
    # A play always moves a checker here: no reply to a first roll is a lost turn.
    assert len(after) == offsets[-1] == 82_270


def test_golden_plays() -> None:
    rows = [json.loads(line) for line in GOLDEN.read_text().splitlines()]
    assert len(rows) == 1_500
    for row in rows:
        position = parse_position_id(row["id"])
        after = legal_plays(position, roll_of(*row["dice"]))
        found = sorted(format_position_id(each) for each in after)
        assert (found if has_legal_play(position, after) else []) == row["next"], row


@pytest.mark.parametrize("kind", KINDS)
def test_slow_twin_agrees(kind: str) -> None:
    rng = np.random.default_rng([8, KINDS.index(kind)])
    count = TWIN_POSITIONS // len(KINDS)
    positions = np.stack([random_position(rng, kind) for _ in range(count)])
    rolls = roll_dice(rng, count)
    after, offsets = legal_plays_batch(positions, rolls)
    for i in range(count):
        check_position(positions[i])
        roll = roll_of(*rolls[i].tolist())
        results = after[offsets[i] : offsets[i + 1]]
        assert twin_agrees(positions[i], roll, results), (kind, positions[i], roll)


def test_random_positions_hold_every_special_case() -> None:
    rng = np.random.default_rng(9)
    positions = np.stack([random_position(rng, KINDS[i % len(KINDS)]) for i in range(2_000)])
    after, offsets = legal_plays_batch(positions, roll_dice(rng, 2_000))
    bounds = enumerate(pairwise(offsets))
    lost = [not has_legal_play(positions[i], after[a:b]) for i, (a, b) in bounds]
    assert sum(lost) > 50
    assert (positions[:, 0, 25] > 1).sum() > 100
    assert (after[:, 0, 25] > positions.repeat(np.diff(offsets), axis=0)[:, 1, 25]).sum() > 500
    assert (after[:, 1, 0] > positions.repeat(np.diff(offsets), axis=0)[:, 0, 0]).sum() > 500


@pytest.mark.parametrize("roll", [Roll(3, 1), Roll(2, 2)])
def test_order_of_the_dice_is_irrelevant(roll: Roll) -> None:
    rng = np.random.default_rng(3)
    for kind in KINDS:
        position = random_position(rng, kind)
        one, _ = legal_plays_batch(position[None], np.array([roll], dtype=np.int8))
        other, _ = legal_plays_batch(position[None], np.array([roll[::-1]], dtype=np.int8))
        assert set(boards(one)) == set(boards(other))


def test_batch_is_the_same_as_one_by_one() -> None:
    rng = np.random.default_rng(4)
    positions = np.stack([random_position(rng, KINDS[i % len(KINDS)]) for i in range(300)])
    rolls = roll_dice(rng, 300)
    after, offsets = legal_plays_batch(positions, rolls)
    assert offsets[0] == 0
    assert offsets[-1] == len(after)
    for i in range(300):
        single = legal_plays(positions[i], roll_of(*rolls[i].tolist()))
        assert np.array_equal(single, after[offsets[i] : offsets[i + 1]])


def test_plays_keep_checkers_and_lower_pips() -> None:
    rng = np.random.default_rng(5)
    positions = np.stack([random_position(rng, KINDS[i % len(KINDS)]) for i in range(700)])
    before = positions.copy()
    rolls = roll_dice(rng, 700)
    after, offsets = legal_plays_batch(positions, rolls)
    assert np.array_equal(positions, before)
    assert (after.sum(axis=-1) == 15).all()
    mover_before = pip_counts(positions).repeat(np.diff(offsets), axis=0)[:, 0]
    most = np.where(rolls[:, 0] == rolls[:, 1], 4 * rolls[:, 0], rolls.sum(axis=1))
    spent = mover_before - pip_counts(after)[:, 1]
    assert (spent >= 0).all()
    assert (spent <= most.repeat(np.diff(offsets))).all()


def test_empty_batch() -> None:
    after, offsets = legal_plays_batch(
        np.zeros((0, 2, 26), dtype=np.int8), np.zeros((0, 2), dtype=np.int8)
    )
    assert after.shape == (0, 2, 26)
    assert offsets.tolist() == [0]


def rest_off(points: dict[int, int], blocks: dict[int, int]) -> Positions:
    """Mover on ``points``; enemy checkers on ``blocks``, also in the mover's numbering."""
    return position_from_points(points, {25 - point: count for point, count in blocks.items()})


# Position, roll, and what the mover has on the board after each legal play.
CORNERS = {
    "only 24/19": (rest_off({24: 1}, {16: 2}), (5, 3), [{19: 1}]),
    "both off": (rest_off({4: 1, 2: 1}, {}), (6, 5), [{}]),
    "three of four fives": (rest_off({6: 1, 3: 1}, {}), (5, 5), [{}]),
    "one enters": (rest_off({25: 2}, {22: 2}), (3, 1), [{25: 1, 24: 1}]),
    "hit, then off": (rest_off({2: 1}, {1: 1}), (2, 1), [{}]),
    "no entry": (rest_off({25: 1, 6: 2}, {22: 2, 24: 3}), (3, 1), [{25: 1, 6: 2}]),
    "no entry with a double": (rest_off({25: 1}, {20: 2}), (5, 5), [{25: 1}]),
    "higher die if either but not both": (rest_off({13: 1}, {4: 2}), (6, 3), [{7: 1}]),
    "lower die if only that": (rest_off({13: 1}, {7: 2, 4: 2}), (6, 3), [{10: 1}]),
    "the order that plays both": (rest_off({13: 1}, {7: 2}), (6, 3), [{4: 1}]),
    "not home, so no bearing off": (rest_off({7: 1, 1: 1}, {6: 2}), (1, 1), [{7: 1, 1: 1}]),
    "home first, then off": (rest_off({7: 1, 2: 1}, {}), (2, 1), [
        {6: 1}, {5: 1, 1: 1}, {4: 1, 2: 1},
    ]),
    "gap: the higher checker moves": (rest_off({6: 1, 1: 1}, {}), (5, 2), [{1: 1}]),
    "off from the highest": (rest_off({3: 2}, {}), (6, 5), [{}]),
}  # fmt: skip


@pytest.mark.parametrize("name", CORNERS)
def test_corner_cases(name: str) -> None:
    position, roll, wanted = CORNERS[name]
    after = legal_plays(position, roll_of(*roll))
    assert twin_agrees(position, roll_of(*roll), after)
    found = [{s: int(each[1, s]) for s in range(1, 26) if each[1, s]} for each in after]
    key = sorted(map(sorted, (each.items() for each in found)))
    assert key == sorted(map(sorted, (each.items() for each in wanted)))


def test_a_hit_on_the_last_move_counts() -> None:
    position, roll, _ = CORNERS["hit, then off"]
    (after,) = legal_plays(position, roll_of(*roll))
    assert after[0, 25] == 1  # the enemy blot is on the bar
    assert after[1, 0] == 15
