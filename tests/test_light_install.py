"""Playing, analysing and the page do without what only training needs."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"

_BLOCKED = """
import importlib.abc, sys

class Blocker(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {blocked}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Blocker())
"""

_SERVE = """
from pathlib import Path
from fastapi.testclient import TestClient
from bgai.ui.web.app import create_app

with TestClient(create_app(Path(sys.argv[1]), warm=False), base_url="http://127.0.0.1") as client:
    answer = client.post("/api/games", json={"level": "beginner", "terms": {"length": 3}})
    assert answer.status_code == 201, answer.text
"""


def run(code: str, *arguments: str, blocked: str = "('torch', 'tensorboard')") -> str:
    result = subprocess.run(
        [sys.executable, "-c", _BLOCKED.format(blocked=blocked) + code, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return f"{result.returncode}\n{result.stdout}{result.stderr}"


def command(*arguments: str) -> str:
    return run("from bgai.ui.cli import main; main(sys.argv[1:])", *arguments)


def test_torch_is_an_extra() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert not [each for each in project["dependencies"] if each.startswith(("torch", "tensorb"))]
    assert len(project["optional-dependencies"]["train"]) == 2
    assert "train" in project["optional-dependencies"]["dev"][0]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("best", OPENING), "8/5 6/5"),
        (("cube", OPENING.replace("31:", "00:")), "No double"),
        (("evaluate", OPENING.replace("31:", "00:")), "equity"),
    ],
)
def test_commands_run_without_torch(arguments: tuple[str, ...], expected: str) -> None:
    said = command(*arguments)
    assert said.startswith("0\n"), said
    assert expected.lower() in said.lower()


def test_the_page_runs_without_torch(tmp_path: Path) -> None:
    said = run(_SERVE, str(tmp_path))
    assert said.startswith("0\n"), said


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (
            f"from bgai.ui.cli import main; main(['evaluate', '{OPENING}', '--device', 'cpu:0'])",
            "--device cpu:0 needs the package torch: pip install 'bgai[train]'",
        ),
        (
            "from bgai_training.__main__ import main; sys.argv[1:] = ['quick']; main()",
            "training needs the package torch: pip install 'bgai[train]'",
        ),
    ],
)
def test_what_needs_torch_says_how_to_get_it(code: str, message: str) -> None:
    assert run(code) == f"2\nerror: {message}\n"


def test_the_page_says_what_it_needs() -> None:
    said = run("from bgai.ui.cli import main; main(['serve'])", blocked="('fastapi',)")
    assert said == "2\nerror: the page needs the package fastapi: pip install 'bgai[web]'\n"
