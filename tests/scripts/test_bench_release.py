"""Figures of releases: kept under the version, compared by the yardstick, slower ones told."""

import json
from pathlib import Path
from types import ModuleType

import pytest

import bgai


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parents[2] / "scripts"))
    import bench_release

    monkeypatch.setattr(bench_release, "FIGURES", tmp_path / "figures.json")
    return bench_release


def run(bench: ModuleType, monkeypatch: pytest.MonkeyPatch, version: str, **now: float) -> int:
    monkeypatch.setattr(bench, "figures", lambda: now)
    monkeypatch.setattr(bgai, "__version__", version)
    monkeypatch.setattr("sys.argv", ["bench_release.py", "--keep"])
    try:
        bench.main()
    except SystemExit as stopped:
        return int(stopped.code or 0)
    return 0


def test_a_machine_twice_as_fast_hides_no_regression(
    bench: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(bench, monkeypatch, "1.0", yardstick=100.0, play=8.0) == 0
    assert run(bench, monkeypatch, "1.1", yardstick=50.0, play=4.5) == 0  # 1.125 times
    assert run(bench, monkeypatch, "1.2", yardstick=50.0, play=6.0, new=1.0) == 1
    assert "slower than 1.1: play" in capsys.readouterr().err
    kept = json.loads(bench.FIGURES.read_text())
    assert [each["milliseconds"]["play"] for each in kept.values()] == [8.0, 4.5, 6.0]


def test_a_version_measured_again_is_compared_with_the_one_before(
    bench: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(bench, monkeypatch, "1.0", yardstick=1.0, play=1.0)
    assert run(bench, monkeypatch, "1.1", yardstick=1.0, play=2.0) == 1
    assert run(bench, monkeypatch, "1.1", yardstick=1.0, play=2.0) == 1
    assert [*json.loads(bench.FIGURES.read_text())] == ["1.0", "1.1"]
