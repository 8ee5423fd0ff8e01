import json
from pathlib import Path

import pytest

from bgai.ui.cli import main


def _run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as stopped:
        main(["duel", *arguments])
    return int(stopped.value.code or 0)


def test_json_names_players_seed_and_results(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["handmade", "random", "--games", "10", "--seed", "2", "--judge", "none", "--json"]
    assert _run(*arguments) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["first"], found["second"], found["seed"]) == ("handmade", "random", 2)
    assert found["points"] > 0
    assert found["adjusted"] is None
    assert sum(found["results"].values()) == 10


def test_text_shows_both_players(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("random", "random", "--games", "4", "--judge", "random") == 0
    shown = capsys.readouterr().out
    assert "points a game" in shown
    assert "luck-adjusted" in shown
    assert shown.count("won by random") == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nobody", "random"], "nobody"),
        (["random", "random", "--games", "3"], "3 games"),
        (["random", "random", "--judge", "nobody"], "nobody"),
        (["handmade@9", "random"], "handmade@9"),
        (["handmade", "random", "--match", "3", "--money"], "either --match or --money"),
        (["handmade", "random", "--money", "--time", "0"], "--time 0"),
        (["handmade", "random", "--money", "--games", "3"], "3 is no even number"),
        (["handmade", "nobody", "--money"], "nobody"),
        (["ubgi:/nowhere/engine", "random"], "/nowhere/engine"),
        (["handmade", "random", "--money", "--scheduler", "tcp://127.0.0.1:x"], "127.0.0.1:x"),
    ],
)
def test_bad_input_ends_with_code_2(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run(*arguments) == 2
    assert message in capsys.readouterr().err


def test_contests_and_ratings_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = str(tmp_path / "money.duel")
    options = ["--games", "4", "--judge", "handmade@0", "--save", kept, "--money", "--no-jacoby"]
    assert _run("handmade", "random", *options, "--records", str(tmp_path)) == 0
    shown = capsys.readouterr().out
    assert "4 money games (no Jacoby, beavers)" in shown
    assert "luck-adjusted" in shown
    assert shown.count("PR ") == 2
    assert {path.name for path in tmp_path.glob("*.mat")} == {"money-a.mat", "money-b.mat"}
    with pytest.raises(SystemExit) as stopped:
        main(["ratings", kept, "--json"])
    assert not stopped.value.code
    listed = json.loads(capsys.readouterr().out)
    assert listed["unit"] == "points"
    assert [each["name"] for each in listed["players"]] == ["handmade", "random"]
    with pytest.raises(SystemExit) as stopped:
        main(["ratings", kept])
    assert "95% intervals" in capsys.readouterr().out


def test_time_is_what_players_have(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("handmade", "handmade", "--games", "2", "--time", "0.001", "--judge", "none") == 0
    shown = capsys.readouterr().out
    assert "money games without the cube" in shown
    assert "0.001 s a decision" in shown
