"""`bgai plays`."""

import typer


def register(app: typer.Typer) -> None:
    """Add ``bgai plays`` to the program."""
