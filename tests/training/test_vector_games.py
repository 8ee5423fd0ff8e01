import numpy as np
import pytest
from bgai_training.vector_games import LONGEST_LEAD, VectorGames

from bgai.errors import InputError
from bgai.rules.legal_plays import legal_plays
from bgai.rules.outcome import game_points
from bgai.rules.position import (
    check_position,
    is_over,
    position_from_points,
    starting_position,
)


def _random_choices(games: VectorGames, rng: np.random.Generator) -> np.ndarray:
    counts = np.diff(games.plays[1])
    return (rng.random(len(games)) * counts).astype(np.int64)


def test_games_start_fresh_without_doubles() -> None:
    games = VectorGames(300, seed=4)
    assert len(games) == 300
    assert (games.positions == starting_position()).all()
    assert (games.rolls[:, 0] > games.rolls[:, 1]).all()
    assert set(games.players.tolist()) == {0, 1}
    assert not games.turns.any()


def test_a_step_makes_the_chosen_plays() -> None:
    games = VectorGames(20, seed=1)
    rng = np.random.default_rng(2)
    for _ in range(30):
        positions, rolls = games.positions.copy(), games.rolls.copy()
        players = games.players.copy()
        after, offsets = games.plays
        for i in range(20):
            expected = legal_plays(positions[i], tuple(rolls[i]))
            assert np.array_equal(after[offsets[i] : offsets[i + 1]], expected)
        choices = _random_choices(games, rng)
        ended = games.step(choices)
        goes_on = np.setdiff1d(np.arange(20), ended.games)
        moved = after[offsets[:-1] + choices]
        assert np.array_equal(games.positions[goes_on], moved[goes_on])
        assert (games.players[goes_on] == 1 - players[goes_on]).all()


def test_ended_games_report_their_result_and_start_again() -> None:
    games = VectorGames(50, seed=3)
    rng = np.random.default_rng(3)
    points: list[int] = []
    winners: list[int] = []
    for _ in range(400):
        movers, turns = games.players.copy(), games.turns.copy()
        ended = games.step(_random_choices(games, rng))
        assert len(ended) == len(ended.games) == len(ended.positions)
        assert is_over(ended.positions).all()
        assert np.array_equal(ended.points, -game_points(ended.positions))
        assert np.array_equal(ended.winners, movers[ended.games])
        assert np.array_equal(ended.turns, turns[ended.games] + 1)
        assert (games.positions[ended.games] == starting_position()).all()
        assert (games.rolls[ended.games, 0] != games.rolls[ended.games, 1]).all()
        assert not is_over(games.positions).any()
        points += ended.points.tolist()
        winners += ended.winners.tolist()
    assert len(points) > 100
    assert set(points) == {1, 2, 3}
    assert 0.3 < np.mean(winners) < 0.7


def test_the_same_seed_gives_the_same_games() -> None:
    def trace(seed: int) -> list[bytes]:
        games = VectorGames(10, seed=seed, desynchronised=True)
        rng = np.random.default_rng(0)
        steps = []
        for _ in range(60):
            games.step(_random_choices(games, rng))
            steps.append(games.positions.tobytes() + games.rolls.tobytes())
        return steps

    assert trace(7) == trace(7)
    assert trace(7) != trace(8)


def test_desynchronised_games_are_at_different_depths() -> None:
    games = VectorGames(200, seed=5, desynchronised=True)
    assert len(np.unique(games.turns)) > 40
    assert games.turns.max() <= LONGEST_LEAD
    for position in games.positions:
        check_position(position)
    assert not is_over(games.positions).any()
    fresh = games.turns == 0
    assert (games.positions[fresh] == starting_position()).all()


def test_games_start_from_the_position_given() -> None:
    start = position_from_points({1: 2}, {1: 2})
    games = VectorGames(8, seed=1, start=start)
    ended = games.step(np.zeros(8, dtype=int))
    assert ended.games.tolist() == list(range(8))
    assert ended.points.tolist() == [1] * 8
    assert (games.positions == start).all()


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ([0, 0], "3 whole numbers"),
        ([0.0, 0.0, 0.0], "float64"),
        ([0, -1, 0], "game 1"),
        ([0, 0, 10_000], "game 2"),
    ],
)
def test_choices_that_are_not_there_are_refused(choices: list[float], message: str) -> None:
    games = VectorGames(3, seed=1)
    before = games.positions.copy()
    with pytest.raises(InputError, match=message):
        games.step(choices)
    assert np.array_equal(games.positions, before)


def test_impossible_games_are_refused() -> None:
    with pytest.raises(InputError, match="1 or more"):
        VectorGames(0)
    with pytest.raises(InputError, match="over"):
        VectorGames(1, start=position_from_points({}, {1: 1}))
