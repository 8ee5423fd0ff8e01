"""Processes that work for this one end with it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import os, time
from bgai.search.executors import open_executor

if __name__ == "__main__":
    with open_executor(2) as executor:
        print(*{executor.submit(os.getpid).result() for _ in range(4)}, flush=True)
        time.sleep(60)
"""


def is_there(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    return status != "Z"  # over, but nobody asked yet


def test_workers_end_when_the_program_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    parent = subprocess.Popen(
        [sys.executable, str(path)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert parent.stdout is not None
    workers = [int(number) for number in parent.stdout.readline().split()]
    assert workers
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    deadline = time.monotonic() + 30
    while any(map(is_there, workers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(is_there, workers))
