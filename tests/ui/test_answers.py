"""One schema of answers: every route and every ``--json`` has a model of its own."""

import json
import subprocess
import sys
from typing import Any

import pytest
from fastapi.routing import APIRoute
from pydantic import RootModel

from bgai import answers, game_answers
from bgai.answers import Answer
from bgai.ui.cli import main
from bgai.ui.web import analysis_routes, game_routes
from bgai.ui.web.app import create_app

START = "4HPwATDgc/ABMA"
HOME = "XGID=-BBBB----------------bbb--:0:0:1:00:0:0:0:0:10"
MATCH = "XGID=-b----E-C---eE---c-e----B-:1:1:1:00:2:1:0:5:10"
FAST = ("--engine", "handmade")

COMMANDS: list[tuple[tuple[str, ...], type[Answer]]] = [
    (("show", MATCH), answers.PositionAnswer),
    (("plays", START, "31"), answers.PlaysAnswer),
    (("best", START, "31", *FAST), answers.BestAnswer),
    (("best", START, "31", "--rollout", "--trials", "36", *FAST), answers.RolloutAnswer),
    (("evaluate", MATCH, *FAST), answers.EvaluateAnswer),
    (("cube", START, *FAST), answers.CubeAnswer),
    (("cube", MATCH, *FAST), answers.CubeAnswer),
    (("cube", START, "--rollout", "--trials", "36", "--truncate", "2", *FAST),
     answers.RolloutAnswer),
    (("rollout", HOME, "--trials", "36", *FAST), answers.RolloutAnswer),
    (("rollout", START, "31", "-n", "2", "--trials", "36", "--truncate", "2", *FAST),
     answers.RolloutAnswer),
    (("score-table", START, "--away", "2", *FAST), answers.ScoreTableAnswer),
    (("bearoff", HOME), answers.BearoffAnswer),
    (("met", "3", "5"), answers.MetAnswer),
    (("duel", "random", "random", "--games", "4", "--judge", "none"), answers.DuelAnswer),
    (("duel", "random", "handmade", "--games", "2", "--money", "--judge", "handmade@0"),
     answers.ArenaAnswer),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "model"), COMMANDS, ids=lambda each: str(each)[:40])
def test_json_of_a_command_is_its_model(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], model: type[Answer]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([*arguments, "--json"])
    out, err = capsys.readouterr()
    assert not stopped.value.code, err
    said = json.loads(out)
    assert model.model_validate(said).to_dict() == said
    assert_rounded(said)


def assert_rounded(found: Any) -> None:
    """No figure has more than six decimals."""
    if isinstance(found, dict):
        found = list(found.values())
    if isinstance(found, list):
        for each in found:
            assert_rounded(each)
    elif isinstance(found, float):
        assert found == round(found, answers.DECIMALS)


@pytest.fixture(scope="module")
def openapi(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    app = create_app(tmp_path_factory.mktemp("games"), warm=False)
    return app.openapi()


def test_every_route_has_a_response_model() -> None:
    routes = [
        each
        for router in (analysis_routes.router, game_routes.router)
        for each in router.routes
        if isinstance(each, APIRoute) and not each.path.endswith(".svg")
    ]
    assert len(routes) > 15
    for route in routes:
        model = route.response_model
        assert isinstance(model, type), route.path
        assert issubclass(model, Answer | RootModel), route.path


def test_openapi_types_every_answer_and_every_refusal(openapi: dict[str, Any]) -> None:
    schemas = openapi["components"]["schemas"]
    error = "#/components/schemas/ErrorAnswer"
    for path, methods in openapi["paths"].items():
        for method, operation in methods.items():
            where = f"{method} {path}"
            responses = operation["responses"]
            good = next(code for code in responses if code.startswith("2"))
            content = responses[good]["content"]
            if path.endswith(".svg"):
                assert "image/svg+xml" in content, where
                continue
            schema = content["application/json"]["schema"]
            assert schema.get("$ref", "").split("/")[-1] in schemas, where
            for code in ("400", "403", "404", "409", "413", "421", "422", "429"):
                refusal = responses[code]["content"]["application/json"]["schema"]
                assert refusal["$ref"] == error, (where, code)
    assert set(schemas["ErrorAnswer"]["properties"]) == {"error", "field"}
    loose = [
        f"{name}.{field}"
        for name, schema in schemas.items()
        for field, kind in schema.get("properties", {}).items()
        if not kind.keys() & {"type", "$ref", "anyOf", "oneOf", "enum", "const", "allOf"}
    ]
    assert loose == []


def test_no_model_calls_dice_a_roll_or_leaves_chances_without_an_owner() -> None:
    for module in (answers, game_answers):
        for name, model in vars(module).items():
            fields = getattr(model, "model_fields", {})
            assert not {"roll", "throw", "nd", "dt", "dp", "next"} & set(fields), name
            if "chances" in fields:
                assert fields["chances"].annotation in (
                    answers.Chances, answers.Chances | None,
                ), name  # fmt: skip
    assert set(answers.Chances.model_fields) == {
        "of", "win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon",
    }  # fmt: skip


def test_answers_need_no_engine() -> None:
    code = (
        "import sys, bgai.answers, bgai.game_answers\n"
        "sys.exit(str({'numba', 'torch', 'numpy'} & set(sys.modules) or ''))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.strip() in ("", "set()")
