import numpy as np
import pytest

from bgai.analysis.duel import DuelResult, duel, roll_luck
from bgai.errors import InputError
from bgai.evaluation.baseline import HandmadeEvaluator, RandomEvaluator
from bgai.evaluation.evaluator import Chances
from bgai.rules.dice import ROLL_CHANCES, ROLL_DICE, roll_dice
from bgai.rules.legal_plays import legal_plays_batch
from bgai.rules.position import Positions, pip_counts, position_from_points, starting_position
from bgai.search.lookahead import Lookahead


class Careful:
    """Knows the race and dislikes blots, and nothing else."""

    def evaluate(self, positions: Positions) -> Chances:
        pips = pip_counts(positions).astype(np.float32)
        blots = (positions[..., 1:25] == 1).sum(axis=-1)
        lead = pips[:, 1] - pips[:, 0] + 4 + 10 * (blots[:, 1] - blots[:, 0])
        chances = np.zeros((len(positions), 5), dtype=np.float32)
        chances[:, 0] = 1 / (1 + np.exp(-lead / 25))
        return chances


def test_two_equal_players_come_out_even_to_the_point() -> None:
    result = duel(RandomEvaluator(), RandomEvaluator(), 20)
    assert (result.points, result.standard_error, result.adjusted) == (0.0, 0.0, None)
    assert result.games == sum(result.results.values()) == 20
    assert all(result.results[level] == result.results[-level] for level in (1, 2, 3))


def test_the_better_player_wins_and_luck_is_taken_out() -> None:
    result = duel(Careful(), RandomEvaluator(), 60, judge=Careful(), seed=3)
    assert result.points > 0.5
    assert result.adjusted is not None
    assert result.adjusted_error is not None
    assert abs(result.adjusted - result.points) < 4 * result.adjusted_error
    # A judge this rough hardly sees the luck.
    assert 0 < result.adjusted_error < 1.1 * result.standard_error


def test_the_seed_fixes_the_duel_and_swapped_players_mirror_it() -> None:
    first, second = Careful(), RandomEvaluator()
    result = duel(first, second, 10, seed=5)
    assert duel(first, second, 10, seed=5) == result
    swapped = duel(second, first, 10, seed=5)
    assert swapped.points == -result.points
    assert swapped.results == {level: result.results[-level] for level in result.results}
    assert duel(first, second, 10, seed=6) != result


class FirstPlay:
    """Makes the first play of the list and remembers the dice of the first turn."""

    def __init__(self) -> None:
        self.openings: list[list[list[int]]] = []

    def choose(self, positions: Positions, rolls: np.ndarray) -> Positions:
        fresh = (positions == starting_position()).all(axis=(1, 2))
        self.openings.append(rolls[fresh].tolist())
        after, offsets = legal_plays_batch(positions, rolls)
        return after[offsets[:-1]]


def test_dice_are_mirrored_and_a_game_never_starts_with_a_double() -> None:
    first, second = FirstPlay(), FirstPlay()
    result = duel(first, second, 200)
    assert first.openings[0] == second.openings[0]
    assert len(first.openings[0]) == 100
    assert all(high > low for high, low in first.openings[0])
    assert result.points == 0


def test_progress_counts_every_game_once() -> None:
    ended: list[int] = []
    duel(RandomEvaluator(), RandomEvaluator(1), 12, progress=ended.append)
    assert sum(ended) == 12


def test_a_game_that_never_ends_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bgai.analysis.duel.MOST_TURNS", 5)
    ended: list[int] = []
    result = duel(RandomEvaluator(), RandomEvaluator(1), 4, progress=ended.append)
    assert result.results[0] == 4
    assert (result.points, sum(ended)) == (0.0, 4)


@pytest.mark.parametrize("opening", [False, True])
def test_luck_has_mean_zero_whatever_the_judge(opening: bool) -> None:
    position = position_from_points({24: 2, 13: 5, 8: 3, 6: 4, 4: 1}, {20: 1, 13: 5, 6: 6, 8: 3})
    judge = Lookahead(RandomEvaluator(), plies=0)
    luck = roll_luck(judge, np.repeat(position[None], 21, axis=0), ROLL_DICE, opening=opening)
    weights = ROLL_CHANCES * ((ROLL_DICE[:, 0] != ROLL_DICE[:, 1]) if opening else 1)
    assert luck @ weights == pytest.approx(0, abs=1e-6)
    assert np.abs(luck).max() > 0.01


def test_luck_does_not_depend_on_the_company_or_the_order_of_the_dice() -> None:
    judge = Lookahead(HandmadeEvaluator(), plies=0)
    rng = np.random.default_rng(1)
    positions = np.repeat(starting_position()[None], 8, axis=0)
    positions = legal_plays_batch(positions, roll_dice(rng, 8))[0][:6]
    rolls = roll_dice(rng, 6)
    together = roll_luck(judge, positions, rolls, opening=False)
    for i in range(6):
        alone = roll_luck(judge, positions[i : i + 1], rolls[i : i + 1, ::-1], opening=False)
        assert alone[0] == pytest.approx(together[i], abs=1e-6)


@pytest.mark.parametrize("games", [0, 7, -2])
def test_an_odd_number_of_games_is_refused(games: int) -> None:
    with pytest.raises(InputError, match=str(games)):
        duel(RandomEvaluator(), RandomEvaluator(), games)


def test_a_result_in_words() -> None:
    result = DuelResult(10, 0.25, 0.125, 0.125, 0.0625, {})
    assert str(result).endswith("+0.250 ± 0.125 points a game, luck-adjusted +0.1250 ± 0.0625")
