"""Routes of games: new, act, advance, undo, hint, summary, record."""

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request

from bgai.ui.web.analysis_routes import service
from bgai.ui.web.errors import Refusal
from bgai.ui.web.requests import ActRequest, NewGame
from bgai.ui.web.tables import Table

router = APIRouter(prefix="/api/games", tags=["games"])
Since = Annotated[int, Query(ge=0, le=100_000)]
Count = Annotated[int, Query(ge=1, le=1000)]


async def _at_table(request: Request, name: str, work: Callable[[Table], Any]) -> Any:
    """The result of ``work`` with the table to oneself, on the engine's threads."""
    mine = service(request)

    def alone() -> Any:
        table = mine.tables.find(name)
        with table.lock:
            return work(table)

    return await mine.workers.run(alone)


@router.post("", status_code=201)
async def new_game(asked: NewGame, request: Request) -> dict[str, Any]:
    """A new match or money session. The person sits at seat 0, the program at seat 1."""
    mine = service(request)

    def begin() -> dict[str, Any]:
        table = mine.tables.new(asked)
        with table.lock:
            if asked.advance:
                table.advance()
            return table.view()

    return await mine.workers.run(begin)


@router.get("")
async def games_list(request: Request, count: Count = 100) -> dict[str, Any]:
    """The saved games, the one played last first, at most ``count``.

    Finished ones beyond ``kept`` are removed, the oldest first; ``removed`` were since the
    start. A server that other machines reach lists none: who knows a game's name may play on.
    """
    mine = service(request)
    if not mine.loopback_only:
        raise Refusal(403, "games: listed only by a server that this machine alone reaches")

    def found() -> dict[str, Any]:
        games = mine.tables.files.listed()
        return {
            "games": [game.fields() for game in games[:count]],
            "count": len(games),
            "kept": mine.limits.saved_games,
            "removed": mine.tables.files.removed,
        }

    said: dict[str, Any] = await mine.workers.run(found)
    return said


@router.get("/{game}")
async def game_view(game: str, request: Request, since: Since = 0) -> dict[str, Any]:
    """The state of the current game; ``events`` are its acts from number ``since``."""
    found: dict[str, Any] = await _at_table(request, game, lambda table: table.view(since))
    return found


@router.post("/{game}/acts")
async def act(game: str, asked: ActRequest, request: Request) -> dict[str, Any]:
    """Make an act of the person; ``events`` hold it and what followed."""

    def work(table: Table) -> dict[str, Any]:
        since = table.acts
        verdict = table.act(asked)
        if asked.advance:
            table.advance()
        return table.view(since, verdict)

    found: dict[str, Any] = await _at_table(request, game, work)
    return found


@router.post("/{game}/advance")
async def advance(game: str, request: Request) -> dict[str, Any]:
    """Let the program act until the person has to."""

    def work(table: Table) -> dict[str, Any]:
        since = table.acts
        table.advance()
        return table.view(since)

    found: dict[str, Any] = await _at_table(request, game, work)
    return found


@router.post("/{game}/undo")
async def undo(game: str, request: Request) -> dict[str, Any]:
    """Take back the person's last decision in this game; the same dice come again."""
    return await _change(request, game, Table.undo)


@router.post("/{game}/next")
async def next_game(game: str, request: Request) -> dict[str, Any]:
    """Begin the next game of the match or session."""
    return await _change(request, game, Table.next_game)


@router.post("/{game}/close")
async def close(game: str, request: Request) -> dict[str, Any]:
    """End a money session between two games."""
    return await _change(request, game, Table.close)


async def _change(request: Request, game: str, change: Callable[[Table], None]) -> dict[str, Any]:
    def work(table: Table) -> dict[str, Any]:
        change(table)
        return table.view()

    found: dict[str, Any] = await _at_table(request, game, work)
    return found


@router.get("/{game}/hint")
async def hint(
    game: str,
    request: Request,
    engine: Annotated[str | None, Query(max_length=40)] = None,
    plies: Annotated[int | None, Query(ge=0, le=3)] = None,
) -> dict[str, Any]:
    """What an engine, the best by default, would do in the person's place."""
    found: dict[str, Any] = await _at_table(request, game, lambda table: table.hint(engine, plies))
    return found


@router.get("/{game}/curve")
async def curve(game: str, request: Request) -> dict[str, Any]:
    """The person's chances before every turn of the current game."""
    found: dict[str, Any] = await _at_table(request, game, Table.curve)
    return found


@router.get("/{game}/summary")
async def summary(game: str, request: Request) -> dict[str, Any]:
    """Errors and luck of both sides in the current game, and the worst decisions."""
    found: dict[str, Any] = await _at_table(request, game, Table.summary)
    return found


@router.get("/{game}/record")
async def record(game: str, request: Request) -> dict[str, Any]:
    """Everything played so far, in the form of a saved game."""
    found: dict[str, Any] = await _at_table(request, game, Table.record)
    return found


@router.delete("/{game}")
async def remove(game: str, request: Request) -> dict[str, Any]:
    """Forget a game and its file."""
    mine = service(request)
    await mine.workers.run(mine.tables.remove, game)
    return {"removed": game}
