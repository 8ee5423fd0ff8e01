"""`bgai stats`: players' PR over time and by phase, from the matches analysed so far."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bgai.ui.options import StoreFile

if TYPE_CHECKING:
    from rich.table import Table

    from bgai.analysis.review import Figures
    from bgai.analysis.stats import PlayerStats

_BARS = "▁▂▃▄▅▆▇█"
_LATEST = 12  # matches shown as bars, so that a row fits 80 columns


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
        html: Annotated[
            Path | None, typer.Option(help="Write a page with all figures and PR over time.")
        ] = None,
        as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
        store: StoreFile = None,
        rescue: Annotated[
            Path | None,
            typer.Option(metavar="NEW", help="Copy what can be read of a damaged file to a new."),
        ] = None,
    ) -> None:
        """Show the PR of every player, a row each; with --player that one's matches and phases.

        A match analysed several times counts once, by its deepest analysis.
        """
        from bgai.analysis.stats import player_stats, rating_chart, stats_html
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
        if html is not None:
            write_text(html, stats_html(found))
        if as_json:
            _print_json(found)
        else:
            _print(found, in_full=player is not None)


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
        "plays": each.plays.rating,
        "cube": each.cube.rating,
        "luck": each.luck,
    }


def _print(found: "list[PlayerStats]", *, in_full: bool) -> None:
    from rich.console import Console

    console = Console()
    console.print(_overview(found))
    for each in found if in_full else ():
        console.print(_phases(each))
        console.print(_matches(each))


def _table(title: str, texts: Sequence[str], numbers: Sequence[str]) -> "Table":
    from rich.table import Table

    table = Table(title=title)
    for heading in texts:
        table.add_column(heading)
    for heading in numbers:
        table.add_column(heading, justify="right")
    return table


def _overview(found: "list[PlayerStats]") -> "Table":
    headings = ("matches", "decisions", "PR", "plays", "cube", "luck")
    table = _table("PR of all matches", ("player",), headings)
    table.add_column("over time")
    for each in found:
        table.add_row(
            each.name,
            str(len(each.matches)),
            str(each.all.counted),
            *(_rating(figures) for figures in (each.all, each.plays, each.cube)),
            f"{each.luck:+.2f}",
            bars([line.figures.rating for line in each.matches[-_LATEST:]]),
        )
    return table


def _phases(each: "PlayerStats") -> "Table":
    table = _table(f"{each.name}: PR by phase", ("phase",), ("decisions", "PR"))
    for phase, figures in each.phases.items():
        table.add_row(str(phase), str(figures.counted), _rating(figures))
    return table


def _matches(each: "PlayerStats") -> "Table":
    headings = ("PR", "so far", "luck", "result", "adjusted")
    table = _table(f"{each.name}: matches", ("", "date", "opponent"), headings)
    for line, so_far in zip(each.matches, each.running, strict=True):
        table.add_row(
            str(line.number),
            line.date,
            line.opponent,
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
