"""`bgai bench`: the speed of the move generator on a fixed workload."""

import os
from typing import TYPE_CHECKING, Annotated

import typer

from bgai.ui.options import AsJson

if TYPE_CHECKING:
    from bgai.answers import BenchAnswer


def register(app: typer.Typer) -> None:
    """Add ``bgai bench`` to the program."""

    @app.command()
    def bench(
        threads: Annotated[
            int, typer.Option(min=1, help="Threads of the second measurement; default all cores.")
        ] = os.cpu_count() or 1,
        passes: Annotated[
            int, typer.Option(min=1, help="Passes over the workload; the fastest counts.")
        ] = 5,
        as_json: AsJson = False,
    ) -> None:
        """Measure the move generator on a fixed workload, on one core and on all."""
        from bgai.analysis.benchmark import SIGNATURE, bench_answer

        typer.echo("Compiling the move generator if needed, making the workload ...", err=True)
        answer = bench_answer(threads, passes)
        typer.echo(answer.to_json()) if as_json else _print_table(answer)
        if answer.signature != SIGNATURE:
            typer.echo(
                f"error: the signature must be {SIGNATURE}: the generator finds other plays",
                err=True,
            )
            raise typer.Exit(1)


def _print_table(answer: "BenchAnswer") -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("workload", "threads", "rolls", "positions after", "rolls/s", "positions/s")
    for column in table.columns[1:]:
        column.justify = "right"
    for row in answer.speeds:
        _, *figures = row.to_dict().values()
        table.add_row(row.workload, *(f"{figure:,}" for figure in figures))
    Console().print(table)
    typer.echo(f"signature {answer.signature}")
