"""`bgai show`: a position as a diagram, with its pip counts and every other identifier."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from bgai.notation.situation import Situation


def register(app: typer.Typer) -> None:
    """Add ``bgai show`` to the program."""
    app.command(context_settings={"ignore_unknown_options": True})(show)


def show(
    identifier: Annotated[
        str, typer.Argument(metavar="ID", help="XGID, position ID or position:match ID.")
    ],
    ascii_only: Annotated[
        bool, typer.Option("--ascii", help="Draw with plain ASCII characters.")
    ] = False,
    top: Annotated[bool, typer.Option("--top", help="Draw the player on roll at the top.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print what the identifier says as JSON.")
    ] = False,
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the board as an SVG image too.")
    ] = None,
) -> None:
    """Show a position: diagram, pip counts, every other ID."""
    from bgai.notation.diagram import format_diagram
    from bgai.notation.identifiers import parse_identifier

    situation = parse_identifier(identifier)
    view = situation.seat.other() if top else situation.seat
    if svg is not None:
        from bgai.files import write_text
        from bgai.notation.svg import board_svg

        write_text(svg, board_svg(situation, view=view))
    if as_json:
        typer.echo(situation_json(situation))
        return
    diagram = format_diagram(
        situation, view=view, ascii_only=ascii_only or not can_draw(), ids=False
    )
    typer.echo(f"{diagram}\n{identifier_lines(situation)}")


def can_draw() -> bool:
    """Whether standard output can show the symbols of the Unicode diagram."""
    try:
        "●○─│┌┬┐└┴┘".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def identifier_lines(situation: "Situation") -> str:
    """Every identifier of a situation, one a line with its name."""
    ids = identifiers(situation)
    return "\n".join(f"{name.replace('_', ' '):11}  {text}" for name, text in ids.items())


def identifiers(situation: "Situation") -> dict[str, str]:
    """Every identifier of a situation by its name."""
    from bgai.notation.identifiers import format_match_id, format_position_id, format_xgid

    position_id, match_id = format_position_id(situation.position), format_match_id(situation)
    return {
        "XGID": format_xgid(situation),
        "position_ID": position_id,
        "match_ID": match_id,
        "GNU_ID": f"{position_id}:{match_id}",
    }


def situation_json(situation: "Situation") -> str:
    """One JSON object: identifiers, points, pips, cube, score, roll, offer."""
    import json

    from bgai.rules.position import pip_counts

    score, rules = situation.score, situation.rules
    fields = {name.lower(): text for name, text in identifiers(situation).items()} | {
        "position": situation.position.tolist(),
        "pips": pip_counts(situation.position).tolist(),
        "cube": {"value": situation.cube.value, "owner": situation.cube.owner.name.lower()},
        "roll": None if situation.roll is None else str(situation.roll),
        "offer": situation.offer.name.lower(),
        "seat": situation.seat.name.lower(),
        "match": None
        if score is None
        else {
            "length": score.length,
            "on_roll": score.on_roll,
            "opponent": score.opponent,
            "crawford": score.crawford,
        },
        "jacoby": rules.jacoby,
        "beavers": rules.beaver_turns > 0,
        "max_cube": rules.max_cube,
    }
    return json.dumps(fields)
