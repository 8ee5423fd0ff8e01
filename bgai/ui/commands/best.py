"""`bgai best`: the plays of a roll, the best first."""

from typing import Annotated

import typer

from bgai.errors import InputError
from bgai.program import apart
from bgai.ui.options import (
    AsJson,
    Batch,
    DiceText,
    Identifier,
    PlayTrialsOptions,
    SearchOptions,
    bundled,
)

ROLLED = 360
"""Trials of a rollout."""


def register(app: typer.Typer) -> None:
    """Add ``bgai best`` to the program."""
    app.command(context_settings={"ignore_unknown_options": True})(bundled(best))


def best(
    search: SearchOptions,
    rolled: PlayTrialsOptions,
    identifier: Identifier = None,
    dice: DiceText = None,
    count: Annotated[int, typer.Option("--count", "-n", min=1, help="Plays to print.")] = 10,
    rollout: Annotated[
        bool, typer.Option("--rollout", help="Roll the best plays out, up to 5, 0-ply.")
    ] = False,
    json_: AsJson = False,
    batch: Batch = None,
) -> None:
    """Rank the plays of a roll: chances, equity and the difference to the best.

    Chances and equity are of the player who makes the play. Equity is cubeful, the opponent free
    to double next, in units of the present cube; at a match score normalised, so that a win
    with this cube is +1 and a loss -1. --rollout plays the best ones out, 360 games each with the
    cube in play, unless --trials says more.
    """
    from bgai import api
    from bgai.notation.answer_text import best_text
    from bgai.players.engines import PLAY_PLIES
    from bgai.ui.batch import id_and_dice, run_batch

    engine = apart(search.made, PLAY_PLIES)
    if not rollout:
        rolled.refuse_without_rollout()
    if batch is not None:
        if identifier is not None or rollout:
            raise InputError("with --batch give neither ID and DICE nor --rollout")
        raise typer.Exit(
            run_batch(batch, lambda line: apart(api.best, *id_and_dice(line), engine=engine))
        )
    if identifier is None:
        raise InputError("give an ID and DICE, or --batch FILE")
    if rollout:
        from bgai.notation.identifiers import parse_identifier
        from bgai.ui.rollouts import finish, plays_rollout

        situation = parse_identifier(identifier)
        rules, spread = rolled.settings(ROLLED, search.device), rolled.spread(search.device)
        run = apart(
            plays_rollout, identifier, situation, dice, engine.at(0), rules, ranker=engine,
            plays=rolled.chosen, cubeless=rolled.cubeless, leaf_plies=rolled.leaf or 0,
        )  # fmt: skip
        finish(run, save=rolled.save, spread=spread, json_=json_)
        return
    found = apart(api.best, identifier, dice, engine=engine)
    typer.echo(found.to_json() if json_ else best_text(found, count))
