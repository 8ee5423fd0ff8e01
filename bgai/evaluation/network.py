"""The networks in torch, for training and big batches."""

from collections.abc import Callable

import torch
import torch.nn.functional as functional
from torch import Tensor, nn

from bgai.evaluation.encoding import COLUMN_OF, COLUMNS, input_rows
from bgai.evaluation.input_slots import FIRST_SHOTS, INPUT_SLOTS
from bgai.evaluation.packing import PackedNetwork, PackedPruner, pack, pack_pruner

OUTPUTS = 5

# Biases of the untrained outputs: an even game in which gammons are uncommon.
_OUTPUT_BIAS = (0.0, -1.0, -4.0, -1.0, -4.0)
_ACTIVE_COLUMNS = 16

FirstLayer = Callable[[Tensor, Tensor, Tensor], Tensor]
"""Rows ``(n, slots)`` int8, weights ``(COLUMNS + 1, hidden)`` and biases to activations."""


def sum_of_rows(rows: Tensor, weights: Tensor) -> Tensor:
    """The sparse first layer in plain torch: the sum of the active columns' weights."""
    slots = torch.arange(rows.shape[1], device=weights.device)
    table = torch.as_tensor(COLUMN_OF, device=weights.device)
    columns = table[slots, rows.long()]
    return functional.embedding_bag(columns, weights, mode="sum", padding_idx=COLUMNS)


def silu_layer(rows: Tensor, weights: Tensor, bias: Tensor) -> Tensor:
    """The first layer of a :class:`PositionNetwork`, activations ``(n, hidden)``."""
    return functional.silu(sum_of_rows(rows, weights) + bias)


def relu_layer(rows: Tensor, weights: Tensor, bias: Tensor) -> Tensor:
    """The first layer of a :class:`Pruner`, activations ``(n, hidden)``."""
    return functional.relu(sum_of_rows(rows, weights) + bias)


def _with_all_inputs(positions: Tensor) -> Tensor:
    rows = positions.reshape(len(positions), -1)
    if rows.shape[1] == INPUT_SLOTS:
        return rows
    return torch.from_numpy(input_rows(rows.cpu().numpy())).to(positions.device)


class PositionNetwork(nn.Module):
    """Positions to the logits of the five chances of the player on roll.

    ``hidden`` are the widths of the three hidden layers; SiLU follows each.
    """

    def __init__(self, hidden: tuple[int, int, int]) -> None:
        super().__init__()
        self.hidden = hidden
        weights = torch.randn(COLUMNS + 1, hidden[0]) * 0.25 * (2 / _ACTIVE_COLUMNS) ** 0.5
        weights[COLUMNS] = 0  # the column of empty slots; gets no gradient
        self.weights = nn.Parameter(weights)
        self.bias = nn.Parameter(torch.zeros(hidden[0]))
        self.layer2 = nn.Linear(hidden[0], hidden[1])
        self.layer3 = nn.Linear(hidden[1], hidden[2])
        self.output = nn.Linear(hidden[2], OUTPUTS)
        for layer in (self.layer2, self.layer3, self.output):
            nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
            nn.init.zeros_(layer.bias)
        with torch.no_grad():
            self.output.weight.mul_(0.3)
            self.output.bias.copy_(torch.tensor(_OUTPUT_BIAS))
        self.first_layer: FirstLayer = silu_layer

    def forward(self, positions: Tensor) -> Tensor:
        """Logits ``(n, 5)`` of int8 positions ``(n, 2, 26)``, ``(n, 52)`` or as ``input_rows``."""
        rows = _with_all_inputs(positions)
        x = self.first_layer(rows, self.weights, self.bias)
        x = functional.silu(self.layer2(x))
        x = functional.silu(self.layer3(x))
        return self.output(x)

    def kernel_weights(self) -> PackedNetwork:
        """The weights as ``network_kernels`` takes them."""
        layers = (self.layer2, self.layer3, self.output)
        arrays: list[Tensor] = [self.weights, self.bias]
        for layer in layers:
            arrays += [layer.weight, layer.bias]
        return pack([array.detach().float().cpu().numpy() for array in arrays])


class Pruner(nn.Module):
    """A small network for the equity alone, to drop hopeless replies before the real one."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.hidden = hidden
        weights = torch.randn(COLUMNS + 1, hidden) * 0.5 * (2 / _ACTIVE_COLUMNS) ** 0.5
        weights[COLUMNS] = 0
        self.weights = nn.Parameter(weights)
        self.bias = nn.Parameter(torch.zeros(hidden))
        self.output = nn.Linear(hidden, 1)
        self.first_layer: FirstLayer = relu_layer

    def forward(self, positions: Tensor) -> Tensor:
        """Cubeless equity ``(n,)`` of the player on roll. Its inputs are the checkers alone."""
        rows = positions.reshape(len(positions), -1)[:, :FIRST_SHOTS].contiguous()
        hidden = self.first_layer(rows, self.weights, self.bias)
        return self.output(hidden).squeeze(-1)

    def kernel_weights(self) -> PackedPruner:
        """The weights as ``reply_kernels`` takes them."""
        arrays = (self.weights, self.bias, self.output.weight[0], self.output.bias)
        return pack_pruner([array.detach().float().cpu().numpy() for array in arrays])


Networks = tuple[PositionNetwork, PositionNetwork, Pruner]
"""Contact, race and pruning networks of one player."""
