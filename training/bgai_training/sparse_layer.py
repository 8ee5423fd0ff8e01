"""The sparse first layer for training on a CPU: only active rows are read and get gradients."""

from typing import Any

import numpy as np
import torch
from torch import Tensor

from bgai.compiled import compiled
from bgai.evaluation.encoding import COLUMN_OF, COLUMNS
from bgai.evaluation.network_kernels import sigmoid

_COLUMN_OF = COLUMN_OF.astype(np.int32)


@compiled(fastmath=True, error_model="numpy")
def _forward(rows: Any, weights: Any, bias: Any, silu: bool, before: Any, after: Any) -> None:
    """Sums ``before`` and activations ``after``, ``(n, hidden)``: SiLU, or else ReLU."""
    width = bias.shape[0]
    for i in range(rows.shape[0]):
        for j in range(width):
            before[i, j] = bias[j]
        for slot in range(rows.shape[1]):
            if rows[i, slot] > 0:
                column = _COLUMN_OF[slot, rows[i, slot]]
                for j in range(width):
                    before[i, j] += weights[column, j]
        if silu:
            for j in range(width):
                after[i, j] = before[i, j] * sigmoid(before[i, j])
        else:
            for j in range(width):
                after[i, j] = max(before[i, j], np.float32(0))


@compiled(fastmath=True, error_model="numpy")
def _backward(
    rows: Any, before: Any, gradient: Any, silu: bool, to_weights: Any, to_bias: Any
) -> None:
    """Add to the gradients of the weights and biases what that of the activations gives."""
    width = to_bias.shape[0]
    one = np.float32(1)
    g = np.empty(width, dtype=np.float32)
    for i in range(rows.shape[0]):
        if silu:
            for j in range(width):
                s = sigmoid(before[i, j])
                g[j] = gradient[i, j] * s * (one + before[i, j] * (one - s))
        else:
            for j in range(width):
                g[j] = gradient[i, j] if before[i, j] > 0 else np.float32(0)
        for j in range(width):
            to_bias[j] += g[j]
        for slot in range(rows.shape[1]):
            if rows[i, slot] > 0:
                column = _COLUMN_OF[slot, rows[i, slot]]
                for j in range(width):
                    to_weights[column, j] += g[j]


class _Layer(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, positions: Tensor, weights: Tensor, bias: Tensor, silu: bool) -> Tensor:
        before = torch.empty(len(positions), len(bias))
        after = torch.empty_like(before)
        _forward(
            positions.numpy(),
            weights.detach().numpy(),
            bias.detach().numpy(),
            silu,
            before.numpy(),
            after.numpy(),
        )
        ctx.save_for_backward(positions, before)
        ctx.silu = silu
        return after

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[None, Tensor, Tensor, None]:
        positions, before = ctx.saved_tensors
        gradient = gradients[0].contiguous()
        to_weights = torch.zeros(COLUMNS + 1, gradient.shape[1])
        to_bias = torch.zeros(gradient.shape[1])
        _backward(
            positions.numpy(),
            before.numpy(),
            gradient.numpy(),
            ctx.silu,
            to_weights.numpy(),
            to_bias.numpy(),
        )
        return None, to_weights, to_bias, None


def silu_layer(rows: Tensor, weights: Tensor, bias: Tensor) -> Tensor:
    """As ``network.silu_layer``, compiled, for float32 tensors on the CPU."""
    out: Tensor = _Layer.apply(rows.contiguous(), weights, bias, True)  # type: ignore[no-untyped-call]
    return out


def relu_layer(rows: Tensor, weights: Tensor, bias: Tensor) -> Tensor:
    """As ``network.relu_layer``, compiled, for float32 tensors on the CPU."""
    out: Tensor = _Layer.apply(rows.contiguous(), weights, bias, False)  # type: ignore[no-untyped-call]
    return out
