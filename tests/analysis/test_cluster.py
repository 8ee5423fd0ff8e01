"""Work on a real local Dask cluster, one of its two workers killed midway."""

import os
import signal
from pathlib import Path

import pytest

from bgai.analysis.analyse import Job, analyse
from bgai.analysis.store import Store
from bgai.errors import InputError
from bgai.notation.record_files import read_record
from bgai.search.engine import HANDMADE, EngineSettings
from bgai.search.executors import InlineExecutor, open_executor

distributed = pytest.importorskip("distributed")

MATCH = Path(__file__).parents[1] / "golden" / "matches" / "3-point.mat"
SETTINGS = EngineSettings(network=HANDMADE)


def test_a_killed_worker_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = read_record(MATCH).record
    with Store(tmp_path / "inline.sqlite") as store:
        expected = analyse([Job(record, "x")], SETTINGS, store, InlineExecutor())[0]
    monkeypatch.chdir(tmp_path)
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    )
    killed: list[int] = []
    with (
        cluster,
        Store(tmp_path / "cluster.sqlite") as store,
        open_executor(scheduler=cluster.scheduler_address) as executor,
    ):

        def progress(done: int, total: int) -> None:
            if done and not killed:
                killed.append(next(iter(cluster.workers.values())).pid)
                os.kill(killed[0], signal.SIGKILL)

        review = analyse([Job(record, "x")], SETTINGS, store, executor, progress)[0]
    assert killed
    assert review.decisions == expected.decisions
    assert review.rolls == expected.rolls


def test_no_scheduler_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bgai.search.executors.CONNECT_SECONDS", 0.3)
    with (
        pytest.raises(InputError, match="no Dask scheduler"),
        open_executor(scheduler="tcp://127.0.0.1:1"),
    ):
        pass
