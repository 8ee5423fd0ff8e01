"""Networks of a checkpoint as torch modules, to train on."""

import torch

from bgai.evaluation.checkpoint import find_checkpoint, load_arrays
from bgai.evaluation.network import Networks
from bgai_training.fit import networks_of


def load_networks(name_or_path: str) -> Networks:
    """Contact, race and pruner networks. Raises ``CheckpointError``."""
    arrays, card = load_arrays(find_checkpoint(name_or_path))
    architecture = card["architecture"]
    parts = {}
    for part in ("contact", "race", "pruner"):
        hidden = architecture[part] if part != "pruner" else architecture[part][0]
        prefix = f"{part}."
        parts[part] = {
            "hidden": hidden,
            **{k.removeprefix(prefix): v for k, v in arrays.items() if k.startswith(prefix)},
        }
    with torch.no_grad():
        return networks_of(parts)
