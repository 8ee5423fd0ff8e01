"""Cubeful search against slow twins, the exact table and itself seen from the other side."""

import numpy as np
import pytest
from search_examples import Pips, random_positions

from bgai.equity.bearoff_cube import exact_equities, exact_state_worths
from bgai.equity.cubeful import decided_worths, model_worths
from bgai.equity.efficiency import cube_efficiency
from bgai.equity.stakes import Stakes, match_stakes, money_stakes
from bgai.errors import InputError
from bgai.evaluation.composite import Composite
from bgai.evaluation.evaluator import Chances
from bgai.rules.cube import Cube, CubeOwner, HouseRules
from bgai.rules.dice import ROLL_CHANCES, ROLLS, Roll
from bgai.rules.legal_plays import legal_plays
from bgai.rules.match import MatchScore
from bgai.rules.position import Positions, is_over, position_from_points, swap_sides
from bgai.search.cubeful_lookahead import CubefulLookahead
from bgai.search.lookahead import Lookahead
from bgai.search.move_filter import FILTER_SETS

MINE, THEIRS = Cube(2, CubeOwner.ON_ROLL), Cube(2, CubeOwner.OPPONENT)
EVERY_STAKE = {
    "money": money_stakes(),
    "no Jacoby": money_stakes(rules=HouseRules(jacoby=False, beaver_turns=0)),
    "owned": money_stakes(MINE),
    "the opponent's": money_stakes(THEIRS),
    "maximum": money_stakes(rules=HouseRules(max_cube=4)),
    "match": match_stakes(Cube(), MatchScore(7, 2, 4)),
    "redouble": match_stakes(MINE, MatchScore(9, 4, 1)),
    "post-Crawford": match_stakes(Cube(), MatchScore(5, 2, 4)),
    "Crawford": match_stakes(Cube(), MatchScore(5, 4, 2, crawford=True)),
}
stakes_of_all_kinds = pytest.mark.parametrize("stakes", EVERY_STAKE.values(), ids=EVERY_STAKE)


def plain(plies: int = 1, **settings: int) -> Lookahead:
    return Lookahead(Composite(Pips(), tables=False), plies, **settings)


def ends_of_games() -> Positions:
    """Contact, race, bear-off and finished positions."""
    rng = np.random.default_rng(3)
    contact = random_positions(rng, 6, 12)
    others = [
        position_from_points({6: 2, 5: 1}, {4: 2, 1: 2}),
        position_from_points({1: 1}, {1: 1}),
        position_from_points({12: 2, 6: 5}, {10: 1, 3: 4}),
        position_from_points({6: 15}, {}),
        position_from_points({6: 10}, {}),
    ]
    return np.concatenate([contact, np.stack(others)])


@stakes_of_all_kinds
@pytest.mark.parametrize("view", [0, 1])
def test_leaves_are_the_model_and_the_exact_table(stakes: Stakes, view: int) -> None:
    positions = ends_of_games()
    search = CubefulLookahead(plain(0), stakes)
    chances = search.lookahead.evaluator.evaluate(positions)
    efficiency = cube_efficiency(positions, chances)
    waiting = model_worths(chances, stakes, efficiency, view)
    if stakes.unlimited:
        exact = exact_state_worths(positions, stakes, view)
        waiting = np.where(np.isnan(exact), waiting, exact)
    np.testing.assert_allclose(search.value(positions, view=view).worths, waiting, atol=1e-9)
    decided = decided_worths(waiting, stakes, view)
    decided[is_over(positions)] = waiting[is_over(positions)]
    np.testing.assert_allclose(search.value_decided(positions, view=view).worths, decided)


def worths_by_hand(
    search: CubefulLookahead, position: Positions, plies: int, view: int
) -> np.ndarray:
    """Every play of every roll, for each state by itself; the player on roll doesn't double."""
    if plies == 0 or is_over(position):
        return search.value(position[None], 0, view).worths[0]
    total = np.zeros(search.stakes.states)
    for chance, roll in zip(ROLL_CHANCES, ROLLS, strict=True):
        after = [
            decided_worths(
                worths_by_hand(search, play, plies - 1, 1 - view)[None], search.stakes, 1 - view
            )[0]
            for play in legal_plays(position, roll)
        ]
        total += chance * -np.min(after, axis=0)
    return total


@stakes_of_all_kinds
def test_one_ply_by_hand(stakes: Stakes) -> None:
    position = random_positions(np.random.default_rng(5), 1, 9)[0]
    search = CubefulLookahead(plain(1), stakes)
    by_hand = worths_by_hand(search, position, 1, 0)
    np.testing.assert_allclose(search.value(position[None]).worths[0], by_hand, atol=1e-6)


@pytest.mark.parametrize("name", ["maximum", "match", "post-Crawford"])
@pytest.mark.parametrize("view", [0, 1])
def test_two_plies_by_hand(name: str, view: int) -> None:
    """With all replies kept, a full search; few checkers keep the slow twin bearable."""
    position = position_from_points({20: 1, 5: 1}, {18: 1, 2: 1})
    search = CubefulLookahead(plain(2, replies=40), EVERY_STAKE[name])
    by_hand = worths_by_hand(search, position, 2, view)
    found = search.value(position[None], view=view).worths[0]
    np.testing.assert_allclose(found, by_hand, atol=1e-6)


def test_one_ply_of_the_exact_table_is_the_table() -> None:
    """Its equities solve the cubeful recursion, so looking ahead from them changes nothing."""
    rng = np.random.default_rng(8)
    checkers = [rng.integers(1, 7, size=(2, rng.integers(1, 7))) for _ in range(40)]
    positions = np.stack(
        [position_from_points(*(_counted(side) for side in sides)) for sides in checkers]
    )
    stakes = money_stakes(rules=HouseRules(jacoby=False, beaver_turns=0))
    search = CubefulLookahead(plain(1), stakes)
    outlook = search.outlook(positions, 1)
    exact = exact_state_worths(positions, stakes)
    np.testing.assert_allclose(outlook.valued.worths, exact, atol=2e-6)
    np.testing.assert_array_equal(search.value(positions, 2).worths, exact)
    assert not np.isnan(exact_equities(positions)).any()


def _counted(points: np.ndarray) -> dict[int, int]:
    return {
        int(point): int(count)
        for point, count in zip(*np.unique(points, return_counts=True), strict=True)
    }


@stakes_of_all_kinds
def test_the_other_view_is_the_game_of_the_other_player(stakes: Stakes) -> None:
    """A verdict doesn't depend on who is called first."""
    positions = random_positions(np.random.default_rng(2), 5, 10)
    score = None if stakes.score is None else stakes.score.swapped()
    cube = stakes.cube.swapped()
    mirrored = money_stakes(cube, stakes.rules) if score is None else match_stakes(cube, score)
    ours = CubefulLookahead(plain(1), stakes).value(positions, view=1)
    theirs = CubefulLookahead(plain(1), mirrored).value(positions)
    np.testing.assert_allclose(ours.worths[:, 0], theirs.worths[:, 0], atol=1e-9)


def test_pieces_and_threads_change_nothing() -> None:
    positions = random_positions(np.random.default_rng(4), 9, 8)
    stakes = EVERY_STAKE["match"]
    expected = CubefulLookahead(plain(1), stakes).value(positions)
    for settings in ({"piece": 2}, {"piece": 4, "threads": 3}):
        found = CubefulLookahead(plain(1, **settings), stakes)
        np.testing.assert_array_equal(found.value(positions).worths, expected.worths)
        np.testing.assert_array_equal(found.value(positions).chances, expected.chances)
        whole = found.outlook(positions)
        np.testing.assert_array_equal(whole.valued.worths, expected.worths)
        best = whole.best[:, :, 0]
        np.testing.assert_array_equal(-whole.replies.worths[best, 0], whole.worths[:, :, 0])


# --- plays ---------------------------------------------------------------------------------------


class Choice:
    """Making the 5 point wins more games, any other play more gammons."""

    def evaluate(self, positions: Positions) -> Chances:
        made = positions[:, 1, 5] >= 2  # the player who moved is not on roll
        safe, bold = [0.40, 0.0, 0, 0.02, 0], [0.48, 0.0, 0, 0.30, 0]
        return np.where(made[:, None], safe, bold).astype(np.float32)


@pytest.mark.parametrize(
    ("stakes", "makes_the_point"),
    [
        (match_stakes(Cube(), MatchScore(5, 4, 2, crawford=True)), True),  # gammons win nothing
        (match_stakes(Cube(), MatchScore(1)), True),
        (match_stakes(Cube(), MatchScore(5, 3, 4, crawford=True)), False),  # a gammon would do
        (money_stakes(MINE, HouseRules(jacoby=False)), False),
    ],
)
def test_plays_follow_the_score(stakes: Stakes, makes_the_point: bool) -> None:
    start = position_from_points({24: 2, 13: 5, 8: 3, 6: 5}, {24: 2, 13: 5, 8: 3, 6: 5})
    search = CubefulLookahead(Lookahead(Choice(), 0), stakes)
    ranked = search.best_plays(start, Roll(3, 1))
    assert bool(ranked[0].after[1, 5] >= 2) is makes_the_point
    assert [play.worth for play in ranked] == sorted((p.worth for p in ranked), reverse=True)


@pytest.mark.parametrize("plies", [0, 1])
def test_choosing_for_many_games_is_choosing_for_each(plies: int) -> None:
    stakes = EVERY_STAKE["match"]
    lookahead = Lookahead(Pips(), plies, filters=FILTER_SETS["normal"])
    search = CubefulLookahead(lookahead, stakes)
    positions = random_positions(np.random.default_rng(9), 8, 10)
    rolls = np.random.default_rng(1).integers(1, 7, size=(8, 2), dtype=np.int8)
    chosen = search.choose(positions, rolls, np.zeros(8, dtype=np.int64))
    for position, (high, low), after in zip(
        positions, np.sort(rolls)[:, ::-1], chosen, strict=True
    ):
        best = search.best_play(position, Roll(int(high), int(low)))
        np.testing.assert_array_equal(best, after)


def test_a_finished_game_is_worth_its_result() -> None:
    lost_gammon = swap_sides(position_from_points({}, {6: 15}))
    stakes = match_stakes(Cube(), MatchScore(5))
    worths = CubefulLookahead(plain(1), stakes).value_decided(lost_gammon[None]).worths[0]
    assert worths[0] == pytest.approx(stakes.payoffs[0, 0, 4])
    with pytest.raises(InputError):
        Lookahead(Pips(), 9)
