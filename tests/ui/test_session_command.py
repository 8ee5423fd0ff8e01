"""`bgai session` and `bgai play --chouette`: simulated, typed at the prompts, saved, resumed."""

import json
import re
from pathlib import Path

import pytest
from keyboard import Keyboard, Reply

from bgai.sessions.chouette import CHOUETTES
from bgai.sessions.consultation import CONSULTATIONS
from bgai.sessions.table_session import TABLES
from bgai.sessions.team import TEAM_MATCHES
from bgai.ui.cli import main


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Keyboard:
    monkeypatch.setenv("BGAI_GAMES_DIR", str(tmp_path / "games"))
    return Keyboard(monkeypatch)


def script(*lines: str) -> Reply:
    waiting = iter(lines)
    return lambda prompt: next(waiting, None)


def plain(prompt: str) -> str | None:
    """Play the first play of every list, take, never double, go on to the next game."""
    if re.search(r"number or typed|its number", prompt):
        return "1"
    if "cube at" in prompt or prompt.startswith(("take", "accept")) or ": take" in prompt:
        return "take"
    return "accept" if "accept or refuse" in prompt else ""


def only_save(tmp_path: Path) -> Path:
    (path,) = (tmp_path / "games").glob("*.json")
    return path


# --- programs alone ------------------------------------------------------------------------------


def test_a_simulated_chouette_is_told_saved_and_shown(
    keys: Keyboard, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "c.json")
    words = ("session", "chouette", "random,random,casual", "--games", "3", "--seed", "4")
    assert keys.run(*words, "--json", "--file", path) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["games"] == 3
    assert sum(told["totals"].values()) == 0
    assert set(told["totals"]) == {"random", "random-2", "casual"}
    assert all(sum(row["points"]) == 0 for row in told["sheet"])
    assert keys.run(*words) == 0
    sheet = capsys.readouterr().out
    assert re.search(r"^total +[+-]\d+ +[+-]\d+ +[+-]\d+$", sheet, re.M)
    assert keys.run("session", "show", path) == 0
    assert capsys.readouterr().out == sheet
    assert keys.run("session", "show", path, "--json") == 0
    assert json.loads(capsys.readouterr().out)["totals"] == told["totals"]
    assert keys.run(*words, "--file", path) == 2
    assert "name another file" in capsys.readouterr().err
    assert keys.run("session", "resume", path) == 2
    assert "that game is finished" in capsys.readouterr().err


def test_simulated_pairs_and_teams(
    keys: Keyboard, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs = str(tmp_path / "p.json")
    words = ("session", "pairs", "random,random", "random,random", "--match", "1", "--seed", "2")
    assert keys.run(*words, "--file", pairs) == 0
    told = capsys.readouterr().out
    assert told.startswith("random & random-2 against random-3 & random-4\n  game 1: ")
    assert keys.run("session", "show", pairs) == 0
    assert capsys.readouterr().out == told
    assert keys.run(*words, "--json") == 0
    assert len(json.loads(capsys.readouterr().out)["games"]) == 1
    team = str(tmp_path / "t.json")
    teams = ("session", "team", "Reds:random,random,random", "random,random,random")
    assert keys.run(*teams, "--match", "1", "--seed", "2", "--file", team) == 0
    told = capsys.readouterr().out
    assert re.search(r"(Reds|Team 2) wins the team match", told)
    assert keys.run("session", "show", team) == 0
    assert capsys.readouterr().out == told
    assert keys.run(*teams, "--match", "1", "--matches", "2", "--seed", "2", "--json") == 0
    matches = json.loads(capsys.readouterr().out)["matches"]
    assert [max(each["boards_won"]) for each in matches] == [2, 2]
    assert keys.run(*teams, "--match", "1", "--matches", "2", "--seed", "2") == 0
    assert re.search(r"Reds won \d of 2 team matches\nTeam 2 won \d of 2", capsys.readouterr().out)


# --- a chouette typed at the prompts ----------------------------------------------------------


def test_a_person_plays_a_chouette_to_the_end(keys: Keyboard, tmp_path: Path) -> None:
    words = ("play", "--chouette", "me,random,random", "--games", "2", "--seed", "6")
    assert keys.run(*words, reply=plain) == 0
    assert "For the order: " in keys.text
    assert "Chouette, game 2  -  box " in keys.text
    assert "The chouette is over." in keys.text
    assert keys.lines[-1] == "The dice came from seed 6."
    table = CHOUETTES.read(only_save(tmp_path))
    assert table.is_over
    assert len(table.sheet) == 2


def test_people_double_beaver_pass_and_end_the_chouette(keys: Keyboard, tmp_path: Path) -> None:
    """Three people: the box is doubled by both, beavers one, passes the other; then it ends."""
    seen: list[str] = []

    def reply(prompt: str) -> str | None:
        seen.append(prompt)
        if "no double" in prompt:
            return "double"
        if "offers the cube at 2" in prompt:
            return "beaver" if sum("cube at 2" in each for each in seen) == 1 else "pass"
        if "offers the cube at 4" in prompt:
            return "pass"
        if "Next game" in prompt:
            return "end"
        return "" if "Enter for none" in prompt else "1"

    words = ("play", "--chouette", "Ann=person,Bob=person,Cy=person", "--seed", "1")
    assert keys.run(*words, reply=reply) == 0
    table = CHOUETTES.read(only_save(tmp_path))
    line = table.records[0].line
    points = table.sheet[0].points
    # The captain was beavered and passed the 4 (loses 2), the other was passed (wins 1).
    assert [points[seat] for seat in line] == [1, -2, 1]
    assert table.is_over
    assert "beavers: the cube at 4." in keys.text
    assert "plays for the team from now on." in keys.text


def test_opinions_sheet_help_and_slips(keys: Keyboard, tmp_path: Path) -> None:
    # With this seed You are captain and begin; the program on the team has an opinion.
    asked: list[str] = []

    def reply(prompt: str) -> str | None:
        if not prompt.startswith("You: your play"):
            return plain(prompt)
        asked.append(prompt)
        commands = ["opinions", "sheet", "help", "fly", "double", "99", "x/y", "ids", "plays"]
        rest = [*commands, "board", "resign queen", "save " + str(tmp_path / "kept.json"), "quit"]
        return rest[len(asked) - 1]

    for seed in range(20):
        keys.lines.clear()
        asked.clear()
        words = ("session", "chouette", "me,handmade,random", "--seed", str(seed))
        assert keys.run(*words, reply=reply) == 0
        if "captain You" in keys.text and re.search(r"^(handmade|random): \d+/", keys.text, re.M):
            break
    for words_seen in (
        r"^(handmade|random): \d+/.* [+-]\d\.\d{3}, ",
        r"after the first: win \d",
        r"^total",
        "opinions what the programs on your side think",
        "'fly' is no command",
        "double is not possible now: you can plays, resign, opinions",
        "there is no play 99",
        "'x/y' is not a move",
        "XGID=",
        "resign what\\?",
        "Saved in .*kept.json",
        "bgai play --file .*kept.json goes on with it",
    ):
        assert re.search(words_seen, keys.text, re.M), words_seen
    assert (tmp_path / "kept.json").exists()


def test_a_chouette_left_goes_on_the_same(keys: Keyboard, tmp_path: Path) -> None:
    whole, parts = str(tmp_path / "whole.json"), str(tmp_path / "parts.json")
    words = ("play", "--chouette", "me,random,Ann=beginner", "--games", "1", "--seed", "9")
    assert keys.run(*words, "--file", whole, reply=plain) == 0
    left = 0

    def some(prompt: str) -> str | None:
        nonlocal left
        left -= 1
        return plain(prompt) if left >= 0 else "quit"

    left = 3
    assert keys.run(*words, "--file", parts, reply=some) == 0
    for _ in range(200):
        left = 7
        keys.run("session", "resume", parts, reply=some)
        if CHOUETTES.read(Path(parts)).is_over:
            break
    games = [json.loads(Path(path).read_text())["games"] for path in (whole, parts)]
    assert games[0] == games[1]


def test_dice_by_hand_in_a_chouette(keys: Keyboard, tmp_path: Path) -> None:
    answers = script("9", "66", "65", "64", "53", "13/8 13/10", "sheet", "fly", "42", "quit")
    words = ("play", "--chouette", "Ann=person,Bob=person,Cy=person", "--dice", "manual")
    assert keys.run(*words, reply=lambda p: "" if "double" in p else answers(p)) == 0
    assert "For the order Cy rolls" in keys.text
    assert "Opening dice, that of Ann then that of Bob" in keys.text
    assert "Dice of Bob, e.g. 31: 42" in keys.text
    table = CHOUETTES.read(only_save(tmp_path))
    assert table.game.board.roll == (4, 2)


# --- pairs and teams at the terminal -------------------------------------------------------------


def test_a_pair_with_a_person(keys: Keyboard, tmp_path: Path) -> None:
    asked: list[str] = []

    def reply(prompt: str) -> str | None:
        asked.append(prompt)
        return "hint" if len(asked) == 1 else plain(prompt)

    words = ("session", "pairs", "me,handmade", "random,random", "--match", "1", "--seed", "5")
    assert keys.run(*words, "--rolls", "alternating", reply=reply) == 0
    assert "The dice: You for You & handmade, random for the others." in keys.text
    assert re.search(r"^handmade: .* [+-]\d\.\d{3}", keys.text, re.M)
    assert asked[0].startswith("You & handmade: ")
    assert re.search(r"(You & handmade|random & random-2) wins the match [1-9]", keys.text)
    assert CONSULTATIONS.read(only_save(tmp_path)).session.is_over


def test_people_on_both_sides_share_the_keyboard_and_resume(keys: Keyboard, tmp_path: Path) -> None:
    words = ("session", "pairs", "Ann=person,Bob=person", "Cy=person,random", "--seed", "5")
    assert keys.run(*words, "--match", "1", reply=script("1", "1", "1", "quit")) == 0
    names = [line.split(":")[0] for line in keys.lines if "its number" in line]
    assert set(names) == {"Ann & Bob", "Cy & random"}
    acts = CONSULTATIONS.read(only_save(tmp_path)).session.records[0].acts
    assert keys.run("play", "--resume", reply=script("quit")) == 0
    assert CONSULTATIONS.read(only_save(tmp_path)).session.records[0].acts == acts


def test_a_person_in_a_team(keys: Keyboard, tmp_path: Path) -> None:
    words = ("session", "team", "Reds:me,random,random", "Blues:random,random,random")
    assert keys.run(*words, "--match", "1", "--seed", "3", reply=plain) == 0
    assert "Board 1 of the team match." in keys.text
    assert re.search(r"(Reds|Blues) wins the team match", keys.text)
    match = TEAM_MATCHES.read(only_save(tmp_path))
    assert match.is_over
    keys.lines.clear()
    words = ("session", "team", "Reds:Ann=person,random,random", "Blues:Bob=person,random,random")
    save = str(tmp_path / "t.json")
    code = keys.run(*words, "--match", "3", "--file", save, reply=script("1", "", "1", "quit"))
    assert code == 0
    assert {line.split(":")[0] for line in keys.lines if "its number" in line} == {"Ann", "Bob"}
    assert keys.run("session", "resume", save, reply=script("quit")) == 0


# --- table mode ----------------------------------------------------------------------------------


def test_table_mode_from_cocked_dice_to_the_end(
    keys: Keyboard, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "table.json")
    lines = (
        *("help", "cocked", "99", "31", "", "8/5", "early 66", "", "take", "plays", "demand"),
        *("8/4 6/5", "", "8/5 6/5", "", "cocked", "double", "take", "64", "24/14", "undo"),
        *("24/15", "", "incidents", "53", "13/8 6/3", "", "board", "quit"),
    )
    assert keys.run("session", "table", "Ann", "Bob", "--file", path, reply=script(*lines)) == 0
    for seen in (
        "cocked    the dice lie wrong",
        "'99' is not a roll",
        "type the play as made; pick picks up the dice without a move",
        "Noted: The opening dice lay wrong and were rolled again.",
        "Noted: Bob rolled 66 too early: void.",
        "Ann's play is incomplete. Bob: accept or demand, or Bob's dice or double",
        "take is not possible now",
        "Noted: Ann's play of 31 was incomplete: a legal one was demanded.",
        "a legal play was demanded and this one is illegal",
        "Noted: Bob's dice lay wrong and were rolled again.",
        "Noted: Bob's illegal play of 64 counts as made: the opponent rolled.",
    ):
        assert seen in keys.text, seen
    table = TABLES.read(Path(path))
    assert len(table.incidents) == 5
    assert (table.game.cube_value, table.game.turn) == (2, 1)
    assert keys.run("session", "show", path) == 0
    assert capsys.readouterr().out.count("  game 1: ") == 5
    # Bob resigns a gammon at 2 (4 points); in the second game Ann passes his double.
    rest = ("resign gammon", "accept", "", "undo", "61", "13/7 8/7", "", "end", "double", "pass")
    code = keys.run("play", "--file", path, reply=script(*rest, "end"))
    assert code == 0
    assert "The session ends after 2 games" in keys.text
    assert TABLES.read(Path(path)).standing.points == (3, -3)


def test_table_mode_forced_and_beyond_contact(keys: Keyboard, tmp_path: Path) -> None:
    lines = ("31", "8/5 6/5", "", "44", "13/9(2) 8/4(2)", "", "pick", "early", "quit")
    assert keys.run("session", "table", "Ann", "Bob", "--match", "3", reply=script(*lines)) == 0
    assert "pick is not possible now: you can cocked, double" in keys.text
    assert "early is not possible now" in keys.text
    keys.lines.clear()
    assert keys.run("play", "--resume", reply=script("21", "early 7", "early 66", "quit")) == 0
    assert "'7' is not a roll" in keys.text
    assert "Noted: Bob rolled 66 too early: void." in keys.text


# --- bad set-ups ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("play", "--chouette", "me,random"), "3 to 8 players, not 2 (You, random)"),
        (("play", "--chouette", ",".join(["random"] * 9), "--games", "1"), "players, not 9"),
        (("play", "--chouette", "me,random,gorgon"), "there is no player 'gorgon'"),
        (("play", "--chouette", "random,random,random"), "give --games N"),
        (("play", "--chouette", "me,random,random", "--match", "3"), "--match has no meaning"),
        (("play", "--chouette", "me,random,random", "--first", "me"), "--first has no meaning"),
        (("play", "--one-cube"), "--one-cube is for a chouette"),
        (("session", "chouette", "me,random,random", "--json"), "--json is for programs alone"),
        (("session", "pairs", "me", "random,random"), "a pair has two players, not 1 (You)"),
        (("session", "pairs", "random,random", "random,random"), "give --match, --games"),
        (("session", "pairs", "A=person,B=person", "a=person,C=random"), "are called a"),
        (("session", "team", "Reds:" + "random," * 4 + "random", "me,random,random"), "Reds has 5"),
        (("session", "team", ":me,random,random", "random,random,random"), "a name is missing"),
        (("session", "team", "X:me,random,random", "X:random,random,random"), "are called X"),
        (("session", "team", "me,random,random", "random,random,random", "--json"), "alone"),
        (("session", "team", "me,random,random", "random,random,random", "--match", "0"), "match"),
        (("session", "table", "Ann", "Ann"), "two players are called Ann"),
        (("session", "table", "Ann,Cy", "Bob"), "'Ann,Cy' is no name"),
        (("session", "resume"), "there is no unfinished game"),
        (("session", "show", "none.json"), "none.json: No such file"),
        (("session", "chouette", "me,random,random", "--dice", "manual", "--seed", "1"), "--seed"),
    ],
)
def test_bad_set_ups_are_refused_by_name(
    words: tuple[str, ...], message: str, keys: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    assert keys.run(*words) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("command", ["chouette", "pairs", "team", "table", "resume", "show"])
def test_help_explains(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["session", command, "--help"])
    assert not stopped.value.code
    said = " ".join(capsys.readouterr().out.split())
    explained = {
        "chouette": "captain wins, the captain becomes the box and the old box goes to the back",
        "pairs": "One partner rolls always, or they alternate by game",
        "team": "wins two of the three boards wins",
        "table": "void, except where the play was forced or no contact is left",
        "resume": "Go on with a saved game of any kind",
        "show": "score sheet, boards or incidents",
    }
    assert explained[command] in said
