"""Pruning by a small network: what it must keep, and what it does to a search."""

from itertools import pairwise

import numpy as np
import pytest
from search_examples import Pips, random_positions

from bgai.errors import InputError
from bgai.evaluation.encoding import COLUMN_OF, COLUMNS, encode
from bgai.evaluation.evaluator import cubeless_equity
from bgai.evaluation.input_slots import FIRST_SHOTS
from bgai.evaluation.packing import pack_pruner
from bgai.rules.position import Positions, has_contact, position_from_points
from bgai.search.lookahead import Lookahead
from bgai.search.pruning import NetworkPruner, every_reply
from bgai.search.utility import MONEY

rng = np.random.default_rng(8)
NETWORK = pack_pruner(
    (
        np.vstack([rng.standard_normal((COLUMNS, 16)) * 0.2, np.zeros((1, 16))]),
        rng.standard_normal(16),
        rng.standard_normal(16) * 0.2,
        np.zeros(1),
    )
)


def rough_equities(positions: Positions) -> np.ndarray:
    inputs = encode(positions).astype(np.int64)
    inputs[:, COLUMN_OF[FIRST_SHOTS, 1] :] = 0  # the pruner does not look at shots
    w1, bias1, w2, (unit, bias2) = NETWORK
    hidden = np.maximum(inputs @ w1[:COLUMNS] + bias1, 0)
    return (hidden @ w2.astype(np.int64)).astype(np.float32) * unit + bias2


def segments(after: Positions, offsets: np.ndarray) -> list[list[bytes]]:
    return [[row.tobytes() for row in after[a:b]] for a, b in pairwise(offsets)]


def test_the_best_few_of_every_roll_stay() -> None:
    positions = random_positions(np.random.default_rng(2), 6, 10)
    after, offsets = every_reply(positions)
    kept = segments(*NetworkPruner(NETWORK, keep=4, window=0.1).replies(positions, MONEY.other()))
    assert len(kept) == 21 * 6
    rough = rough_equities(after)
    for i, few in enumerate(kept):
        rows = slice(offsets[i], offsets[i + 1])
        mine = rough[rows]
        order = np.argsort(mine)
        limit = min(mine[order[min(3, len(order) - 1)]], mine.min() + 0.1)
        expected = (
            (mine <= limit + 1e-5) | ~has_contact(after[rows]) | np.full(len(mine), len(mine) <= 4)
        )
        assert set(few) == {row.tobytes() for row in after[rows][expected]}


def test_races_lose_nothing() -> None:
    race = position_from_points({10: 5, 6: 10}, {11: 5, 5: 10})[None]
    kept = segments(*NetworkPruner(NETWORK, keep=1).replies(race, MONEY.other()))
    assert [sorted(few) for few in kept] == [sorted(few) for few in segments(*every_reply(race))]


def test_many_positions_at_once_are_as_one_by_one() -> None:
    positions = random_positions(np.random.default_rng(6), 40, 3)
    pruner = NetworkPruner(NETWORK, keep=30, window=9.0)  # more room is needed on the way
    after, offsets = pruner.replies(positions, MONEY.other())
    together = segments(after, offsets)
    singly: list[list[bytes]] = []
    for position in positions:
        singly += segments(*pruner.replies(position[None], MONEY.other()))
    assert together == singly


def test_a_search_with_a_pruner_that_keeps_all_is_the_search() -> None:
    positions = random_positions(np.random.default_rng(4), 4, 8)
    pruned = Lookahead(Pips(), 1, pruner=NetworkPruner(NETWORK, keep=400, window=99.0))
    np.testing.assert_array_equal(
        pruned.evaluate(positions), Lookahead(Pips(), 1).evaluate(positions)
    )
    few = Lookahead(Pips(), 1, pruner=NetworkPruner(NETWORK, keep=2)).evaluate(positions)
    full = Lookahead(Pips(), 1).evaluate(positions)
    assert (cubeless_equity(few) <= cubeless_equity(full) + 1e-6).all()


def test_impossible_settings_are_refused() -> None:
    with pytest.raises(InputError, match="at least one"):
        NetworkPruner(NETWORK, keep=0)
