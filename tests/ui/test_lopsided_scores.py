"""Every command and the HTTP API at lopsided scores of long matches: numbers, never NaN."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bgai.notation.situation import Situation
from bgai.notation.xgid import format_xgid
from bgai.rules.cube import Cube, CubeOwner
from bgai.rules.match import MatchScore
from bgai.rules.position import starting_position
from bgai.ui.cli import main

START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:{scores}:0:{length}:10"
WORST = START.format(scores="998:100", length=999)


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    out, err = capsys.readouterr()
    assert stopped.value.code in (0, None), err
    words = out.lower().replace(",", " ").split()
    assert not {"nan", "+nan", "-nan", "nan%", "inf", "+inf", "-inf"} & set(words), out
    return out


def read(text: str) -> Any:
    """JSON, with NaN and Infinity refused."""

    def refuse(word: str) -> None:
        raise AssertionError(f"{word} in {text}")

    return json.loads(text, parse_constant=refuse)


def positions(count: int) -> list[str]:
    """Identifiers with random cubes at random scores of matches to 999."""
    rng = np.random.default_rng(5)
    found = []
    for number in range(count):
        mine, theirs = (int(need) for need in rng.choice([1, 2, 7, 40, 200, 600, 999], 2))
        score = MatchScore(999, 999 - mine, 999 - theirs)
        value = int(2 ** rng.integers(1, 9))
        cube = Cube() if number % 2 else Cube(value, CubeOwner(int(rng.choice([-1, 1]))))
        found.append(format_xgid(Situation(starting_position(), cube=cube, score=score)))
    return found


@pytest.mark.parametrize(
    "command",
    [
        ["evaluate", WORST],
        ["evaluate", WORST, "--json"],
        ["best", WORST, "31", "--plies", "1"],
        ["best", WORST, "31", "--plies", "1", "--json"],
        ["cube", WORST, "--plies", "1"],
        ["cube", WORST, "--plies", "1", "--json"],
        ["cube", WORST, "--rollout", "--trials", "36", "--truncate", "3", "--json"],
        ["rollout", WORST, "31", "--trials", "36", "--truncate", "3", "--json"],
        ["score-table", WORST, "--away", "3", "--plies", "0", "--json"],
        ["met", "1", "899"],
        ["met", "899", "1", "--post-crawford", "--json"],
        ["met", "999", "999", "--json"],
    ],
)
def test_commands_at_998_to_100_in_a_match_to_999(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    out = answer(capsys, *command)
    if "--json" in command:
        read(out)


def test_random_lopsided_scores(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    asked = positions(120)
    file = tmp_path / "ids.txt"
    for command, suffix in (("evaluate", ""), ("cube", ""), ("best", " 31")):
        file.write_text("".join(f"{identifier}{suffix}\n" for identifier in asked))
        lines = answer(capsys, command, "--plies", "0", "--batch", str(file)).splitlines()
        assert len(lines) == len(asked)
        for line in lines:
            assert "error" not in read(line)


def test_a_match_with_such_scores_is_analysed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "long.mat"
    file.write_text(
        " 999 point match\n\n Game 1\n White : 990                    Black : 100\n"
        "  1) 31: 8/5 6/5                 Doubles => 2\n"
        "  2)  Takes                      52: 13/8 13/11\n"
        "  3) 65: 24/18 18/13             43: 24/20 13/10\n"
        "  4)  Drops\n                    Wins 1 point\n"
    )
    report = tmp_path / "long.json"
    with pytest.raises(SystemExit):
        main(["analyse", str(file), "--plies", "0", "--workers", "1", "--json", str(report),
              "--store", str(tmp_path / "store.sqlite")])  # fmt: skip
    assert "nan" not in capsys.readouterr().out.split()
    found = read(report.read_text())
    assert len(found["decisions"]) > 3


def test_the_api_answers(tmp_path: Path) -> None:
    httpx = pytest.importorskip("httpx")
    pytest.importorskip("fastapi")
    from web_server import running

    with running(tmp_path) as address, httpx.Client(base_url=address, timeout=120) as client:
        for identifier in [WORST, *positions(8)]:
            for path, body in (
                ("evaluate", {"ids": [identifier]}),
                ("best", {"id": identifier, "dice": "31"}),
                ("cube", {"id": identifier}),
            ):
                reply = client.post(f"/api/{path}", json=body | {"plies": 0})
                assert reply.status_code == 200, reply.text
                read(reply.text)
