"""`bgai show`."""

import json
from pathlib import Path

import pytest

from bgai.ui.cli import main

XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:3:0:10"


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stopped:
        main(["show", *arguments])
    out, err = capsys.readouterr()
    return int(stopped.value.code or 0), out, err


@pytest.mark.parametrize("identifier", [XGID, XGID[5:], "4HPwATDgc/ABMA:cIkFAAAAAAAA"])
def test_every_other_identifier(capsys: pytest.CaptureFixture[str], identifier: str) -> None:
    code, out, err = run(capsys, identifier)
    assert (code, err) == (0, "")
    for text in (XGID, "4HPwATDgc/ABMA\n", "cIkFAAAAAAAA\n", "4HPwATDgc/ABMA:cIkFAAAAAAAA\n"):
        assert text in out
    assert out.count("pips 167") == 2
    assert "to play 3-1" in out


def test_ascii_and_the_other_view(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "4HPwATDgc/ABMA", "--ascii", "--top")
    assert out.isascii()
    assert out.startswith("+12-11-10")


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "XGID=-b----E-C---eE---c-e----B-:1:-1:-1:00:2:0:1:3:10", "--json")
    said = json.loads(out)
    assert code == 0
    assert said["pips"] == [167, 167]
    assert said["cube"] == {"value": 2, "owner": "on_roll"}
    assert said["match"] == {"length": 3, "on_roll": 0, "opponent": 2, "crawford": True}
    assert said["seat"] == "top"
    assert said["position_id"] == "4HPwATDgc/ABMA"


def test_svg_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, _, _ = run(capsys, XGID, "--svg", str(tmp_path / "board.svg"))
    assert code == 0
    assert (tmp_path / "board.svg").read_text(encoding="utf-8").startswith("<svg ")
    assert [path.name for path in tmp_path.iterdir()] == ["board.svg"]
    code, _, err = run(capsys, XGID, "--svg", str(tmp_path / "board.svg" / "board.svg"))
    assert code == 2
    assert err.startswith("error: ")


@pytest.mark.parametrize(
    ("identifier", "message"),
    [
        ("XGID=-b----E-C---eE---c-e----P-:0:0:1:00:0:0:3:0:10", "29 checkers of the bottom"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:0:0:3:10", "XGID score1"),
        ("4HPwATDgc/ABMA:xxxxxxxxxxxx", "match ID"),
        ("hello", "position ID 'hello'"),
    ],
)
def test_refused(capsys: pytest.CaptureFixture[str], identifier: str, message: str) -> None:
    code, out, err = run(capsys, identifier)
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert message in err
