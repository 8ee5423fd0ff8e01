"""The table by program over a folder of files, good, faulty and unreadable ones."""

import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GOOD = b" 3 point match\n\n Game 1\n Ann : 0          Bob : 0\n  1) 31: 8/5 6/5    65: 24/13\n"
ILLEGAL = b" 3 point match\n\n Game 1\n Ann : 0          Bob : 0\n  1) 31: 8/4 6/5    65: 24/13\n"


def test_every_file_is_counted_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    from read_records import read_folder, table_text

    (tmp_path / "deep").mkdir()
    (tmp_path / "good.mat").write_bytes(b'; [Site "Club"]\n' + GOOD)
    (tmp_path / "deep" / "illegal.mat").write_bytes(b'; [Site "Club"]\n' + ILLEGAL)
    (tmp_path / "none.sgf").write_bytes(b"(;AP[Tool:2]")
    (tmp_path / "picture.png").write_bytes(b"no record")
    for name in ("XCu3RJ0UvDg_Tldl.xg", "XCu3RJ0UvDg_Tldl.bgf"):
        shutil.copy(ROOT / "tests" / "golden" / "matches" / name, tmp_path)
    table, complaints = read_folder(tmp_path)
    club, tool = table["Club"], table["Tool"]
    assert (club.files, club.clean, club.matches, club.illegal, club.refused) == (2, 1, 2, 1, 0)
    assert (tool.files, tool.clean, tool.matches, tool.refused) == (1, 0, 0, 1)
    assert table["eXtreme Gammon"].games == table["BGBlitz"].games > 0
    assert [Path(each.split(",")[0].split(":")[0]).name for each in complaints] == [
        "illegal.mat",
        "none.sgf",
    ]
    last = table_text(table).splitlines()[-1].split()
    assert last[:2] == ["all", "5"]
