"""What takes long says so on a terminal, at once, and leaves nothing behind; elsewhere never."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bgai import notices
from bgai.cachefile import load_arrays
from bgai.ui.terminal import notice

pty = pytest.importorskip("pty")  # not on Windows
COMMAND = [sys.executable, "-m", "bgai.ui.cli", "met", "3", "5"]  # few kernels
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def fresh(cache: Path) -> dict[str, str]:
    """The environment of somebody who has never run the program."""
    return {**os.environ, "BGAI_CACHE_DIR": str(cache), "TERM": "xterm", "COLUMNS": "100"}


def on_terminal(command: list[str], environment: dict[str, str]) -> tuple[str, str, float]:
    """What a command writes: its output, on a terminal its errors, and seconds to the first."""
    ours, theirs = pty.openpty()
    start, first = time.monotonic(), 0.0
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=theirs, text=True
    ) as process:
        os.close(theirs)
        said = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # Linux: nobody writes any more
                break
            if not part:
                break
            first = first or time.monotonic() - start
            said += part
        assert process.stdout is not None
        out = process.stdout.read()
    os.close(ours)
    assert process.returncode == 0
    return out, said.decode(), first


def screen_after(text: str) -> str:
    """What is left on a terminal's last lines after all that was written."""
    lines = [""]
    row = 0
    for part in re.findall(r"\x1b\[[0-9;?]*[A-Za-z]|\r|\n|[^\x1b\r\n]+", text):
        if part == "\n":
            row += 1
            lines += [""] * (row + 1 - len(lines))
        elif part == "\x1b[2K":
            lines[row] = ""
        elif part == "\x1b[1A":
            row -= 1
        elif part != "\r" and not CONTROL.fullmatch(part):
            lines[row] += part
    return "".join(lines)


def test_the_first_use_says_what_it_does_and_leaves_no_trace(tmp_path: Path) -> None:
    out, said, first = on_terminal(COMMAND, fresh(tmp_path / "cache"))
    assert "Compiling kernels" in said
    assert re.search(r"[1-9]\d* ready", said)
    assert screen_after(said) == ""
    assert said.rindex("\x1b[?25h") > said.rindex("\x1b[?25l")  # the cursor is back
    assert first < 10  # a second on a machine with nothing else to do

    again, said, _ = on_terminal(COMMAND, fresh(tmp_path / "cache"))
    assert "Compiling" not in said
    assert again == out


def test_nothing_is_said_where_errors_go_to_a_file(tmp_path: Path) -> None:
    done = subprocess.run(
        COMMAND, env=fresh(tmp_path / "cache"), capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert "3-away, 5-away" in done.stdout


@pytest.fixture
def shown() -> Iterator[list[str | None]]:
    """What a listener is told."""
    texts: list[str | None] = []
    notices.listen(texts.append)
    yield texts
    notices.listen(None)


def test_the_work_begun_last_is_named_until_all_is_done(shown: list[str | None]) -> None:
    with notices.busy("tables"), notices.busy("kernels"):
        pass
    with pytest.raises(KeyError), notices.busy("more"):
        raise KeyError
    assert shown == ["tables", "kernels", "tables", None, "more", None]


def test_a_table_is_named_while_it_is_built_and_not_when_read(
    shown: list[str | None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BGAI_CACHE_DIR", str(tmp_path))
    for _ in range(2):
        load_arrays("odd", 1, dict, title="odd tables")
    assert shown == ["Building odd tables (once)", None]


def test_what_is_done_at_once_is_not_shown(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notice, "_DELAY", 0.05)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("FORCE_COLOR", "1")
    line = notice.TerminalNotice()
    line("quick")
    line(None)
    time.sleep(0.1)
    assert capfd.readouterr().err == ""
    line("slow")
    time.sleep(0.3)
    line("slower")
    line(None)
    line("slower")  # soon after: no delay
    line(None)
    said = capfd.readouterr().err
    assert "slow" in said
    assert said.count("\x1b[?25l") == said.count("\x1b[?25h") == 2
    assert screen_after(said) == ""


def test_a_terminal_that_cannot_go_back_gets_plain_lines(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notice, "_DELAY", 0.0)
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("FORCE_COLOR", "1")
    line = notice.TerminalNotice()
    line("slow")
    time.sleep(0.2)
    line(None)
    line("soon after")
    line(None)
    assert capfd.readouterr().err == "slow\n"
