"""`bgai evaluate`: chances and equity of positions."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from bgai.errors import InputError
from bgai.ui.options import SearchOptions, bundled

if TYPE_CHECKING:
    from bgai.search.lookahead import Lookahead


def register(app: typer.Typer) -> None:
    """Add ``bgai evaluate`` to the program."""
    app.command(context_settings={"ignore_unknown_options": True})(bundled(evaluate))


def evaluate(
    search: SearchOptions,
    identifiers: Annotated[
        list[str] | None,
        typer.Argument(metavar="[ID]...", help="XGIDs, position IDs or position:match IDs."),
    ] = None,
    json_: Annotated[bool, typer.Option("--json", help="Print one JSON object an ID.")] = False,
    batch: Annotated[
        str | None, typer.Option(metavar="FILE", help="Read an ID a line (- for standard input).")
    ] = None,
) -> None:
    """Chances and equity for the player on roll, who is about to roll.

    Equity is cubeless; at a match score normalised, so that a win with this cube is +1 and a
    loss -1. A roll in an identifier is not looked at.
    """
    from bgai.ui.batch import run_batch
    from bgai.ui.judging import as_json

    if (batch is None) == (not identifiers):
        raise InputError("give IDs or --batch FILE, one of the two")
    judge_ = search.made(0)
    engine, label = judge_.lookahead, judge_.label
    if batch is not None:
        raise typer.Exit(run_batch(batch, lambda line: judge(engine, line)))
    answers = [judge(engine, identifier) for identifier in identifiers or []]
    if json_:
        for answer in answers:
            typer.echo(as_json(answer))
    else:
        _print(answers, label)


def judge(engine: "Lookahead", identifier: str) -> dict[str, Any]:
    """``id``, five chances and ``equity`` for the player on roll. Raises ``InputError``."""
    from bgai.notation.identifiers import parse_identifier
    from bgai.search.cube_verdict import situation_utility
    from bgai.ui.judging import chances_fields

    situation = parse_identifier(identifier)
    utility = situation_utility(situation)
    chances = engine.evaluate_at(situation.position[None], engine.plies, utility)
    return {"id": identifier} | chances_fields(chances[0], float(utility.worth(chances)[0]))


def _print(answers: list[dict[str, Any]], label: str) -> None:
    from bgai.ui.judging import CHANCE_HEADINGS, CHANCE_KEYS, chances_cells, print_table

    rows = [
        [
            answer["id"],
            f"{answer['equity']:+.3f}",
            *chances_cells([answer[key] for key in CHANCE_KEYS]),
        ]
        for answer in answers
    ]
    typer.echo(f"Player on roll, {label}; chances in per cent, gammons include backgammons.")
    print_table(["position", "equity", *CHANCE_HEADINGS], rows)
