"""Rollouts handed out in pieces give the numbers of one process."""

import numpy as np
import pytest

from bgai.rules.position import position_from_points
from bgai.search.engine import HANDMADE, EngineSettings, build_engine
from bgai.search.executors import InlineExecutor
from bgai.search.rollout import Rollout
from bgai.search.rollout_pieces import run_spread
from bgai.search.rollout_run import RolloutSettings

ENGINE = EngineSettings(network=HANDMADE, plies=0)


@pytest.mark.parametrize("stop", [None, 0.2])
def test_pieces_give_the_numbers_of_one_process(stop: float | None) -> None:
    position = position_from_points({8: 3, 7: 3, 9: 2, 4: 2}, {8: 3, 7: 3, 10: 2, 3: 2})[None]
    settings = RolloutSettings(
        trials=180, seed=3, truncate=4, stop_error=stop, least_trials=72, batch=2
    )
    whole = Rollout(position, build_engine(ENGINE), settings)
    whole.run()
    spread = Rollout(position, build_engine(ENGINE), settings)
    seen: list[int] = []
    run_spread(spread, InlineExecutor(), lambda now: seen.append(now.trials_done))
    assert np.array_equal(spread.values, whole.values)
    assert seen[-1] == whole.trials_done
