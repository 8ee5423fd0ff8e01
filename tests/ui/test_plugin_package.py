"""A package that offers an evaluator: it plays in `best`, `duel` and on the page."""

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"

CODE = """
import numpy as np

class PipCounter:
    "Who is ahead in the race wins: knows nothing else."

    def evaluate(self, positions):
        pips = positions.astype(np.float32) @ np.arange(26, dtype=np.float32)
        chances = np.zeros((len(positions), 5), dtype=np.float32)
        chances[:, 0] = 1 / (1 + np.exp((pips[:, 0] - pips[:, 1]) / 10))
        return chances
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder as pip leaves it: the package and its dist-info with the entry point."""
    package = tmp_path / "pip_counter"
    package.mkdir()
    (package / "__init__.py").write_text(CODE, encoding="utf-8")
    about = tmp_path / "pip_counter-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: pip-counter\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(
        "[bgai.evaluators]\npips = pip_counter:PipCounter\nlost = pip_counter:Absent\n"
    )
    return tmp_path


def run(site: Path, *command: str) -> str:
    paths = [str(site), str(ROOT), str(ROOT / "training")]
    result = subprocess.run(
        [sys.executable, *command],
        cwd=site,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
    )
    return f"{result.returncode}\n{result.stdout}{result.stderr}"


def bgai(site: Path, *arguments: str) -> str:
    return run(site, "-m", "bgai", *arguments)


def test_it_plays_in_best_and_duel(site: Path) -> None:
    said = bgai(site, "best", OPENING, "--engine", "pips@0", "--json")
    assert said.startswith("0\n"), said
    answer = json.loads(said[2:])
    assert answer["engine"] == "pips 0-ply (XG 1-ply)"
    chances = answer["plays"][0]["chances"]
    assert 0.5 < chances["win"] < 0.7  # four pips ahead
    duel = bgai(site, "duel", "pips", "random", "--games", "20", "--judge", "none")
    assert duel.startswith("0\npips against random: 20 games"), duel
    assert "pips" in bgai(site, "play", "--levels")


def test_what_it_cant_do_is_told(site: Path) -> None:
    lost = bgai(site, "best", OPENING, "--engine", "lost")
    assert lost.startswith("2\nerror: evaluator 'lost': can't be loaded: AttributeError"), lost
    unknown = bgai(site, "best", OPENING, "--engine", "nobody")
    assert "one of a package (lost, pips)" in unknown


def test_it_plays_on_the_page(site: Path) -> None:
    pytest.importorskip("fastapi")
    code = textwrap.dedent(
        """
        import sys, time
        from pathlib import Path
        from fastapi.testclient import TestClient
        from bgai.ui.web.app import create_app

        app = create_app(Path(sys.argv[1]), warm=False)
        with TestClient(app, base_url="http://127.0.0.1") as client:
            names = [level["name"] for level in client.get("/api/status").json()["levels"]]
            assert names[:2] == ["lost", "pips"], names
            new = {"level": "pips@0", "terms": {"length": 1}, "seed": 1}
            made = client.post("/api/games", json=new)
            assert made.status_code == 201, made.text
            best = client.post("/api/best", json={"id": sys.argv[2], "engine": "pips@0"})
            assert best.status_code == 200, best.text
            assert best.json()["engine"].startswith("pips"), best.text
            for refused in ("pip_counter:PipCounter", "model.onnx"):
                answer = client.post("/api/games", json={**new, "level": refused})
                assert answer.status_code == 400, answer.text
        """
    )
    said = run(site, "-c", code, str(site / "games"), OPENING)
    assert said.startswith("0\n"), said
