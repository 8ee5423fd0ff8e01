"""The page's logic without a browser: `node --test` on its modules."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from bgai.notation.position_id import format_position_id
from bgai.rules.legal_plays import legal_plays

ROOT = Path(__file__).parents[2]
CASES = 150


def _cases() -> list[dict[str, object]]:
    """Positions of the golden plays that have a legal play, those with few plays included."""
    found: list[dict[str, object]] = []
    with (ROOT / "tests" / "golden" / "plays.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            fields = json.loads(line)
            board = np.array(fields["board"])
            mine = np.append(0, np.clip(board[1:], 0, None))
            theirs = np.append(0, np.clip(-board[::-1][1:], 0, None))
            position = np.array([mine, theirs], dtype=np.int8)
            position[:, 0] = 15 - position[:, 1:].sum(axis=1)
            after = legal_plays(position, fields["dice"])
            if fields["next"]:
                assert len(after) == len(fields["next"])
                found.append(
                    {
                        "mine": position[0].tolist(),
                        "theirs": position[1].tolist(),
                        "dice": fields["dice"],
                        "after": [format_position_id(each) for each in after],
                    }
                )
    return found[:: len(found) // CASES]


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_page_modules(tmp_path: Path) -> None:
    plays = tmp_path / "plays.json"
    plays.write_text(json.dumps(_cases()))
    tests = sorted(str(path) for path in (ROOT / "tests" / "ui" / "js").glob("*.test.mjs"))
    assert tests
    result = subprocess.run(
        ["node", "--test", *tests],
        env={**os.environ, "BGAI_PLAYS": str(plays)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stdout + result.stderr
