"""Routes of games: new, act, advance, undo, hint, summary, record."""

from collections.abc import Callable
from typing import Annotated, TypeVar

from fastapi import APIRouter, Query, Request

from bgai import game_answers as answers
from bgai.ui.web.errors import REFUSALS
from bgai.ui.web.requests import ActRequest, NewGame
from bgai.ui.web.service import service, visitor
from bgai.ui.web.tables import Table

T = TypeVar("T")
router = APIRouter(prefix="/api/games", tags=["games"], responses=REFUSALS)
Since = Annotated[int, Query(ge=0, le=100_000)]
Count = Annotated[int, Query(ge=1, le=1000)]


async def _at_table(request: Request, name: str, work: Callable[[Table], T]) -> T:
    """The result of ``work`` with the table to oneself, on the engine's threads."""
    asking = visitor(request)

    def alone() -> T:
        table = asking.tables.find(name)
        with table.lock:
            return work(table)

    return await service(request).workers.run(alone)


@router.post("", status_code=201)
async def new_game(asked: NewGame, request: Request) -> answers.GameAnswer:
    """A new match or money session. The person sits at seat 0, the program at seat 1."""
    asking = visitor(request)

    def begin() -> answers.GameAnswer:
        table = asking.tables.new(asked)
        with table.lock:
            if asked.advance:
                table.advance()
            return table.view()

    return await service(request).workers.run(begin)


@router.get("")
async def games_list(request: Request, count: Count = 100) -> answers.GamesAnswer:
    """The caller's saved games, the one played last first, at most ``count``.

    Finished ones beyond ``kept`` are removed, the oldest first; ``removed`` were since the
    start.
    """
    tables = visitor(request).tables

    def found() -> answers.GamesAnswer:
        games = tables.files.listed()
        return answers.GamesAnswer(
            games=[answers.SavedGameAnswer(**game.fields()) for game in games[:count]],
            count=len(games),
            kept=tables.limits.saved_games,
            removed=tables.files.removed,
        )

    return await service(request).workers.run(found)


@router.get("/{game}")
async def game_view(game: str, request: Request, since: Since = 0) -> answers.GameAnswer:
    """The state of the current game; ``events`` are its acts from number ``since``."""
    return await _at_table(request, game, lambda table: table.view(since))


@router.post("/{game}/acts")
async def act(game: str, asked: ActRequest, request: Request) -> answers.GameAnswer:
    """Make an act of the person; ``events`` hold it and what followed."""

    def work(table: Table) -> answers.GameAnswer:
        since = table.acts
        verdict = table.act(asked)
        if asked.advance:
            table.advance()
        return table.view(since, verdict)

    return await _at_table(request, game, work)


@router.post("/{game}/advance")
async def advance(game: str, request: Request) -> answers.GameAnswer:
    """Let the program act until the person has to."""

    def work(table: Table) -> answers.GameAnswer:
        since = table.acts
        table.advance()
        return table.view(since)

    return await _at_table(request, game, work)


@router.post("/{game}/undo")
async def undo(game: str, request: Request) -> answers.GameAnswer:
    """Take back the person's last decision in this game; the same dice come again."""
    return await _change(request, game, Table.undo)


@router.post("/{game}/next")
async def next_game(game: str, request: Request) -> answers.GameAnswer:
    """Begin the next game of the match or session."""
    return await _change(request, game, Table.next_game)


@router.post("/{game}/close")
async def close(game: str, request: Request) -> answers.GameAnswer:
    """End a money session between two games."""
    return await _change(request, game, Table.close)


async def _change(
    request: Request, game: str, change: Callable[[Table], None]
) -> answers.GameAnswer:
    def work(table: Table) -> answers.GameAnswer:
        change(table)
        return table.view()

    return await _at_table(request, game, work)


@router.get("/{game}/hint")
async def hint(
    game: str,
    request: Request,
    engine: Annotated[str | None, Query(max_length=40)] = None,
    plies: Annotated[int | None, Query(ge=0, le=3)] = None,
) -> answers.HintAnswer:
    """What an engine, the best by default, would do in the person's place."""
    return await _at_table(request, game, lambda table: table.hint(engine, plies))


@router.get("/{game}/curve")
async def curve(game: str, request: Request) -> answers.CurveAnswer:
    """The person's chances before every turn of the current game."""
    return await _at_table(request, game, Table.curve)


@router.get("/{game}/summary")
async def summary(game: str, request: Request) -> answers.SummaryAnswer:
    """Errors and luck of both sides in the current game, and the worst decisions."""
    return await _at_table(request, game, Table.summary)


@router.get("/{game}/record")
async def record(game: str, request: Request) -> answers.RecordAnswer:
    """Everything played so far, in the form of a saved game."""
    return answers.RecordAnswer(await _at_table(request, game, Table.record))


@router.delete("/{game}")
async def remove(game: str, request: Request) -> answers.RemovedAnswer:
    """Forget a game and its file."""
    await service(request).workers.run(visitor(request).tables.remove, game)
    return answers.RemovedAnswer(removed=game)
