"""One process or many under ``torchrun``: the same calls, doing nothing alone."""

import os
from typing import Any

import numpy as np
import torch
import torch.distributed as distributed

from bgai_training.local_group import LocalGroup

_local: LocalGroup | None = None


def start(device: str) -> tuple[int, int]:
    """Join the other processes if ``torchrun`` started this one; returns rank and count."""
    if int(os.environ.get("WORLD_SIZE", "1")) <= 1:
        return 0, 1
    global _local
    distributed.init_process_group("nccl" if device.startswith("cuda") else "gloo")
    rank, count = distributed.get_rank(), distributed.get_world_size()
    one_machine = os.environ.get("LOCAL_WORLD_SIZE") == os.environ["WORLD_SIZE"]
    if one_machine and not device.startswith("cuda"):
        _local = LocalGroup(rank, count, _told_by_the_first)
    return rank, count


def _told_by_the_first(value: Any) -> Any:
    told = [value]
    distributed.broadcast_object_list(told, src=0)
    return told[0]


def told_by_the_first(value: Any) -> Any:
    """What the first process passes, in every process."""
    return value if process_count() == 1 else _told_by_the_first(value)


def stop() -> None:
    """Leave the group, if there is one."""
    global _local
    if _local is not None:
        _local.close()
        _local = None
    if distributed.is_available() and distributed.is_initialized():
        distributed.destroy_process_group()


def process_count() -> int:
    """How many processes train together."""
    if distributed.is_available() and distributed.is_initialized():
        return distributed.get_world_size()
    return 1


def average(values: torch.Tensor) -> None:
    """Replace float32 ``values (n,)`` by their average over all processes."""
    if process_count() == 1:
        return
    if _local is not None:
        _local.add_up(values.numpy())
    else:
        distributed.all_reduce(values)
    values /= process_count()


def total(value: float) -> float:
    """The sum of ``value``, a count or a share, over all processes."""
    if process_count() == 1:
        return value
    if _local is not None:
        values = np.array([value], dtype=np.float32)
        _local.add_up(values)
        return float(values[0])
    device = "cuda" if distributed.get_backend() == "nccl" else "cpu"
    tensor = torch.tensor([value], dtype=torch.float64, device=device)
    distributed.all_reduce(tensor)
    return float(tensor)


def any_of(*flags: bool) -> tuple[bool, ...]:
    """Each flag, true if it is in any process."""
    return tuple(total(float(flag)) > 0 for flag in flags) if process_count() > 1 else flags


def share_parameters(network: torch.nn.Module) -> None:
    """Give every process the weights of the first."""
    if process_count() > 1:
        for parameter in network.parameters():
            distributed.broadcast(parameter.data, src=0)
