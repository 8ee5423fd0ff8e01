"""`bgai rollout`: a position, or the best plays of a roll, played out many times."""

from pathlib import Path
from typing import Annotated

import typer

from bgai.errors import InputError
from bgai.program import apart
from bgai.ui.options import AsJson, OneIdentifier, SearchOptions, bundled


def register(app: typer.Typer) -> None:
    """Add ``bgai rollout`` to the program."""
    app.command(context_settings={"ignore_unknown_options": True})(bundled(rollout))


def rollout(
    search: SearchOptions,
    identifier: OneIdentifier,
    dice: Annotated[
        str | None,
        typer.Argument(metavar="[DICE]", help="Roll out the best plays of these dice."),
    ] = None,
    trials: Annotated[int, typer.Option(min=1, help="Games; rounded up to whole sets of 36.")] = (
        1296
    ),
    count: Annotated[int, typer.Option("--count", "-n", min=1, help="Plays to roll out.")] = 5,
    truncate: Annotated[
        int | None, typer.Option(min=1, help="Judge each game after so many turns.")
    ] = None,
    variance: Annotated[
        str, typer.Option(help="How luck is measured and subtracted: none, 0-ply, 1-ply.")
    ] = "0-ply",
    seed: Annotated[int, typer.Option(min=0, help="The same seed rolls the same dice.")] = 1,
    stop_error: Annotated[
        float | None, typer.Option(help="Stop at this standard error of every equity.")
    ] = None,
    confidence: Annotated[
        float | None, typer.Option(help="Stop when the best play is so sure, such as 0.99.")
    ] = None,
    save: Annotated[
        Path | None, typer.Option(help="Keep the trials here; an interrupted rollout goes on.")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="Processes to spread the games over.")] = 1,
    scheduler: Annotated[
        str | None, typer.Option(help="Play on the Dask cluster at this address.")
    ] = None,
    json_: AsJson = False,
) -> None:
    """Play games to the end and report means with their standard errors.

    With dice (given, or carried by the ID) their best plays are rolled out on the same dice,
    otherwise the position, its player about to roll. Equity is cubeless; at a match score
    normalised. Games stop at the bear-off tables. The players are at 0-ply unless --plies says
    more.
    """
    from bgai.analysis.rolling import PositionRollout, Rolling
    from bgai.notation.identifiers import parse_identifier
    from bgai.search.rollout_run import RolloutSettings, variance_named
    from bgai.ui.rollouts import Spread, finish, plays_rollout

    engine = apart(search.made, 0)
    rules = RolloutSettings(
        trials=trials,
        truncate=truncate,
        variance_reduction=variance_named(variance),
        seed=seed,
        stop_error=stop_error,
        stop_confidence=confidence,
        batch=1 if search.device == "cpu" else 36,
    )
    spread = None
    if scheduler is not None or workers > 1:
        if search.device != "cpu":
            raise InputError("give either --device or --workers and --scheduler")
        spread = Spread(workers, scheduler)
    situation = parse_identifier(identifier)
    run: Rolling
    if dice is None and situation.roll is None:
        run = apart(PositionRollout, identifier, situation, engine, rules)
    else:
        run = apart(plays_rollout, identifier, situation, dice, engine, rules, count=count)
    finish(run, save=save, spread=spread, json_=json_)
