"""Encoding, and the compiled networks against torch."""

import numpy as np
import pytest
import torch
from bgai_training import sparse_layer
from bgai_training.starts import random_positions

from bgai.evaluation import network
from bgai.evaluation.composite import Composite
from bgai.evaluation.encoding import COLUMN_OF, COLUMNS, encode
from bgai.evaluation.inference import NetworkEvaluator
from bgai.evaluation.input_slots import ESCAPES, FIRST_ESCAPES, FIRST_SHOTS, INPUT_SLOTS
from bgai.evaluation.network import PositionNetwork, Pruner
from bgai.evaluation.network_kernels import sigmoid
from bgai.rules.kernels import SLOT_KEYS
from bgai.rules.legal_plays import legal_plays
from bgai.rules.position import BAR, OFF, position_from_points, starting_position
from bgai.search import reply_kernels
from bgai.search.pruning import Pruning


@pytest.fixture(scope="module")
def positions() -> np.ndarray:
    return random_positions(np.random.default_rng(11), 700, 80).reshape(-1, 2, 26)


def test_columns_are_distinct_and_all_used() -> None:
    used = [int(c) for c in np.unique(COLUMN_OF)]
    assert used == list(range(COLUMNS + 1))
    for slot in range(INPUT_SLOTS):
        columns = COLUMN_OF[slot]
        assert columns[0] == COLUMNS
        saturated = 12 if slot < FIRST_ESCAPES + 2 * ESCAPES else 1
        if slot < FIRST_SHOTS:
            saturated = {OFF: 15, BAR: 4}.get(slot % 26, 7)
        assert len(set(columns[1:])) == saturated
        others = np.delete(COLUMN_OF, slot, axis=0)
        assert not set(columns[1:].tolist()) & set(others[:, 1:].ravel().tolist()) - {COLUMNS}


def test_dense_inputs_of_the_start() -> None:
    inputs = encode(starting_position()[None])[0]
    assert inputs.sum() == 16  # four points and four counts of escapes a side, no blots
    assert set(np.flatnonzero(inputs)) == {
        *(
            int(COLUMN_OF[26 * side + point, count])
            for side in (0, 1)
            for point, count in {24: 2, 13: 5, 8: 3, 6: 5}.items()
        ),
        # 24 of 36 rolls from the 24 point, 34 from the midpoint (6-6 and 1-1 fail), 22 from the
        # bar, the worst of the further half.
        *(
            int(COLUMN_OF[FIRST_ESCAPES + ESCAPES * side + k, threes])
            for side in (0, 1)
            for k, threes in enumerate((8, 12, 8, 8))
        ),
    }


def test_sigmoid_is_exact_to_float32() -> None:
    xs = np.linspace(-30, 30, 4001).astype(np.float32)
    got = np.array([sigmoid(x) for x in xs])
    np.testing.assert_allclose(got, 1 / (1 + np.exp(-xs.astype(np.float64))), rtol=2e-6)


@pytest.mark.parametrize("hidden", [(8, 8, 8), (33, 17, 10), (256, 64, 32)])
def test_compiled_network_agrees_with_torch(
    hidden: tuple[int, int, int], positions: np.ndarray
) -> None:
    torch.manual_seed(sum(hidden))
    network = PositionNetwork(hidden)
    with torch.no_grad():
        expected = torch.sigmoid(network(torch.from_numpy(positions))).numpy()
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = expected.T
    win_gammon = np.minimum(win_gammon, win)
    lose_gammon = np.minimum(lose_gammon, 1 - win)
    consistent = np.stack(
        [
            win,
            win_gammon,
            np.minimum(win_backgammon, win_gammon),
            lose_gammon,
            np.minimum(lose_backgammon, lose_gammon),
        ],
        axis=1,
    )
    evaluator = NetworkEvaluator(network.kernel_weights())
    for count in (1, 2, 15, 16, 17, len(positions)):
        got = evaluator.evaluate(positions[:count])
        np.testing.assert_allclose(got, consistent[:count], atol=1e-3)  # rounded weights


@pytest.mark.parametrize("kind", ["silu_layer", "relu_layer"])
def test_compiled_first_layer_and_its_gradient(kind: str, positions: np.ndarray) -> None:
    torch.manual_seed(1)
    rows = torch.from_numpy(positions.reshape(-1, 52))
    weights, bias = 0.3 * torch.randn(COLUMNS + 1, 12), torch.randn(12)
    weights[COLUMNS] = 0
    gradients = []
    outputs = []
    for layer in (getattr(network, kind), getattr(sparse_layer, kind)):
        parameters = [weights.clone().requires_grad_(), bias.clone().requires_grad_()]
        out = layer(rows, *parameters)
        (out * torch.arange(12)).sum().backward()
        outputs.append(out.detach())
        gradients.append([parameter.grad for parameter in parameters])
    torch.testing.assert_close(outputs[0], outputs[1])
    torch.testing.assert_close(gradients[0], gradients[1], rtol=1e-4, atol=1e-3)


def test_pruner_from_the_common_position_agrees_with_torch() -> None:
    torch.manual_seed(2)
    pruner = Pruner(16)
    position = starting_position()
    plays = np.concatenate([legal_plays(position, roll) for roll in ((3, 3), (6, 1))])
    rows = np.ascontiguousarray(plays.reshape(-1, 52))
    base = np.ascontiguousarray(position[::-1]).reshape(52)
    got = np.empty(len(rows), dtype=np.float32)
    reply_kernels.pruner_equities(rows, len(rows), base, pruner.kernel_weights(), got)
    with torch.no_grad():
        expected = pruner(torch.from_numpy(rows)).numpy()
    np.testing.assert_allclose(got, expected, atol=2e-3)


def test_pruning_keeps_the_best_by_its_own_measure() -> None:
    torch.manual_seed(4)
    weights = Pruner(16).kernel_weights()
    position = starting_position()
    rows = legal_plays(position, (6, 4)).reshape(-1, 52)
    rough = np.empty(len(rows), dtype=np.float32)
    base = np.ascontiguousarray(position[::-1]).reshape(52)
    reply_kernels.pruner_equities(np.ascontiguousarray(rows), len(rows), base, weights, rough)
    for keep in (1, 3, 5):
        kept = np.empty((4000, 52), dtype=np.int8)
        count = reply_kernels.kept_replies(
            position.reshape(52),
            6,
            4,
            Pruning(weights, keep, np.float32(9)),
            reply_kernels.make_scratch(SLOT_KEYS),
            kept,
            0,
        )
        best = {rows[i].tobytes() for i in np.argsort(rough)[:keep]}
        assert {row.tobytes() for row in kept[:count]} == best


def test_mixed_kernel_equals_the_composite(positions: np.ndarray) -> None:
    torch.manual_seed(5)
    contact, race = PositionNetwork((8, 8, 8)), PositionNetwork((8, 4, 4))
    special = np.stack(
        [
            position_from_points({}, {3: 2}),  # won
            position_from_points({25: 15}, {}),  # lost a backgammon
            position_from_points({6: 15}, {6: 15}),  # bear-off tables
            position_from_points({7: 2}, {8: 3}),  # race
        ]
    )
    everything = np.concatenate([positions[:200], special])
    from bgai.search.greedy import reply_player

    players = reply_player(
        contact.kernel_weights(), race.kernel_weights(), Pruner(2).kernel_weights(), 9, 9.0
    )
    out = np.empty((len(everything), 5), dtype=np.float32)
    rows = np.ascontiguousarray(everything.reshape(-1, 52))
    reply_kernels.evaluate_mixed(rows, len(rows), players, out)
    composite = Composite(NetworkEvaluator(players.contact), NetworkEvaluator(players.race))
    np.testing.assert_allclose(out, composite.evaluate(everything), atol=1e-6)
