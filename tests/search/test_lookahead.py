"""Lookahead against slow twins, exact tables, and itself cut up in other ways."""

import numpy as np
import pytest
from search_examples import WINS_ONLY, Blunt, EvaluatorPruner, Pips, random_positions, value_by_hand

from bgai.errors import InputError
from bgai.evaluation.bearoff import BearoffEvaluator, bearoff_chances
from bgai.evaluation.composite import Composite
from bgai.evaluation.evaluator import cubeless_equity, swap_chances
from bgai.rules.dice import ROLLS, Roll, roll_dice
from bgai.rules.legal_plays import legal_plays, legal_plays_batch
from bgai.rules.position import Positions, position_from_points, starting_position
from bgai.search.cache import CachedEvaluator
from bgai.search.lookahead import Lookahead
from bgai.search.move_filter import EVERYTHING, FILTER_SETS, MoveFilter, filters_named

ALL = FILTER_SETS["all"]
# two checkers each, still able to hit each other
SMALL = position_from_points({24: 1, 3: 1}, {23: 1, 2: 1})
# the player on roll has a last checker to bring past a blot
MEDIUM = position_from_points({20: 1, 6: 1, 4: 1}, {18: 1, 3: 1, 1: 1})


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(11)


@pytest.fixture
def positions(rng: np.random.Generator) -> Positions:
    return random_positions(rng, 20, 12)


def without_tables(evaluator: Pips) -> Composite:
    return Composite(evaluator, tables=False)


@pytest.mark.parametrize("position", [SMALL, MEDIUM, starting_position()])
def test_one_ply_by_hand(position: Positions) -> None:
    lookahead = Lookahead(without_tables(Pips()), 1)
    np.testing.assert_allclose(
        lookahead.evaluate(position[None])[0], value_by_hand(Pips(), position, 1), atol=1e-6
    )


def test_two_ply_of_all_replies_by_hand() -> None:
    lookahead = Lookahead(without_tables(Pips()), 2, filters=ALL, replies=EVERYTHING)
    np.testing.assert_allclose(
        lookahead.evaluate(SMALL[None])[0], value_by_hand(Pips(), SMALL, 2), atol=1e-6
    )


def test_one_sure_win_by_hand() -> None:
    # both sides need one roll: whoever is on roll has won
    position = position_from_points({1: 2}, {1: 2})
    lookahead = Lookahead(without_tables(Pips()), 1)
    assert lookahead.evaluate(position[None])[0].tolist() == [1, 0, 0, 0, 0]


@pytest.mark.parametrize("plies", [1, 2, 3])
def test_looking_ahead_over_an_exact_table_gives_the_table(plies: int) -> None:
    position = position_from_points({6: 1, 4: 2, 2: 1}, {5: 2, 3: 1, 1: 1})
    looking = Lookahead(Composite(BearoffEvaluator(), tables=False), plies)
    np.testing.assert_allclose(
        looking.evaluate(position[None]), bearoff_chances(position[None]), atol=2e-5
    )


def test_the_search_stops_at_the_tables() -> None:
    position = position_from_points({6: 3, 5: 3}, {6: 2, 5: 5})
    inside = Pips()
    lookahead = Lookahead(inside, 3)
    np.testing.assert_array_equal(
        lookahead.evaluate(position[None]), bearoff_chances(position[None])
    )
    assert inside.asked == 0


def test_depths_mix_over_settled_and_open_positions(positions: Positions) -> None:
    home = position_from_points({6: 3, 5: 3}, {6: 2, 5: 5})
    mixed = np.concatenate([positions[:2], home[None], positions[2:4]])
    lookahead = Lookahead(Pips(), 1)
    expected = np.concatenate([lookahead.evaluate(position[None]) for position in mixed])
    np.testing.assert_array_equal(lookahead.evaluate(mixed), expected)
    assert lookahead.evaluate(mixed[:0]).shape == (0, 5)


@pytest.mark.parametrize("plies", [0, 1, 2])
def test_filters_off_is_full_search(plies: int, positions: Positions) -> None:
    position, roll = positions[0], Roll(6, 4)
    lookahead = Lookahead(Pips(), plies, filters=ALL)
    plays = lookahead.best_plays(position, roll)
    after = legal_plays(position, roll)
    values = swap_chances(lookahead.evaluate(after))
    order = np.argsort(-cubeless_equity(values), kind="stable")
    assert len(plays) == len(after)
    assert all(play.plies == plies for play in plays)
    np.testing.assert_array_equal([play.after for play in plays], after[order])
    np.testing.assert_allclose([play.chances for play in plays], values[order], atol=1e-6)
    np.testing.assert_allclose(
        [play.worth for play in plays], cubeless_equity(values[order]), atol=1e-5
    )


def test_filters_pass_what_they_say(positions: Positions) -> None:
    filters = (MoveFilter(2, 2, 0.05), MoveFilter(1, 0))
    plays = Lookahead(Pips(), 2, filters=filters).best_plays(positions[1], Roll(5, 3))
    shallow = Lookahead(Pips(), 0).best_plays(positions[1], Roll(5, 3))
    margin = [shallow[0].worth - play.worth for play in shallow]
    passed = 2 + sum(m <= 0.05 for m in margin[2:4])
    assert [play.plies for play in plays].count(2) == 1
    assert sum(play.plies >= 1 for play in plays) == passed
    assert [play.plies for play in plays] == sorted([play.plies for play in plays], reverse=True)
    judged = {play.after.tobytes() for play in plays if play.plies >= 1}
    assert judged == {play.after.tobytes() for play in shallow[:passed]}


@pytest.mark.parametrize("plies", [0, 1, 2])
def test_many_decisions_at_once_choose_as_one_by_one(
    plies: int, positions: Positions, rng: np.random.Generator
) -> None:
    rolls = roll_dice(rng, len(positions))
    lookahead = Lookahead(Pips(), plies)
    chosen = lookahead.choose(positions, rolls)
    for position, roll, after in zip(positions, rolls, chosen, strict=True):
        best = lookahead.best_plays(position, Roll(*map(int, roll)))[0]
        np.testing.assert_array_equal(after, best.after)
        np.testing.assert_array_equal(after, lookahead.best_play(position, Roll(*map(int, roll))))


def test_no_legal_play_and_forced_plays() -> None:
    # on the bar against a closed board
    closed = position_from_points({25: 1, 6: 1}, {1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2})
    lookahead = Lookahead(Pips(), 1)
    [play] = lookahead.best_plays(closed, Roll(6, 5))
    np.testing.assert_array_equal(play.after, closed[::-1])
    inside = Pips()
    np.testing.assert_array_equal(Lookahead(inside, 2).best_play(closed, Roll(6, 5)), play.after)
    assert inside.asked == 0


@pytest.mark.parametrize("plies", [1, 2])
def test_threads_pieces_and_cache_change_nothing(plies: int, positions: Positions) -> None:
    plain = Lookahead(Pips(), plies)
    expected = plain.evaluate(positions)
    cached = CachedEvaluator(Pips(), 2**12)
    variants = [
        Lookahead(Pips(), plies, threads=3),
        Lookahead(Pips(), plies, piece=1),
        Lookahead(Pips(), plies, piece=7, threads=2),
        Lookahead(cached, plies),
        Lookahead(cached, plies, threads=2),
    ]
    for lookahead in variants:
        np.testing.assert_array_equal(lookahead.evaluate(positions), expected)
        ranked = lookahead.best_plays(positions[3], Roll(4, 2))
        for play, other in zip(plain.best_plays(positions[3], Roll(4, 2)), ranked, strict=True):
            assert play.worth == other.worth
            np.testing.assert_array_equal(play.after, other.after)
    assert cached.hits > 0
    singly = np.concatenate([plain.evaluate(position[None]) for position in positions])
    np.testing.assert_array_equal(singly, expected)


def test_a_full_cache_forgets_but_never_lies(positions: Positions) -> None:
    tiny = CachedEvaluator(Pips(), 4)
    for _ in range(3):
        np.testing.assert_array_equal(tiny.evaluate(positions), Pips().evaluate(positions))
    asked = tiny.asked
    tiny.clear()
    assert asked == 3 * len(positions)
    assert tiny.asked == 0
    with pytest.raises(InputError, match="power of two"):
        CachedEvaluator(Pips(), 1000)


def test_a_pruner_that_keeps_all_changes_nothing(positions: Positions) -> None:
    for keep in (EVERYTHING, 60):
        lookahead = Lookahead(Pips(), 1, pruner=EvaluatorPruner(Blunt(), keep))
        np.testing.assert_array_equal(
            lookahead.evaluate(positions[:4]), Lookahead(Pips(), 1).evaluate(positions[:4])
        )


def test_a_pruner_saves_evaluations_and_keeps_its_best(positions: Positions) -> None:
    plain, pruned = Pips(), Pips()
    full = Lookahead(plain, 1).evaluate(positions)
    few = Lookahead(pruned, 1, pruner=EvaluatorPruner(Blunt(), 4)).evaluate(positions)
    assert pruned.asked < plain.asked / 2
    # with replies left out nobody can find better ones: the player on roll is worse off
    assert (cubeless_equity(few) <= cubeless_equity(full) + 1e-6).all()
    itself = Lookahead(Pips(), 1, pruner=EvaluatorPruner(Pips(), 1)).evaluate(positions)
    np.testing.assert_array_equal(itself, full)


def test_utility_steers_the_choice(positions: Positions) -> None:
    for position in positions:
        plays = Lookahead(Pips(), 0, utility=WINS_ONLY).best_plays(position, Roll(6, 5))
        assert plays[0].chances[0] == max(play.chances[0] for play in plays)
        assert plays[0].worth == pytest.approx(2 * plays[0].chances[0] - 1, abs=1e-6)
    safe = Lookahead(Pips(), 1).evaluate_at(positions, 1, WINS_ONLY)
    assert (safe[:, 0] >= 0).all()
    assert not np.array_equal(safe, Lookahead(Pips(), 1).evaluate(positions))


def test_best_by_roll_is_the_best_of_each_roll(positions: Positions) -> None:
    lookahead = Lookahead(Pips(), 0)
    after, chances = lookahead.best_by_roll(positions[:3])
    row = 0
    for position in positions[:3]:
        for roll in ROLLS:
            np.testing.assert_array_equal(after[row], lookahead.best_play(position, roll))
            row += 1
    np.testing.assert_array_equal(chances, lookahead.evaluate(after))


def test_positions_are_not_changed(positions: Positions, rng: np.random.Generator) -> None:
    before = positions.copy()
    Lookahead(Pips(), 2).choose(positions, roll_dice(rng, len(positions)))
    np.testing.assert_array_equal(before, positions)
    after, _ = legal_plays_batch(positions, roll_dice(rng, len(positions)))
    assert len(after)


def test_impossible_settings_are_refused() -> None:
    with pytest.raises(InputError, match="0 to 3"):
        Lookahead(Pips(), 4)
    with pytest.raises(InputError, match="1 or more"):
        Lookahead(Pips(), 1, threads=0)
    with pytest.raises(InputError, match="2 move filters"):
        Lookahead(Pips(), 2, filters=(MoveFilter(),))
    with pytest.raises(InputError, match="no move filters 'huge'"):
        filters_named("huge")
