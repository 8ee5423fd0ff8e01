"""What every kind of rollout keeps: exact numbers whatever the cores, batches and interruptions."""

import pickle
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bgai.equity.stakes import match_stakes, money_stakes
from bgai.errors import InputError
from bgai.rules.cube import Cube, CubeOwner
from bgai.rules.dice import Roll
from bgai.rules.legal_plays import legal_plays
from bgai.rules.match import MatchScore
from bgai.rules.position import starting_position
from bgai.search.cubeful_lookahead import CubefulLookahead
from bgai.search.cubeful_rollout import CubeRollout
from bgai.search.cubeful_trials import Thought
from bgai.search.engine import EngineSettings, build_engine
from bgai.search.play_rollout import PlayRollout
from bgai.search.rollout import Rollout
from bgai.search.rollout_pieces import run_spread
from bgai.search.rollout_run import RolloutRun, RolloutSettings, VarianceReduction

PLAYS = legal_plays(starting_position(), Roll(4, 3))[:2]
QUICK = build_engine(EngineSettings("expert", plies=0, keep=2))
DEEPER = build_engine(EngineSettings("expert", plies=1, keep=2, filters="narrow"))
Make = Callable[[RolloutSettings], RolloutRun[Any]]


def cubeless(settings: RolloutSettings) -> RolloutRun[Any]:
    return Rollout(PLAYS, QUICK, settings)


def plays(settings: RolloutSettings) -> RolloutRun[Any]:
    stakes = match_stakes(Cube(2, CubeOwner.ON_ROLL), MatchScore(9, 1, 3))
    search = CubefulLookahead(QUICK, stakes)
    early = CubefulLookahead(DEEPER, stakes)
    thought = Thought(early, early_turns=1, first_cube=early, leaf_plies=1)
    return PlayRollout(PLAYS, search, settings, thought=thought)


def cube(settings: RolloutSettings) -> RolloutRun[Any]:
    return CubeRollout(starting_position(), CubefulLookahead(QUICK, money_stakes()), settings)


KINDS = pytest.mark.parametrize("make", [cubeless, plays, cube])


def changed(**changes: Any) -> RolloutSettings:
    return RolloutSettings(**{"trials": 180, "truncate": 2, "seed": 4} | changes)


@KINDS
def test_cores_batches_and_processes_change_nothing(make: Make) -> None:
    whole = make(changed())
    while not whole.finished:
        whole.step()
    seen: list[int] = []
    others = [make(changed(batch=batch)) for batch in (1, 2, 5)]
    for cores, run in enumerate(others, 1):
        run.run(lambda now: seen.append(now.trials_done), cores=cores)
    assert seen == [36, 72, 108, 144, 180, 72, 144, 180, 180]
    spread = make(changed(batch=2))
    with ThreadPoolExecutor(2) as executor:
        run_spread(spread, executor)
    for run in (*others, spread):
        np.testing.assert_array_equal(run.values, whole.values)
        assert run.result().trials == 180


@KINDS
@pytest.mark.parametrize("cores", [1, 3])
def test_interrupted_it_goes_on_exactly(make: Make, cores: int, tmp_path: Path) -> None:
    path = tmp_path / "kept"
    whole = make(changed())
    whole.run(cores=2)

    def keep(run: RolloutRun[Any]) -> None:
        run.save(path)
        if run.trials_done == 72:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make(changed()).run(keep, cores)
    again = make(changed(batch=2))
    assert again.resume(path)
    assert again.trials_done == 72
    again.run(cores=cores)
    np.testing.assert_array_equal(again.values, whole.values)
    assert repr(again.sureness()) == repr(whole.sureness())


@KINDS
def test_files_of_other_rollouts_are_refused(make: Make, tmp_path: Path) -> None:
    path = tmp_path / "kept"
    run = make(changed())
    run.step()
    run.save(path)
    none = VarianceReduction.NONE
    for change in ({"seed": 5}, {"truncate": 3}, {"variance_reduction": none}):
        with pytest.raises(InputError, match="another rollout"):
            make(changed(**change)).resume(path)
    for other in (cubeless, plays, cube):
        if other is not make:
            with pytest.raises(InputError, match="another rollout"):
                other(changed()).resume(path)
    data = bytearray(path.read_bytes())
    data[-3] ^= 1
    path.write_bytes(bytes(data))
    with pytest.raises(InputError, match="damaged"):
        make(changed()).resume(path)


def test_other_thought_and_other_stakes_are_another_rollout(tmp_path: Path) -> None:
    run = plays(changed())
    run.step()
    run.save(tmp_path / "kept")
    assert isinstance(run, PlayRollout)
    stakes = match_stakes(Cube(2, CubeOwner.ON_ROLL), MatchScore(9, 1, 4))
    for player, thought in (
        (run.player, None),
        (CubefulLookahead(QUICK, stakes), run.thought),
        (CubefulLookahead(DEEPER, run.stakes), run.thought),
    ):
        other = PlayRollout(PLAYS, player, changed(), thought=thought)
        with pytest.raises(InputError, match="another rollout"):
            other.resume(tmp_path / "kept")


@KINDS
def test_a_stop_is_answered_within_a_turn(make: Make) -> None:
    run = make(RolloutSettings(trials=10**6))
    begun = threading.Event()
    thread = threading.Thread(target=run.run, args=(lambda _: begun.set(), 2))
    thread.start()
    assert begun.wait(60)
    asked = time.monotonic()
    run.stop()
    thread.join(60)
    assert time.monotonic() - asked < 5  # a turn takes some milliseconds; machines may be busy
    done = run.trials_done
    assert 0 < done < 10**6
    run.step()  # nothing is left of the stop
    assert run.trials_done == done + 36


@KINDS
def test_stop_rules_are_asked_of_every_kind(make: Make) -> None:
    run = make(changed(stop_error=0.9, least_trials=36, trials=360))
    run.run(cores=2)
    assert run.trials_done == 36
    sure = run.sureness()
    assert 0 < sure.error <= 0.9
    assert sure.confidence is not None
    surer = make(changed(stop_confidence=min(0.999, sure.confidence), least_trials=36, trials=360))
    surer.run()
    assert surer.trials_done == 36 or sure.confidence > 0.999


def test_only_searches_made_of_settings_travel() -> None:
    from bgai.search.lookahead import Lookahead

    assert pickle.loads(pickle.dumps(QUICK)).plies == 0
    with pytest.raises(InputError, match="another process"):
        pickle.dumps(Lookahead(QUICK.evaluator, 0))


def test_luck_is_not_measured_deeper_with_a_cube() -> None:
    with pytest.raises(InputError, match="0-ply, or not at all"):
        plays(changed(variance_reduction=VarianceReduction.ONE_PLY))
