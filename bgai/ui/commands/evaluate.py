"""`bgai evaluate`: chances and equity of positions."""

from typing import Annotated

import typer

from bgai.errors import InputError
from bgai.ui.options import IDENTIFIER_WORDS, AsJson, Batch, SearchOptions, bundled


def register(app: typer.Typer) -> None:
    """Add ``bgai evaluate`` to the program."""
    app.command(context_settings={"ignore_unknown_options": True})(bundled(evaluate))


def evaluate(
    search: SearchOptions,
    identifiers: Annotated[
        list[str] | None, typer.Argument(metavar="[ID]...", help=IDENTIFIER_WORDS)
    ] = None,
    json_: AsJson = False,
    batch: Batch = None,
) -> None:
    """Chances and equity for the player on roll, who is about to roll.

    Equity is cubeless; at a match score normalised, so that a win with this cube is +1 and a
    loss -1. Dice in an identifier are not looked at. With --json each ID has a line.
    """
    from bgai import api
    from bgai.answers import EvaluationsAnswer
    from bgai.notation.answer_text import text_of
    from bgai.players.engines import PLAY_PLIES
    from bgai.ui.batch import run_batch

    if (batch is None) == (not identifiers):
        raise InputError("give IDs or --batch FILE, one of the two")
    engine = search.made(PLAY_PLIES)
    if batch is not None:
        raise typer.Exit(run_batch(batch, lambda line: api.evaluate(line, engine=engine)))
    found = [api.evaluate(identifier, engine=engine) for identifier in identifiers or []]
    if json_:
        for answer in found:
            typer.echo(answer.to_json())
    else:
        typer.echo(text_of(EvaluationsAnswer(engine=engine.label, positions=list(found))))
