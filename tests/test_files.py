"""Files are written whole or not at all."""

import errno
import os
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from bgai import files
from bgai.errors import BAD_INPUT, IO_FAILURE, FileError
from bgai.files import replacing, write_bytes, write_text

ROOT = Path(__file__).resolve().parents[1]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_written_and_replaced_and_folders_are_made(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "file.txt"
    for text in ("first, longer than the second", "zweites: ½"):
        write_text(path, text)
        assert path.read_text(encoding="utf-8") == text
        assert names(path.parent) == ["file.txt"]


def test_a_failure_in_the_middle_leaves_the_old_file_alone(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_bytes(path, b"old")

    def stopped(failure: type[BaseException]) -> None:
        with replacing(path) as file:
            file.write(b"half")
            raise failure

    for failure in (ValueError, KeyboardInterrupt):
        with pytest.raises(failure):
            stopped(failure)
        assert path.read_bytes() == b"old"
        assert names(tmp_path) == ["file"]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EROFS, errno.EACCES])
@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_what_the_system_says_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, call: str
) -> None:
    path = tmp_path / "file"
    write_bytes(path, b"old")

    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, call, refuse)
    with pytest.raises(FileError) as caught:
        write_bytes(path, b"new")
    assert str(caught.value) == f"can't write {path}: {os.strerror(number)}"
    expected = IO_FAILURE if number in (errno.ENOSPC, errno.EIO) else BAD_INPUT
    assert caught.value.exit_code == expected
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["file"]


def test_permissions_are_those_of_any_new_file_or_of_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "file"
    old = os.umask(0o027)
    try:
        write_bytes(path, b"a")
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
    finally:
        os.umask(old)
    path.chmod(0o600)
    write_bytes(path, b"b")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    real, link = tmp_path / "deep" / "real", tmp_path / "link"
    write_bytes(real, b"old")
    link.symlink_to(real)
    write_bytes(link, b"new")
    assert link.is_symlink()
    assert real.read_bytes() == b"new"


def test_devices_are_written_to_and_stay_devices() -> None:
    write_bytes(Path(os.devnull), b"gone")
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)
    if Path("/dev/full").exists():
        with pytest.raises(FileError, match="/dev/full: No space left") as caught:
            write_bytes(Path("/dev/full"), b"x")
        assert caught.value.exit_code == IO_FAILURE
        assert stat.S_ISCHR(Path("/dev/full").stat().st_mode)


def test_a_folder_in_the_way(tmp_path: Path) -> None:
    with pytest.raises(FileError) as caught:
        write_bytes(tmp_path, b"x")
    assert str(tmp_path) in str(caught.value)
    in_the_way = tmp_path / "file"
    in_the_way.touch()
    with pytest.raises(FileError, match="file/below"):
        write_bytes(in_the_way / "below", b"x")


def test_the_file_and_its_folder_reach_the_disk_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    fsync, replace = os.fsync, os.replace

    def noting_fsync(descriptor: int) -> None:
        kind = "folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file"
        done.append(kind)
        fsync(descriptor)

    def noting_replace(source: Path, target: Path) -> None:
        done.append("rename")
        replace(source, target)

    monkeypatch.setattr(os, "fsync", noting_fsync)
    monkeypatch.setattr(os, "replace", noting_replace)
    write_bytes(tmp_path / "file", b"x")
    assert done == ["file", "rename", "folder"]


def test_what_a_killed_program_left_is_removed_later(tmp_path: Path) -> None:
    stale, fresh = tmp_path / ".bgai-aaaa.part", tmp_path / ".bgai-bbbb.part"
    other = tmp_path / "notes.part"
    for path in (stale, fresh, other):
        path.touch()
        if path is not fresh:
            os.utime(path, (time.time() - 7200,) * 2)
    files._remove_left_behind.cache_clear()
    write_bytes(tmp_path / "file", b"x")
    assert names(tmp_path) == [fresh.name, "file", other.name]


def test_readers_never_meet_half_a_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_bytes(path, b"0" * 100_000)
    stop = threading.Event()
    met: list[bytes] = []

    def read() -> None:
        while not stop.is_set():
            met.append(path.read_bytes())

    reader = threading.Thread(target=read)
    reader.start()
    for digit in b"123456789" * 3:
        write_bytes(path, bytes([digit]) * 100_000)
    stop.set()
    reader.join()
    assert met
    assert all(len(content) == 100_000 and len(set(content)) == 1 for content in met)


def test_a_kill_while_writing_leaves_the_old_or_the_new_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_bytes(path, b"0" * 1000)
    code = (
        "import sys\nfrom pathlib import Path\nfrom bgai.files import write_bytes\n"
        "print('go', flush=True)\n"
        "while True:\n"
        "    for digit in b'12': write_bytes(Path(sys.argv[1]), bytes([digit]) * 200_000)\n"
    )
    for wait in (0.0, 0.01, 0.02, 0.03):
        process = subprocess.Popen(
            [sys.executable, "-c", code, str(path)], cwd=ROOT, stdout=subprocess.PIPE
        )
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(wait)
        process.kill()
        process.communicate()
        content = path.read_bytes()
        assert len(set(content)) == 1
        assert len(content) in (1000, 200_000)
