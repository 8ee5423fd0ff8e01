"""The cache of tables: kept, checked, rebuilt."""

from pathlib import Path

import numpy as np
import pytest

from bgai import cachefile
from bgai.cachefile import Arrays, cache_path, load_arrays
from bgai.folders import cache_dir


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BGAI_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


class Builder:
    def __init__(self) -> None:
        self.calls = 0

    def __call__(self) -> Arrays:
        self.calls += 1
        return {
            "chances": np.linspace(0, 1, 7).reshape(7, 1),
            "counts": np.arange(5, dtype=np.int16),
            "flags": np.array([True, False]),
        }


def test_a_table_is_built_once_and_comes_back_unchanged(cache: Path) -> None:
    build = Builder()
    first = load_arrays("table", 1, build)
    second = load_arrays("table", 1, build)
    assert build.calls == 1
    assert cache_dir() == cache
    for key, array in Builder()().items():
        for loaded in (first, second):
            assert loaded[key].dtype == array.dtype
            np.testing.assert_array_equal(loaded[key], array)
            assert not loaded[key].flags.writeable
    assert [path.name for path in cache.iterdir()] == ["table-v1.safetensors"]


def test_another_version_is_another_table(cache: Path) -> None:
    build = Builder()
    load_arrays("table", 1, build)
    load_arrays("table", 2, build)
    assert build.calls == 2


@pytest.mark.parametrize("damage", ["flip", "cut", "empty", "garbage", "header"])
def test_a_damaged_file_is_built_again(cache: Path, damage: str) -> None:
    build = Builder()
    load_arrays("table", 1, build)
    path = cache_path("table", 1)
    content = bytearray(path.read_bytes())
    if damage == "flip":
        content[-3] ^= 1
    elif damage == "cut":
        content = content[:-4]
    elif damage == "empty":
        content = bytearray()
    elif damage == "garbage":
        content = bytearray(b"\xff" * 100)
    else:
        content[20] ^= 0x55
    path.write_bytes(content)
    again = load_arrays("table", 1, build)
    assert build.calls == 2
    np.testing.assert_array_equal(again["counts"], np.arange(5))
    assert cachefile.read_arrays(path) is not None


def test_an_unwritable_cache_does_not_stop_anyone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("not a directory")
    monkeypatch.setenv("BGAI_CACHE_DIR", str(in_the_way))
    arrays = load_arrays("table", 1, Builder())
    np.testing.assert_array_equal(arrays["counts"], np.arange(5))
    assert not arrays["counts"].flags.writeable
