"""`bgai bearoff`: what the tables say about a bear-off."""

import typer

from bgai.ui.options import AsJson, OneIdentifier


def register(app: typer.Typer) -> None:
    """Add ``bgai bearoff`` to the program."""
    app.command(context_settings={"ignore_unknown_options": True})(bearoff)


def bearoff(identifier: OneIdentifier, json_: AsJson = False) -> None:
    """Rolls to bear off, effective pips, and the win chance of the player on roll.

    Needs the player on roll home; the win chance needs the opponent home too. It is exact up
    to six checkers a side; beyond, both are taken to play for the fewest rolls.
    """
    from bgai import api

    found = api.bearoff(identifier)
    typer.echo(found.to_json() if json_ else str(found))
