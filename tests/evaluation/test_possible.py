"""No chance is given to a result that can't happen, none is kept from one that must."""

import numpy as np
import pytest

from bgai.evaluation.baseline import HandmadeEvaluator, NoisyEvaluator, RandomEvaluator
from bgai.evaluation.bearoff import bearoff_chances
from bgai.evaluation.checkpoint import load_checkpoint
from bgai.evaluation.composite import Composite
from bgai.evaluation.evaluator import Chances, Evaluator, finished_chances
from bgai.evaluation.inference import NetworkEvaluator
from bgai.evaluation.possible import certain_chances, possible_results
from bgai.rules.dice import ROLLS, roll_dice
from bgai.rules.legal_plays import legal_plays_batch
from bgai.rules.outcome import game_points
from bgai.rules.position import (
    Positions,
    has_contact,
    is_over,
    pip_counts,
    position_from_points,
    starting_position,
)

SINGLES, ANY = (-1, 1), (-3, 3)


@pytest.mark.parametrize(
    ("on_roll", "opponent", "results"),
    [
        ({13: 5, 8: 3, 6: 5, 24: 2}, {13: 5, 8: 3, 6: 5, 24: 2}, ANY),
        ({6: 10, 24: 1}, {6: 10, 24: 1}, SINGLES),  # both have checkers off
        ({6: 10, 24: 1}, {6: 14, 24: 1}, (-1, 3)),
        ({6: 14, 24: 1}, {6: 10, 24: 1}, (-3, 1)),
        ({7: 15}, {6: 15}, (-2, 2)),  # no contact: nobody is backgammoned from outside
        ({1: 2}, {25: 1, 6: 14}, (3, 3)),  # wins now
        ({1: 2}, {25: 1, 6: 13}, (1, 1)),
        ({2: 2}, {25: 1, 6: 14}, (-1, 3)),  # 2-1 may leave one, and then it may be hit
        ({1: 3}, {7: 1, 6: 14}, (1, 2)),  # two turns against one: the opponent may bear off
        ({1: 3}, {13: 15}, (2, 2)),
        ({1: 3}, {20: 1, 13: 14}, (2, 3)),
        ({1: 2}, {19: 1, 13: 14}, (3, 3)),
        ({13: 15}, {1: 2}, (-2, -2)),
        ({20: 5, 13: 10}, {1: 2}, (-3, -3)),
        ({20: 4, 13: 11}, {1: 2}, (-3, -2)),  # double sixes bring four away
        ({1: 13, 2: 2}, {1: 3}, (-1, -1)),  # every roll bears one off
        ({1: 13, 2: 2}, {1: 15}, SINGLES),
    ],
)
def test_results_by_the_rules(
    on_roll: dict[int, int], opponent: dict[int, int], results: tuple[int, int]
) -> None:
    lowest, highest = possible_results(position_from_points(on_roll, opponent)[None])
    assert (lowest[0], highest[0]) == results


def test_certain_chances_of_results() -> None:
    positions = np.stack(
        [
            position_from_points({6: 10, 24: 1}, {6: 14, 24: 1}),
            position_from_points({1: 3}, {20: 1, 13: 14}),
            position_from_points({13: 15}, {1: 2}),
        ]
    )
    open_ = np.nan
    expected = [[open_, open_, open_, 0, 0], [1, 1, open_, 0, 0], [0, 0, 0, 1, 0]]
    np.testing.assert_array_equal(certain_chances(positions), expected)


# --- nothing that happens was called impossible ---------------------------------------------------


def _scattered(rng: np.random.Generator, count: int) -> Positions:
    """Positions with and without contact: few or many checkers, near home or far from it."""
    made = []
    while len(made) < count:
        sides = []
        for _ in range(2):
            left = rng.choice([1, 2, 3, 4, 5, 7, 10, 15, 15, 15])
            reach = rng.choice([1, 2, 3, 6, 6, 9, 13, 18, 24])
            slots = rng.integers(1, reach + 1, size=left)
            sides.append(dict(zip(*np.unique(slots, return_counts=True), strict=True)))
        mine, theirs = sides
        if not any(25 - point in theirs for point in mine):
            made.append(position_from_points(mine, theirs))
    return np.stack(made)


def _by_style(
    after: Positions, offsets: np.ndarray, styles: np.ndarray, rng: np.random.Generator
) -> Positions:
    """Plays at random (style 0), those that keep most pips and checkers (1) or fewest (2)."""
    mover = np.ascontiguousarray(after[:, ::-1])
    slow = pip_counts(mover)[:, 0] / 8 - 9.0 * mover[:, 0, 0] + mover[:, 0, 19:].sum(axis=-1)
    counts = np.diff(offsets)
    signs = np.array([0, 1, -1])[np.repeat(styles, counts)]
    worth = signs * slow + rng.random(len(after)) * np.where(signs == 0, 1, 1e-3)
    order = np.lexsort((worth, np.repeat(np.arange(len(counts)), counts)))
    return after[order[offsets[1:] - 1]]


def test_no_game_ends_in_what_was_impossible() -> None:
    """Games with fair, small and large dice, played at random, as slowly and as fast as can be."""
    rng = np.random.default_rng(41)
    games = np.concatenate([_scattered(rng, 9_000), np.repeat(starting_position()[None], 900, 0)])
    dice = rng.integers(0, 3, size=(len(games), 2))  # of each player: fair, mostly 2-1, mostly 6-6
    style = np.where(dice == 0, rng.integers(0, 3, size=dice.shape), dice)
    low = np.full(len(games), -3)
    high = np.full(len(games), 3)  # of the player who began
    numbers = np.arange(len(games))
    results, decided, narrowed = 0, 0, 0
    for turn in range(400):
        lowest, highest = possible_results(games)
        if turn % 2:
            lowest, highest = -highest, -lowest
        assert (lowest >= low[numbers]).all()  # nothing impossible becomes possible again
        assert (highest <= high[numbers]).all()
        low[numbers], high[numbers] = lowest, highest
        decided += int((lowest == highest).sum())
        narrowed += int(((lowest > -3) | (highest < 3)).sum())
        ended = is_over(games)
        assert (lowest[ended] == game_points(games[ended]) * (-1) ** turn).all()
        results += int(ended.sum())
        games, numbers = games[~ended], numbers[~ended]
        if not len(games):
            break
        rolls = roll_dice(rng, len(games))
        biased = rng.random(len(games)) < 0.97
        mine = dice[numbers, turn % 2]
        rolls[biased & (mine == 1)] = (2, 1)
        rolls[biased & (mine == 2)] = (6, 6)
        after, offsets = legal_plays_batch(games, rolls)
        games = _by_style(after, offsets, style[numbers, turn % 2], rng)
    assert results > 9_500
    assert decided > 10_000
    assert narrowed > 50_000


def _reachable(position: Positions) -> set[int]:
    """Every result that some dice and legal plays bring about, for the player on roll."""
    rolls = np.array(ROLLS, dtype=np.int8)
    games, found, sign = position[None], set(), 1
    while len(games):
        after, _ = legal_plays_batch(np.repeat(games, 21, axis=0), np.tile(rolls, (len(games), 1)))
        sign = -sign
        distinct = np.unique(after.reshape(-1, 52).view("V52"))
        games = distinct.view(np.int8).reshape(-1, 2, 26)
        ended = is_over(games)
        found |= set((sign * game_points(games[ended])).tolist())
        games = games[~ended]
    return found


def _small_races(rng: np.random.Generator, count: int) -> Positions:
    """Races of so few rolls that everything that can happen can be listed."""
    made = []
    while len(made) < count:
        winner = np.bincount(rng.integers(1, 4, size=rng.integers(1, 5)), minlength=26)
        if rng.random() < 0.4:
            loser = np.bincount(rng.integers(1, 8, size=rng.integers(1, 4)), minlength=26)
        else:  # nobody off: all on the ace point, on the bar point or far back, but for a few
            loser = np.zeros(26, dtype=np.int64)
            loser[rng.choice([1, 7, 12, 20])] = 15 - rng.integers(0, 3)
            for slot in rng.integers(1, 21, size=15 - loser.sum()):
                loser[slot] += 1
        sides = [winner, loser] if rng.random() < 0.5 else [loser, winner]
        position = np.stack(sides).astype(np.int8)
        position[:, 0] = 15 - position[:, 1:].sum(axis=1)
        reach = [int(np.nonzero(side)[0][-1]) for side in position]
        if sum(reach) < 25 and pip_counts(position).min() <= 4:
            made.append(position)
    return np.stack(made)


def test_small_races_by_every_roll_and_play() -> None:
    races = _small_races(np.random.default_rng(43), 200)
    assert not has_contact(races).any()
    lowest, highest = possible_results(races)
    exact = 0
    for race, low, high in zip(races, lowest, highest, strict=True):
        results = _reachable(race)
        assert low <= min(results), (race, low, results)
        assert high >= max(results), (race, high, results)
        exact += low == min(results) and high == max(results)
    assert exact > 0.95 * len(races)  # the rules say most of what there is to say


# --- everybody is held to it ----------------------------------------------------------------------


class Wild:
    """Chances that know nothing of the rules."""

    def evaluate(self, positions: Positions) -> Chances:
        return np.tile(np.float32([0.5, 0.4, 0.3, 0.4, 0.3]), (len(positions), 1))


@pytest.fixture(scope="module")
def positions() -> Positions:
    """Scattered ones and those of random games, some of them over."""
    rng = np.random.default_rng(47)
    games = np.concatenate([_scattered(rng, 1_500), np.repeat(starting_position()[None], 60, 0)])
    seen = [games]
    for _ in range(40):
        after, offsets = legal_plays_batch(games, roll_dice(rng, len(games)))
        games = after[rng.integers(offsets[:-1], offsets[1:])]
        games = games[~is_over(games)] if rng.random() < 0.5 else games
        seen.append(games[:: rng.integers(2, 6)])
        games = games[~is_over(games)]
    return np.concatenate(seen)


def assert_held(chances: Chances, positions: Positions) -> None:
    """Exact where the rules decide, and a backgammon a gammon, a gammon a win or a loss."""
    certain = certain_chances(positions)
    decided = ~np.isnan(certain)
    np.testing.assert_array_equal(chances[decided], certain[decided])
    win, wg, wbg, lg, lbg = chances.T
    assert (wbg <= wg).all()
    assert (wg <= win).all()
    assert (lbg <= lg).all()
    assert (lg <= 1 - win).all()


@pytest.mark.parametrize("tables", [True, False])
@pytest.mark.parametrize(
    "evaluator",
    [Wild(), HandmadeEvaluator(), RandomEvaluator(3), None],
    ids=lambda each: type(each).__name__,
)
def test_every_evaluator_is_held(
    positions: Positions, evaluator: Evaluator | None, tables: bool
) -> None:
    if evaluator is None:
        network = load_checkpoint("expert")
        parts = (NetworkEvaluator(network.contact), NetworkEvaluator(network.race))
        assert_held(Composite(*parts, tables=tables).evaluate(positions), positions)
    else:
        assert_held(Composite(evaluator, tables=tables).evaluate(positions), positions)


@pytest.mark.parametrize(
    "evaluator", [HandmadeEvaluator(), RandomEvaluator(3), NoisyEvaluator(HandmadeEvaluator(), 0.5)]
)
def test_players_without_training_hold_themselves(
    positions: Positions, evaluator: Evaluator
) -> None:
    certain = certain_chances(positions)
    decided = ~np.isnan(certain)
    np.testing.assert_array_equal(evaluator.evaluate(positions)[decided], certain[decided])


def test_the_tables_know_it_to_the_last_digit() -> None:
    rng = np.random.default_rng(53)
    sides = np.zeros((20_000, 2, 26), dtype=np.int8)
    for side in sides.reshape(-1, 26):
        left = rng.choice([1, 2, 3, 4, 5, 15])
        side[1:7] = rng.multinomial(left, rng.dirichlet(np.full(6, 0.7)))
        side[0] = 15 - left
    chances = bearoff_chances(sides)
    certain = certain_chances(sides)
    decided = ~np.isnan(certain)
    assert decided[:, 0].sum() > 5_000
    np.testing.assert_array_equal(chances[decided], certain[decided])


def test_finished_games_are_decided(positions: Positions) -> None:
    over = positions[is_over(positions)]
    assert len(over) > 100
    np.testing.assert_array_equal(certain_chances(over), finished_chances(over))


def test_an_empty_batch() -> None:
    assert certain_chances(np.empty((0, 2, 26), dtype=np.int8)).shape == (0, 5)
