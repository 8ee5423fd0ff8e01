"""Cubilete: rules, exact values of a turn, the game for two and three seats."""

from fractions import Fraction

import numpy as np
import pytest

from bgai.dicegames.chance_game import Phase, StateError, rolls_of
from bgai.dicegames.cubilete.rules import (
    POINTS,
    Cubilete,
    CubileteState,
    Hand,
    Ties,
    hand_of,
    keeps_of,
)
from bgai.dicegames.cubilete.solver import CubileteSolver
from bgai.dicegames.cubilete.text import CubileteKit
from bgai.dicegames.cubilete.turn import (
    DICE_ROLLS,
    HANDS,
    KEEPS,
    greatest_exactly,
    play_turn,
    reached,
)
from bgai.dicegames.expectimax import Expectimax

ANY = (0, *(1,) * 7)


def only(*hands: Hand) -> tuple[int, ...]:
    return tuple(int(hand in hands) for hand in Hand)


@pytest.mark.parametrize(
    ("worth", "chance"),
    [
        (only(Hand.ACES), Fraction(91, 216) ** 5),
        (only(Hand.NATURAL_KINGS), Fraction(91, 216) ** 5),
        (
            only(Hand.ACES, Hand.NATURAL_KINGS, Hand.KINGS_WITH_ACES),
            Fraction(2476099, 14348907),
        ),
        (only(Hand.NATURAL_KINGS, Hand.KINGS_WITH_ACES), Fraction(307575331, 1836660096)),
        (only(Hand.QUEENS), Fraction(307575331, 1836660096)),
        (only(Hand.JACKS), Fraction(307575331, 1836660096)),
        (only(Hand.TENS), Fraction(307575331, 1836660096)),
        (only(Hand.NINES), Fraction(307575331, 1836660096)),
        (ANY, Fraction(22667723, 68024448)),
        (POINTS, Fraction(34497127, 68024448)),
    ],
)
def test_greatest_chances_of_a_turn(worth: tuple[int, ...], chance: Fraction) -> None:
    assert greatest_exactly(worth) == chance


def test_one_roll() -> None:
    assert greatest_exactly(ANY, 1) == Fraction(13, 648)
    assert greatest_exactly(POINTS, 1) == Fraction(199, 7776)


@pytest.mark.parametrize("most", [1, 2, 3])
def test_the_compiled_turn_against_fractions(most: int) -> None:
    worth = np.tile(np.array(POINTS, dtype=np.float64), (3, 1))
    turn = play_turn(worth, most)
    assert turn.odds.sum() == pytest.approx(1, abs=1e-13)
    gained = float(turn.odds.sum(axis=0) @ np.array(POINTS))
    assert gained == pytest.approx(float(greatest_exactly(POINTS, most)), abs=1e-13)
    assert not turn.odds[most:].any()


@pytest.fixture(scope="module")
def two() -> CubileteSolver:
    return CubileteSolver(Cubilete(2))


@pytest.mark.parametrize(
    ("scores", "chance"),
    [
        ((0, 0), 0.5013733840),
        ((9, 9), 0.4973976983),
        ((0, 9), 0.0448947693),
        ((9, 0), 0.9557170897),
    ],
)
def test_the_leader_of_the_round_wins(
    two: CubileteSolver, scores: tuple[int, int], chance: float
) -> None:
    assert two.chances(CubileteState(scores))[0] == pytest.approx(chance, abs=6e-11)


def test_equal_hands_void() -> None:
    solver = CubileteSolver(Cubilete(2, ties=Ties.VOID))
    assert solver.chances(CubileteState((0, 0)))[0] == pytest.approx(0.5013213304, abs=6e-11)


@pytest.mark.parametrize(
    ("ties", "same"), [(Ties.EARLIER, False), (Ties.VOID, True), (Ties.ROLL_OFF, False)]
)
def test_nine_all_against_the_game_tree(ties: Ties, same: bool) -> None:
    """At 9-9 the game is one long loop of rounds that nobody wins."""
    game = Cubilete(2, ties=ties, same_rolls=same)
    tree = Expectimax(game)
    tree.value(CubileteState((9, 9)))
    solver = CubileteSolver(game)
    for state, values in list(tree._solved.items())[::17]:
        assert solver.chances(state) == pytest.approx(values, abs=1e-10), state


def test_three_seats_late_against_the_game_tree() -> None:
    from bgai.dicegames.cubilete.round import Table

    game = Cubilete(3)
    solver = CubileteSolver(game)
    values: dict[Table, np.ndarray] = {}
    late = Table((9, 9, 9), solver.greedy)
    solver._solve_loop(values, late)
    found = values[late]
    tree = Expectimax(game).value(CubileteState((9, 9, 9)))
    assert found == pytest.approx(tree, abs=1e-9)


def test_playing_for_points_wins_less(two: CubileteSolver) -> None:
    mixed = CubileteSolver(Cubilete(2), frozenset({1}))
    assert mixed.chances(CubileteState((0, 0), 0))[0] > two.chances(CubileteState((0, 0)))[0]
    assert mixed.chances(CubileteState((0, 0), 1))[1] < two.chances(CubileteState((0, 0)))[0]


@pytest.mark.parametrize("seats", [4, 7])
def test_many_seats_are_approximate_and_add_up(seats: int) -> None:
    solver = CubileteSolver(Cubilete(seats))
    state = CubileteState((9, *(0,) * (seats - 1)), 1)
    advice = solver.advise(state._replace(rolls=1, dice=(1, 1, 2, 2, 3)))
    assert not advice.exact
    assert sum(advice.chances) == pytest.approx(1)
    assert advice.chances[0] == max(advice.chances)
    level = CubileteState((0,) * seats, rolls=1, dice=(1, 1, 2, 2, 3))
    assert solver.advise(level).best == (1, 1, 2, 2)


def test_hands() -> None:
    assert hand_of((1, 1, 1, 1, 1)) is Hand.ACES
    assert hand_of((2, 2, 2, 2, 2)) is Hand.NATURAL_KINGS
    assert hand_of((1, 1, 1, 1, 2)) is Hand.KINGS_WITH_ACES
    assert hand_of((1, 3, 3, 3, 3)) is Hand.QUEENS
    assert hand_of((6, 6, 6, 6, 6)) is Hand.NINES
    assert hand_of((1, 2, 3, 3, 3)) is Hand.NOTHING
    assert Hand.QUEENS > Hand.JACKS > Hand.TENS > Hand.NINES
    assert len(DICE_ROLLS) == 252
    assert len(KEEPS) == 462
    ways = np.array([ways for _, ways in rolls_of(5)])
    assert ways[HANDS > 0].sum() / 6**5 == pytest.approx(13 / 648)
    assert len(keeps_of((1, 2, 3, 4, 5))) == 32


def test_kings_end_the_round_and_their_seat_begins() -> None:
    game = Cubilete(3)
    state = CubileteState((0, 0, 0), 0, 1, rolls=1, dice=(1, 2, 2, 2, 2))
    after = game.after_act(state, state.dice)
    assert after == CubileteState((0, 2, 0), 1)


def test_the_last_to_roll_begins_the_next_round() -> None:
    game = Cubilete(3)
    state = CubileteState((0, 0, 0), 1, 2, Hand.TENS, (1,), rolls=2, dice=(1, 2, 2, 3, 4))
    assert game.after_roll(game.after_act(state, (1,)), (2, 3, 4, 5)) == CubileteState((0, 1, 0), 0)
    nothing = CubileteState((0, 0, 0), 1, 2, rolls=2, dice=(1, 2, 2, 3, 4))
    assert game.after_roll(game.after_act(nothing, (1,)), (2, 3, 4, 5)) == CubileteState(
        (0, 0, 0), 0
    )


def test_ties_by_option() -> None:
    last = CubileteState((0, 0), 0, 1, Hand.TENS, (0,), rolls=1, dice=(5, 5, 5, 5, 5))
    assert Cubilete(2).after_act(last, last.dice) == CubileteState((1, 0), 1)
    void = Cubilete(2, ties=Ties.VOID)
    assert void.after_act(last, last.dice) == CubileteState((0, 0), 1)
    game = Cubilete(2, ties=Ties.ROLL_OFF)
    off = game.after_act(last, last.dice)
    assert game.phase(off) is Phase.ROLL
    assert [roll for roll, _ in game.rolls(off)] == [(0,), (1,)]
    assert game.after_roll(off, (1,)) == CubileteState((0, 1), 1)


def test_later_seats_roll_no_more_than_the_first_by_option() -> None:
    state = CubileteState((0, 0), 0, 0, rolls=1, dice=(4, 4, 4, 4, 4))
    after = Cubilete(2, same_rolls=True).after_act(state, state.dice)
    assert after.most == 1
    assert Cubilete(2).after_act(state, state.dice).most == 3


def test_ten_points_win() -> None:
    game = Cubilete(2)
    state = CubileteState((9, 3), 0, 1, rolls=1, dice=(1, 1, 1, 1, 1))
    over = game.after_act(state, state.dice)
    assert game.phase(over) is Phase.OVER
    assert game.result(over) == (0, 1)


def test_only_dice_on_the_table_are_kept() -> None:
    state = CubileteState((0, 0), rolls=1, dice=(1, 2, 3, 4, 5))
    with pytest.raises(StateError, match="can't be kept"):
        Cubilete(2).after_act(state, (6,))


def test_kept_dice_stay_by_option() -> None:
    state = CubileteState((0, 0), rolls=1, dice=(1, 2, 2, 4, 5))
    strict = Cubilete(2, strict=True)
    kept = strict.after_roll(strict.after_act(state, (2, 2)), (3, 3, 3))
    assert kept.kept == (2, 2)
    assert (3, 3, 3) not in strict.acts(kept)
    assert all(keep.count(2) == 2 for keep in strict.acts(kept))
    free = Cubilete(2)
    assert (3, 3, 3) in free.acts(free.after_roll(free.after_act(state, (2, 2)), (3, 3, 3)))


def slow_worth(keep: tuple[int, ...], worth: np.ndarray, strict: bool) -> float:
    """What dice kept after the first of three rolls are worth, by trying everything."""

    def last(kept: tuple[int, ...]) -> float:
        return sum(ways * worth[2, HANDS[roll]] for roll, ways in reached(kept)) / 6 ** (
            5 - len(kept)
        )

    total = 0.0
    for roll, ways in reached(keep):
        choices = Cubilete(2).acts(CubileteState((0, 0), dice=DICE_ROLLS[roll]))
        if strict:
            choices = tuple(c for c in choices if all(c.count(d) >= keep.count(d) for d in keep))
        kept = [last(choice) for choice in choices if len(choice) < 5]
        total += ways * max(worth[1, HANDS[roll]], *kept, -1.0)
    return total / 6 ** (5 - len(keep))


@pytest.mark.parametrize("strict", [False, True])
def test_the_compiled_turn_by_trying_everything(strict: bool) -> None:
    """For any worth of the hands, where kept dice may be rolled again and where they stay."""
    rng = np.random.default_rng(4)
    for _ in range(3):
        worth = np.sort(rng.random((3, 8)), axis=1)
        turn = play_turn(worth, strict=strict)
        for _ in range(4):
            roll = DICE_ROLLS[rng.integers(252)]
            keep = turn.keeps(roll, 1)
            if len(keep) == 5:
                continue
            value = float((turn.odds_after(keep, 1) * worth).sum())
            assert value == pytest.approx(slow_worth(keep, worth, strict), abs=1e-12)
            for other in keeps_of(roll)[1::7]:
                assert slow_worth(other, worth, strict) <= value + 1e-12
            assert value >= worth[0, HANDS[DICE_ROLLS.index(roll)]]


@pytest.mark.parametrize(("options", "greedy"), [({}, False), ({}, True), ({"ties": "void"}, True)])
def test_compiled_games_win_as_often_as_the_solution_says(
    options: dict[str, str], greedy: bool
) -> None:
    kit = CubileteKit(2, options)
    seeds = np.random.default_rng(2).integers(0, 2**63, 40_000).astype(np.uint64)
    won = (kit.winners(seeds, ["best", "greedy" if greedy else "best"], [0, 1]) == 0).mean()
    solver = CubileteSolver(kit.game, frozenset({1}) if greedy else frozenset())
    assert won == pytest.approx(solver.chances(kit.game.start())[0], abs=0.01)


@pytest.mark.parametrize(
    "options", [{"ties": "roll-off"}, {"ties": "roll-off", "kept-stay": "", "same-rolls": ""}]
)
def test_slow_games_win_as_often_as_the_compiled(options: dict[str, str]) -> None:
    """With a roll-off and three seats, and somebody who does anything."""
    kit = CubileteKit(3, options)
    seeds = np.random.default_rng(2).integers(0, 2**63, 20_000).astype(np.uint64)
    names = ["greedy", "random", "greedy"]
    slow = np.bincount(kit.play_slowly(seeds[:400], names, [0, 1, 2]), minlength=3) / 400
    many = np.bincount(kit.winners(seeds, names, [0, 1, 2]), minlength=3) / 20_000
    np.testing.assert_allclose(slow, many, atol=0.09)
