"""The application: routes, refusals and the page's files put together."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.types import Scope

from bgai import __version__
from bgai.answers import ErrorAnswer
from bgai.ui.web import analysis_routes, game_routes
from bgai.ui.web.engines import Workers
from bgai.ui.web.errors import Refusal, describe
from bgai.ui.web.guard import Guard
from bgai.ui.web.jobs import Jobs
from bgai.ui.web.limits import Limits
from bgai.ui.web.service import Service
from bgai.ui.web.visitors import KnowsVisitors, Visitors
from bgai.ui.web.warmup import WarmUp

STATIC = Path(__file__).resolve().parent / "static"

_DESCRIPTION = """Positions by any identifier, plays, cube decisions, rollouts and games.

Answers have the fields of `bgai --json`. Chances say whose they are (`of`); gammons include
backgammons. Equity is in units of the present cube, normalised in a match. Refusals are
`{"error": ..., "field": ...}`."""


class PageFiles(StaticFiles):
    """The page's own files; browsers ask each time whether they changed."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["cache-control"] = "no-cache"
        return response


def create_app(
    games: Path,
    limits: Limits | None = None,
    *,
    loopback_only: bool = True,
    warm: bool = True,
) -> FastAPI:
    """The application; ``games`` is the folder games are kept in.

    ``loopback_only``: it is bound to this machine alone, so other host names are refused; without
    it every visitor has games and rollouts of their own, known by a cookie.
    ``warm``: compile the engine's kernels in the background at the start.
    """
    limits = limits or Limits()
    games.mkdir(parents=True, exist_ok=True)
    visitors = Visitors(games, limits, apart=not loopback_only)
    service = Service(limits, Workers(limits), visitors, Jobs(limits), WarmUp(), loopback_only)

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        if warm:
            service.warm_up.start()
        yield
        service.jobs.close()
        service.workers.close()

    app = FastAPI(
        title="bgai", version=__version__, description=_DESCRIPTION, lifespan=life,
        docs_url=None, redoc_url=None, openapi_url="/api/openapi.json",
    )  # fmt: skip
    app.state.service = service
    if not loopback_only:
        app.add_middleware(KnowsVisitors, at_once=limits.at_once)
    app.add_middleware(Guard, body=limits.body, loopback_only=loopback_only)
    app.include_router(analysis_routes.router)
    app.include_router(game_routes.router)
    _answer_refusals(app)
    app.mount("/", PageFiles(directory=STATIC, html=True), name="page")
    return app


def _answer_refusals(app: FastAPI) -> None:
    @app.exception_handler(Refusal)
    async def refused(_: Request, error: Refusal) -> JSONResponse:
        headers = {"retry-after": "1"} if error.status in (429, 503) else None
        return JSONResponse(error.answer.to_dict(), error.status, headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        refusal = describe(error.errors())
        return JSONResponse(refusal.answer.to_dict(), refusal.status)

    @app.exception_handler(HTTPException)
    async def other(_: Request, error: HTTPException) -> JSONResponse:
        answer = ErrorAnswer(error=str(error.detail))
        return JSONResponse(answer.to_dict(), error.status_code, error.headers)
