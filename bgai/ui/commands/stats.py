"""`bgai stats`: players' PR over time and by phase, from the matches analysed so far."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.table import Table

    from bgai.analysis.review import Figures
    from bgai.analysis.stats import PlayerStats

_BARS = "▁▂▃▄▅▆▇█"


def register(app: typer.Typer) -> None:
    """Add ``bgai stats`` to the program."""

    @app.command()
    def stats(
        player: Annotated[
            str | None, typer.Option(help="One player by name; all by default.")
        ] = None,
        judge: Annotated[
            str | None, typer.Option(help="Only analyses by this judge, such as 'expert 1-ply'.")
        ] = None,
        svg: Annotated[Path | None, typer.Option(help="Write a chart of PR over time.")] = None,
        as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
        store: Annotated[
            Path | None, typer.Option(help="SQLite file of analyses; default in the user's data.")
        ] = None,
        rescue: Annotated[
            Path | None,
            typer.Option(metavar="NEW", help="Copy what can be read of a damaged file to a new."),
        ] = None,
    ) -> None:
        """Show the PR of every player over time and by phase of the game."""
        from bgai.analysis.stats import player_stats, rating_chart
        from bgai.analysis.store import Store, store_path
        from bgai.errors import InputError
        from bgai.files import write_text

        if rescue is not None:
            from bgai.analysis.rescue import rescue as copy_sound

            counts = copy_sound(store or store_path(), rescue)
            said = ", ".join(f"{count} {table}" for table, count in counts.items())
            typer.echo(f"{rescue}: {said}")
            return
        with Store(store or store_path()) as kept:
            found = player_stats(
                (each for each in kept.finished() if judge is None or judge in each[2].judge),
                player,
            )
        if not found:
            who = f" of {player}" if player else ""
            raise InputError(f"no analysed matches{who}: run bgai analyse first")
        if svg is not None:
            write_text(svg, rating_chart(found))
        if as_json:
            _print_json(found)
        else:
            _print(found)


def _print_json(found: "list[PlayerStats]") -> None:
    import json

    typer.echo(json.dumps([_fields(each) for each in found], ensure_ascii=False))


def _fields(each: "PlayerStats") -> dict[str, Any]:
    from dataclasses import asdict

    return {
        "player": each.name,
        "matches": [asdict(line) | {"rating": line.figures.rating} for line in each.matches],
        "rating": each.all.rating,
        "phases": {str(phase): found.rating for phase, found in each.phases.items()},
        "decisions": each.all.counted,
    }


def _print(found: "list[PlayerStats]") -> None:
    from rich.console import Console

    console = Console()
    console.print(_overview(found))
    for each in found:
        console.print(_matches(each))


def _overview(found: "list[PlayerStats]") -> "Table":
    from rich.table import Table

    from bgai.analysis.review import GamePhase

    table = Table(title="PR by phase")
    table.add_column("player")
    for heading in ("matches", "decisions", "PR", *(str(phase) for phase in GamePhase)):
        table.add_column(heading, justify="right")
    table.add_column("over time")
    for each in found:
        table.add_row(
            each.name,
            str(len(each.matches)),
            str(each.all.counted),
            _rating(each.all),
            *(_rating(each.phases[phase]) for phase in GamePhase),
            bars([line.figures.rating for line in each.matches]),
        )
    return table


def _matches(each: "PlayerStats") -> "Table":
    from rich.table import Table

    table = Table(title=each.name)
    for heading in ("", "date", "file", "opponent", "judge"):
        table.add_column(heading)
    for heading in ("PR", "PR so far", "luck", "result", "adjusted"):
        table.add_column(heading, justify="right")
    for line, so_far in zip(each.matches, each.running, strict=True):
        table.add_row(
            str(line.number),
            line.date,
            Path(line.file).name,
            line.opponent,
            line.judge,
            _rating(line.figures),
            f"{so_far:.2f}",
            f"{line.luck:+.2f}",
            "-" if line.result is None else f"{line.result:+.2f}",
            "-" if line.adjusted is None else f"{line.adjusted:+.2f}",
        )
    return table


def _rating(found: "Figures") -> str:
    return "-" if found.rating is None else f"{found.rating:.2f}"


def bars(values: list[float | None]) -> str:
    """A bar for each value, from nothing to the highest."""
    highest = max((each for each in values if each is not None), default=0.0)
    return "".join(
        " "
        if each is None
        else _BARS[min(round((len(_BARS) - 1) * each / highest) if highest else 0, 7)]
        for each in values
    )
