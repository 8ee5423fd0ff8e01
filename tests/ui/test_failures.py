"""Full disks, closed streams, two programs on one file, Ctrl-C: one line, and nothing is lost."""

import os
import resource
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
MATCH = ROOT / "tests" / "golden" / "matches" / "3-point.sgf"
BGAI = [sys.executable, "-m", "bgai"]
PLAYED = "1\n\n1\n\n1\n\n1\n"  # what a person types: the first play, Enter to roll, ...


def environment(folder: Path) -> dict[str, str]:
    return {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "BGAI_GAMES_DIR": str(folder / "games"),
        "BGAI_ANALYSES": str(folder / "analyses.sqlite"),
    }


def shell(folder: Path, command: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", f"{shlex.join(BGAI)} {command}"],
        input=typed,
        env=environment(folder),
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
    )


def no_space() -> None:
    """No file may have any contents, as on a full disk."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def full(folder: Path, *arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*BGAI, *arguments],
        input=typed,
        env=environment(folder),
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=no_space,
    )


@pytest.mark.parametrize(
    ("streams", "code", "message"),
    [
        (">/dev/full", 74, "error: can't read or write: No space left on device\n"),
        (">&-", 74, "error: standard output is closed\n"),
        ("<&-", 0, ""),
        ("2>&-", 0, ""),
    ],
)
def test_streams(tmp_path: Path, streams: str, code: int, message: str) -> None:
    done = shell(tmp_path, f"met 3 5 {streams}")
    assert (done.returncode, done.stderr) == (code, message)


def test_a_reader_who_leaves_is_no_error(tmp_path: Path) -> None:
    done = shell(tmp_path, f"plays {shlex.quote(OPENING)} | head -1")
    assert done.stderr == ""


@pytest.mark.parametrize("streams", ["<&-", ">/dev/full", ">&-"])
def test_a_game_without_streams(tmp_path: Path, streams: str) -> None:
    done = shell(tmp_path, f"play --seed 1 {streams}")
    assert done.returncode in (1, 74)
    assert "Traceback" not in done.stderr


def test_a_game_on_a_full_disk_goes_on_in_memory(tmp_path: Path) -> None:
    typed = PLAYED + "quit\nquit\n"
    done = full(tmp_path, "play", "--seed", "1", "--level", "random", typed=typed)
    assert done.returncode == 74
    assert done.stdout.count("The game goes on unsaved; save FILE keeps it elsewhere.") == 1
    assert "quit again loses it" in done.stdout
    assert "The game is not saved." in done.stdout
    assert done.stderr.startswith("error: can't write ")
    assert done.stderr.count("\n") == 1
    assert all(path.stat().st_size == 0 for path in tmp_path.rglob("*") if path.is_file())


def test_a_game_on_a_full_disk_can_be_saved_elsewhere(tmp_path: Path) -> None:
    place = tmp_path / "folder"
    place.write_text("in the way: no file can be below it")
    saved = tmp_path / "elsewhere.json"
    typed = f"{PLAYED}save {saved}\nquit\n"
    done = shell(tmp_path, f"play --seed 1 --level random --file {place / 'game.json'}", typed)
    assert done.returncode == 0, done.stderr
    assert f"Saved in {saved}" in done.stdout
    assert '"act": "play"' in saved.read_text(encoding="utf-8")


def test_reports_on_a_full_disk(tmp_path: Path) -> None:
    arguments = ("analyse", str(MATCH), "-e", "handmade", "--plies", "0", "-q", "--workers", "1")
    assert shell(tmp_path, shlex.join(arguments)).returncode == 0
    report = tmp_path / "report"
    report.write_text("the old one")
    done = full(tmp_path, *arguments, "--html", str(report))
    assert done.returncode == 74
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    assert report.read_text() == "the old one"


def test_two_programs_on_one_save(tmp_path: Path) -> None:
    game = tmp_path / "game.json"
    arguments = [*BGAI, "play", "--seed", "1", "--level", "random", "--file", str(game)]
    first = subprocess.Popen(
        arguments,
        env=environment(tmp_path),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 120
    while not game.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    second = shell(tmp_path, f"play --file {game}", PLAYED)
    assert second.returncode == 2
    assert second.stderr == f"error: {game} is in use by another program\n"
    out, _ = first.communicate("quit\n")
    assert "The game is saved" in out
    third = shell(tmp_path, f"play --file {game}", "quit\n")
    assert third.returncode == 0, third.stderr


def interrupted(folder: Path, seconds: float, *arguments: str) -> tuple[int, str, str]:
    """What a command says when Ctrl-C is pressed after some time."""
    process = subprocess.Popen(
        [*BGAI, *arguments],
        env=environment(folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    time.sleep(seconds)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


@pytest.mark.parametrize(
    "arguments",
    [
        ("rollout", OPENING, "--trials", "100000", "--save", "{}/trials"),
        ("duel", "handmade", "random", "--games", "100000"),
        ("analyse", str(MATCH.parent), "--plies", "3", "--workers", "1"),
        ("best", OPENING, "--rollout", "--trials", "10000000"),
    ],
)
def test_ctrl_c(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """Commands that take far longer than the wait, so that none is done before it."""
    command = [each.format(tmp_path) for each in arguments]
    for seconds in (1.0, 4.0):
        code, out, err = interrupted(tmp_path, seconds, *command)
        assert "Traceback" not in err
        if code != -signal.SIGINT:  # else it had not begun
            assert code == 130
            assert err.endswith("interrupted\n")
        if (tmp_path / "trials").exists():
            assert "trials, " in out or seconds == 1.0
