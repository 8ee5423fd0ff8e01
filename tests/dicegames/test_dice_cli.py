"""`bgai dice` as its user meets it."""

import json
from collections.abc import Callable

import pytest

from bgai.ui.cli import main


@pytest.fixture
def bgai(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def run(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as stop:
            main(["dice", *arguments])
        out, err = capsys.readouterr()
        return int(stop.value.code or 0), out, err

    return run


Run = Callable[..., tuple[int, str, str]]


def test_list_names_the_five(bgai: Run) -> None:
    code, out, _ = bgai("list", "--json")
    names = [game["name"] for game in json.loads(out)["games"]]
    assert code == 0
    assert names == ["centennial", "everest", "great-races", "ship-captain-crew", "cubilete"]
    assert "either" in bgai("list")[1]


def test_advise_as_text_and_json(bgai: Run) -> None:
    state = "seats=2 rolls=1 dice=24566"
    code, out, _ = bgai("advise", "ship-captain-crew", state)
    assert code == 0
    assert out.splitlines()[0].endswith("roll 2 6 again")
    found = json.loads(bgai("advise", "ship-captain-crew", state, "--json")[1])
    assert found["best"] == "roll 2 6 again"
    assert found["exact"]
    assert found["acts"][0]["chance"] == found["chances"][0] > found["acts"][1]["chance"]
    either = ("--option", "either")
    found = json.loads(bgai("advise", "ship-captain-crew", state, "--json", *either)[1])
    assert found["best"] == "roll 2 again"


def test_advise_before_a_roll(bgai: Run) -> None:
    code, out, _ = bgai("advise", "centennial", "steps=0,0")
    assert code == 0
    assert "seat 1 51.5492%" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("advise", "centennial", "steps=0,99"), "steps: 99"),
        (("advise", "yatzy", "x=1"), "no dice game 'yatzy'"),
        (("play", "centennial", "--seats", "9"), "1 to 8 seats"),
        (("play", "cubilete", "--humans", "3"), "3 people"),
        (("simulate", "cubilete", "--players", "best,worst"), "no player 'worst'"),
        (("values", "cubilete", "--option", "either"), "no option 'either'"),
        (("advise", "great-races", "marks=0", "--option", "sheet=no-such-file"), "no-such-file"),
    ],
)
def test_bad_input_is_named(bgai: Run, arguments: tuple[str, ...], message: str) -> None:
    code, _, err = bgai(*arguments)
    assert code == 2
    assert err.startswith("error: ")
    assert message in err


def test_simulate(bgai: Run) -> None:
    words = ("simulate", "ship-captain-crew", "--games", "400", "--seed", "1")
    code, out, err = bgai(*words, "--players", "best,greedy,random")
    assert code == 0
    assert "400 games, seed 1" in out
    assert err == ""  # the bar is for terminals
    found = json.loads(bgai(*words, "--players", "best,random", "--mirror", "--json")[1])
    assert [row["player"] for row in found["players"]] == ["best", "random"]
    assert sum(row["share"] for row in found["players"]) == pytest.approx(1)
    assert all(row["error"] > 0 for row in found["players"])


def test_values_to_ten_digits(bgai: Run) -> None:
    _, out, _ = bgai("values", "centennial")
    assert "34.1734674605" in out
    found = json.loads(bgai("values", "ship-captain-crew", "--json")[1])
    values = {row["name"]: row for row in found["values"]}
    assert values["6-5-4 by roll 1"]["fraction"] == "205/1296"


@pytest.mark.parametrize(
    "game", ["centennial", "everest", "great-races", "ship-captain-crew", "cubilete"]
)
def test_the_rules_are_a_page(bgai: Run, game: str) -> None:
    code, out, _ = bgai("rules", game)
    assert code == 0
    assert 15 < len(out.splitlines()) < 40
    assert max(map(len, out.splitlines())) <= 100
    assert "The start." in out
