"""GNU Backgammon reads what we write."""

from pathlib import Path

import pytest
from gnubg_program import needs_gnubg, run_gnubg

from bgai.notation.record_files import read_record, write_record

MATCHES = Path(__file__).parents[1] / "golden" / "matches"


@needs_gnubg
@pytest.mark.parametrize("suffix", [".mat", ".sgf"])
def test_gnubg_reads_what_we_write(suffix: str, tmp_path: Path) -> None:
    record = read_record(MATCHES / "7-point.mat").record
    ours = tmp_path / f"ours{suffix}"
    write_record(record, ours)
    load = "import mat" if suffix == ".mat" else "load match"
    commands = (
        f"{load} {ours}\nexport match mat {tmp_path}/back.mat\nsave match {tmp_path}/back.sgf\n"
    )
    run_gnubg(commands, tmp_path)
    for name in ("back.mat", "back.sgf"):
        back = read_record(tmp_path / name)
        assert back.problems == ()
        assert back.record.same_match(record)
