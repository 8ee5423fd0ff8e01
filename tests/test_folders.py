"""The folder of compiled kernels changes with their sources."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bgai import folders


def test_kernels_folder_follows_the_sources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "package"
    (package / "rules").mkdir(parents=True)
    source = package / "rules" / "kernels.py"
    source.write_text("one")
    monkeypatch.setenv(folders.CACHE_DIR_VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setattr(folders, "_PACKAGE", package)
    found = []
    for text in ("one", "two", "one"):
        source.write_text(text)
        monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
        folders.keep_kernels_by_version()
        found.append(os.environ["NUMBA_CACHE_DIR"])
        assert Path(found[-1]).is_dir()
    assert found[0] == found[2] != found[1]
    # Code of a version long unused goes when a new one comes.
    os.utime(found[0], (0, 0))
    source.write_text("three")
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    folders.keep_kernels_by_version()
    assert not Path(found[0]).exists()
    assert Path(found[1]).exists()


def test_a_folder_chosen_by_the_user_stays() -> None:
    code = "import os, bgai; print(os.environ['NUMBA_CACHE_DIR'])"
    environment = {**os.environ, "NUMBA_CACHE_DIR": "somewhere"}
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
    )
    assert run.stdout.strip() == "somewhere"
