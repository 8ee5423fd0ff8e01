"""`bgai plays`: one position, and batches against the golden plays."""

import io
import json
import sys
from pathlib import Path

import pytest

from bgai.ui.cli import main

GOLDEN = Path(__file__).parent.parent / "golden" / "plays.jsonl"
START = "4HPwATDgc/ABMA"


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stopped:
        main(["plays", *arguments])
    out, err = capsys.readouterr()
    return int(stopped.value.code or 0), out, err


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, START, "31")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert len(lines) == 16
    assert lines[12].split() == ["13.", "8/5", "6/5", "sGfwATDgc/ABMA"]


def test_json_gives_id_as_typed_and_dice(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, START, "1-3", "--json")
    said = json.loads(out)
    assert code == 0
    assert list(said) == ["id", "dice", "plays"]
    assert (said["id"], said["dice"], len(said["plays"])) == (START, "31", 16)
    moves = [[8, 5, False], [6, 5, False]]
    assert {"play": "8/5 6/5", "moves": moves, "after": "sGfwATDgc/ABMA"} in said["plays"]


def test_no_legal_play(capsys: pytest.CaptureFixture[str]) -> None:
    dancing = "XGID=b-BBBBBB-------------aB---:0:0:-1:66:0:0:0:0:10"
    code, out, _ = run(capsys, dancing)
    assert (code, out) == (0, "no legal play of 66: the turn passes\n")
    code, out, _ = run(capsys, dancing, "--json")
    assert json.loads(out) == {"id": dancing, "dice": "66", "plays": []}


def test_golden_batch(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rows = [json.loads(line) for line in GOLDEN.read_text().splitlines()]
    lines = "".join(f"{row['id']} {row['dice'][0]}{row['dice'][1]}\n" for row in rows)
    (tmp_path / "batch.txt").write_text(lines)
    code, out, err = run(capsys, "--batch", str(tmp_path / "batch.txt"))
    assert (code, err) == (0, "")
    answers = [json.loads(line) for line in out.splitlines()]
    assert len(answers) == len(rows) == 1_500
    for row, answer in zip(rows, answers, strict=True):
        assert answer["id"] == row["id"]
        assert sorted(play["after"] for play in answer["plays"]) == row["next"]
        assert len({play["play"] for play in answer["plays"]}) == len(row["next"])


def test_bad_lines_go_on(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [
        b"nonsense 31",
        b"",
        f"{START} 31".encode(),
        b"\xff\xfe 31",
        START.encode(),
        f"{START} 88".encode(),
        f"{START} 3 1 1".encode(),
        b"XGID=-b----E-C---eE---c-e----B-:0:0:1:65:0:0:0:0:10",
        f"   {START}\t6-5  \r".encode(),
    ]
    stdin = io.TextIOWrapper(io.BytesIO(b"\n".join(lines)))
    monkeypatch.setattr(sys, "stdin", stdin)
    code, out, err = run(capsys, "--batch", "-")
    assert (code, err) == (1, "")
    answers = [json.loads(line) for line in out.splitlines()]
    assert [answer.get("line") for answer in answers] == [1, None, 4, 5, 6, 7, None, None]
    assert [len(answers[i]["plays"]) for i in (1, 6, 7)] == [16, 7, 7]
    errors = [answer["error"] for answer in answers if "error" in answer]
    assert all(set(a) == {"line", "error"} for a in answers if "error" in a)
    for error, word in zip(
        errors, ("position ID", "UTF-8", "no roll", "'88'", "'3 1 1'"), strict=True
    ):
        assert word in error


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give an ID and DICE"),
        ([START], "no roll"),
        ([START, "70"], "'70' is not a roll"),
        ([START, "31", "--batch", "-"], "not both"),
        (["AAAAAAAAAAAAAA", "31"], "both sides have borne off"),
        (["XGID=-A------------------------:0:0:1:31:0:0:0:0:10"], "the game is over"),
    ],
)
def test_refused(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert message in err
