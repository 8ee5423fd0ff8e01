"""Machine code of kernels is kept by the contents of all their sources, outside the package."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from bgai import compiled

SCRIPT = """
import numba  # before the package, which must not depend on numba's settings at this moment
from somegame.kernels import answer
print(answer(1), answer.stats.cache_hits)
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package whose kernel has a constant and a function of other files built in."""
    folder = tmp_path / "somegame"
    (folder / "inner").mkdir(parents=True)
    (folder / "__init__.py").touch()
    (folder / "inner" / "__init__.py").touch()
    (folder / "constants.py").write_text("STEP = 10\n")
    (folder / "inner" / "helpers.py").write_text(
        "from bgai.compiled import compiled\nfrom somegame.constants import STEP\n\n"
        "@compiled()\ndef helper(n):\n    return n + STEP\n"
    )
    (folder / "kernels.py").write_text(
        "from bgai.compiled import compiled\n"
        "from somegame.inner.helpers import (\n    helper,\n)\n\n"
        "@compiled()\ndef answer(n):\n    return 2 * helper(n)\n"
    )
    return folder


def run(package: Path, cache: Path) -> list[str]:
    places = [str(package.parent), str(Path(compiled.__file__).parents[1])]
    environment = {
        **os.environ,
        "BGAI_CACHE_DIR": str(cache),
        "PYTHONPATH": os.pathsep.join(places),
    }
    result = subprocess.run(
        [sys.executable, "-B", "-c", SCRIPT],
        capture_output=True, text=True, env=environment, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    return result.stdout.split(" ", 1)


def files_of(package: Path) -> list[Path]:
    return sorted(path for path in package.rglob("*") if path.is_file())


def test_code_is_kept_until_a_source_it_reaches_changes(package: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    before = files_of(package)
    assert run(package, cache)[0] == "22"
    number, hits = run(package, cache)
    assert number == "22"
    assert "(int64,): 1" in hits
    constants = package / "constants.py"
    when = constants.stat()
    constants.write_text("STEP = 20\n")  # as long as before, and with the old time
    os.utime(constants, ns=(when.st_atime_ns, when.st_mtime_ns))
    assert run(package, cache)[0] == "42"
    assert files_of(package) == before


def test_damaged_code_is_compiled_again(package: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    run(package, cache)
    kept = [path for path in cache.rglob("*.nb?") if path.name.startswith("kernels.answer")]
    assert kept
    for path in kept:
        path.write_bytes(b"damaged")
    assert run(package, cache)[0] == "22"


def test_without_a_cache_kernels_run_all_the_same(package: Path, tmp_path: Path) -> None:
    before = files_of(package)
    file = tmp_path / "file"
    file.touch()
    assert run(package, file / "cache")[0] == "22"
    assert files_of(package) == before
    package.chmod(package.stat().st_mode & ~stat.S_IWUSR)
    assert run(package, tmp_path / "cache")[0] == "22"  # an installation that can't be written


def test_code_long_unused_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BGAI_CACHE_DIR", str(tmp_path))
    for name, age in (("old", 0), ("new", None)):
        folder = compiled.kernels_dir() / name
        folder.mkdir(parents=True)
        (folder / "code.nbc").touch()
        if age is not None:
            os.utime(folder / "code.nbc", (age, age))
            os.utime(folder, (age, age))
    compiled._Locator(run, __file__).ensure_cache_path()
    assert sorted(path.name for path in compiled.kernels_dir().iterdir())[-1] == "new"
    assert not (compiled.kernels_dir() / "old").exists()
