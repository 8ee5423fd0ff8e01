"""`bgai score-table`: the cube verdict of one position at every score."""

from typing import TYPE_CHECKING, Annotated

import typer

from bgai.ui.options import (
    AsJson,
    CubeOptions,
    MetFile,
    OneIdentifier,
    SearchOptions,
    StakesOptions,
    bundled,
    met_of,
)

if TYPE_CHECKING:
    from bgai.answers import ScoreTableAnswer


def register(app: typer.Typer) -> None:
    """Add ``bgai score-table`` to the program."""
    settings = {"ignore_unknown_options": True}
    app.command("score-table", context_settings=settings)(bundled(score_table))


def score_table(
    search: SearchOptions,
    held: CubeOptions,
    identifier: OneIdentifier,
    away: Annotated[int, typer.Option(min=2, max=25, help="Most points away of either side.")] = 9,
    met: MetFile = None,
    json_: AsJson = False,
) -> None:
    """The cube action for money and at every score, with the cube as in the ID; at 1-ply.

    Rows are the points the player on roll needs, columns those of the opponent; 1 is after
    the Crawford game. ND no double, D/T double and take, D/P double and pass, D/B double
    and beaver, TG too good to double, TG/T too good although the opponent should take, - no
    cube to turn.
    """
    from bgai.analysis.answering import score_table_answer
    from bgai.notation.identifiers import parse_identifier

    engine = search.made(1)
    options = StakesOptions(cube=held.cube, owner=held.owner, away="money")
    money = options.applied(parse_identifier(identifier))
    answer = score_table_answer(identifier, money, engine, away, met_of(met))
    if json_:
        typer.echo(answer.to_json())
    else:
        _print(answer)


_STYLES = {"D/T": "green", "D/P": "bold red", "TG": "magenta", "TG/T": "magenta", "D/B": "yellow"}


def _print(answer: "ScoreTableAnswer") -> None:
    from rich.console import Console
    from rich.table import Table

    cell = answer.money
    numbers = f"no double {cell.no_double:+.3f}"
    if cell.double_take is not None:
        numbers += f", double/take {cell.double_take:+.3f}"
    typer.echo(f"Cube action, {answer.engine}\n{answer.stakes}: {cell.verdict} ({numbers})\n")
    table = Table(box=None, header_style="", padding=(0, 1, 0, 0))
    table.add_column("you\\opponent", justify="right")
    for need in range(1, len(answer.scores) + 1):
        table.add_column(f"{need}", justify="center", min_width=4)
    for need, row in enumerate(answer.scores, 1):
        cells = [
            f"[{_STYLES[each.short]}]{each.short}[/]" if each.short in _STYLES else each.short
            for each in row
        ]
        table.add_row(f"{need}", *cells)
    Console(highlight=False).print(table)
    typer.echo(
        "\npoints needed, 1 after the Crawford game; ND no double, D/T double and take, "
        "D/P double and pass,\nTG too good, D/B double and beaver, /B and /T say what the "
        "opponent should do, - no cube to turn"
    )
