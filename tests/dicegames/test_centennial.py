"""Centennial: rules, claims, exact values."""

from fractions import Fraction
from itertools import product

import pytest

from bgai.dicegames.centennial.rules import PATH, Centennial, CentennialState
from bgai.dicegames.centennial.solver import CentennialSolver, available_ways
from bgai.dicegames.chance_game import Phase, StateError, rolls_of
from bgai.dicegames.expectimax import Expectimax


def test_ways_that_a_number_is_available() -> None:
    ways = [available_ways(number) for number in range(1, 13)]
    assert ways == [91, 104, 116, 131, 145, 162, 105, 97, 85, 73, 57, 41]


@pytest.mark.parametrize(("once", "turns"), [(False, 34.1734674605), (True, 34.4029704309)])
def test_expected_turns_alone(once: bool, turns: float) -> None:
    solver = CentennialSolver(Centennial(1, each_subset_once=once))
    assert solver.expected_turns() == pytest.approx(turns, abs=5e-11)
    assert float(solver.expected_turns_exactly()) == pytest.approx(turns, abs=5e-11)


@pytest.mark.parametrize(
    "expected", [(0.515492, 0.484508), (0.350064, 0.332962, 0.316974)], ids=["two", "three"]
)
def test_win_chances_of_the_seats(expected: tuple[float, ...]) -> None:
    game = Centennial(len(expected))
    assert CentennialSolver(game).chances(game.start()) == pytest.approx(expected, abs=5e-7)


def test_eight_seats_fall_in_order_and_add_up() -> None:
    game = Centennial(8)
    chances = CentennialSolver(game).chances(game.start())
    assert sum(chances) == pytest.approx(1)
    assert list(chances) == sorted(chances, reverse=True)


@pytest.mark.parametrize(
    ("once", "steps", "roller"),
    [
        (False, (20, 21), 0),
        (False, (21, 22), 1),
        (True, (19, 22), 0),
        (False, (21, 21, 20), 1),
        (False, (21, 21, 22), 2),
    ],
)
def test_the_game_tree_with_every_choice_agrees(
    once: bool, steps: tuple[int, ...], roller: int
) -> None:
    game = Centennial(len(steps), each_subset_once=once)
    tree = Expectimax(game)
    solver = CentennialSolver(game)
    state = CentennialState(steps, roller)
    assert tree.value(state) == pytest.approx(solver.chances(state), abs=1e-12)
    for met in list(tree._solved)[:400]:
        assert tree.value(met) == pytest.approx(solver.chances(met), abs=1e-12)


def test_one_roll_can_make_six_numbers_from_the_start() -> None:
    game = Centennial(2)
    assert game.advance(0, (1, 2, 3)) == 6


def brute_advance(step: int, roll: tuple[int, ...]) -> int:
    """Numbers made when each set of dice serves once, by trying every assignment."""
    sets = [members for members in product((0, 1), repeat=3) if any(members)]
    sums = {
        members: sum(die for die, member in zip(roll, members, strict=True) if member)
        for members in sets
    }

    def longest(at: int, used: frozenset[tuple[int, ...]]) -> int:
        if at == len(PATH):
            return 0
        fits = [m for m in sets if m not in used and sums[m] == PATH[at]]
        return max((1 + longest(at + 1, used | {m}) for m in fits), default=0)

    return longest(step, frozenset())


def test_each_subset_once_against_every_assignment() -> None:
    game = Centennial(1, each_subset_once=True)
    for step in range(len(PATH)):
        for roll, _ in rolls_of(3):
            assert game.advance(step, roll) == brute_advance(step, roll)


def test_overlooked_numbers_are_offered_round_the_table() -> None:
    game = Centennial(4)
    state = CentennialState((0, 9, 2, 2), 0, (1, 2, 3))
    announced = game.after_act(state, 2)
    # 3, 4, 5 and 6 are left; seat 2 is past them, seats 3 and 4 need the 3
    assert announced == CentennialState((2, 9, 2, 2), 0, (), (3, 4, 5, 6), 2)
    chained = game.after_act(announced, 2)
    assert chained.steps == (2, 9, 4, 2)
    # 5 and 6 are left, the fourth seat needs the 3: nobody else claims, the next rolls
    assert game.phase(chained) is Phase.ROLL
    assert chained.roller == 1
    declined = game.after_act(announced, 0)
    assert (declined.asked, declined.left) == (3, (3, 4, 5, 6))
    assert game.after_act(declined, 4).steps == (2, 9, 2, 6)


def test_a_claim_can_win_the_game() -> None:
    game = Centennial(2)
    # the roller needs 2 and 1, overlooks both; the other needs the 1
    state = CentennialState((21, 22), 0, (1, 2, 6))
    declined = game.after_act(state, 0)
    assert declined.left == (2, 1)
    assert declined.asked == 1
    over = game.after_act(declined, 1)
    assert game.phase(over) is Phase.OVER
    assert game.result(over) == (0, 1)


def test_advice_makes_and_claims_everything() -> None:
    game = Centennial(2)
    solver = CentennialSolver(game)
    advice = solver.advise(CentennialState((0, 2), 0, (1, 2, 3)))
    assert advice.best == 6
    assert advice.exact
    claim = solver.advise(CentennialState((2, 2), 0, (), (3, 4, 5, 6), 1))
    assert claim.best == 4


def test_what_is_not_there_cannot_be_made() -> None:
    game = Centennial(2)
    with pytest.raises(StateError, match="can't make 7"):
        game.after_act(CentennialState((0, 0), 0, (1, 2, 3)), 7)
    with pytest.raises(StateError, match="1 to 8 seats, not 9"):
        Centennial(9)


def test_a_last_number_alone_is_a_geometric_race() -> None:
    # both need the 1 (91 in 216): the first wins with 216 / (216 + 125)
    game = Centennial(2)
    chances = CentennialSolver(game).chances(CentennialState((22, 22), 0))
    assert chances[0] == pytest.approx(float(Fraction(216, 341)), abs=1e-14)
