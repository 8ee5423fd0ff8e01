"""`bgai plays`: every legal play of a roll, for one position or many."""

import typer

from bgai.errors import InputError
from bgai.ui.options import AsJson, Batch, DiceText, Identifier


def register(app: typer.Typer) -> None:
    """Add ``bgai plays`` to the program."""
    app.command(context_settings={"ignore_unknown_options": True})(plays)


def plays(
    identifier: Identifier = None,
    dice: DiceText = None,
    as_json: AsJson = False,
    batch: Batch = None,
) -> None:
    """List every legal play of a roll with the position after it."""
    from bgai import api
    from bgai.ui.batch import id_and_dice, run_batch

    if batch is not None:
        if identifier is not None:
            raise InputError("give either ID and DICE or --batch, not both")
        raise typer.Exit(run_batch(batch, lambda line: api.plays(*id_and_dice(line))))
    if identifier is None:
        raise InputError("give an ID and DICE, or --batch FILE")
    found = api.plays(identifier, dice)
    typer.echo(found.to_json() if as_json else str(found))
