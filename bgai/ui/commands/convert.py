"""`bgai convert`: match records from one format to another."""

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add ``bgai convert`` to the program."""

    @app.command()
    def convert(
        source: Annotated[
            Path, typer.Argument(metavar="IN", help="A match file, such as .mat, .sgf or .xg")
        ],
        target: Annotated[Path, typer.Argument(metavar="OUT", help=".mat, .sgf or .json")],
    ) -> None:
        """Convert a match record; the extensions tell the formats.

        JSON is lossless; it is read from saved games of bgai play too. Of a file with several
        matches each gets a file of its own, OUT with a number. What is wrong in the file is
        reported; exit code 1 then.
        """
        from bgai.notation.record_files import write_record
        from bgai.sessions.session_record import read_any

        readings = read_any(source)
        for number, reading in enumerate(readings, 1):
            for problem in reading.problems:
                typer.echo(str(problem), err=True)
            path = target
            if len(readings) > 1:
                path = target.with_stem(f"{target.stem}-{number}")
                typer.echo(f"{path}: {' against '.join(reading.record.players)}")
            write_record(reading.record, path)
        if any(reading.problems for reading in readings):
            raise typer.Exit(1)
