"""`bgai show`: a position as a diagram, with its pip counts and every other identifier."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from bgai.ui.options import Ascii, AsJson, OneIdentifier


def register(app: typer.Typer) -> None:
    """Add ``bgai show`` to the program."""
    app.command(context_settings={"ignore_unknown_options": True})(show)


def show(
    identifier: OneIdentifier,
    ascii_only: Ascii = False,
    top: Annotated[bool, typer.Option("--top", help="Draw the player on roll at the top.")] = False,
    as_json: AsJson = False,
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the board as an SVG image too.")
    ] = None,
    png: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write it as a PNG image (bgai[png]).")
    ] = None,
) -> None:
    """Show a position: diagram, pip counts, every other ID."""
    from bgai import api
    from bgai.notation.diagram import format_diagram
    from bgai.notation.identifiers import parse_identifier

    situation = parse_identifier(identifier)
    view = situation.seat.other() if top else situation.seat
    if svg is not None:
        from bgai.files import write_text
        from bgai.notation.svg import board_svg

        write_text(svg, board_svg(situation, view=view))
    if png is not None:
        from bgai.files import write_bytes
        from bgai.notation.pictures import board_png

        write_bytes(png, board_png(situation, view=view))
    found = api.position(situation)
    if as_json:
        typer.echo(found.to_json())
        return
    diagram = format_diagram(
        situation, view=view, ascii_only=ascii_only or not can_draw(), ids=False
    )
    ids = {
        "XGID": found.xgid,
        "position ID": found.position_id,
        "match ID": found.match_id,
        "GNU ID": found.gnu_id,
    }
    lines = [f"{name:11}  {text}" for name, text in ids.items()]
    typer.echo("\n".join([diagram, *lines]))


def can_draw() -> bool:
    """Whether standard output can show the symbols of the Unicode diagram."""
    try:
        "●○─│┌┬┐└┴┘".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
