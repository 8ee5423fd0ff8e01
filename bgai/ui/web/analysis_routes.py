"""Routes about positions: identifiers, plays, evaluation, the cube, rollouts."""

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from bgai import __version__, answers, game_answers
from bgai.analysis import answering
from bgai.answers import FORMAT
from bgai.evaluation.checkpoint import released_checkpoints
from bgai.evaluation.plugins import OFFERED, plugin_names
from bgai.notation.identifiers import LONGEST_TEXT
from bgai.notation.situation import Situation
from bgai.players.engines import BEST, LEVELS
from bgai.ui.web.engines import judge_for
from bgai.ui.web.errors import REFUSALS, Refusal, naming
from bgai.ui.web.requests import (
    BestRequest,
    CubeRequest,
    EvaluateRequest,
    PlaysRequest,
    PositionRequest,
    RolloutRequest,
)
from bgai.ui.web.service import service, visitor
from bgai.ui.web.situations import game_of, rolled, situation_asked, situation_of

router = APIRouter(prefix="/api", tags=["analysis"], responses=REFUSALS)
IdQuery = Annotated[str, Query(max_length=LONGEST_TEXT)]


@router.get("/status")
async def status(request: Request) -> game_answers.StatusAnswer:
    """Whether the engine is ready, the levels, and the limits of this server."""
    mine = service(request)
    limits = mine.limits
    return game_answers.StatusAnswer(
        version=__version__,
        format=FORMAT,
        warm_up=mine.warm_up.answer(),
        levels=[
            game_answers.LevelState(name=name, description=description)
            for name, description in (
                *((name, OFFERED) for name in plugin_names()),
                *((row.name, row.description) for row in LEVELS),
            )
        ],
        best=LEVELS[-1].name,
        trained=bool(released_checkpoints()),
        default_level=BEST,
        limits=game_answers.LimitsState(
            plies=limits.plies,
            ids=[limits.ids_at(plies) for plies in range(limits.plies + 1)],
            trials=limits.trials,
            rollout_plays=limits.rollout_plays,
            rollout_plies=limits.rollout_plies,
            match_length=limits.match_length,
            body=limits.body,
            rollouts=limits.jobs + limits.waiting_jobs,
        ),
    )


@router.get("/position")
async def position(id: IdQuery) -> answers.PositionAnswer:
    """Everything an identifier says, and every other identifier of the same situation."""
    return answering.position_answer(situation_of(id))


@router.post("/position")
async def position_from_fields(request: PositionRequest) -> answers.PositionAnswer:
    """The same from an ID or from the fields of a situation."""
    return answering.position_answer(situation_asked(request))


@router.get(
    "/position.svg",
    response_class=Response,
    responses={200: {"content": {"image/svg+xml": {"schema": {"type": "string"}}}}},
)
async def position_svg(
    id: IdQuery, width: Annotated[int, Query(ge=100, le=4000)] = 620
) -> Response:
    """The board as an SVG image."""
    from bgai.notation.svg import board_svg

    return Response(board_svg(situation_of(id), width=width), media_type="image/svg+xml")


@router.post("/plays")
async def plays(asked: PlaysRequest, request: Request) -> answers.PlaysAnswer:
    """The legal plays of a roll; an empty list where the turn is lost."""
    situation, roll = rolled(asked.id, asked.dice)
    run = service(request).workers.run
    return await run(answering.plays_answer, asked.id, situation, roll)


@router.post("/evaluate")
async def evaluate(asked: EvaluateRequest, request: Request) -> answers.EvaluationsAnswer:
    """Chances and cubeless equity of positions, for the player on roll before the roll."""
    mine = service(request)
    judge = await mine.workers.run(judge_for, asked.engine, asked.plies)
    most = mine.limits.ids_at(judge.plies)
    if len(asked.ids) > most:
        raise Refusal(
            422, f"ids: {len(asked.ids)} positions, at most {most} at {judge.plies}-ply", "ids"
        )
    situations = [situation_of(each, f"ids.{i}") for i, each in enumerate(asked.ids)]

    def work() -> answers.EvaluationsAnswer:
        rows = [
            answering.evaluate_answer(name, situation, judge)
            for name, situation in zip(asked.ids, situations, strict=True)
        ]
        return answers.EvaluationsAnswer(engine=judge.label, positions=rows)

    return await mine.workers.run(work)


@router.post("/best")
async def best(asked: BestRequest, request: Request) -> answers.BestAnswer:
    """The plays of a roll with equity and chances, the best first."""
    mine = service(request)
    situation, roll = rolled(asked.id, asked.dice)
    judge = await mine.workers.run(judge_for, asked.engine, asked.plies)
    run = mine.workers.run
    return await run(answering.best_answer, asked.id, situation, roll, judge, asked.count)


@router.post("/cube")
async def cube(asked: CubeRequest, request: Request) -> answers.CubeAnswer:
    """The cube decision: verdict in words, three equities, what each wrong act costs."""
    mine = service(request)
    situation = _unrolled(asked.id)
    judge = await mine.workers.run(judge_for, asked.engine, asked.plies)
    return await mine.workers.run(answering.cube_answer, asked.id, situation, judge)


def _unrolled(identifier: str) -> Situation:
    """The situation of an ID before the roll: dice it carries are not looked at."""
    situation = replace(situation_of(identifier), roll=None)
    with naming("id"):
        answering.check_not_over(situation)
        game_of(situation)
    return situation


@router.post("/rollouts", status_code=202)
async def start_rollout(asked: RolloutRequest, request: Request) -> answers.RolloutJob:
    """Start a rollout in the background; ask for its figures with its ``job``."""
    return service(request).jobs.start(asked, visitor(request).name).answer()


@router.get("/rollouts/{job}")
async def rollout(job: str, request: Request) -> answers.RolloutJob:
    """State, progress and figures so far of a rollout."""
    return service(request).jobs.find(job, visitor(request).name).answer()


@router.post("/rollouts/{job}/resume", status_code=202)
async def resume_rollout(job: str, request: Request) -> answers.RolloutJob:
    """Let a cancelled rollout go on where it stopped."""
    return service(request).jobs.resume(job, visitor(request).name).answer()


@router.delete("/rollouts/{job}")
async def cancel_rollout(job: str, request: Request) -> answers.RolloutJob:
    """Stop a rollout; the figures so far are kept."""
    found = service(request).jobs.find(job, visitor(request).name)
    found.cancel()
    return found.answer()
