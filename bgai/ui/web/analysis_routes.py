"""Routes about positions: identifiers, plays, evaluation, the cube, rollouts."""

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from bgai import __version__
from bgai.evaluation.checkpoint import released_checkpoints
from bgai.players.engines import BEST, LEVELS, Engine
from bgai.rules.game import Game
from bgai.rules.position import is_over
from bgai.ui.web.engines import judge_for
from bgai.ui.web.errors import Refusal, naming
from bgai.ui.web.opinions import cube_opinion, play_opinion
from bgai.ui.web.requests import (
    BestRequest,
    CubeRequest,
    EvaluateRequest,
    PlaysRequest,
    PositionRequest,
    RolloutRequest,
)
from bgai.ui.web.situations import (
    chances_fields,
    game_of,
    legal_play_fields,
    rolled_game,
    situation_asked,
    situation_fields,
    situation_of,
)

if TYPE_CHECKING:
    from bgai.ui.web.app import Service

router = APIRouter(prefix="/api", tags=["analysis"])
IdQuery = Annotated[str, Query(max_length=200)]


def service(request: Request) -> "Service":
    """The service of the application that got this request."""
    found: Service = request.app.state.service
    return found


@router.get("/status")
async def status(request: Request) -> dict[str, Any]:
    """Whether the engine is ready, the levels, and the limits of this server."""
    mine = service(request)
    limits = mine.limits
    return {
        "version": __version__,
        "warm_up": mine.warm_up.fields(),
        "levels": [{"name": row.name, "description": row.description} for row in LEVELS],
        "best": LEVELS[-1].name,
        "trained": bool(released_checkpoints()),
        "default_level": BEST,
        "limits": {
            "plies": limits.plies,
            "ids": [limits.ids_at(plies) for plies in range(limits.plies + 1)],
            "trials": limits.trials,
            "rollout_plays": limits.rollout_plays,
            "rollout_plies": limits.rollout_plies,
            "match_length": limits.match_length,
            "body": limits.body,
            "rollouts": limits.jobs + limits.waiting_jobs,
        },
    }


@router.get("/position")
async def position(id: IdQuery) -> dict[str, Any]:
    """Everything an identifier says, and every other identifier of the same situation."""
    return situation_fields(situation_of(id))


@router.post("/position")
async def position_from_fields(request: PositionRequest) -> dict[str, Any]:
    """The same from an ID or from the fields of a situation."""
    return situation_fields(situation_asked(request))


@router.get("/position.svg")
async def position_svg(
    id: IdQuery, width: Annotated[int, Query(ge=100, le=4000)] = 620
) -> Response:
    """The board as an SVG image."""
    from bgai.notation.svg import board_svg

    return Response(board_svg(situation_of(id), width=width), media_type="image/svg+xml")


@router.post("/plays")
async def plays(asked: PlaysRequest, request: Request) -> dict[str, Any]:
    """The legal plays of a roll; an empty list where the turn is lost."""
    _, game = rolled_game(asked.id, asked.roll)
    found = await service(request).workers.run(legal_play_fields, game)
    return {"id": asked.id, "roll": str(game.roll), "plays": found}


@router.post("/evaluate")
async def evaluate(asked: EvaluateRequest, request: Request) -> dict[str, Any]:
    """Chances and cubeless equity of positions, for the player on roll before the roll."""
    mine = service(request)
    judge = await mine.workers.run(judge_for, asked.engine, asked.plies)
    most = mine.limits.ids_at(judge.plies)
    if len(asked.ids) > most:
        raise Refusal(
            422, f"ids: {len(asked.ids)} positions, at most {most} at {judge.plies}-ply", "ids"
        )
    situations = [situation_of(each, f"ids.{i}") for i, each in enumerate(asked.ids)]
    return await mine.workers.run(_evaluate, judge, asked.ids, situations)


def _evaluate(judge: Engine, ids: list[str], situations: list[Any]) -> dict[str, Any]:
    from bgai.search.cube_verdict import situation_utility

    rows = []
    for identifier, situation in zip(ids, situations, strict=True):
        with judge.lock:
            chances = judge.lookahead.evaluate(situation.position[None])
        worth = float(situation_utility(situation).worth(chances)[0])
        rows.append(
            {
                "id": identifier,
                "of": "on_roll",
                "chances": chances_fields(chances[0]),
                "equity": round(worth, 6),
            }
        )
    return {"engine": judge.label, "positions": rows}


@router.post("/best")
async def best(asked: BestRequest, request: Request) -> dict[str, Any]:
    """The plays of a roll with equity and chances, the best first."""
    mine = service(request)
    _, game = rolled_game(asked.id, asked.roll)
    judge = await mine.workers.run(judge_for, asked.engine, asked.plies)
    found = await mine.workers.run(play_opinion, judge, game, asked.count)
    return {"id": asked.id, **found}


@router.post("/cube")
async def cube(asked: CubeRequest, request: Request) -> dict[str, Any]:
    """The cube decision: verdict in words, three equities, what each wrong act costs."""
    mine = service(request)
    game = _unrolled(asked.id)
    judge = await mine.workers.run(judge_for, asked.engine, asked.plies)
    return {"id": asked.id, **await mine.workers.run(cube_opinion, judge, game)}


def _unrolled(identifier: str) -> Game:
    """The game of an ID before the roll: dice it carries are not looked at."""
    from dataclasses import replace

    situation = situation_of(identifier)
    if is_over(situation.position):
        raise Refusal(400, "id: the game is over in this position", "id")
    with naming("id"):
        return game_of(replace(situation, roll=None))


@router.post("/rollouts", status_code=202)
async def start_rollout(asked: RolloutRequest, request: Request) -> dict[str, Any]:
    """Start a rollout in the background; ask for its figures with its ``id``."""
    return service(request).jobs.start(asked).fields()


@router.get("/rollouts/{rollout}")
async def rollout(rollout: str, request: Request) -> dict[str, Any]:
    """State, progress and figures so far of a rollout."""
    return service(request).jobs.find(rollout).fields()


@router.delete("/rollouts/{rollout}")
async def cancel_rollout(rollout: str, request: Request) -> dict[str, Any]:
    """Stop a rollout; the figures so far are kept."""
    job = service(request).jobs.find(rollout)
    job.cancel()
    return job.fields()
