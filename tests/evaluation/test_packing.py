"""Packed networks: bounds, rounding, and the int16 product against numpy's."""

import numpy as np
import pytest
import torch
from bgai_training.starts import random_positions

from bgai.evaluation import int16_kernels, network_kernels
from bgai.evaluation.checkpoint import load_checkpoint
from bgai.evaluation.encoding import COLUMN_OF, COLUMNS, input_rows
from bgai.evaluation.evaluator import cubeless_equity
from bgai.evaluation.input_slots import INPUT_SLOTS
from bgai.evaluation.network import PositionNetwork, Pruner
from bgai.evaluation.packing import pack, sum_bounds
from bgai.evaluation.torch_evaluator import load_torch_evaluator
from bgai.search.reply_kernels import pruner_equities


def float_arrays(network: PositionNetwork) -> list[np.ndarray]:
    layers = (network.layer2, network.layer3, network.output)
    tensors = [network.weights, network.bias, *(t for la in layers for t in (la.weight, la.bias))]
    return [tensor.detach().numpy() for tensor in tensors]


def scattered(rng: np.random.Generator, count: int) -> np.ndarray:
    """15 checkers a side rolled at slots without any sense: far from what training saw."""
    rows = np.zeros((count, 2, 26), dtype=np.int8)
    for row in rows:
        for side in row:
            places = rng.choice(26, size=rng.integers(1, 16), replace=False)
            np.add.at(side, rng.choice(places, size=15), 1)
    return rows.reshape(count, 52)


def test_bounds_hold() -> None:
    rng = np.random.default_rng(1)
    w1 = rng.normal(size=(COLUMNS + 1, 3)).astype(np.float32)
    w1[COLUMNS] = 0
    low, high = sum_bounds(w1)
    rows = scattered(rng, 3000)
    sums = w1[COLUMN_OF[np.arange(INPUT_SLOTS), input_rows(rows)]].sum(axis=1)
    assert (sums >= low - 1e-4).all()
    assert (sums <= high + 1e-4).all()
    # One unit that wants 7 checkers on one point and 7 on another, the last on the bar.
    w1 = np.zeros((COLUMNS + 1, 1), dtype=np.float32)
    w1[COLUMN_OF[3, 7]], w1[COLUMN_OF[9, 7]], w1[COLUMN_OF[25, 1]] = 5, 4, 1
    w1[COLUMN_OF[26 + 12, 2]] = -3
    low, high = sum_bounds(w1)
    assert (low[0], high[0]) == (-3, 10)


@pytest.mark.parametrize("size", [0.05, 1.0, 20.0])
def test_nothing_overflows(size: float) -> None:
    torch.manual_seed(2)
    network = PositionNetwork((48, 16, 8))
    with torch.no_grad():
        network.weights.mul_(size)
        network.layer2.weight.mul_(size)
        network.layer3.weight.mul_(1 / size)
    rows = scattered(np.random.default_rng(3), 2000)
    with torch.no_grad():
        expected = torch.sigmoid(network(torch.from_numpy(rows)))[:, 0].numpy()
    got = np.empty((len(rows), 5), dtype=np.float32)
    network_kernels.evaluate_rows(rows, len(rows), network.kernel_weights(), got)
    np.testing.assert_allclose(got[:, 0], expected, atol=0.01)


@pytest.mark.parametrize("size", [0.05, 1.0, 20.0])
def test_nothing_overflows_in_a_pruner(size: float) -> None:
    torch.manual_seed(12)
    pruner = Pruner(48)
    with torch.no_grad():
        pruner.weights.mul_(size)
        pruner.bias.normal_(0, size)
        pruner.output.weight.div_(size)
    rows = scattered(np.random.default_rng(13), 2000)
    with torch.no_grad():
        expected = pruner(torch.from_numpy(rows)).numpy()
    got = np.empty(len(rows), dtype=np.float32)
    packed = pruner.kernel_weights()
    pruner_equities(rows, len(rows), rows[0], packed, got)
    np.testing.assert_allclose(got, expected, atol=0.02)
    one_by_one = np.empty_like(got)
    for i in range(len(rows)):
        pruner_equities(rows[i : i + 1], 1, rows[i], packed, one_by_one[i : i + 1])
    np.testing.assert_array_equal(one_by_one, got)


def test_order_of_rows_changes_nothing() -> None:
    torch.manual_seed(4)
    network = PositionNetwork((40, 18, 8)).kernel_weights()
    rows = random_positions(np.random.default_rng(5), 300, 40)
    rows = np.concatenate([rows, rows[:50]])  # some equal to a row not far before
    got = np.empty((len(rows), 5), dtype=np.float32)
    network_kernels.evaluate_rows(rows, len(rows), network, got)
    order = np.random.default_rng(6).permutation(len(rows))
    shuffled = np.empty_like(got)
    network_kernels.evaluate_rows(np.ascontiguousarray(rows[order]), len(rows), network, shuffled)
    np.testing.assert_array_equal(shuffled, got[order])


@pytest.mark.skipif(not int16_kernels.AVAILABLE, reason="needs a CPU with AVX2")
def test_int16_product() -> None:
    rng = np.random.default_rng(7)
    x = rng.integers(-3000, 3000, size=(8, 64)).astype(np.int16)
    w = rng.integers(-3000, 3000, size=(8, 64)).astype(np.int16)
    scales, bias = rng.random(8).astype(np.float32), rng.random(8).astype(np.float32)
    got = np.empty((8, 8), dtype=np.float32)
    int16_kernels.dense(x, 8, w, scales, bias, got)
    sums = x.astype(np.int64) @ w.T.astype(np.int64)
    np.testing.assert_allclose(got, sums * scales + bias, rtol=1e-5)


def test_float_product() -> None:
    torch.manual_seed(8)
    arrays = float_arrays(PositionNetwork((32, 16, 8)))
    packed = pack(arrays)
    x = np.random.default_rng(9).normal(size=(4, 32)).astype(np.float32)
    out = np.empty((4, 16), dtype=np.float32)
    network_kernels.dense(x, 4, packed[6], packed[7], out)
    np.testing.assert_allclose(out, x @ arrays[2].T + arrays[3], atol=1e-4)


def test_rounding_hardly_moves_the_released_network() -> None:
    rows = random_positions(np.random.default_rng(10), 2000, 60)
    got = np.empty((len(rows), 5), dtype=np.float32)
    network_kernels.evaluate_rows(rows, len(rows), load_checkpoint("expert").contact, got)
    exact = load_torch_evaluator("expert")
    contact = exact.contact.evaluate(rows.reshape(-1, 2, 26))  # type: ignore[attr-defined]
    difference = cubeless_equity(got) - cubeless_equity(contact)
    assert np.sqrt(np.mean(difference**2)) < 5e-4
    assert np.abs(difference).max() < 5e-3
