"""`bgai met` as its user runs it."""

import json

import pytest
from typer.testing import CliRunner

from bgai.ui import cli

RUNNER = CliRunner()


def run(*arguments: str) -> str:
    result = RUNNER.invoke(cli.app, ["met", *arguments], catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


def test_prints_the_chance_and_the_points_of_each_cube() -> None:
    output = run("3", "5")
    assert output.startswith("3-away, 5-away: 64.795% (Kazaross-XG2)")
    assert [line.split()[0] for line in output.splitlines()[3:]] == ["1", "2", "4"]


def test_json() -> None:
    answer = json.loads(run("2", "2", "--json"))
    assert answer["chance"] == 0.5
    first = answer["cubes"][0]
    assert first["you"] == first["opponent"]
    assert first["you"]["dead_take"] == first["you"]["live_take"] == 0.32264


@pytest.mark.parametrize(
    ("arguments", "game", "chance"),
    [
        (["1", "4"], "Crawford", 0.81436),
        (["1", "4", "--post-crawford"], "post-Crawford", 0.68998),
        (["1", "1"], "double match point", 0.5),
    ],
)
def test_games_at_match_point(arguments: list[str], game: str, chance: float) -> None:
    answer = json.loads(run(*arguments, "--json"))
    assert (answer["game"], answer["chance"]) == (game, chance)
    assert len(answer["cubes"]) == 1 or game == "post-Crawford"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["0", "3"], "points away must be 1 or more, not 0"),
        (["2", "3", "--post-crawford"], "needs a player who is 1 point away"),
        (["2", "3", "--met", "none.xml"], "none.xml: No such file"),
    ],
)
def test_bad_input(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        cli.main(["met", *arguments])
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err
