"""Fit the small networks of cube efficiency (``bgai.equity.efficiency_kernels``).

The model's equity is linear in the efficiency: the dead cube's plus efficiency times ``span``,
live less dead. Hence the loss, the squared error of equity: where live and dead are the same
the efficiency may be anything and costs nothing.
"""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from bgai.evaluation.composite import SmallNetwork

Floats = NDArray[np.floating]
START = 0.65  # efficiency before training


def small_outputs(inputs: Floats, network: SmallNetwork) -> Floats:
    """Outputs ``(n, outputs)`` of inputs ``(n, k)``."""
    w1, b1, w2, b2, w3, b3 = network
    hidden = _silu(_silu(inputs @ w1.T + b1) @ w2.T + b2)
    return np.asarray(hidden @ w3.T + b3)


def _silu(x: Floats) -> Floats:
    return np.asarray(x * (1 + np.tanh(x / 2)) / 2)


def fit_small(
    inputs: Floats,
    spans: Floats,
    gains: Floats,
    weights: Floats,
    *,
    hidden: tuple[int, int],
    steps: int,
    batch: int = 1024,
    rate: float = 1e-2,
    decay: float = 1e-4,
    pull: float = 0.0,
    seed: int = 0,
) -> SmallNetwork:
    """Arrays ``(w1, b1, w2, b2, w3, b3)`` with the least weighted squared error of equity.

    ``inputs`` ``(n, k)``; ``spans`` and ``gains`` ``(n, outputs)``: live and true equity, each less
    the dead one; ``weights`` ``(n,)``. ``pull`` is the price of a squared step of efficiency
    away from ``START``, so that it stays sensible where equity doesn't ask for any.
    """
    torch.set_num_threads(1)  # the steps are small; more threads only wait for each other
    torch.manual_seed(seed)
    middle, scale = inputs.mean(axis=0), inputs.std(axis=0) + 1e-6
    x, span, gain, weight = (
        torch.from_numpy(np.ascontiguousarray(part, dtype=np.float32))
        for part in ((inputs - middle) / scale, spans, gains, weights[:, None])
    )
    layers = [
        nn.Linear(a, b)
        for a, b in zip((x.shape[1], *hidden), (*hidden, span.shape[1]), strict=True)
    ]
    net = nn.Sequential(layers[0], nn.SiLU(), layers[1], nn.SiLU(), layers[2])
    with torch.no_grad():
        layers[2].weight.mul_(0.3)
        layers[2].bias.fill_(START)
    optimiser = torch.optim.AdamW(net.parameters(), rate, betas=(0.9, 0.99), weight_decay=decay)
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = rate * (1 - step / steps) * min(1, (step + 1) / 200)
        rows = torch.randint(0, len(x), (batch,))
        found = net(x[rows])
        missed = (found * span[rows] - gain[rows]).square() + pull * (found - START).square()
        loss = (weight[rows] * missed).mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    arrays = []
    for layer in layers:
        arrays += [layer.weight.detach().numpy().copy(), layer.bias.detach().numpy().copy()]
    arrays[1] = (arrays[1] - arrays[0] @ (middle / scale)).astype(np.float32)
    arrays[0] = (arrays[0] / scale).astype(np.float32)
    return tuple(np.ascontiguousarray(array, dtype=np.float32) for array in arrays)
