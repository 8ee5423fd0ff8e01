import warnings

import numpy as np
import pytest

from bgai.errors import InputError
from bgai.rules.outcome import game_points

pytest.importorskip("pettingzoo")

from bgai_training.pettingzoo_env import MOST_PLAYS, BackgammonEnv
from pettingzoo.test import api_test, seed_test


def test_it_passes_pettingzoos_own_test() -> None:
    with warnings.catch_warnings():
        # Dict observations with a mask are what PettingZoo's own board games have; its test
        # knows them by name only.
        warnings.filterwarnings("ignore", message=".*[Oo]bservation.*|.*all zeros.*")
        warnings.filterwarnings("error", module="bgai_training")
        api_test(BackgammonEnv(), num_cycles=300, verbose_progress=False)


def test_the_same_seed_gives_the_same_game() -> None:
    seed_test(BackgammonEnv, num_cycles=60)


def test_a_game_to_the_end_pays_the_result_to_both() -> None:
    env = BackgammonEnv()
    rng = np.random.default_rng(1)
    for seed in (1, 2, 3):
        env.reset(seed=seed)
        mover, plays, action = env.agent_selection, None, 0
        while not any(env.terminations.values()):
            mover = env.agent_selection
            observation, _, _, _, info = env.last()
            plays = info["plays"]
            assert observation["action_mask"].sum() == len(plays)
            assert observation["action_mask"][: len(plays)].all()
            assert (observation["observation"][-2:] > 0).all()
            action = int(rng.integers(len(plays)))
            env.step(action)
        assert plays is not None
        points = -int(game_points(plays[action]))
        assert points in (1, 2, 3)
        loser = next(agent for agent in env.possible_agents if agent != mover)
        assert env.rewards == {mover: points, loser: -points}
        assert env.observe(mover)["observation"][0] == 15
        assert env.observe(loser)["observation"][26] == 15
        for agent in env.agent_iter():
            assert env.last()[1] == (points if agent == mover else -points)
            env.step(None)
        assert env.agents == []


def test_both_agents_see_the_same_board_from_their_own_side() -> None:
    env = BackgammonEnv()
    env.reset(seed=4)
    env.step(0)
    on_roll = env.agent_selection
    other = next(agent for agent in env.possible_agents if agent != on_roll)
    mine, theirs = env.observe(on_roll), env.observe(other)
    assert mine["observation"][:26].tolist() == theirs["observation"][26:52].tolist()
    assert mine["observation"][26:52].tolist() == theirs["observation"][:26].tolist()
    assert not theirs["action_mask"].any()
    assert theirs["observation"][-2:].tolist() == [0, 0]


def test_an_action_that_is_no_play_is_refused() -> None:
    env = BackgammonEnv()
    env.reset(seed=1)
    with pytest.raises(InputError, match=str(MOST_PLAYS - 1)):
        env.step(MOST_PLAYS - 1)


def test_the_board_can_be_shown() -> None:
    env = BackgammonEnv(render_mode="ansi")
    env.reset(seed=1)
    assert "13" in str(env.render())
    while not any(env.terminations.values()):
        env.step(0)
    assert "13" in str(env.render())
    assert BackgammonEnv().render_mode is None
