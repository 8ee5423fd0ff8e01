"""The sparse first layer for training on a CPU: only active rows are read and get gradients."""

from typing import Any

import numpy as np
import torch
from numba import njit
from torch import Tensor

from bgai.evaluation.encoding import COLUMN_OF, COLUMNS

_COLUMN_OF = COLUMN_OF.astype(np.int32)


@njit(cache=True, nogil=True, fastmath=True)
def _forward(rows: Any, weights: Any, out: Any) -> None:
    for i in range(rows.shape[0]):
        y = out[i]
        for j in range(y.shape[0]):
            y[j] = 0
        for slot in range(rows.shape[1]):
            if rows[i, slot] > 0:
                w = weights[_COLUMN_OF[slot, rows[i, slot]]]
                for j in range(y.shape[0]):
                    y[j] += w[j]


@njit(cache=True, nogil=True, fastmath=True)
def _backward(rows: Any, gradient: Any, out: Any) -> None:
    for i in range(rows.shape[0]):
        g = gradient[i]
        for slot in range(rows.shape[1]):
            if rows[i, slot] > 0:
                w = out[_COLUMN_OF[slot, rows[i, slot]]]
                for j in range(g.shape[0]):
                    w[j] += g[j]


class _SumOfRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, positions: Tensor, weights: Tensor) -> Tensor:
        ctx.save_for_backward(positions)
        out = torch.empty(len(positions), weights.shape[1])
        _forward(positions.numpy(), weights.detach().numpy(), out.numpy())
        return out

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[None, Tensor]:
        (positions,) = ctx.saved_tensors
        gradient = gradients[0].contiguous()
        out = torch.zeros(COLUMNS + 1, gradient.shape[1])
        _backward(positions.numpy(), gradient.numpy(), out.numpy())
        return None, out


def sum_of_rows(positions: Tensor, weights: Tensor) -> Tensor:
    """As ``network.sum_of_rows``, compiled, for float32 tensors on the CPU."""
    out: Tensor = _SumOfRows.apply(positions.contiguous(), weights)  # type: ignore[no-untyped-call]
    return out
