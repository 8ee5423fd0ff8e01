import json

import pytest

from bgai.analysis import benchmark
from bgai.ui.cli import main


def test_the_signature_holds_on_one_core_and_on_two(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["bench", "--passes", "1", "--threads", "2", "--json"])
    assert stopped.value.code == 0
    found = json.loads(capsys.readouterr().out)
    assert found["signature"] == benchmark.SIGNATURE
    assert [(row["workload"], row["threads"]) for row in found["speeds"]] == [
        ("random play", 1),
        ("random play", 2),
        ("sensible play", 1),
        ("sensible play", 2),
    ]
    one, two = found["speeds"][:2]
    assert one["positions_after"] == two["positions_after"]
    assert one["rolls_per_second"] > 0


def test_a_changed_signature_is_an_error(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(benchmark, "SIGNATURE", 1)
    monkeypatch.setattr(benchmark, "RANDOM_GAMES", 3)
    monkeypatch.setattr(benchmark, "SENSIBLE_GAMES", 3)
    with pytest.raises(SystemExit) as stopped:
        main(["bench", "--passes", "1", "--threads", "1"])
    assert stopped.value.code == 1
    captured = capsys.readouterr()
    assert "signature must be 1" in captured.err
    assert "sensible play" in captured.out
