"""Dice games at a pseudo-terminal: typed, saved, resumed, reviewed, with real dice, by three."""

import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from keyboard import Keyboard, Reply

from bgai.dicegames.catalogue import KITS, make_kit
from bgai.dicegames.chance_game import Phase, rolls_of, sample_roll
from bgai.dicegames.series import SERIES, START_DICE, Acted, Rolled, Seat, Series, Terms
from bgai.errors import InputError

pty = pytest.importorskip("pty")  # not on Windows

CHOICE = {
    "centennial": "0",
    "everest": "0",
    "great-races": "1",
    "ship-captain-crew": "stop",
    "cubilete": "stop",
}
"""A choice that is always there."""
OPTIONS = {"centennial": ("--players", "me,best,random"), "everest": ("--players", "me,best,best")}
PROMPT = re.compile(r"[^\n]*(: |\? |\[y/N\] )\Z")


class Terminal:
    """A program at a pseudo-terminal, and somebody who reads and types."""

    def __init__(self, *words: str) -> None:
        ours, theirs = pty.openpty()
        self.keys = ours
        self.program = subprocess.Popen(
            [sys.executable, "-m", "bgai", "dice", *words],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            preexec_fn=_own_terminal,
        )
        os.close(theirs)
        self.seen = ""
        self.read_up_to = 0

    def type(self, line: str) -> None:
        os.write(self.keys, f"{line}\n".encode())

    def read(self, seconds: float = 120) -> str | None:
        """The prompt on the screen, ``None`` once the program has ended."""
        end = time.monotonic() + seconds
        quiet = 0
        while time.monotonic() < end:
            if select.select([self.keys], [], [], 0.05)[0]:
                try:
                    data = os.read(self.keys, 65536)
                except OSError:
                    data = b""
                if not data:
                    self.program.wait(30)
                    return None
                self.seen += data.decode(errors="replace").replace("\r", "")
                quiet = 0
                continue
            quiet += 1
            fresh = self.seen[self.read_up_to :]
            found = PROMPT.search(fresh)
            if found and quiet >= 2:
                self.read_up_to = len(self.seen)
                return found[0]
        raise AssertionError(f"nothing more within {seconds} s: {self.seen[-500:]!r}")

    def play(self, answer: Reply) -> None:
        """Type what ``answer`` says to every prompt, until it says nothing or the end."""
        while (prompt := self.read()) is not None:
            line = answer(prompt)
            if line is None:
                return
            self.type(line)


def _own_terminal() -> None:
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def games(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("BGAI_GAMES_DIR", str(tmp_path))
    monkeypatch.setenv("TERM", "xterm")
    return tmp_path


@pytest.fixture
def terminal(games: Path) -> Iterator[Callable[..., Terminal]]:
    started: list[Terminal] = []

    def start(*words: str) -> Terminal:
        started.append(Terminal(*words))
        return started[-1]

    yield start
    for each in started:
        if each.program.poll() is None:
            each.program.kill()
        each.program.wait()
        os.close(each.keys)


def ordinary(game: str) -> Reply:
    """Roll with Enter, take a choice that is always there, be sure of it."""

    def answer(prompt: str) -> str | None:
        if "Enter" in prompt:
            return ""
        return "y" if "[y/N]" in prompt else CHOICE[game]

    return answer


@pytest.mark.parametrize("game", sorted(KITS))
def test_three_play_by_keys_stop_in_the_middle_go_on_and_review(
    terminal: Callable[..., Terminal], games: Path, game: str
) -> None:
    players = OPTIONS.get(game, ("--players", "me,greedy,greedy"))
    if game == "great-races":
        players = (*players, "--option", f"sheet={short_sheet(games.parent)}")
    at = terminal("play", game, *players, "--seed", "11", "--games", "1")
    asked, few = 0, 2 if game.startswith("ship") else 6
    plain = ordinary(game)

    def some(prompt: str) -> str | None:
        nonlocal asked
        asked += 1
        return plain(prompt) if asked < few or "[y/N]" in prompt else None

    at.play(some)
    at.type("q")
    assert at.read() is None
    assert at.program.returncode == 0
    assert "The game is saved: bgai dice play --resume goes on with it." in at.seen
    (path,) = games.glob("*.json")
    stopped = SERIES.read(path)
    assert not stopped.is_over
    assert stopped.record.events

    again = terminal("play", "--resume")
    reviewed = False

    def go_on(prompt: str) -> str | None:
        nonlocal reviewed
        if not reviewed:
            reviewed = True
            return "review"
        return plain(prompt)

    again.play(go_on)
    assert again.program.returncode == 0, again.seen[-800:]
    assert "Review of game 1" in again.seen
    assert re.search(r"(You win|\w+(-\d)? wins) the game\.", again.seen)
    over = SERIES.read(path)
    assert over.is_over
    assert over.record.events[: len(stopped.record.events)] == stopped.record.events
    assert sum(won for _, won, _ in over.sheet()) == 1


def test_ctrl_c_keeps_the_game(terminal: Callable[..., Terminal], games: Path) -> None:
    at = terminal("play", "ship-captain-crew", "--seed", "4", "--first", "1")
    assert "Enter to roll" in (at.read() or "")
    at.type("")
    at.read()
    os.write(at.keys, b"\x03")
    assert at.read() is None
    assert at.program.returncode == 130
    assert "The game is saved" in at.seen
    (path,) = games.glob("*.json")
    assert len(SERIES.read(path).record.events) == 1


def short_sheet(folder: Path) -> Path:
    rows = "\n".join(f"{n} = {{length = 2, line = 1, first = 3, second = 1}}" for n in range(2, 13))
    sheet = folder / "short.toml"
    sheet.write_text(f"[races]\n{rows}\n")
    return sheet


# --- typed by a script ---------------------------------------------------------------------------


class DiceKeyboard(Keyboard):
    """Answers prompts from a list, then as ``plain`` does."""

    def dice(self, *words: str, answers: Sequence[str] = (), plain: Reply | None = None) -> int:
        """Run ``bgai dice`` with these words; its exit code."""
        waiting = list(answers)
        return self.run(
            "dice", *words, reply=lambda p: waiting.pop(0) if waiting else plain and plain(p)
        )


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch, games: Path) -> DiceKeyboard:
    return DiceKeyboard(monkeypatch)


def saved(games: Path) -> Series:
    (path,) = games.glob("*.json")
    return SERIES.read(path)


def test_words_are_words_and_a_hand_of_dice_is_asked_about(keys: DiceKeyboard, games: Path) -> None:
    answers = ["", "help", "h", "choices", "rules", "sheet", "board", "x", "0", "n", "0", "", "q"]
    assert keys.dice("play", "everest", "--first", "1", "--seed", "3", answers=answers) == 0
    assert "  undo     take back your last choice" in keys.text
    assert "For any number of players and three dice" in keys.text
    assert "'x' is not a row of dice" in keys.text
    assert keys.text.count("Leave it all the same? [y/N]") == 2
    series = saved(games)
    assert len(series.record.events) == 1  # nothing was given away
    assert series.state.boxes[0] == (2,) * 12


def test_a_queen_is_kept_and_q_leaves(keys: DiceKeyboard, games: Path) -> None:
    for seed in range(40):
        series = Series(make_kit("cubilete", 2, {}), [Seat("a"), Seat("b")], seed, Terms(first=0))
        if 3 in series.next_roll():
            break
    words = ("play", "cubilete", "--first", "1", "--seed", str(seed), "--humans", "2")
    assert keys.dice(*words, answers=["", "Q", "q"]) == 0
    assert saved(games).record.events[-1] == Acted((3,))
    assert keys.dice("play", "--resume", answers=["undo", "q"]) == 0
    assert len(saved(games).record.events) == 1


def test_undo_brings_the_same_dice_again(keys: DiceKeyboard, games: Path) -> None:
    words = ("play", "great-races", "--first", "1", "--seed", "5", "--level", "greedy")
    assert keys.dice(*words, answers=["", "1", "", "1", "q"]) == 0
    before = saved(games).record.events
    assert keys.dice("play", "--resume", answers=["undo", "1", "q"]) == 0
    assert saved(games).record.events[: len(before)] == before
    assert keys.dice("play", "--resume", answers=["undo", "undo", "undo", "q"]) == 0
    assert "no choice of yours to take back" in keys.text
    assert len(saved(games).record.events) == 1


def test_real_dice_are_typed_and_corrected(keys: DiceKeyboard, games: Path) -> None:
    words = ("play", "centennial", "--dice", "manual", "--players", "Ann=person,Bob=person")
    answers = [
        "44",
        "24",
        "dice",
        "53",
        "dice",
        "35",
        "12",
        "123",
        "dice 9",
        "124",
        "2",
        "y",
        "quit",
    ]
    assert keys.dice(*words, "--file", str(games / "b.json"), answers=answers) == 0
    series = SERIES.read(games / "b.json")
    assert series.record.rounds == [{0: 4, 1: 4}, {0: 3, 1: 5}]
    assert "seed" not in keys.text
    assert "Again: Ann 3, Bob 5." in keys.text
    assert series.record.events == [Rolled((1, 2, 4)), Acted(2)]


def test_the_real_start_of_cubilete_is_by_faces(keys: DiceKeyboard, games: Path) -> None:
    words = ("play", "cubilete", "--dice", "manual", "--level", "greedy")
    assert keys.dice(*words, answers=["9a", "AKQJT", "quit"]) == 0
    series = saved(games)
    assert series.record.rounds == [{0: 6, 1: 1}]
    assert series.record.events[0] == Rolled((1, 2, 3, 4, 5))


def test_a_series_goes_round_and_counts_stakes(keys: DiceKeyboard, games: Path) -> None:
    words = ("play", "ship-captain-crew", "--players", "me,best,greedy", "--games", "4")
    code = keys.dice(*words, "--stake", "5", "--seed", "8", plain=ordinary("ship-captain-crew"))
    assert code == 0
    series = saved(games)
    assert series.is_over
    firsts = [record.states[0].first for record in series.records]
    assert firsts == [(firsts[0] + n) % 3 for n in range(4)]
    assert len(series.records[0].rounds) >= 1
    assert not any(record.rounds for record in series.records[1:])
    assert sum(won for _, won, _ in series.sheet()) == 4
    for _, won, points in series.sheet():
        assert points == 10 * won - 5 * (4 - won)
    assert "game 4 of 4" in keys.text


def test_another_game_is_offered_and_quit_ends(keys: DiceKeyboard, games: Path) -> None:
    plain = ordinary("ship-captain-crew")
    ended = iter(["review", "", "quit"])

    def answer(prompt: str) -> str | None:
        return next(ended) if "another game" in prompt else plain(prompt)

    assert keys.dice("play", "ship-captain-crew", "--seed", "2", plain=answer) == 0
    series = saved(games)
    assert series.is_over
    assert len(series.winners()) == 2
    assert "Review of game 1" in keys.text
    assert keys.dice("play", "--resume") == 2


def test_programs_alone_play_a_series(keys: DiceKeyboard, games: Path) -> None:
    assert keys.dice("play", "centennial", "--humans", "0", "--games", "2", "--seed", "1") == 0
    assert len(saved(games).winners()) == 2


def test_the_review_is_that_of_the_advice(
    keys: DiceKeyboard, games: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = ordinary("cubilete")
    assert keys.dice("play", "cubilete", "--games", "1", "--seed", "1", plain=plain) == 0
    capsys.readouterr()
    assert keys.dice("review", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    kit = make_kit("cubilete", 2, {})
    mine = [row for row in told["choices"] if row["seat"] == 1]
    assert mine
    for row in mine[:20]:
        acts = kit.advisor.advise(kit.parse_state(row["state"])).acts
        values = {kit.act_text(kit.parse_state(row["state"]), act): v[0] for act, v in acts}
        assert row["lost"] == pytest.approx(max(values.values()) - values["stop"])
    programs = [row["lost"] for row in told["choices"] if row["seat"] == 2]
    assert max(programs) < 1e-9
    assert keys.dice("review") == 0
    out = capsys.readouterr().out
    assert "You give up" in out
    assert "better" in out
    assert keys.dice("review", "--game", "2") == 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seats": []}, "1 to 8 seats"),
        ({"game": "yatzy"}, "no dice game 'yatzy'"),
        ({"options": {"either": ""}}, "no option 'either'"),
        ({"games": []}, "games: there is none"),
        ({"version": 9}, "version 9"),
        ({"games": [{"rounds": [{"1": 3, "0": 3}], "events": []}]}, r"games\[0\].rounds\[0\]"),
        ({"games": [{"rounds": [], "events": [{"roll": [1, 2, 3]}]}]}, r"games\[0\].events\[0\]"),
        (
            {"games": [{"rounds": [{"0": 5, "1": 3}], "events": [{"roll": [1, 2]}]}]},
            r"games\[0\].events\[0\]: \[1, 2\] can't be rolled",
        ),
        (
            {
                "games": [
                    {
                        "rounds": [{"0": 5, "1": 3}],
                        "events": [{"roll": [1, 2, 6]}, {"act": 7}],
                    }
                ]
            },
            r"games\[0\].events\[1\]: 7 is not allowed",
        ),
        ({"seats": [{"name": "a", "player": "god"}, {"name": "b"}]}, r"seats\[0\]: .*god"),
    ],
)
def test_a_wrong_save_is_named_by_its_place(
    games: Path, change: dict[str, object], message: str
) -> None:
    series = Series(make_kit("centennial", 2, {}), [Seat("a"), Seat("b", "best")], 1)
    path = games / "save.json"
    path.write_text(json.dumps(SERIES.dump(series) | change))
    with pytest.raises(InputError, match=message):
        SERIES.read(path)


@pytest.mark.parametrize("game", sorted(KITS))
def test_saves_come_back_whole_and_undo_leads_back(game: str, tmp_path: Path) -> None:
    """Games by chance: what is saved is read back, at any moment; undo drops whole choices."""
    rng = np.random.default_rng(3)
    kit = make_kit(game, 3, {})
    series = Series(kit, [Seat(name) for name in "abc"], 7, Terms(games=2, stake=1))
    while not series.is_over:
        if series.game_over:
            series.next_game()
        elif series.starters:
            series.roll_start(series.dice_of(START_DICE, len(series.starters)))
        elif kit.game.phase(series.state) is Phase.ROLL:
            series.do(Rolled(series.next_roll()))
        else:
            acts = kit.game.acts(series.state)
            series.do(Acted(acts[int(rng.integers(len(acts)))]))
            if rng.random() < 0.02:
                kept = list(series.record.events)
                if series.undo({0, 1, 2}):
                    assert series.record.events == kept[: len(series.record.events)]
                    assert kit.game.phase(series.state) is Phase.ACT
        if rng.random() < 1 / (10 + len(series.record.events)):
            again = SERIES.load(json.loads(json.dumps(SERIES.dump(series))))
            assert again.state == series.state
            assert again.starters == series.starters
            assert [r.events for r in again.records] == [r.events for r in series.records]
    assert SERIES.load(SERIES.dump(series)).is_over
    assert sum(points for _, _, points in series.sheet()) == 0


def test_a_sheet_of_races_is_saved_with_the_game(games: Path) -> None:
    sheet = short_sheet(games)
    kit = make_kit("great-races", 2, {"sheet": str(sheet)})
    SERIES.write(games / "save.json", Series(kit, [Seat("a"), Seat("b")], 1))
    sheet.unlink()
    again = SERIES.read(games / "save.json")
    assert again.kit.game.sheet.races == kit.game.sheet.races


def test_the_preliminary_roll_is_fair_and_ties_roll_again() -> None:
    first = []
    for seed in range(400):
        series = Series(make_kit("centennial", 3, {}), [Seat(name) for name in "abc"], seed)
        while series.starters:
            tied = series.starters
            dice = series.dice_of(START_DICE, len(tied))
            series.roll_start(dice)
            best = [seat for seat, die in zip(tied, dice, strict=True) if die == max(dice)]
            assert series.starters == (tuple(best) if len(best) > 1 else ())
        first.append(series.state.roller)
    assert min(np.bincount(first)) > 100


def test_levels_play_worse_and_worse() -> None:
    kit = make_kit("cubilete", 2, {})
    rng = np.random.default_rng(1)
    rolled = [sample_roll(rolls_of(5), rng) for _ in range(60)]
    lost = dict.fromkeys(("best", "casual", "beginner", "random"), 0.0)
    for roll in rolled:
        state = kit.game.after_roll(kit.game.start(), roll)
        values = dict(kit.worths(state))
        for level in lost:
            lost[level] += max(values.values()) - values[kit.player(level).choose(state, rng)]
    assert list(lost.values()) == sorted(lost.values())
    assert lost["best"] < 1e-9
    assert lost["casual"] < lost["random"] / 4


def test_two_programs_on_one_save(terminal: Callable[..., Terminal], games: Path) -> None:
    at = terminal("play", "centennial", "--seed", "4", "--file", str(games / "one.json"))
    at.read()
    other = terminal("play", "--resume", "--file", str(games / "one.json"))
    assert other.read() is None
    assert other.program.returncode == 2
    assert "in use by another program" in other.seen
