"""Each position reaches the part that covers it, in the order given."""

import numpy as np
import pytest

from bgai.evaluation.bearoff import bearoff_chances, in_bearoff
from bgai.evaluation.composite import (
    Composite,
    PositionClass,
    SearchEvaluator,
    for_search,
    position_classes,
)
from bgai.evaluation.evaluator import Chances, finished_chances
from bgai.evaluation.possible import held_to_rules
from bgai.rules.dice import roll_dice
from bgai.rules.legal_plays import legal_plays_batch
from bgai.rules.position import (
    Positions,
    has_contact,
    is_over,
    position_from_points,
    starting_position,
)


class Constant:
    """Gives every position the same win chance and counts what it was asked."""

    def __init__(self, win: float) -> None:
        self.win = win
        self.asked = 0

    def evaluate(self, positions: Positions) -> Chances:
        self.asked += len(positions)
        chances = np.zeros((len(positions), 5), dtype=np.float32)
        chances[:, 0] = self.win
        return chances


@pytest.fixture(scope="module")
def mixed() -> Positions:
    """Positions of 60 random games, from the start to the end."""
    rng = np.random.default_rng(5)
    games = np.repeat(starting_position()[None], 60, axis=0)
    seen = [games]
    for _ in range(250):
        after, offsets = legal_plays_batch(games, roll_dice(rng, len(games)))
        games = after[rng.integers(offsets[:-1], offsets[1:])]
        seen.append(games)
        games = np.where(is_over(games)[:, None, None], starting_position(), games)
    return np.concatenate(seen)


def test_classes_follow_the_rules_module(mixed: Positions) -> None:
    classes = position_classes(mixed)
    assert ((classes == PositionClass.OVER) == is_over(mixed)).all()
    assert ((classes == PositionClass.CONTACT) == (has_contact(mixed) & ~is_over(mixed))).all()
    bearoff = in_bearoff(mixed) & ~has_contact(mixed)
    assert ((classes == PositionClass.BEAROFF) == bearoff).all()
    assert set(classes.tolist()) == {0, 1, 2, 3}


def test_each_part_judges_its_own(mixed: Positions) -> None:
    contact, race = Constant(0.25), Constant(0.75)
    composite = Composite(contact, race)
    chances, classes = composite.evaluate_with_classes(mixed)
    over, bearoff = classes == PositionClass.OVER, classes == PositionClass.BEAROFF
    np.testing.assert_array_equal(chances[over], finished_chances(mixed[over]))
    np.testing.assert_array_equal(chances[bearoff], bearoff_chances(mixed[bearoff]))
    for kind, part in ((PositionClass.RACE, race), (PositionClass.CONTACT, contact)):
        judged = np.full((int((classes == kind).sum()), 5), [part.win, 0, 0, 0, 0])
        expected = held_to_rules(judged, mixed[classes == kind])
        np.testing.assert_array_equal(chances[classes == kind], expected)
    assert contact.asked == (classes == PositionClass.CONTACT).sum()
    assert race.asked == (classes == PositionClass.RACE).sum()


def test_one_class_and_empty_batches() -> None:
    composite = Composite(Constant(0.5))
    assert composite.evaluate(np.empty((0, 2, 26), dtype=np.int8)).shape == (0, 5)
    assert composite.evaluate(starting_position()[None])[0, 0] == 0.5


def test_settled_and_exact(mixed: Positions) -> None:
    composite = Composite(Constant(0.5))
    classes = position_classes(mixed)
    assert (composite.settled(mixed) == (classes <= PositionClass.BEAROFF)).all()
    exact = composite.exact(mixed)
    assert exact[classes == PositionClass.OVER].all()
    assert not exact[classes >= PositionClass.RACE].any()
    few = position_from_points({1: 2, 4: 1}, {6: 3})
    many = position_from_points({1: 7, 4: 1}, {6: 3})
    assert composite.exact(np.stack([few, many])).tolist() == [True, False]
    without = Composite(Constant(0.5), tables=False)
    assert (without.settled(mixed) == (classes == PositionClass.OVER)).all()
    assert without.evaluate(few[None])[0, 0] == 0.5


def test_for_search_wraps_only_what_needs_it() -> None:
    plain = Constant(0.5)
    wrapped = for_search(plain)
    assert isinstance(wrapped, SearchEvaluator)
    assert for_search(wrapped) is wrapped
