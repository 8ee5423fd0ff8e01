"""The table of strength: what is charged, what is kept, and the page made of it."""

import importlib
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from bgai.errors import InputError
from bgai.notation.play_text import parse_play
from bgai.notation.position_id import format_position_id
from bgai.players.bot import Bot
from bgai.players.engines import engine
from bgai.rules.acts import CubeAct
from bgai.rules.dice import Roll
from bgai.rules.game import Game
from bgai.rules.play import apply_play
from bgai.rules.position import starting_position
from bgai.search.executors import InlineExecutor

ROOT = Path(__file__).resolve().parents[2]
OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"
WAITING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10"


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    monkeypatch.syspath_prepend(str(ROOT / "training"))
    return importlib.import_module("strength_parts")


@pytest.fixture
def page(parts: ModuleType) -> ModuleType:
    return importlib.import_module("strength_page")


def after(text: str) -> str:
    start = starting_position()
    return format_position_id(apply_play(start, parse_play(text, start, Roll(3, 1))))


def test_a_play_is_charged_what_it_gives_up(parts: ModuleType) -> None:
    best, worse = after("8/5 6/5"), after("24/23 13/10")
    plays = [{"next": worse, "equity": 0.25}, {"next": best, "equity": 0.2}]
    line = {"id": OPENING, "level": "4-ply", "plays": plays}
    unknown = {**line, "plays": plays[:1]}
    book = {**line, "level": "book"}
    lost, seconds = parts.play_losses(engine("expert@0").bot, [line, unknown, book])
    assert lost == [pytest.approx(50)]
    assert seconds > 0


class _Turns(Bot):
    """Doubles and answers as told."""

    def __init__(self, doubles: bool, act: CubeAct) -> None:
        super().__init__(engine("handmade").lookahead)
        self._told = doubles, act

    def doubles(self, game: Game) -> bool:
        return self._told[0]

    def answer_double(self, game: Game) -> CubeAct:
        return self._told[1]


@pytest.mark.parametrize(
    ("doubles", "act", "charged"),
    [
        (False, CubeAct.TAKE, 0.1),
        (True, CubeAct.TAKE, 0.0),
        (True, CubeAct.PASS, 0.4),
        (False, CubeAct.PASS, 0.5),
    ],
)
def test_a_cube_is_charged_on_both_sides(
    doubles: bool, act: CubeAct, charged: float, parts: ModuleType
) -> None:
    line = {"id": WAITING, "nd": 0.5, "dt": 0.6, "dp": 1.0}
    assert parts.cube_losses(_Turns(doubles, act), [line]) == [pytest.approx(1000 * charged)]


def test_what_is_measured_is_not_measured_again(parts: ModuleType, tmp_path: Path) -> None:
    said: list[str] = []
    path = tmp_path / "found.json"
    parts.kept(path, lambda: {"a": 1}, said.append)
    parts.kept(path, lambda: pytest.fail("again"), said.append)
    assert json.loads(path.read_text()) == {"a": 1}
    assert len(said) == 1


def test_contests_go_on_and_make_the_page(
    parts: ModuleType, page: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    meetings = [
        parts.Meeting("handmade@0", "random@0", "cubeless", 2),
        parts.Meeting("handmade", "beginner", "money", 2, 0.001),
    ]
    for module in (parts, page):
        monkeypatch.setattr(module, "MEETINGS", meetings)
    monkeypatch.setattr(parts.Meeting, "judge", "handmade@0")
    clock = iter(np.arange(0, 1000, 5.0))
    monkeypatch.setattr(parts.time, "monotonic", lambda: float(next(clock)))
    commands: list[str] = []
    parts.contests(tmp_path, 0.9, 1, commands.append)  # a helping takes 20 of these seconds
    assert commands[0].startswith("bgai duel handmade@0 random@0 --games 2 --seed 1")
    assert commands[1].split(":")[0].endswith("--no-review --time 0.001")
    assert "--games 4" in commands[2]
    page.write_page(tmp_path, tmp_path / "docs")
    text = (tmp_path / "docs" / "strength.md").read_text()
    assert "`handmade@0` against `random@0` | 4 |" in text
    assert "`handmade` against `beginner` | 2 |" in text
    assert commands[2].split(":")[0] in text


def test_matches_that_join_players_make_a_rating_list(
    parts: ModuleType, page: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    meetings = [
        parts.Meeting("handmade", "random", "match", 4),
        parts.Meeting("beginner", "random", "match", 4),
    ]
    for module in (parts, page):
        monkeypatch.setattr(module, "MEETINGS", meetings)
    monkeypatch.setattr(parts.Meeting, "judge", "handmade@0")
    monkeypatch.setattr(parts.Meeting, "options", parts.ArenaOptions(match=1, review=False))
    for meeting in meetings:
        with parts.ArenaFile(meeting.path(tmp_path), meeting.contest) as kept:
            kept.play(4, InlineExecutor())
    page.write_page(tmp_path, tmp_path / "docs")
    text = (tmp_path / "docs" / "strength.md").read_text()
    assert "## Rating list" in text
    assert text.index("| `handmade` |") < text.index("| `random` |")


def test_the_page_has_every_part(page: ModuleType, tmp_path: Path) -> None:
    families = [
        {"family": "priming", "positions": 9, "rmse": 0.02, "rmse_error": 0.001, "bias": -0.003}
    ]
    measured: dict[str, Any] = {
        "decisions": {"error": 3.2, "standard_error": 0.3, "rmse": 0.03, "evaluation_ms": 0.1,
                      "decision_ms": 2.5},
        "verdicts": {"plays": {"mean": 2.0, "error": 0.2, "n": 7}, "seconds": 0.004,
                     "cubes": {"mean": 1.0, "error": 0.1, "n": 5}},
        "families": families,
    }  # fmt: skip
    for part, found in measured.items():
        (tmp_path / f"{part}-gnubg@1.json").write_text(json.dumps(found))
    page.write_page(tmp_path, tmp_path / "docs")
    text = (tmp_path / "docs" / "strength.md").read_text()
    for row in ("3.20 ± 0.30", "2.00 ± 0.20 | 7 | 1.00 ± 0.10 | 5 | 4", "20 ± 1 (-3)"):
        assert row in text
    for name in ("strength-decisions.svg", "strength-verdicts.svg"):
        assert name in text
        assert (tmp_path / "docs" / name).read_text().startswith("<svg")


def test_an_empty_folder_makes_no_page(page: ModuleType, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nothing is measured"):
        page.write_page(tmp_path, tmp_path / "docs")
