"""bgai convert, analyse, stats, quiz and external, as their users type them."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bgai.notation.record_files import read_record
from bgai.rules.match import Terms
from bgai.sessions.dice import SeededDice
from bgai.sessions.session import Seat, Session
from bgai.sessions.session_file import SESSIONS
from bgai.ui import cli

MATCHES = Path(__file__).parents[1] / "golden" / "matches"
SHORT = (
    " 5 point match\n Game 1\n Ann : 0   Bob : 0\n"
    " 1) 31: 24/23 13/10     Doubles => 2\n 2)  Drops\n                    Wins 1 point\n"
)


@pytest.fixture(autouse=True)
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BGAI_ANALYSES", str(tmp_path / "analyses.sqlite"))


@pytest.fixture
def short(tmp_path: Path) -> Path:
    path = tmp_path / "short.mat"
    path.write_text(SHORT)
    return path


def run(*arguments: str | Path, text: str | None = None) -> Result:
    return CliRunner().invoke(cli.app, [str(each) for each in arguments], input=text)


def error(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    with pytest.raises(SystemExit) as caught:
        cli.main([str(each) for each in arguments])
    assert caught.value.code == 2
    return capsys.readouterr().err


def analysed(*arguments: str | Path) -> Result:
    return run("analyse", "--engine", "handmade", "--plies", "0", "--workers", "1", *arguments)


def test_convert(tmp_path: Path) -> None:
    result = run("convert", MATCHES / "3-point.sgf", tmp_path / "match.json")
    assert result.exit_code == 0, result.output
    assert run("convert", tmp_path / "match.json", tmp_path / "match.mat").exit_code == 0
    first, last = (
        read_record(path).record for path in (MATCHES / "3-point.mat", tmp_path / "match.mat")
    )
    assert first.same_match(last)


def test_convert_reports_what_is_broken(tmp_path: Path) -> None:
    result = run("convert", MATCHES / "hQ8sVn2LbTdF4wRm.mat", tmp_path / "match.sgf")
    assert result.exit_code == 1
    assert "hQ8sVn2LbTdF4wRm.mat, game 2, row 20" in result.output
    assert (tmp_path / "match.sgf").exists()


def test_convert_reads_saved_games(tmp_path: Path) -> None:
    session = Session(Terms(3), (Seat("Ann"), Seat("bgai", "random")), SeededDice(1))
    session.roll()
    SESSIONS.write(tmp_path / "saved.json", session)
    assert run("convert", tmp_path / "saved.json", tmp_path / "match.mat").exit_code == 0
    assert read_record(tmp_path / "match.mat").record.players == ("Ann", "bgai")


def test_convert_refuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = error(capsys, "convert", tmp_path / "none.mat", tmp_path / "x.sgf")
    assert told.startswith("error: ")
    assert "No such file" in told
    told = error(capsys, "convert", MATCHES / "3-point.mat", tmp_path / "x.xg")
    assert "can't be written" in told


def test_analyse_stats_and_quiz(short: Path, tmp_path: Path) -> None:
    result = analysed(
        short, "--html", tmp_path / "r.html", "--json", tmp_path / "r.json",
        "--csv", tmp_path / "r.csv",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    assert "Ann against Bob, match to 5 points" in result.output
    assert "no double, best" not in result.output
    assert json.loads((tmp_path / "r.json").read_text())["judge"] == "handmade 0-ply (XG 1-ply)"
    assert "<svg" in (tmp_path / "r.html").read_text()
    assert (tmp_path / "r.csv").read_text().count("\n") > 2

    result = run("stats", "--json")
    assert [each["player"] for each in json.loads(result.output)] == ["Ann", "Bob"]
    result = run("stats", "--player", "Ann", "--svg", tmp_path / "pr.svg")
    assert result.exit_code == 0, result.output
    assert (tmp_path / "pr.svg").exists()

    result = run("quiz", "--player", "Ann", "-n", "2", "--ascii", text="what\ntake\n")
    assert result.exit_code == 0, result.output
    assert "'what' is no answer" in result.output
    assert "Right." in result.output
    assert "1 of 1 right" in result.output
    result = run("quiz", "--player", "Ann")
    assert "nothing is due" in result.output or "of" in result.output


def test_analyse_a_folder(short: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.mat").write_text("nothing")
    result = analysed(tmp_path, "--html", tmp_path / "reports", "-q")
    assert result.exit_code == 1
    assert "bad.mat: not a .mat file" in result.output
    assert (tmp_path / "reports").exists()


def test_library(short: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--engine", "handmade", "--plies", "0", "--workers", "1")
    result = run("library", "add", short, *options, "--tag", "club", "--note", "a long evening")
    assert result.exit_code == 0, result.output
    assert "1 match, handmade" in result.output
    assert run("library", "add", short, *options).exit_code == 0  # once again: nothing twice
    found = json.loads(run("library", "find", "evening tag:club", "--json").output)
    assert {each["player"] for each in found} == {"Ann", "Bob"}
    assert all(each["tags"] == ["club"] for each in found)
    result = run("library", "find", "kind:answer", "--boards")
    assert "pass" in result.output
    assert "1 found" in result.output
    assert run("library", "tag", "kind:answer", "-a", "study").output == "1 decision changed\n"
    assert run("library", "export", tmp_path / "found.csv", "tag:study").exit_code == 0
    assert (tmp_path / "found.csv").read_text().count("\n") == 2
    assert run("library", "export", tmp_path / "found.json", "tag:study").exit_code == 0
    assert json.loads((tmp_path / "found.json").read_text())[0]["kind"] == "answer"
    assert run("library", "export", tmp_path / "deck.apkg", "tag:study").exit_code == 0
    assert (tmp_path / "deck.apkg").read_bytes().startswith(b"PK")
    assert "nothing is due" in run("quiz", "--search", "tag:nothing").output
    quiz = run("quiz", "--search", "tag:study", "--least", "0", text="pass\n")
    assert "1 of 1" in quiz.output

    assert "no condition 'colour'" in error(capsys, "library", "find", "colour:red")
    assert "no condition 'colour'" in error(capsys, "quiz", "--search", "colour:red")
    assert "give --add" in error(capsys, "library", "tag", "kind:cube")
    assert "a tag is one word" in error(capsys, "library", "tag", "", "-a", "two words")
    assert "write a .csv" in error(capsys, "library", "export", tmp_path / "found.xls")
    (tmp_path / "analyses.sqlite").write_bytes(b"not a database at all " * 400)
    assert "--rescue" in error(capsys, "library", "find", "kind:cube")


def test_commands_that_need_analyses_say_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert "run bgai analyse first" in error(capsys, "stats")
    assert "run bgai analyse first" in error(capsys, "quiz")
    assert "no engine 'nobody'" in error(capsys, "external", "--port", "0", "--level", "nobody")
