"""Worker of test_run: three gradient steps, alone on whole batches or in two on halves."""

import sys

import numpy as np
import torch
from bgai_training import distributed
from bgai_training.learner import Learner, Settings
from bgai_training.starts import random_positions

from bgai.evaluation.network import PositionNetwork

rank, count = distributed.start("cpu")
torch.set_num_threads(1)
torch.manual_seed(7)
learner = Learner(PositionNetwork((16, 8, 8)), Settings(equity_weight=3.0))
rng = np.random.default_rng(4)
rows = random_positions(rng, 192, 40)
targets = rng.random((192, 5)).astype(np.float32)
for step in range(3):
    whole = slice(64 * step, 64 * (step + 1))
    share = slice(rank, None, count)
    learner.step(rows[whole][share].copy(), targets[whole][share].copy(), 1e-3)
flat = torch.cat([p.detach().reshape(-1) for p in learner.network.parameters()])
if rank == 0:
    np.save(sys.argv[1], flat.numpy())
distributed.stop()
