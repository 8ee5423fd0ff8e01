"""`bgai plays`: every legal play of a roll, for one position or many."""

import json
from typing import TYPE_CHECKING, Any

import typer

from bgai.errors import InputError
from bgai.ui.options import AsJson, Batch, DiceText, Identifier

if TYPE_CHECKING:
    from bgai.notation.situation import Situation
    from bgai.rules.dice import Roll


def register(app: typer.Typer) -> None:
    """Add ``bgai plays`` to the program."""
    app.command(context_settings={"ignore_unknown_options": True})(plays)


def plays(
    identifier: Identifier = None,
    roll: DiceText = None,
    as_json: AsJson = False,
    batch: Batch = None,
) -> None:
    """List every legal play of a roll with the position after it."""
    from bgai.ui.batch import run_batch

    if batch is not None:
        if identifier is not None:
            raise InputError("give either ID and ROLL or --batch, not both")
        raise typer.Exit(run_batch(batch, lambda line: find_plays(*line.split(maxsplit=1))))
    if identifier is None:
        raise InputError("give an ID and a ROLL, or --batch FILE")
    found = find_plays(identifier, roll)
    if as_json:
        typer.echo(json.dumps(found))
        return
    if not found["plays"]:
        typer.echo(f"no legal play of {found['roll']}: the turn passes")
    width = max((len(row["play"]) for row in found["plays"]), default=0)
    for number, row in enumerate(found["plays"], 1):
        typer.echo(f"{number:4}. {row['play']:{width}}  {row['next']}")


def find_plays(identifier: str, roll: str | None = None) -> dict[str, Any]:
    """``id`` and ``roll`` as given, and ``plays``: text and position ID after each.

    The position after a play has the opponent on roll. Raises ``InputError``.
    """
    from bgai.notation.identifiers import format_position_id, parse_identifier
    from bgai.notation.play_text import format_play
    from bgai.rules.legal_plays import has_legal_play, legal_plays
    from bgai.rules.play import recover_play

    situation = parse_identifier(identifier)
    dice = _dice(situation, roll)
    position = situation.position
    after = legal_plays(position, dice)
    rows = []
    if has_legal_play(position, after):
        named = sorted(((recover_play(position, each, dice), each) for each in after), key=_order)
        rows = [
            {"play": format_play(play), "next": format_position_id(each)} for play, each in named
        ]
    return {"id": identifier, "roll": str(dice) if roll is None else roll, "plays": rows}


def _dice(situation: "Situation", roll: str | None) -> "Roll":
    from bgai.rules.dice import parse_roll
    from bgai.rules.position import is_over

    if is_over(situation.position):
        raise InputError("the game is over: one side has borne off all its checkers")
    if roll is not None:
        return parse_roll(roll)
    if situation.roll is None:
        raise InputError("no roll: give two dice after the ID, such as 31")
    return situation.roll


def _order(named: tuple[Any, Any]) -> tuple[tuple[int, int], ...]:
    """High points first."""
    return tuple((-source, -destination) for source, destination, _ in named[0])
