"""`bgai best`, `evaluate`, `rollout` and `bearoff`, run as their user would."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from bgai.answers import BestAnswer
from bgai.evaluation.bearoff import bearoff_chances
from bgai.notation.identifiers import parse_identifier
from bgai.search.engine import HANDMADE
from bgai.ui.cli import main

START = "4HPwATDgc/ABMA"
HOME = "XGID=-BBBB----------------bbb--:0:0:1:00:0:0:0:0:10"
DANCING = "XGID=b-BBBBBB-------------aB---:0:0:-1:66:0:0:0:0:10"
KEYS = ["win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon"]
NETWORK = ("--engine", HANDMADE)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    out, err = capsys.readouterr()
    return int(stopped.value.code or 0), out, err


def figures(answer: dict[str, Any]) -> list[float]:
    """The five chances and the equity."""
    return [*(answer["chances"][key] for key in KEYS), answer["equity"]]


def feed(monkeypatch: pytest.MonkeyPatch, text: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))


def test_evaluate_json_has_the_six_figures(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "evaluate", START, HOME, "--json", *NETWORK)
    assert (code, err) == (0, "")
    first, second = map(json.loads, out.splitlines())
    assert set(first) == {"id", "engine", "equity", "chances"}
    assert first["chances"]["of"] == "on_roll"
    win, wg, wbg, lg, lbg, equity = figures(first)
    assert equity == pytest.approx(2 * win - 1 + wg + wbg - lg - lbg, abs=1e-5)
    exact = bearoff_chances(parse_identifier(HOME).position[None])[0]
    assert figures(second)[:5] == pytest.approx(exact.tolist(), abs=1e-6)


def test_evaluate_batch_reports_bad_lines_and_goes_on(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    feed(monkeypatch, f"{START}\n\nnonsense\n\xff\n{START}\n".encode("latin-1"))
    code, out, _ = run(capsys, "evaluate", "--batch", "-", "--plies", "0", *NETWORK)
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 1
    assert [row.get("line") for row in rows] == [None, 3, 4, None]
    assert rows[0] == rows[3]
    assert "nonsense" in rows[1]["error"]


def test_batch_from_a_file_is_the_single_answers(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "ids.txt"
    path.write_text(f"{START} 31\n{DANCING}\n")
    options = ("--plies", "1", *NETWORK)
    code, out, _ = run(capsys, "best", "--batch", str(path), *options)
    single = run(capsys, "best", START, "31", "--json", *options)[1]
    assert code == 0
    assert out.splitlines()[0] == single.strip()
    assert json.loads(out.splitlines()[1])["plays"] == []


def test_best_ranks_all_plays(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "best", START, "3-1", "--json", "--plies", "1", *NETWORK)
    said = json.loads(out)
    assert code == 0
    assert set(said) == set(BestAnswer.model_fields)
    assert said["dice"] == "31"
    assert len(said["plays"]) == 16
    best = said["plays"][0]
    assert best["play"] == "8/5 6/5"
    assert best["after"] == "sGfwATDgc/ABMA"
    assert (best["difference"], best["plies"]) == (0, 1)
    assert said["equity"] == best["equity"]
    deep = [play["equity"] for play in said["plays"] if play["plies"] == 1]
    assert deep == sorted(deep, reverse=True)


def test_best_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "best", START, "31", "--plies", "0", "-n", "3", *NETWORK)
    lines = out.splitlines()
    assert code == 0
    assert "0-ply (XG 1-ply)" in lines[0]
    assert lines[2].split()[:3] == ["1.", "8/5", "6/5"]
    assert lines[-1].split()[0] == "13"
    _, out, _ = run(capsys, "best", DANCING, *NETWORK)
    assert out.startswith("no legal play of 66: the turn passes\n")


def test_levels_judge_too(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "best", START, "31", "--engine", "beginner", "--json")
    assert code == 0
    assert len(json.loads(out)["plays"]) == 16
    code, _, err = run(capsys, "best", START, "31", "--engine", "beginner@0", "--plies", "1")
    assert code == 2
    assert "either --plies or" in err


def test_the_score_steers(capsys: pytest.CaptureFixture[str]) -> None:
    match = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:4:4:0:5:10"
    _, out, _ = run(capsys, "best", match, "--json", "--plies", "0", *NETWORK)
    for play in json.loads(out)["plays"]:
        assert play["equity"] == pytest.approx(2 * play["chances"]["win"] - 1, abs=1e-5)


@pytest.mark.parametrize("cube", [(), ("--cubeless",)])
def test_rollout_of_plays(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, cube: tuple[str, ...]
) -> None:
    options = ("--trials", "36", "--truncate", "2", "-n", "3", "--json", *NETWORK, *cube)
    save = tmp_path / "kept"
    code, out, _ = run(capsys, "rollout", START, "31", *options, "--save", str(save))
    said = json.loads(out)
    assert code == 0
    rules = said["settings"]
    assert (said["trials"], rules["seed"], rules["truncate"]) == (36, 1, 2)
    assert (said["kind"], said["rows"][0]["play"]) == ("plays", "8/5 6/5")
    assert said["rows"][0]["difference"] is None
    assert said["rows"][1]["difference"]["mean"] < 0
    for play in said["rows"]:
        equity = play["equity"]
        assert equity["low"] < equity["mean"] < equity["high"]
        win, wg, wbg, lg, lbg = (play["chances"][key] for key in KEYS)
        expected = 2 * win - 1 + wg + wbg - lg - lbg
        assert (equity["mean"] == pytest.approx(expected, abs=1e-4)) == bool(cube)
    assert said["settings"]["cubeless"] == bool(cube)
    assert "cut off after 2 turns" in said["note"]
    again = run(capsys, "rollout", START, "31", *options, "--save", str(save))[1]
    assert again == out
    code, _, err = run(capsys, "rollout", START, "31", *options, "--seed", "2", "--save", str(save))
    assert code == 2
    assert "another rollout" in err


def test_rollout_prints_what_it_did(capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--trials", "36", "--truncate", "1", "--variance", "none", *NETWORK)
    code, out, _ = run(capsys, "rollout", START, *options)
    assert code == 0
    assert "36 trials with the cube in play, handmade 0-ply (XG 1-ply), 1 turns" in out
    assert "seed 1" in out
    assert "95% interval" in out


def test_best_with_rollout(capsys: pytest.CaptureFixture[str]) -> None:
    race = "XGID=---CCDD-A----------eee----:0:0:1:31:0:0:0:0:10"
    code, out, _ = run(capsys, "best", race, "--rollout", "--trials", "36", *NETWORK)
    assert code == 0
    assert "36 trials with the cube in play, handmade 0-ply (XG 1-ply), to the end" in out
    lines = out.splitlines()
    assert lines[3].startswith(" 1. ")
    assert len(lines) == 3 + 2 * 5  # five plays, their standard errors below them


CHOSEN = ("--plays", "24/20, 8/5 6/5, 13/10 6/5, 8/5 6/5", "--truncate", "3", "--leaf", "1")


def test_chosen_plays_are_rolled_out_each_once(capsys: pytest.CaptureFixture[str]) -> None:
    options = (*CHOSEN, "--trials", "36", *NETWORK, "--json")
    said = json.loads(run(capsys, "rollout", START, "31", *options)[1])
    assert sorted(row["play"] for row in said["rows"]) == ["13/10 6/5", "24/20", "8/5 6/5"]
    assert said["ranked_by"] is None
    assert said["settings"]["leaf_plies"] == 1
    assert json.loads(run(capsys, "best", START, "31", "--rollout", *options)[1]) == said


@pytest.mark.parametrize(
    "command",
    [("rollout", START, "31"), ("best", START, "31", "--rollout"), ("cube", START, "--rollout")],
)
def test_an_interrupted_rollout_goes_on_exactly(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: tuple[str, ...]
) -> None:
    """The first half kept by a rollout of half the trials, as an interruption leaves it."""
    save, options = str(tmp_path / "kept"), ("--truncate", "3", *NETWORK, "--json")
    whole = json.loads(run(capsys, *command, *options, "--trials", "108")[1])
    run(capsys, *command, *options, "--trials", "36", "--save", save)
    again = json.loads(run(capsys, *command, *options, "--trials", "108", "--save", save)[1])
    assert again == whole


def test_a_match_score_and_the_cube_change_what_is_rolled_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """At double match point there is no cube: both rollouts agree, and normal gammons are not."""
    last = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:4:4:0:5:10"
    options = ("--trials", "36", "--truncate", "2", "--variance", "none", *NETWORK, "--json")
    said = [
        json.loads(run(capsys, "rollout", last, *options, *more)[1])
        for more in ((), ("--cubeless",))
    ]
    equities = [{row["play"]: row["equity"]["mean"] for row in each["rows"]} for each in said]
    for play, equity in equities[0].items():
        assert equity == pytest.approx(equities[1].get(play, equity), abs=2e-3)
    for row in said[0]["rows"]:
        assert row["equity"]["mean"] == pytest.approx(2 * row["chances"]["win"] - 1, abs=1e-5)


def test_bearoff(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "bearoff", HOME, "--json")
    said = json.loads(out)
    assert code == 0
    assert said["exact"] is False
    assert said["on_roll"]["pips"] == 20
    assert said["on_roll"]["effective_pips"] > 20
    assert sum(said["on_roll"]["distribution"]) == pytest.approx(1, abs=1e-5)
    assert figures(said)[:5] == pytest.approx(
        bearoff_chances(parse_identifier(HOME).position[None])[0].tolist(), abs=1e-6
    )
    code, out, _ = run(capsys, "bearoff", HOME)
    assert code == 0
    assert "player on roll wins" in out
    assert out.splitlines()[0].split() == [
        "side",
        "pips",
        "effective",
        "wastage",
        "rolls",
        "deviation",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("bearoff", START), "point 24"),
        (("best", START), "no roll"),
        (("best",), "give an ID"),
        (("evaluate",), "give IDs or --batch"),
        (("evaluate", START, "--engine", "nobody"), "nobody"),
        (("best", START, "31", "--filters", "huge"), "no move filters"),
        (("rollout", START, "--variance", "2-ply"), "--variance"),
        (("rollout", START, "--confidence", "2"), "confidence"),
        (("rollout", START, "--plays", "8/5"), "--plays needs dice"),
        (("rollout", START, "31", "--plays", "8/5 6/5, 8/3"), "plays: '8/3'"),
        (("rollout", START, "31", "--leaf", "1"), "a leaf goes with truncation"),
        (("rollout", START, "31", "--variance", "1-ply"), "with the cube in play luck"),
        (("best", START, "31", "--truncate", "3"), "--truncate goes with --rollout"),
        (("cube", START, "--confidence", "0.9"), "--confidence goes with --rollout"),
        (("evaluate", START, "--device", "abacus", "--engine", HANDMADE), "only networks"),
    ],
)
def test_bad_input_ends_with_2(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert message in err
