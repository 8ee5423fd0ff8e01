"""`bgai show`."""

import typer


def register(app: typer.Typer) -> None:
    """Add ``bgai show`` to the program."""

    @app.command()
    def show(identifier: str) -> None:
        """Show a position."""
