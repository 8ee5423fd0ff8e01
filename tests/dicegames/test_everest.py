"""Everest: rules, claims, the solo table, play against others."""

from fractions import Fraction

import numpy as np
import pytest

from bgai.dicegames.chance_game import Phase, StateError, rolls_of
from bgai.dicegames.everest.rules import BOXES, NUMBERS, Everest, EverestState, groupings, unused
from bgai.dicegames.everest.solver import EverestSolver, Tables
from bgai.dicegames.everest.text import EverestKit
from bgai.dicegames.expectimax import Expectimax
from bgai.dicegames.simulate import simulate

FULL = (BOXES,) * NUMBERS


def boxes(**open_boxes: int) -> tuple[int, ...]:
    return tuple(open_boxes.get(f"n{number}", 0) for number in range(1, NUMBERS + 1))


@pytest.fixture(scope="module")
def tables() -> Tables:
    return Tables()


def test_expected_turns_alone(tables: Tables) -> None:
    assert tables.turns[tables.index(FULL)] == pytest.approx(18.452970626580, abs=5e-12)
    single = Tables(single_mark=True)
    assert single.turns[single.index(FULL)] == pytest.approx(24.844802116575, abs=5e-12)


@pytest.mark.parametrize(
    ("left", "turns"),
    [
        (boxes(n1=1), Fraction(216, 91)),
        (boxes(n1=2), Fraction(35856, 8281)),
        (boxes(n12=1), Fraction(216, 41)),
    ],
)
def test_end_states_exactly(tables: Tables, left: tuple[int, ...], turns: Fraction) -> None:
    solver = EverestSolver(Everest(1), tables)
    assert solver.expected_turns_exactly(left) == turns
    assert solver.expected_turns(left) == pytest.approx(float(turns), rel=1e-15)


def test_an_eleven_and_a_twelve_left(tables: Tables) -> None:
    assert tables.turns[tables.index(boxes(n11=1, n12=1))] == pytest.approx(7.014005279, abs=5e-10)


@pytest.mark.parametrize("single", [False, True])
@pytest.mark.parametrize(
    "left", [boxes(n3=2, n7=1), boxes(n2=1, n4=1, n6=1), boxes(n1=2, n5=2), boxes(n9=1, n12=2)]
)
def test_the_table_against_plain_recursion(single: bool, left: tuple[int, ...]) -> None:
    solver = EverestSolver(Everest(1, single_mark=single))
    exact = float(solver.expected_turns_exactly(left))
    assert solver.expected_turns(left) == pytest.approx(exact, rel=1e-13)


def test_survival_sums_to_the_expected_turns(tables: Tables) -> None:
    for left in (FULL, boxes(n1=1), boxes(n5=2, n6=1, n12=1)):
        index = tables.index(left)
        assert tables.survival[index].sum() == pytest.approx(tables.turns[index], rel=2e-4)


def test_two_solo_optimal_seats(tables: Tables) -> None:
    values = dict(EverestKit(2, {}).reference_values())
    assert values["2 seats, solo-optimal: seat 1 wins"] == pytest.approx(0.565504, abs=5e-7)
    assert values["2 seats, solo-optimal: seat 2 wins"] == pytest.approx(0.434496, abs=5e-7)


def test_best_play_beats_solo_optimal_play() -> None:
    """By about 0.2% of the games; the seats' dice are the same both ways round."""
    result = simulate(EverestKit(2, {}), ["best", "solo"], 60_000, 3, mirror=True)
    assert result.shares[0] - 2 * result.errors[0] > 0.5


@pytest.mark.parametrize("left", [(boxes(n1=1), boxes(n12=1)), (boxes(n6=1, n11=1), boxes(n9=1))])
def test_small_states_against_the_game_tree(
    tables: Tables, left: tuple[tuple[int, ...], ...]
) -> None:
    """With all choices and claims in the tree the estimate is close; exact for one box each."""
    game = Everest(2)
    state = EverestState(left, 0)
    tree = Expectimax(game).value(state)
    estimate = EverestSolver(game, tables).chances(state)
    assert estimate == pytest.approx(tree, abs=1e-6 if sum(map(sum, left)) == 2 else 5e-3)


def test_groups_of_a_roll() -> None:
    assert len(groupings((1, 2, 4))) == 15
    assert ((1, 2, 4),) in groupings((1, 2, 4))
    assert groupings((3,)) == (((3,),), ())


def test_a_roll_marks_one_to_three_boxes() -> None:
    game = Everest(1)
    state = game.after_roll(game.start(), (1, 2, 4))
    after = game.after_act(state, ((1,), (2,), (4,)))
    assert after.boxes[0] == (1, 1, 2, 1, *(2,) * 8)
    after = game.after_act(state, ((1, 4), (2,)))
    assert after.boxes[0] == (2, 1, 2, 2, 1, *(2,) * 7)


def test_a_number_has_two_boxes_only() -> None:
    game = Everest(1)
    acts = game.markings((1, 1, 1), FULL)
    assert ((1,), (1,), (1,)) not in acts
    assert ((1,), (1,)) in acts
    assert game.markings((6, 6, 6), boxes(n12=1)) == (((6, 6),), ())


def test_sums_above_twelve_mark_nothing() -> None:
    assert Everest(1).markings((5, 5, 6), boxes(n12=2)) == ((),)


def test_single_mark_allows_one_number() -> None:
    game = Everest(1, single_mark=True)
    assert max(map(len, game.markings((1, 2, 4), FULL))) == 1


def test_dice_that_could_have_marked_are_offered() -> None:
    game = Everest(3)
    state = EverestState((FULL, boxes(n12=1), boxes(n2=1, n3=1)), 0, (1, 2, 4))
    after = game.after_act(state, ((4,),))
    # 1 and 2 are left: seat 2 needs a 12, seat 3 can use the 2 or both
    assert (after.left, after.asked) == ((1, 2), 2)
    assert set(game.acts(after)) == {((2,),), ((1, 2),), ()}
    assert game.after_act(after, ((2,),)).roller == 1
    assert game.after_act(after, ((2,),)).boxes[2] == boxes(n3=1)


def test_dice_that_could_not_have_marked_are_not_offered() -> None:
    game = Everest(2)
    state = EverestState((boxes(n4=1, n12=1), FULL), 0, (1, 2, 4))
    after = game.after_act(state, ((4,),))
    assert game.phase(after) is Phase.ROLL
    assert after.roller == 1


def test_marking_the_last_box_wins() -> None:
    game = Everest(2)
    over = game.after_act(EverestState((boxes(n7=1), FULL), 0, (1, 2, 4)), ((1, 2, 4),))
    assert game.result(over) == (1, 0)


def test_what_cannot_be_marked_is_refused() -> None:
    game = Everest(2)
    with pytest.raises(StateError, match="can't mark"):
        game.after_act(EverestState((boxes(n7=1), FULL), 0, (1, 2, 5)), ((1, 2),))


def test_advice_alone_saves_turns(tables: Tables) -> None:
    game = Everest(1)
    advice = EverestSolver(game, tables).advise(EverestState((FULL,), 0, (5, 6, 6)))
    assert advice.exact
    assert advice.best == EverestKit(1, {}).rules()["solo"](EverestState((FULL,), 0, (5, 6, 6)))
    assert advice.chances == (1.0,)


def test_advice_leaves_nothing_to_claim(tables: Tables) -> None:
    game = Everest(2)
    solver = EverestSolver(game, tables)
    for roll, _ in rolls_of(3)[::7]:
        state = EverestState((FULL, FULL), 1, roll)
        best = solver.advise(state).best
        assert best is not None
        after = game.after_act(state, best)
        assert game.phase(after) is Phase.ROLL
        assert len(unused(roll, best)) in (0, 1)


@pytest.mark.parametrize("seed", range(3))
def test_compiled_choices_follow_the_rules(tables: Tables, seed: int) -> None:
    from bgai.dicegames.everest.kernels import (
        best_against,
        best_marking,
        chance_first,
        first_weights,
        greedy_marking,
        open_bits,
    )

    game = Everest(2)
    rules = EverestKit(2, {}).rules()
    rng = np.random.default_rng(seed)
    weights = np.zeros(tables.survival.shape[1])
    for number, (roll, _) in enumerate(rolls_of(3)):
        rows = rng.integers(0, 3, size=(2, NUMBERS))
        rows[:, 0] = 2
        state = EverestState(tuple(tuple(row) for row in rows.tolist()), 0, roll)
        indices = np.array([tables.index(row) for row in state.boxes])
        options = tables.options[tables.offsets[number] : tables.offsets[number + 1]]
        closed = ~open_bits(indices[0])
        first_weights(0, indices, tables.survival, weights)
        chosen = {
            "solo": best_marking(indices[0], closed, options, tables.turns),
            "greedy": greedy_marking(indices[0], closed, options),
            "best": best_against(indices[0], closed, options, tables.survival, weights),
        }
        for name, index in chosen.items():
            after = tables.index(game.after_act(state, rules[name](state)).boxes[0])
            if name == "best" and after != index:
                # nearly equal: the two add up in another order
                worth = [chance_first(i, tables.survival, weights) for i in (after, index)]
                assert worth[0] == pytest.approx(worth[1], abs=1e-6)
            else:
                assert after == index, (name, state)
