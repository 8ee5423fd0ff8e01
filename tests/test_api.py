"""The front door: what it gives, that it agrees with the commands, and that it opens lazily."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import bgai
from bgai import answers
from bgai.notation.identifiers import parse_identifier
from bgai.rules.dice import Roll
from bgai.ui.cli import main

START = "4HPwATDgc/ABMA"
ROLLED = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:3:0:10"
ROOT = Path(__file__).resolve().parents[1]


def test_the_names_are_sorted_and_all_there() -> None:
    assert bgai.__all__ == sorted(set(bgai.__all__))
    for name in bgai.__all__:
        assert getattr(bgai, name) is not None
    assert set(bgai.__all__) <= set(dir(bgai))
    with pytest.raises(AttributeError, match="nothing"):
        _ = bgai.nothing


def test_importing_loads_nothing_heavy() -> None:
    code = (
        "import sys, bgai\n"
        "heavy = {'torch', 'numba', 'numpy', 'pydantic', 'bgai.api'} & set(sys.modules)\n"
        "sys.exit(f'loaded: {sorted(heavy)}' if heavy else 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("dice", ["31", "1-3", (1, 3), Roll(3, 1)])
def test_dice_of_any_form(dice: object) -> None:
    found = bgai.best(START, dice, engine="handmade")  # type: ignore[arg-type]
    assert (found.dice, found.plays[0].play, found.total) == ("31", "8/5 6/5", 16)


def test_a_position_of_any_form() -> None:
    engine = bgai.engine("handmade")
    by_id = bgai.best(ROLLED, engine=engine)
    situation = parse_identifier(ROLLED)
    assert bgai.best(situation, engine=engine) == by_id  # an XGID comes back as it was
    assert bgai.best(START, (3, 1), engine="handmade").plays == by_id.plays
    assert bgai.position(situation).xgid == ROLLED


def test_what_comes_back_is_an_answer_and_shows_itself() -> None:
    handmade = {"engine": "handmade"}
    found = [
        (bgai.position(ROLLED), answers.PositionAnswer, "pips 167"),
        (bgai.plays(ROLLED), answers.PlaysAnswer, "8/5 6/5"),
        (bgai.best(ROLLED, **handmade), answers.BestAnswer, " 1. 8/5 6/5"),
        (bgai.evaluate(START, **handmade), answers.EvaluateAnswer, "Player on roll, handmade"),
        (bgai.cube(START, **handmade), answers.CubeAnswer, "No double"),
        (bgai.rollout(START, "31", count=2, trials=36, truncate=2, **handmade),
         answers.RolloutAnswer, "95% interval"),
        (bgai.rollout(START, trials=36, truncate=2, **handmade), answers.RolloutAnswer, "on roll"),
        (bgai.rollout(START, cube=True, trials=36, truncate=2, **handmade),
         answers.RolloutAnswer, "the probability that the verdict is right"),
        (bgai.bearoff("XGID=-BBBB----------------bbb--:0:0:1:00:0:0:0:0:10"),
         answers.BearoffAnswer, "wins"),
    ]  # fmt: skip
    for answer, model, words in found:
        assert isinstance(answer, model)
        assert words in str(answer)
        assert answer._repr_svg_().startswith("<svg")
        assert "<pre>" in answer._repr_html_()
        said = answer.to_dict()
        assert json.loads(answer.to_json()) == json.loads(json.dumps(said))
        assert model.model_validate(said).to_dict() == said


def test_the_command_line_says_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    asked = {
        ("best", START, "31"): bgai.best(START, "31", engine="handmade"),
        ("evaluate", START): bgai.evaluate(START, engine="handmade"),
        ("cube", START): bgai.cube(START, engine="handmade"),
    }
    for arguments, answer in asked.items():
        for option, expected in (("--json", answer.to_json()), ("--threads=1", str(answer))):
            with pytest.raises(SystemExit):
                main([*arguments, "--engine", "handmade", option])
            assert capsys.readouterr().out.rstrip("\n") == expected


def test_the_same_seed_is_the_same_match_and_it_is_analysed() -> None:
    first, again = (bgai.play("casual", "beginner", length=1, seed=5) for _ in range(2))
    assert first.same_match(again)
    assert first.winner in (0, 1)
    review = bgai.analyse(first, engine="handmade")
    assert review.judge == "handmade 0-ply (XG 1-ply)"
    assert sum(review.player(seat).all.decisions for seat in (0, 1)) == len(review.decisions) > 20


def test_what_is_wrong_is_named() -> None:
    for call in (
        lambda: bgai.best("nonsense", "31"),
        lambda: bgai.best(START),
        lambda: bgai.best(START, "79"),
        lambda: bgai.cube(START, engine="nobody"),
        lambda: bgai.rollout(START, variance_reduction="much"),
        lambda: bgai.analyse("no such file.mat"),
    ):
        with pytest.raises(bgai.InputError):
            call()
