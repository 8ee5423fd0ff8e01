"""Learners: a network, its optimiser and, while targets are noisy, its running average."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
import torch.nn.functional as functional
from numpy.typing import NDArray
from torch import Tensor, nn

from bgai.evaluation.encoding import input_rows
from bgai.evaluation.network import PositionNetwork, Pruner
from bgai.evaluation.possible import certain_chances
from bgai_training.distributed import average, process_count
from bgai_training.sparse_layer import relu_layer, silu_layer

_EQUITY = torch.tensor([2.0, 1.0, 1.0, -1.0, -1.0])


def equity_of_chances(chances: NDArray[np.float32]) -> NDArray[np.float32]:
    """Cubeless equity ``(n,)`` of chances ``(n, 5)``."""
    return np.asarray(chances @ _EQUITY.numpy() - 1, dtype=np.float32)


@dataclass(frozen=True)
class Settings:
    """Optimiser settings that stay the same through a stage."""

    betas: tuple[float, float] = (0.9, 0.99)
    weight_decay: float = 0.0
    equity_weight: float = 0.0
    average: float | None = None


class Learner:
    """Fits one network; a pruner through :meth:`descend` (see ``ranking``)."""

    def __init__(self, network: PositionNetwork | Pruner, settings: Settings) -> None:
        self.network = network
        self.settings = settings
        self.device = next(network.parameters()).device
        if self.device.type == "cpu":
            network.first_layer = relu_layer if isinstance(network, Pruner) else silu_layer
        first = [network.weights]
        rest = [p for name, p in network.named_parameters() if name != "weights"]
        self.optimizer = torch.optim.AdamW(
            [{"params": first}, {"params": rest}],
            betas=settings.betas,
            weight_decay=settings.weight_decay,
            fused=True,
        )
        self.averaged = [p.detach().clone() for p in network.parameters()]
        self.steps = 0

    def step(self, rows: NDArray[np.int8], targets: NDArray[np.float32], rate: float) -> Tensor:
        """One gradient step on ``rows (n, 52)`` and chances ``(n, 5)``; returns the loss."""
        return self.descend(self.loss(rows, targets), rate)

    def descend(self, loss: Tensor, rate: float) -> Tensor:
        """One gradient step down ``loss``, which is returned.

        The first layer learns at twice ``rate``. Under ``torchrun`` the gradients of all
        processes are averaged.
        """
        self.optimizer.param_groups[0]["lr"] = 2 * rate
        self.optimizer.param_groups[1]["lr"] = rate
        self.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        average_gradients(self.network)
        self.optimizer.step()
        self.steps += 1
        if self.settings.average is not None:
            self._average(self.settings.average)
        return loss.detach()

    def loss(self, rows: NDArray[np.int8], targets: NDArray[np.float32]) -> Tensor:
        """Five binary cross-entropies plus the weighted squared error of equity.

        Chances that the rules decide (:mod:`bgai.evaluation.possible`) ask nothing of the
        network: nobody looks at what it says there.
        """
        inputs = torch.from_numpy(input_rows(rows)).to(self.device)
        wanted = torch.from_numpy(targets).to(self.device)
        undecided = torch.from_numpy(np.isnan(certain_chances(rows))).to(self.device).float()
        outputs = self.network(inputs)
        signs = _EQUITY.to(self.device)
        loss = wanted.shape[1] * functional.binary_cross_entropy_with_logits(
            outputs, wanted, weight=undecided
        )
        if self.settings.equity_weight > 0:
            error = (undecided * (torch.sigmoid(outputs) - wanted)) @ signs
            loss = loss + self.settings.equity_weight * error.square().mean()
        return loss

    def _average(self, keep: float) -> None:
        # Early on the average forgets faster, or it would hold the random start for long.
        keep = min(keep, self.steps / (self.steps + 10))
        parameters = [p.detach() for p in self.network.parameters()]
        torch._foreach_lerp_(self.averaged, parameters, 1 - keep)

    def player(self) -> PositionNetwork | Pruner:
        """The network that plays: the running average, or the network itself without one."""
        if self.settings.average is None:
            return self.network
        copy = type(self.network)(self.network.hidden)  # type: ignore[arg-type]
        with torch.no_grad():
            for target, source in zip(copy.parameters(), self.averaged, strict=True):
                target.copy_(source)
        return copy

    def state(self) -> dict[str, Any]:
        """Tensors and numbers that :meth:`load` continues from."""
        state: dict[str, Any] = {"steps": self.steps}
        for i, parameter in enumerate(self.network.parameters()):
            state[f"parameter{i}"] = parameter.detach().cpu().numpy().copy()
            state[f"averaged{i}"] = self.averaged[i].cpu().numpy().copy()
            for name, value in self.optimizer.state[parameter].items():
                state[f"{name}{i}"] = value.detach().cpu().numpy().copy()
        return state

    def load(self, state: dict[str, Any]) -> None:
        """Continue from :meth:`state`."""
        self.steps = int(state["steps"])
        with torch.no_grad():
            for i, parameter in enumerate(self.network.parameters()):
                parameter.copy_(torch.from_numpy(state[f"parameter{i}"]))
                self.averaged[i].copy_(torch.from_numpy(state[f"averaged{i}"]))
                if f"exp_avg{i}" in state:
                    self.optimizer.state[parameter] = {
                        name: torch.from_numpy(np.array(state[f"{name}{i}"])).to(
                            self.device if name != "step" else "cpu"
                        )
                        for name in ("step", "exp_avg", "exp_avg_sq")
                    }


def average_gradients(network: nn.Module) -> None:
    """Average gradients over all processes; does nothing in a single one."""
    if process_count() == 1:
        return
    gradients = [p.grad for p in network.parameters() if p.grad is not None]
    flat = torch.cat([gradient.reshape(-1) for gradient in gradients])
    average(flat)
    start = 0
    for gradient in gradients:
        gradient.copy_(flat[start : start + gradient.numel()].view_as(gradient))
        start += gradient.numel()


class Replay:
    """The newest samples of a stage, drawn from at random."""

    def __init__(self, size: int) -> None:
        self.rows = np.zeros((size, 52), dtype=np.int8)
        self.targets = np.zeros((size, 5), dtype=np.float32)
        self.added = 0

    def __len__(self) -> int:
        return min(self.added, len(self.rows))

    def add(self, rows: NDArray[np.int8], targets: NDArray[np.float32]) -> None:
        """Keep these, forgetting the oldest."""
        places = (self.added + np.arange(len(rows))) % len(self.rows)
        self.rows[places] = rows
        self.targets[places] = targets
        self.added += len(rows)

    def draw(
        self, rng: np.random.Generator, count: int
    ) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
        """``count`` samples with replacement."""
        picks = rng.integers(0, len(self), size=count)
        return self.rows[picks], self.targets[picks]

    def state(self) -> dict[str, Any]:
        """Everything :meth:`load` needs."""
        return {"rows": self.rows, "targets": self.targets, "added": self.added}

    def load(self, state: dict[str, Any]) -> None:
        """Continue from :meth:`state`."""
        self.rows[:] = state["rows"]
        self.targets[:] = state["targets"]
        self.added = int(state["added"])
