"""Bear-off tables against slow twins, hand-made values and the move generator."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from bgai import folders
from bgai.errors import InputError
from bgai.evaluation import bearoff, bearoff_kernels
from bgai.evaluation.bearoff import BearoffEvaluator, bearoff_chances, in_bearoff, side_summary
from bgai.rules.dice import ROLL_CHANCES, ROLLS
from bgai.rules.legal_plays import legal_plays, legal_plays_batch
from bgai.rules.position import position_from_points, starting_position


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20)


Points = tuple[int, ...]  # checkers on points 1-6


def plays_by_hand(points: Points, dice: tuple[int, ...]) -> set[Points]:
    """Every position after the dice, all orders tried; bearing off without contact."""
    if not dice or not any(points):
        return {points}
    found: set[Points] = set()
    for i, die in enumerate(dice):
        for point in range(1, 7):
            if not points[point - 1] or (point < die and any(points[point:])):
                continue
            after = list(points)
            after[point - 1] -= 1
            if point > die:
                after[point - die - 1] += 1
            found |= plays_by_hand(tuple(after), dice[:i] + dice[i + 1 :])
    return found


def dice_of(roll: tuple[int, int]) -> tuple[int, ...]:
    return roll * 2 if roll[0] == roll[1] else roll


@cache
def rolls_by_hand(points: Points, first_checker: bool = False) -> tuple[float, ...]:
    """Distribution of rolls needed, playing for the least mean."""
    if sum(points) < 15 if first_checker else not any(points):
        return (1.0,)
    total = np.zeros(40)
    for chance, roll in zip(ROLL_CHANCES, ROLLS, strict=True):
        each = [
            rolls_by_hand(after, first_checker) for after in plays_by_hand(points, dice_of(roll))
        ]
        best = min(each, key=lambda one: float(np.arange(len(one)) @ np.array(one)))
        total[1 : 1 + len(best)] += chance * np.array(best)
    return tuple(np.trim_zeros(total, "b"))


@cache
def wins_by_hand(mine: Points, theirs: Points) -> float:
    if not any(mine) or not any(theirs):
        return 1.0 if not any(mine) else 0.0
    total = 0.0
    for chance, roll in zip(ROLL_CHANCES, ROLLS, strict=True):
        plays = plays_by_hand(mine, dice_of(roll))
        total += chance * max(1 - wins_by_hand(theirs, after) for after in plays)
    return total


def position_of(mine: Points, theirs: Points) -> np.ndarray:
    return position_from_points(
        {i + 1: count for i, count in enumerate(mine) if count},
        {i + 1: count for i, count in enumerate(theirs) if count},
    )


def random_homes(rng: np.random.Generator, count: int, most: int = 15) -> list[Points]:
    return [
        tuple(int(n) for n in rng.multinomial(rng.integers(1, most + 1), np.ones(6) / 6))
        for _ in range(count)
    ]


@pytest.mark.parametrize(("checkers", "size"), [(15, 54264), (6, 924)])
def test_ranks_are_a_bijection_in_lexicographic_order(checkers: int, size: int) -> None:
    side = np.zeros(26, dtype=np.int64)
    before: tuple[int, ...] = ()
    for rank in range(0, size, 7 if size > 1000 else 1):
        bearoff_kernels.home_unrank(rank, checkers, side)
        assert bearoff_kernels.home_rank(side, checkers) == rank
        now = tuple(side[6:0:-1])
        assert before < now
        before = now
    assert bearoff_kernels.home_rank(side, 3) == -1


def test_rank_of_a_side_that_is_not_home() -> None:
    side = starting_position()[0]
    assert bearoff_kernels.home_rank(side, 15) == -1


def test_plays_are_those_of_the_move_generator(rng: np.random.Generator) -> None:
    ranks = np.empty(512, dtype=np.int64)
    for points in random_homes(rng, 25):
        position = position_of(points, (1, 0, 0, 0, 0, 0))
        for roll in ROLLS:
            side = position[0].astype(np.int64)
            count = bearoff_kernels.home_plays(side, *roll, 15, ranks)
            assert (side == position[0]).all()
            expected = {
                bearoff_kernels.home_rank(after[1], 15) for after in legal_plays(position, roll)
            }
            assert set(ranks[:count].tolist()) == expected


@pytest.mark.parametrize(
    "points", [(1, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 1), (2, 0, 0, 1, 0, 1), (0, 0, 1, 2, 0, 1)]
)
def test_distribution_by_hand(points: Points) -> None:
    summary = side_summary(position_of(points, (1, 0, 0, 0, 0, 0))[0])
    expected = rolls_by_hand(points)
    np.testing.assert_allclose(summary.distribution, expected, atol=1e-6)
    assert summary.mean_rolls == pytest.approx(np.arange(len(expected)) @ np.array(expected))
    assert summary.effective_pips == pytest.approx(summary.mean_rolls * 49 / 6)
    assert summary.first.tolist() == [1.0]


def test_first_checker_by_hand() -> None:
    points = (0, 12, 0, 0, 0, 3)
    summary = side_summary(position_of(points, (1, 0, 0, 0, 0, 0))[0])
    np.testing.assert_allclose(summary.first, rolls_by_hand(points, True), atol=1e-6)


def test_one_checker_on_the_six_point_each() -> None:
    # 27 of 36 rolls bear off at once, and the other side's the same; otherwise next roll
    chances = bearoff_chances(position_of((0, 0, 0, 0, 0, 1), (0, 0, 0, 0, 0, 1))[None])[0]
    np.testing.assert_allclose(chances, [0.75 + 0.25 * 0.25, 0, 0, 0, 0], atol=1e-6)


def test_two_sided_by_hand() -> None:
    for mine, theirs in [
        ((1, 0, 0, 0, 1, 0), (0, 1, 0, 0, 0, 1)),
        ((0, 0, 0, 0, 1, 1), (2, 1, 0, 0, 0, 0)),
        ((0, 1, 0, 0, 1, 0), (0, 0, 0, 1, 0, 1)),
    ]:
        chances, kinds = bearoff.bearoff_chances_and_kinds(position_of(mine, theirs)[None])
        assert kinds.tolist() == [2]
        assert chances[0, 0] == pytest.approx(wins_by_hand(mine, theirs), abs=1e-6)


def test_one_sided_pairs_are_close_to_exact(rng: np.random.Generator) -> None:
    tables = bearoff.load_bearoff_tables()
    homes = random_homes(rng, 400, 6)
    positions = np.stack([position_of(*pair) for pair in zip(homes[::2], homes[1::2], strict=True)])
    exact = bearoff_chances(positions)[:, 0]
    paired = np.zeros((len(positions), 5), dtype=np.float32)
    for row, position in zip(paired, positions, strict=True):
        ranks = [bearoff_kernels.home_rank(side, 15) for side in position]
        bearoff_kernels.pair_chances(*ranks, tables.tails, tables.first_tails, row)
    error = np.abs(paired[:, 0] - exact)
    assert error.max() < 0.015
    assert error.mean() < 0.002


def test_gammons_only_while_no_checker_is_off() -> None:
    full, few = (3, 3, 3, 2, 2, 2), (1, 1, 0, 0, 0, 0)
    winning, losing, both_full, both_off = bearoff_chances(
        np.stack(
            [
                position_of(few, full),
                position_of(full, few),
                position_of(full, full),
                position_of((3, 3, 3, 2, 2, 1), few),
            ]
        )
    )
    # two checkers on low points go off with any roll: the other side never rolls
    np.testing.assert_allclose(winning, [1, 1, 0, 0, 0], atol=1e-6)
    # every roll bears a checker off from here
    assert losing[3] == 0
    assert both_full[1] == 0 == both_full[3]
    assert (both_off[1:] == 0).all()


def test_losing_a_gammon_by_hand() -> None:
    # 15 checkers on the six point fail to bear one off with 19 of 36 rolls, then lose at once
    position = position_of((0, 0, 0, 0, 0, 15), (2, 0, 0, 0, 0, 0))
    chances = bearoff_chances(position[None])[0]
    np.testing.assert_allclose(chances, [0, 0, 0, 19 / 36, 0], atol=1e-6)


def test_mean_over_rolls_of_best_play_is_the_win_chance(rng: np.random.Generator) -> None:
    """One roll of lookahead over the exact table gives the table again."""
    homes = random_homes(rng, 40, 6)
    for mine, theirs in zip(homes[::2], homes[1::2], strict=True):
        position = position_of(mine, theirs)
        after, offsets = legal_plays_batch(
            np.repeat(position[None], 21, axis=0), np.array(ROLLS, dtype=np.int8)
        )
        wins = 1 - np.where((after[:, 1, 0] == 15), 0, np.nan_to_num(bearoff_chances(after)[:, 0]))
        best = np.maximum.reduceat(wins, offsets[:-1])
        assert best @ ROLL_CHANCES == pytest.approx(
            float(bearoff_chances(position[None])[0, 0]), abs=1e-5
        )


def test_mask_and_other_positions() -> None:
    home = position_of((1, 2, 3, 0, 0, 0), (0, 1, 0, 0, 0, 0))
    over = home.copy()
    over[1] = 0
    over[1, 0] = 15
    positions = np.stack([starting_position(), home, over])
    assert in_bearoff(positions).tolist() == [False, True, False]
    assert np.isnan(bearoff_chances(positions)[:, 0]).tolist() == [True, False, True]
    with pytest.raises(InputError, match="position 0"):
        BearoffEvaluator().evaluate(positions)
    with pytest.raises(InputError, match="point 24"):
        side_summary(starting_position()[0])


def test_a_damaged_table_is_built_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(folders.CACHE_DIR_VARIABLE, str(tmp_path))
    bearoff.load_bearoff_tables.cache_clear()
    good = {key: value.copy() for key, value in bearoff.load_bearoff_tables()._asdict().items()}
    [file] = tmp_path.glob("*.safetensors")
    data = bytearray(file.read_bytes())
    for damaged in (bytes(data[: len(data) // 2]), bytes(data[:-1]) + bytes([data[-1] ^ 64]), b""):
        file.unlink()
        file.write_bytes(damaged)
        bearoff.load_bearoff_tables.cache_clear()
        tables = bearoff.load_bearoff_tables()
        for key, value in good.items():
            np.testing.assert_array_equal(getattr(tables, key), value)
    bearoff.load_bearoff_tables.cache_clear()
