"""Ship-Captain: rules, exact values, the solver against the game tree."""

from fractions import Fraction

import numpy as np
import pytest

from bgai.dicegames.chance_game import Phase, StateError
from bgai.dicegames.expectimax import Expectimax
from bgai.dicegames.ship_captain.rules import ShipCaptain, ShipState, crew_of, officers_in, score_of
from bgai.dicegames.ship_captain.solver import (
    CREWS,
    OFFICER_CONDITIONS,
    SCORES,
    ShipCaptainSolver,
    Turn,
    chance_of_officers,
    greatest_expected_score,
    play_turn,
)
from bgai.dicegames.ship_captain.text import ShipCaptainKit


@pytest.mark.parametrize(
    ("rolls", "chance"),
    [
        (1, Fraction(205, 1296)),
        (2, Fraction(3589927, 10077696)),
        (3, Fraction(42314697971, 78364164096)),
    ],
)
def test_chance_of_ship_captain_and_mate(rolls: int, chance: Fraction) -> None:
    assert chance_of_officers(rolls) == chance


def test_greatest_expected_score() -> None:
    assert greatest_expected_score(either=False) == Fraction(160042333703, 39182082048)
    assert greatest_expected_score(either=True) == Fraction(169123624727, 39182082048)


@pytest.mark.parametrize(
    ("either", "chances"),
    [
        (False, (0.492514, 0.507486)),
        (True, (0.495083, 0.504917)),
        (False, (0.326278, 0.332134, 0.341588)),
    ],
)
def test_win_chances_of_the_seats(either: bool, chances: tuple[float, ...]) -> None:
    solver = ShipCaptainSolver(ShipCaptain(len(chances), either=either))
    assert solver.start_chances() == pytest.approx(chances, abs=5e-7)


@pytest.mark.parametrize("seats", [4, 5, 6])
def test_more_seats_add_up_and_favour_the_later(seats: int) -> None:
    chances = ShipCaptainSolver(ShipCaptain(seats)).start_chances()
    assert sum(chances) == pytest.approx(1)
    assert list(chances) == sorted(chances)


def least_stop(turn: Turn, left: int) -> int:
    """The least score with which the turn is ended, all higher ones ending it too."""
    again = turn.again[left][OFFICER_CONDITIONS:]
    stops = {sum(crew) for crew, code in zip(CREWS, again, strict=True) if code == 0}
    goes = {sum(crew) for crew, code in zip(CREWS, again, strict=True) if code != 0}
    assert not stops & goes
    assert max(goes) < min(stops)
    return min(stops)


def test_where_the_players_stop() -> None:
    best = ShipCaptainSolver(ShipCaptain(2)).policy((0, -1, None))
    assert (least_stop(best, 2), least_stop(best, 1)) == (9, 8)
    scores = np.arange(SCORES, dtype=np.float64)
    greedy = play_turn(scores, scores[:, None], either=False)
    assert (least_stop(greedy, 2), least_stop(greedy, 1)) == (8, 7)


@pytest.mark.parametrize(("seats", "either"), [(2, False), (2, True), (3, False)])
def test_every_state_of_the_game_tree_agrees(seats: int, either: bool) -> None:
    game = ShipCaptain(seats, either=either)
    tree = Expectimax(game)
    tree.value(game.start())
    solver = ShipCaptainSolver(game)
    for state, values in list(tree._solved.items())[:: 1 if seats == 2 else 7]:
        assert solver.advise(state).chances == pytest.approx(values, abs=1e-11), state


def test_playing_for_score_wins_less() -> None:
    solver = ShipCaptainSolver(ShipCaptain(2))
    best = solver.start_chances()
    assert solver.start_chances(frozenset({0}))[0] < best[0]
    assert solver.start_chances(frozenset({1}))[1] < best[1]


def test_officers_are_found_in_order() -> None:
    assert officers_in((1, 1, 2, 4, 5)) == 0
    assert officers_in((1, 1, 4, 4, 6)) == 1
    assert officers_in((1, 2, 4, 5, 6)) == 3
    assert crew_of((4, 5, 5, 6, 6)) == (5, 6)
    assert score_of((4, 5, 5, 6, 6)) == 11
    assert score_of((1, 4, 4, 6, 6)) == 0


def test_officers_are_set_aside_and_the_rest_rolled_again() -> None:
    game = ShipCaptain(2)
    after = game.after_roll(game.start(), (1, 4, 4, 6, 6))
    assert (after.dice, game.phase(after)) == ((6,), Phase.ROLL)
    after = game.after_roll(after, (1, 2, 4, 5))
    assert game.phase(after) is Phase.ACT
    assert game.acts(after) == ((), (1, 2))


def test_the_crew_rolled_again_counts_even_if_worse() -> None:
    game = ShipCaptain(2)
    state = ShipState(0, 0, rolls=2, dice=(4, 5, 6, 6, 6))
    worse = game.after_roll(game.after_act(state, (6, 6)), (1, 1))
    assert (worse.place, worse.best, worse.leader) == (1, 2, 0)


def test_either_crew_die_may_be_rolled_again_by_option_only() -> None:
    state = ShipState(0, 0, rolls=1, dice=(2, 4, 5, 6, 6))
    assert ShipCaptain(2, either=True).after_act(state, (2,)).dice == (4, 5, 6, 6)
    with pytest.raises(StateError, match="can't be rolled again"):
        ShipCaptain(2).after_act(state, (2,))


def test_a_tie_voids_the_round_even_at_nothing() -> None:
    game = ShipCaptain(2)
    last = ShipState(0, 1, 0, 0, rolls=2)
    assert game.after_roll(last, (1, 1, 1, 1, 1)) == game.start()
    won = game.after_roll(last, (1, 1, 4, 5, 6))
    assert game.phase(won) is Phase.OVER
    assert game.result(won) == (0, 1)


def test_compiled_games_win_as_often_as_the_solution_says() -> None:
    seeds = np.random.default_rng(2).integers(0, 2**63, 60_000).astype(np.uint64)
    for either in ("", "either"):
        kit = ShipCaptainKit(2, {either: ""} if either else {})
        won = (kit.winners(seeds, ["best", "greedy"], [0, 1]) == 0).mean()
        exact = ShipCaptainSolver(kit.game).start_chances(frozenset({1}))[0]
        assert won == pytest.approx(exact, abs=0.008)


def test_played_games_win_as_often_as_the_compiled() -> None:
    kit = ShipCaptainKit(3, {})
    seeds = np.random.default_rng(2).integers(0, 2**63, 400).astype(np.uint64)
    names = ["best", "random", "greedy"]
    played = kit.play_slowly(seeds, names, [0, 1, 2])
    many = np.random.default_rng(3).integers(0, 2**63, 20_000).astype(np.uint64)
    compiled = kit.winners(many, names, [0, 1, 2])
    expected = np.bincount(compiled, minlength=3) / len(compiled)
    np.testing.assert_allclose(np.bincount(played, minlength=3) / 400, expected, atol=0.1)
