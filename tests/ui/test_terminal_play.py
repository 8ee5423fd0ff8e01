"""`bgai play`: whole games typed at the prompts by somebody who sees only the screen."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from keyboard import Keyboard, Reply

from bgai.evaluation.baseline import HandmadeEvaluator
from bgai.players.bot import Bot
from bgai.rules.acts import Answer, CubeAct
from bgai.rules.game import Game
from bgai.rules.outcome import Result
from bgai.sessions.session_file import SESSIONS


class Typist(Keyboard):
    """Knows which game is on."""

    game = 0

    def see(self, *lines: str) -> None:
        super().see(*lines)
        for line in lines:
            heading = re.search(r"  -  game (\d+)", line)
            self.game = int(heading[1]) if heading else self.game

    def play(self, *options: str, reply: Reply) -> int:
        """Run the command with these answers; its exit code."""
        return self.run("play", *options, reply=reply)

    def hinted(self) -> str:
        """The number of the play that the hint on the screen puts first."""
        at = max(i for i, line in enumerate(self.lines) if line.startswith("Hint, best first"))
        return self.lines[at + 1].split()[0]


@pytest.fixture
def typist(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Typist:
    monkeypatch.setenv("BGAI_GAMES_DIR", str(tmp_path / "games"))
    return Typist(monkeypatch)


def by_hints(typist: Typist, **instead: str | list[str]) -> Reply:
    """Play as the hint says; ``instead`` answers prompts that begin with a word.

    A list is used up from its front, then the ordinary answer is given again.
    """
    asked = False

    def reply(prompt: str) -> str | None:
        nonlocal asked
        for start, answers in instead.items():
            if prompt.startswith(start.replace("_", " ")):
                if isinstance(answers, str):
                    return answers
                if answers:
                    return answers.pop(0)
        if prompt.startswith("Your play"):
            asked = not asked
            return "hint" if asked else typist.hinted()
        if prompt.startswith(("Enter", "accept")):
            return "" if prompt.startswith("Enter") else "accept"
        return "take"

    return reply


def script(*lines: str) -> Reply:
    waiting: Iterator[str] = iter(lines)
    return lambda prompt: next(waiting, None)


def only_save(tmp_path: Path) -> Path:
    (path,) = (tmp_path / "games").glob("*.json")
    return path


# --- whole games -------------------------------------------------------------------------------


class ScriptedCube:
    """A cube policy: doubles a centred cube in one game, answers by a list, then takes."""

    def __init__(self, answers: list[CubeAct], doubles_in: int = 0) -> None:
        self.answers = answers
        self.doubles_in = doubles_in

    def doubles(self, game: Game) -> bool:
        return game.standing.games + 1 == self.doubles_in and game.cube_owner is None

    def answer_double(self, game: Game) -> CubeAct:
        return self.answers.pop(0) if self.answers else CubeAct.TAKE

    def offers_resignation(self, game: Game) -> Result | None:
        return None

    def answer_resignation(self, game: Game) -> Answer:
        return Answer.ACCEPT


def with_cube(monkeypatch: pytest.MonkeyPatch, cube: ScriptedCube) -> None:
    monkeypatch.setattr(
        "bgai.sessions.session.Seat.bot",
        property(lambda seat: Bot(HandmadeEvaluator(), name=seat.level, cube=cube)),
    )


def test_money_with_double_beaver_raccoon_and_pass(
    typist: Typist, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # Game 1: you double, the program beavers, you raccoon, it passes: 4 points for you.
    # Game 2: the program doubles, you beaver, it raccoons, you take, and it is played out.
    # Game 3: the program passes your double.
    answers = [CubeAct.BEAVER, CubeAct.PASS, CubeAct.RACCOON, CubeAct.PASS]
    with_cube(monkeypatch, ScriptedCube(answers, doubles_in=2))

    def reply(prompt: str) -> str | None:
        if prompt.startswith("take, pass or beaver"):
            return "beaver"
        if prompt.startswith("take, pass or raccoon"):
            return "raccoon"
        if prompt.startswith("Enter to roll") and typist.game in (1, 3):
            return "double"
        return ordinary(prompt)

    ordinary = by_hints(typist)
    code = typist.play(
        "--games", "3", "--beavers", "2", "--seed", "11", "--first", "me", reply=reply
    )
    assert code == 0
    assert "You double: the cube at 2.\nbgai beavers: the cube at 4." in typist.text
    assert "You raccoon: the cube at 8.\nbgai passes." in typist.text
    assert "You win a single game, the double passed: 4 points." in typist.text
    assert "bgai doubles: the cube at 2.\nPassing costs 1 point." in typist.text
    assert "You beaver: the cube at 4.\nbgai raccoons: the cube at 8." in typist.text
    assert "You take. The cube is at 8." in typist.text
    assert re.search(r"The session ends after 3 games|The session ends even", typist.text)
    assert typist.lines[-1] == "The dice came from seed 11."
    session = SESSIONS.read(only_save(tmp_path))
    assert session.is_over
    points = [record.standing.points[0] for record in session.records]
    assert points[:2] == [0, 4]
    assert abs(points[2] - points[1]) % 8 == 0  # the second game was for 8


def test_a_match_to_three_by_reading_only_the_screen(typist: Typist, tmp_path: Path) -> None:
    options = ("--match", "3", "--seed", "3", "--level", "casual")
    code = typist.play(*options, reply=by_hints(typist))
    assert code == 0
    assert re.search(r"(You win|bgai wins) the match \d to \d\.", typist.text)
    session = SESSIONS.read(only_save(tmp_path))
    assert session.is_over
    assert max(session.standing.points) >= 3


def test_a_match_through_crawford_and_post_crawford(
    typist: Typist, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Game 1: your double is taken, then you give up: 0-2. Game 2, Crawford: nobody may double,
    # and the program gives up: 1-2. Game 3, post-Crawford: your double decides the match.
    cube = ScriptedCube([])
    monkeypatch.setattr(
        cube,
        "offers_resignation",
        lambda game: Result.SINGLE if game.standing.crawford and game.roll is None else None,
    )
    with_cube(monkeypatch, cube)
    tried: list[str] = []

    def reply(prompt: str) -> str | None:
        if prompt.startswith("Enter to roll"):  # asked only where doubling is legal
            return "double"
        if prompt.startswith("Your play") and typist.game == 1:
            return "resign single"
        if prompt.startswith("Your play") and typist.game == 2 and not tried:
            tried.append("double")
            return "double"
        return ordinary(prompt)

    ordinary = by_hints(typist)
    code = typist.play("--match", "3", "--seed", "1", "--first", "program", reply=reply)
    assert code == 0
    assert "bgai wins a single game, by resignation: 2 points." in typist.text
    assert "Match to 3: You 0, bgai 2  -  game 2  -  Crawford game, no doubling" in typist.text
    assert "double is not possible now: nobody doubles in the Crawford game" in typist.text
    assert "You win a single game, by resignation: 1 point." in typist.text
    assert "post-Crawford" in typist.text
    crawford, after = typist.text.split("game 2  -  Crawford", 1)[1].split("game 3", 1)
    assert "You double" not in crawford
    assert "You double: the cube at 2." in after
    won = r"(You win the match \d to 2|bgai wins the match \d to 1)\."  # a gammon counts 4
    assert re.search(won, typist.text)


def test_a_gammon_with_the_cube_centred_counts_single_under_jacoby(
    typist: Typist, tmp_path: Path
) -> None:
    options = ("--games", "1", "--level", "random", "--max-cube", "1", "--new")
    for seed in range(1, 25):
        typist.lines.clear()
        assert typist.play(*options, "--seed", str(seed), reply=by_hints(typist)) == 0
        if won := re.search("You win a (gammon|backgammon): 1 point", typist.text):
            break
    assert won is not None
    assert f"{won[0]} (it counts single: Jacoby, nobody has doubled)." in typist.text
    assert "The session ends after 1 game: You are 1 point ahead." in typist.text
    typist.lines.clear()
    code = typist.play(*options, "--seed", str(seed), "--no-jacoby", reply=by_hints(typist))
    assert code == 0
    assert re.search(r"You win a (gammon: 2|backgammon: 3) points\.", typist.text)


def test_dice_by_hand(typist: Typist, tmp_path: Path) -> None:
    code = typist.play(
        "--dice",
        "manual",
        reply=script(
            *("7", "5", "55", "3 1", "8/5 6/5"),  # no dice, one die, equal, you start
            *("double", "99", "64"),  # the program's dice
            *("66", "help", "dice 6-5", "24/18 18/13"),  # your dice, a slip corrected
            *("undo", "13/7 13/8", "quit"),
        ),
    )
    assert code == 0
    assert "'7' is not a roll of two dice" in typist.text
    assert "Opening dice, yours then that of bgai, e.g. 52: 55" in typist.text
    assert "Equal dice, again" in typist.text
    assert "Dice of bgai, e.g. 31: double" in typist.text
    assert "enter the dice, or undo" in typist.text
    assert "You roll 65." in typist.text
    assert "dice     correct the dice just entered" in typist.text
    session = SESSIONS.read(only_save(tmp_path))
    assert session.game.turn == 1
    assert "seed" not in typist.lines[-1]


# --- commands and slips --------------------------------------------------------------------------


def test_bad_input_is_explained_and_changes_nothing(typist: Typist, tmp_path: Path) -> None:
    code = typist.play(
        *("--seed", "1", "--first", "me"),
        reply=script(
            *("fly", "take", "double", "beaver", "next", "roll", "x/y", "8/8", "0", "-3", "99"),
            *(
                "13/1",
                "bar/20",
                "24/18/9",
                "6/7",
                "r",
                "resign queen",
                "resign",
                "",
                "undo",
                "dice 31",
                "é",
                "²",
            ),
            *("save /proc/none/game.json", "1" * 5000, "accept", "quit"),
        ),
    )
    assert code == 0
    for words in (
        "'fly' is no command and no play; now you can: resign, plays, hint",
        "take is not possible now",
        "double is not possible now: a double is offered before rolling",
        "'x/y' is not a move",
        "there is no play 0: the list has 1 to",
        "there is no play 99",
        "there is no checker on bar",
        "roll is not possible now",  # r is for roll and never resigns
        "nothing is resigned",
        "'queen' can't be resigned now, only: single",
        "no decision of yours to take back",
        "dice is not possible now",
        "can't write /proc/none/game.json: No such file or directory",
    ):
        assert words in typist.text, words
    assert len(SESSIONS.read(only_save(tmp_path)).records[0].acts) == 1


def test_shortened_words_numbers_and_enter(typist: Typist, tmp_path: Path) -> None:
    code = typist.play(
        *("--seed", "1", "--first", "me", "--no-jacoby"),
        reply=script("h", "he", "pl", "i", "b", "resign", "2", "u", "resign g", "quit"),
    )
    assert code == 0
    assert "'h' may mean hint or help" in typist.text
    assert "XGID=" in typist.text
    assert "You offer to resign a gammon (2 points)." in typist.text
    assert "bgai accepts the resignation." in typist.text
    assert "Your last decision is taken back." in typist.text
    assert typist.text.count("bgai wins a gammon, by resignation: 2 points.") == 2
    assert "bgai is 2 points ahead" in typist.text


def test_a_refused_resignation_is_told(typist: Typist, monkeypatch: pytest.MonkeyPatch) -> None:
    cube = ScriptedCube([])
    monkeypatch.setattr(cube, "answer_resignation", lambda game: Answer.REFUSE)
    with_cube(monkeypatch, cube)
    typist.play("--first", "me", "--no-jacoby", reply=script("resign single", "resign s", "quit"))
    assert "bgai refuses the resignation." in typist.text
    assert "'s' can't be resigned now, only: gammon, backgammon" in typist.text


def test_the_programs_resignation_can_be_refused_and_accepted(
    typist: Typist, monkeypatch: pytest.MonkeyPatch
) -> None:
    cube = ScriptedCube([])
    levels = [Result.SINGLE, Result.GAMMON]
    monkeypatch.setattr(cube, "offers_resignation", lambda game: levels.pop(0) if levels else None)
    with_cube(monkeypatch, cube)
    prompts = ["refuse", "hint", "accept"]
    reply = by_hints(typist, accept_or_refuse=prompts)
    typist.play("--first", "program", "--no-jacoby", "--games", "1", reply=reply)
    assert "bgai offers to resign a single game (1 point)." in typist.text
    assert "You refuse the resignation." in typist.text
    assert "bgai offers to resign a gammon (2 points)." in typist.text
    assert "You win a gammon, by resignation: 2 points." in typist.text


def test_ascii_and_levels(typist: Typist, capsys: pytest.CaptureFixture[str]) -> None:
    typist.play("--ascii", "--seed", "3", reply=script("quit"))
    assert typist.text.isascii()
    typist.play("--levels", reply=script())
    listed = capsys.readouterr().out
    assert "beginner" in listed
    assert "best" in listed


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--level", "god"), "there is no engine 'god'"),
        (("--match", "3", "--games", "2"), "a match ends by its length"),
        (("--max-cube", "3"), "max_cube 3 is not a power of two"),
        (("--dice", "manual", "--seed", "3"), "--seed has no meaning"),
        (("--resume", "--new"), "either --resume or --new"),
        (("--resume",), "there is no unfinished game"),
        (("--resume", "--file", "none.json"), "none.json"),
        (("--match", "0"), "--match"),
        (("--beavers", "-1"), "--beavers"),
        (("--first", "cat"), "--first"),
    ],
)
def test_bad_options_end_with_2_and_a_name(
    options: tuple[str, ...], message: str, typist: Typist, capsys: pytest.CaptureFixture[str]
) -> None:
    before = set(Path.cwd().iterdir())
    assert typist.play(*options, reply=script()) == 2
    assert message in capsys.readouterr().err
    assert set(Path.cwd().iterdir()) == before


# --- leaving and coming back -------------------------------------------------------------------


def acts_in(path: Path) -> Any:
    return json.loads(path.read_text())["games"]


def test_stopped_at_any_moment_the_game_goes_on_the_same(typist: Typist, tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole.json", tmp_path / "parts.json"
    options = ("--match", "1", "--seed", "4", "--level", "beginner")
    replies: list[str] = []
    ordinary = by_hints(typist)

    def recording(prompt: str) -> str | None:
        answer = ordinary(prompt)
        assert answer is not None
        replies.append(answer)
        return answer

    assert typist.play(*options, "--file", str(whole), reply=recording) == 0
    kept = [answer for answer in replies if answer != "hint"]
    ends = ["quit", "^C", None, "save"]
    used = 0
    while used < len(kept):
        part = [*kept[used : used + 5], ends[used // 5 % len(ends)]]
        if part[-1] == "save":
            part.append("quit")
        left: Iterator[str | None] = iter(part)
        code = typist.play(*options, "--file", str(parts), reply=lambda _, it=left: next(it, None))  # type: ignore[misc]
        used += 5
        assert code in (0, 1, 130)
    assert acts_in(parts) == acts_in(whole)
    assert typist.play(*options, "--file", str(parts), reply=script()) == 2  # it is finished


def test_an_interrupted_game_says_how_to_go_on(typist: Typist, tmp_path: Path) -> None:
    assert typist.play("--seed", "2", "--first", "me", reply=script("1", "^C")) == 130
    assert typist.lines[-1] == "The game is saved: bgai play --resume goes on with it."
    before = acts_in(only_save(tmp_path))
    typist.lines.clear()
    assert typist.play("--resume", reply=script("board")) == 1  # the input ends
    assert "You play" in typist.text  # what happened last is told again
    assert acts_in(only_save(tmp_path)) == before


def test_saving_under_a_name_moves_the_game_there(typist: Typist, tmp_path: Path) -> None:
    named = tmp_path / "with space.json"
    typist.play("--seed", "2", reply=script(f"save {named}", "quit"))
    assert f"Saved in {named}" in typist.text
    assert f"bgai play --file '{named}' goes on with it" in typist.text
    assert named.exists()
    assert not list((tmp_path / "games").glob("*.json"))


def run_program(tmp_path: Path, *options: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "bgai.ui.cli", "play", *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "BGAI_GAMES_DIR": str(tmp_path), "PYTHONUNBUFFERED": "1"},
    )


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_killed_program_loses_nothing(how: signal.Signals, tmp_path: Path) -> None:
    program = run_program(tmp_path, "--seed", "4", "--first", "me", "--match", "1")
    assert program.stdin is not None
    assert program.stdout is not None
    program.stdin.write("1\n")
    program.stdin.flush()
    shown = ""
    while not re.search("You play.*Your play", shown, re.DOTALL):
        character = program.stdout.read(1)
        assert character, shown
        shown += character
    program.send_signal(how)
    program.communicate(timeout=30)
    before = acts_in(next(tmp_path.glob("*.json")))
    assert len(before[0]["acts"]) >= 4
    resumed = run_program(tmp_path, "--resume")
    output, _ = resumed.communicate("quit\n", timeout=60)
    assert resumed.returncode == 0
    assert "Your play" in output
    assert acts_in(next(tmp_path.glob("*.json"))) == before


def test_chances_in_a_hint_are_the_persons_own(typist: Typist) -> None:
    typist.play("--seed", "1", "--first", "me", reply=script("hint", "quit"))
    shown = next(line for line in typist.lines if line.startswith("You win"))
    numbers = [float(each) for each in re.findall(r"\d+\.\d", shown)]
    assert np.isclose(numbers[0] + numbers[3], 100, atol=0.11)
