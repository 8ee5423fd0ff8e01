"""What holds for the whole tree: public names, no traces of a machine, no big files."""

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

SIZE_LIMIT = 512 * 1024
# Networks and golden data may be larger, each within its own limit.
LARGER = {
    "checkpoints/": 64 * 1024**2,
    "training/under-way/": 8 * 1024**2,  # the one network that training goes on from
    "tests/golden/": 2 * 1024**2,
    "bgai/data/": 4 * 1024**2,
}
TOTAL_LIMIT = 128 * 1024**2

# Folders of one machine. /tmp and /dev are everyone's and not meant.
MACHINE_PATH = re.compile(rb"(?<![\w.~/-])/(?:root|home/\w+|Users/\w+|work|opt/pypi\S*|mnt)/[\w.]")


def _tracked() -> list[Path]:
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listing.returncode != 0:
        pytest.skip("not a git checkout")
    paths = [ROOT / name for name in listing.stdout.decode().split("\0") if name]
    return [path for path in paths if path.is_file()]


def _text_lines(path: Path) -> list[bytes]:
    content = path.read_bytes()
    return [] if b"\0" in content else content.split(b"\n")


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _public_names(path: Path) -> list[str] | None:
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets
        ):
            return list(ast.literal_eval(node.value))
    return None


def test_all_is_sorted_without_repeats() -> None:
    for path in [*(ROOT / "bgai").rglob("*.py"), *(ROOT / "training").rglob("*.py")]:
        names = _public_names(path)
        if names is not None:
            assert names == sorted(set(names)), _name(path)


def test_no_tracked_file_names_a_folder_of_one_machine() -> None:
    found = [
        f"{_name(path)}:{number}: {line.decode(errors='replace').strip()}"
        for path in _tracked()
        if path != Path(__file__).resolve()
        for number, line in enumerate(_text_lines(path), start=1)
        if MACHINE_PATH.search(line)
    ]
    assert found == []


@pytest.mark.parametrize(
    ("text", "is_machine_path"),
    [
        (b'open("/home/jo/data.txt")', True),
        (b"cd /root/x", True),
        (b"/tmp/engines/bin/python", False),
        (b"#!/usr/bin/env bash", False),
        (b"board/home/point", False),
    ],
)
def test_the_pattern_itself(text: bytes, is_machine_path: bool) -> None:
    assert bool(MACHINE_PATH.search(text)) is is_machine_path


def test_tracked_files_are_small() -> None:
    total = 0
    for path in _tracked():
        name, size = _name(path), path.stat().st_size
        limit = next((LARGER[start] for start in LARGER if name.startswith(start)), SIZE_LIMIT)
        assert size <= limit, f"{name} has {size} bytes, at most {limit} are allowed"
        total += size
    assert total <= TOTAL_LIMIT
