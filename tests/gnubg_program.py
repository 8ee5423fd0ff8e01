"""The real GNU Backgammon, for the tests that play against it or let it read our files."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

PROGRAM = shutil.which("gnubg", path=f"{os.environ.get('PATH', '')}:/usr/games")

needs_gnubg = pytest.mark.skipif(PROGRAM is None, reason="GNU Backgammon is not installed")

QUIET = """set display off
set confirm new off
set confirm save off
set automatic game on
set automatic move on
set automatic bearoff on
set rng mersenne
"""


def run_gnubg(commands: str, home: Path, *, timeout: float = 60) -> str:
    """What GNU Backgammon prints for some commands; ``home`` keeps it from real settings."""
    assert PROGRAM is not None
    result = subprocess.run(
        [PROGRAM, "-t", "-q"],
        input=QUIET + commands,
        capture_output=True,
        text=True,
        timeout=timeout,
        env={"HOME": str(home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
        check=False,
    )
    return result.stdout + result.stderr
