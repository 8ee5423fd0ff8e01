"""What a command's end looks like, and work done apart."""

import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from bgai.claims import Claim, is_claimed
from bgai.errors import InputError
from bgai.program import apart

ROOT = Path(__file__).resolve().parents[1]


def run(body: str) -> tuple[int, str, str]:
    """A program whose command has this body; its exit code, output and errors."""
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    code = (
        "import os, signal, sys, time\n"
        "from bgai.errors import *\nfrom bgai.program import *\n"
        f"def command():\n{lines}\nrun_program(command)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


INTERRUPT = "os.kill(os.getpid(), signal.SIGINT)"


@pytest.mark.parametrize(
    ("body", "code", "said"),
    [
        ("pass", 0, ""),
        ("sys.exit(3)", 3, ""),
        ("raise InputError('wrong')", 2, "error: wrong\n"),
        ("open('/nowhere/x')", 2, "error: /nowhere/x: No such file or directory\n"),
        ("raise OSError(28, 'No space', 'f')", 74, "error: f: No space\n"),
        ("raise OSError(5, 'broken')", 74, "error: can't read or write: broken\n"),
        ("b'\\xff'.decode()", 2, "error: the input is not UTF-8 text (byte 0)\n"),
        (INTERRUPT, 130, "interrupted\n"),
        (
            f"try:\n    {INTERRUPT}\nexcept KeyboardInterrupt:\n    raise SystemError",
            130,
            "interrupted\n",
        ),
        (
            f"try:\n    {INTERRUPT}\nexcept KeyboardInterrupt:\n    apart(time.sleep, 60)",
            130,
            "interrupted\n",
        ),
        (
            f"try:\n    {INTERRUPT}\nexcept KeyboardInterrupt:\n    pass\n"
            "from concurrent.futures import Future\nfirst_done([Future()])",
            130,
            "interrupted\n",
        ),
        (
            "import threading\nthread = threading.Thread(target=lambda: (time.sleep(.2), 1 / 0))\n"
            f"thread.start()\ntry:\n    {INTERRUPT}\nfinally:\n    thread.join()",
            130,
            "interrupted\n",
        ),
        (f"import threading\napart(lambda: ({INTERRUPT}, time.sleep(60)))", 130, "interrupted\n"),
    ],
)
def test_every_end_is_one_line(body: str, code: int, said: str) -> None:
    assert run(body) == (code, "", said)


def test_a_fault_of_the_program_keeps_its_traceback() -> None:
    code, _, said = run("raise SystemError('a bug')")
    assert code == 1
    assert said.startswith("Traceback")


def test_work_apart_gives_its_value_or_its_error() -> None:
    def where() -> str:
        return threading.current_thread().name

    assert apart(lambda a, b: a + b, 1, b=2) == 3
    assert apart(where) != where()
    with pytest.raises(ZeroDivisionError):
        apart(lambda: 1 / 0)
    assert apart(lambda: apart(where) == where())  # in another thread there is nothing to do


def test_a_claim_is_for_one_process(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    code = "import sys\nfrom pathlib import Path\nfrom bgai.claims import Claim\n"
    code += "claim = Claim(Path(sys.argv[1]))\nprint('mine', flush=True)\nsys.stdin.read()"
    other = subprocess.Popen(
        [sys.executable, "-c", code, str(path)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert other.stdout is not None
    assert other.stdout.readline() == "mine\n"
    assert is_claimed(path)
    with pytest.raises(InputError, match=f"{path} is in use by another program"):
        Claim(path)
    other.send_signal(signal.SIGKILL)
    other.communicate()
    with Claim(path), Claim(path):
        assert not is_claimed(path)


def test_where_no_lock_can_be_written_nothing_is_claimed() -> None:
    with Claim(Path("/proc/none")):
        assert not is_claimed(Path("/proc/none"))
