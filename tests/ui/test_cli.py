"""The program as a whole: help, version, and how bad input ends."""

import subprocess
import sys

import pytest

from bgai import __version__
from bgai.ui.cli import main


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    out, err = capsys.readouterr()
    return int(stopped.value.code or 0), out, err


def test_version_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "--version") == (0, f"bgai {__version__}\n", "")
    code, out, _ = run(capsys, "--help")
    assert code == 0
    for command in ("plays", "show"):
        assert command in out


def test_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "nonsense")
    assert code == 2
    assert "nonsense" in err
    code, _, err = run(capsys, "show")
    assert code == 2
    assert "ID" in err


def test_bad_input_is_one_line_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "show", "4HPwATDgc")
    assert (code, out) == (2, "")
    assert err == "error: position ID '4HPwATDgc' has 9 characters, it needs 14\n"


def test_unreadable_file(capsys: pytest.CaptureFixture[str], tmp_path: object) -> None:
    for path in (f"{tmp_path}/missing", f"{tmp_path}"):
        code, out, err = run(capsys, "plays", "--batch", path)
        assert (code, out) == (2, "")
        assert err.startswith(f"error: {path}: ")


def test_help_loads_nothing_heavy() -> None:
    program = (
        "import sys; from bgai.ui.cli import app; import typer.main;"
        "typer.main.get_command(app);"
        "print([name for name in ('numpy', 'numba', 'torch', 'rich') if name in sys.modules])"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"


WITHOUT_NETWORKS = """
import sys
from bgai.evaluation import checkpoint
checkpoint._packaged_folders = lambda: iter(())
from bgai.ui.cli import main
main(sys.argv[1:])
"""


@pytest.mark.parametrize("asked", [(), ("--engine", "best"), ("--engine", "handmade")])
def test_who_plays_without_a_network_is_said_once_unless_asked_for(asked: tuple[str, ...]) -> None:
    command = [sys.executable, "-c", WITHOUT_NETWORKS, "evaluate", "4HPwATDgc/ABMA"]
    result = subprocess.run([*command, *asked], capture_output=True, text=True, check=True)
    assert "handmade" in result.stdout
    said = result.stderr.splitlines()
    assert len(said) == (0 if "handmade" in asked else 1)
    for line in said:
        assert line.startswith("warning: no trained network is found: the hand-made player")
