"""`bgai convert`: match records from one format to another."""

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add ``bgai convert`` to the program."""

    @app.command()
    def convert(
        source: Annotated[Path, typer.Argument(metavar="IN", help=".mat, .sgf, .xg or .json")],
        target: Annotated[Path, typer.Argument(metavar="OUT", help=".mat, .sgf or .json")],
    ) -> None:
        """Convert a match record; the extensions tell the formats.

        JSON is lossless; it is read from saved games of bgai play too. What is broken in the
        file is reported and ends that game's record; exit code 1 then.
        """
        from bgai.notation.record_files import write_record
        from bgai.ui.records import read_any

        reading = read_any(source)
        for problem in reading.problems:
            typer.echo(str(problem), err=True)
        write_record(reading.record, target)
        if reading.problems:
            raise typer.Exit(1)
