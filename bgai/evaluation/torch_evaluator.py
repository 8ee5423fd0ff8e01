"""Networks run by torch: big batches, and GPUs. Imports torch."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from bgai.errors import InputError
from bgai.evaluation.checkpoint import (
    NETWORK_ARRAYS,
    find_checkpoint,
    load_arrays,
    load_cube_network,
)
from bgai.evaluation.composite import Composite
from bgai.evaluation.encoding import input_rows
from bgai.evaluation.evaluator import Chances
from bgai.evaluation.network import PositionNetwork
from bgai.rules.position import Positions

_ROWS = 1 << 16  # evaluated at once: bounds the memory of the first layer


class TorchEvaluator:
    """One network of a checkpoint on a torch device, judging every position alike."""

    def __init__(self, network: PositionNetwork, device: str = "cpu") -> None:
        self.device = torch_device(device)
        self.network = network.to(self.device).eval()

    def evaluate(self, positions: Positions) -> Chances:
        """Chances ``(n, 5)``, consistent as those of the compiled kernels are."""
        chances = np.empty((len(positions), 5), dtype=np.float32)
        rows = input_rows(positions)
        with torch.inference_mode():
            for start in range(0, len(rows), _ROWS):
                batch = torch.from_numpy(rows[start : start + _ROWS]).to(self.device)
                judged = consistent(torch.sigmoid(self.network(batch)))
                chances[start : start + len(batch)] = judged.cpu().numpy()
        return chances


def consistent(chances: Tensor) -> Tensor:
    """A backgammon is a gammon, a gammon a win or a loss."""
    win, wg, wbg, lg, lbg = chances.unbind(dim=1)
    wg = torch.minimum(wg, win)
    lg = torch.minimum(lg, 1 - win)
    return torch.stack([win, wg, torch.minimum(wbg, wg), lg, torch.minimum(lbg, lg)], dim=1)


def torch_device(name: str) -> torch.device:
    """The device of a name such as ``cpu``, ``cuda``, ``cuda:1``. Raises ``InputError``."""
    try:
        device = torch.device(name)
    except RuntimeError as error:
        raise InputError(f"no torch device '{name}'") from error
    if device.type == "cuda" and not torch.cuda.is_available():
        raise InputError(f"device '{name}': torch sees no CUDA device on this machine")
    return device


def load_torch_evaluator(name_or_path: str, device: str = "cpu") -> Composite:
    """The evaluator of a checkpoint with its networks on a torch device."""
    folder = find_checkpoint(name_or_path)
    arrays, card = load_arrays(folder)
    parts = [_network(arrays, card["architecture"][part], part) for part in ("contact", "race")]
    contact, race = (TorchEvaluator(part, device) for part in parts)
    return Composite(contact, race, cube_network=load_cube_network(folder))


def _network(
    arrays: dict[str, NDArray[np.float32]], hidden: list[int], part: str
) -> PositionNetwork:
    first, second, third = hidden
    network = PositionNetwork((first, second, third))
    state = {name: torch.from_numpy(arrays[f"{part}.{name}"].copy()) for name in NETWORK_ARRAYS}
    network.load_state_dict(state)
    return network
