import json

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
    ],
)
def test_bad_input_ends_with_code_2(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run(*arguments) == 2
    assert message in capsys.readouterr().err
