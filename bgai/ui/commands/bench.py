"""`bgai bench`: the speed of the move generator on a fixed workload."""

import os
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from bgai.analysis.benchmark import Speed


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
        as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    ) -> None:
        """Measure the move generator on a fixed workload, on one core and on all."""
        from bgai.analysis.benchmark import SIGNATURE, measure, workloads

        typer.echo("Compiling the move generator if needed, making the workload ...", err=True)
        rows = [
            (workload.name, count, measure(workload, threads=count, passes=passes))
            for workload in workloads()
            for count in dict.fromkeys((1, threads))
        ]
        signature = sum(speed.positions_after for _, count, speed in rows if count == 1)
        _print_json(rows, signature) if as_json else _print_table(rows, signature)
        if signature != SIGNATURE:
            typer.echo(
                f"error: the signature must be {SIGNATURE}: the generator finds other plays",
                err=True,
            )
            raise typer.Exit(1)


def _print_table(rows: "list[tuple[str, int, Speed]]", signature: int) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("workload", "threads", "rolls", "positions after", "rolls/s", "positions/s")
    for column in table.columns[1:]:
        column.justify = "right"
    for name, threads, speed in rows:
        table.add_row(
            name,
            str(threads),
            f"{speed.rolls:,}",
            f"{speed.positions_after:,}",
            f"{speed.rolls_per_second:,.0f}",
            f"{speed.positions_per_second:,.0f}",
        )
    Console().print(table)
    typer.echo(f"signature {signature}")


def _print_json(rows: "list[tuple[str, int, Speed]]", signature: int) -> None:
    import json

    measured = [
        {
            "workload": name,
            "threads": threads,
            "rolls": speed.rolls,
            "positions_after": speed.positions_after,
            "rolls_per_second": round(speed.rolls_per_second),
            "positions_per_second": round(speed.positions_per_second),
        }
        for name, threads, speed in rows
    ]
    typer.echo(json.dumps({"signature": signature, "speeds": measured}))
