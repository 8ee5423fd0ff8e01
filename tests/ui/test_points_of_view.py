"""Whose numbers they are: every answer says it, and a hint's chances are the person's own."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("fastapi")
from bgai_training.starts import random_positions

from bgai.evaluation.evaluator import swap_chances
from bgai.rules.acts import CubeAct, Resign
from bgai.rules.cube import HouseRules
from bgai.rules.dice import Roll
from bgai.rules.game import Game, Phase
from bgai.rules.outcome import Result
from bgai.rules.position import Positions
from bgai.ui.web.engines import judge_for
from bgai.ui.web.tables import PERSON, PROGRAM, Table

DOUBLE, BEAVER, RACCOON = CubeAct.DOUBLE, CubeAct.BEAVER, CubeAct.RACCOON
PHASES: dict[str, tuple[int, tuple[Any, ...]]] = {
    "to roll": (PERSON, ()),
    "doubled": (PROGRAM, (DOUBLE,)),
    "beavered": (PERSON, (DOUBLE, BEAVER)),
    "raccooned": (PROGRAM, (DOUBLE, BEAVER, RACCOON)),
    "resignation offered": (PROGRAM, (Resign(Result.SINGLE),)),
}
"""Who is on roll before the acts, after which the person has to decide."""
# The person, at the bottom, has been doubled and wins one game in five.
DOUBLED = "XGID=aB--D-C-BA--c----cccb---C-:0:0:-1:D:0:0:0:7:10"


def game_in(phase: str, position: Positions, roll: Roll | None = None) -> Game:
    turn, acts = PHASES[phase]
    rules = HouseRules(beaver_turns=2)
    game = Game.set_up(np.ascontiguousarray(position), turn=turn, roll=roll, rules=rules)
    for act in acts:
        game = game.after(act)
    assert game.actor == PERSON
    return game


def hint(game: Game, name: str = "handmade") -> dict[str, Any]:
    session: Any = SimpleNamespace(game=game)
    return Table("any", session, Path("unused")).hint(name, None).model_dump(mode="json")


@pytest.mark.parametrize("phase", PHASES)
def test_the_chances_of_a_hint_are_the_persons_own(phase: str) -> None:
    judge = judge_for("handmade", None)
    for position in random_positions(np.random.default_rng(3), 10, 30).reshape(-1, 2, 26)[:150]:
        game = game_in(phase, position)
        said = hint(game)
        on_roll = judge.lookahead.evaluate(position[None])[0]
        mine = on_roll if game.turn == PERSON else swap_chances(on_roll)
        assert said["chances"].pop("of") == PERSON
        assert list(said["chances"].values()) == pytest.approx(mine, abs=1e-5)
        if said["kind"] == "cube":
            assert said["of"] == game.turn  # equities are the doubler's
            assert game.phase in (Phase.TURN, Phase.DOUBLED)
            assert said["double_pass"] in (1, None)


def test_the_hint_of_a_play_is_the_persons_too() -> None:
    for position in random_positions(np.random.default_rng(4), 4, 20).reshape(-1, 2, 26)[:60]:
        game = game_in("to roll", position, Roll(3, 1))
        said = hint(game)
        assert said["of"] == said["chances"]["of"] == PERSON
        for play in said["plays"]:
            assert play["chances"]["of"] == PERSON
    resigning = Game.set_up(position, turn=PROGRAM, roll=Roll(3, 1)).after(Resign(Result.SINGLE))
    mine, theirs = hint(resigning)["chances"], hint(game_in("to roll", position, Roll(3, 1)))
    assert mine["of"] == PERSON
    assert mine["win"] == pytest.approx(1 - theirs["chances"]["win"], abs=1e-6)


def test_a_person_doubled_far_behind_is_told_so() -> None:
    from bgai.notation.identifiers import parse_identifier
    from bgai.rules.match import Standing

    situation = parse_identifier(DOUBLED)
    standing = Standing(7, (0, 0), crawford=False)
    game = Game.set_up(situation.position, turn=PROGRAM, standing=standing).after(DOUBLE)
    said = hint(game, "best")
    assert said["chances"]["of"] == PERSON
    assert 0.1 < said["chances"]["win"] < 0.3
    assert said["of"] == PROGRAM


def everywhere(value: Any, name: str) -> list[dict[str, Any]]:
    """Every object below that has a field of that name."""
    if isinstance(value, list):
        return [found for each in value for found in everywhere(each, name)]
    if not isinstance(value, dict):
        return []
    inside = [found for each in value.values() for found in everywhere(each, name)]
    return [value, *inside] if name in value else inside


def test_every_chance_and_equity_of_the_api_says_whose_it_is(tmp_path: Path) -> None:
    httpx = pytest.importorskip("httpx")
    from web_server import running

    with running(tmp_path) as address, httpx.Client(base_url=address, timeout=120) as client:
        ask = {"id": DOUBLED, "engine": "handmade"}
        answers = [
            client.post("/api/evaluate", json={"ids": [DOUBLED], "engine": "handmade"}),
            client.post("/api/cube", json=ask),
            client.post("/api/best", json=ask | {"id": DOUBLED.replace(":D:", ":31:")}),
        ]
        new = {"level": "casual", "seed": 1, "terms": {"length": 3}, "starter": 0}
        game = client.post("/api/games", json=new).json()
        act = {"act": "play", "after": game["plays"][-1]["after"], "tutor": True}
        place = f"/api/games/{game['id']}"
        answers += [client.get(f"{place}/hint"), client.post(f"{place}/acts", json=act)]
        answers += [client.get(f"{place}/{what}") for what in ("hint", "curve", "summary")]
    for answer in answers:
        assert answer.status_code == 200, answer.text
        said = answer.json()
        for name in ("win", "chances", "equity", "access", "cost"):
            for found in everywhere(said, name):
                whose = found if "of" in found else found.get("chances", found)
                assert "of" in whose or "seat" in found, (name, found)
    on_roll = answers[0].json()["positions"][0]["chances"]
    assert on_roll["of"] == "on_roll"
    assert on_roll["win"] > 0.5  # the doubler's
    assert answers[1].json()["chances"] == on_roll
