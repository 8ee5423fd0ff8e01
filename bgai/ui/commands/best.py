"""`bgai best`: the plays of a roll, the best first."""

from typing import Annotated

import typer

from bgai.errors import InputError
from bgai.program import apart
from bgai.ui.options import AsJson, Batch, DiceText, Identifier, SearchOptions, bundled


def register(app: typer.Typer) -> None:
    """Add ``bgai best`` to the program."""
    app.command(context_settings={"ignore_unknown_options": True})(bundled(best))


def best(
    search: SearchOptions,
    identifier: Identifier = None,
    dice: DiceText = None,
    count: Annotated[int, typer.Option("--count", "-n", min=1, help="Plays to print.")] = 10,
    rollout: Annotated[
        bool, typer.Option("--rollout", help="Roll the best plays out, up to 5, 0-ply.")
    ] = False,
    trials: Annotated[int, typer.Option(min=1, help="Trials of a rollout.")] = 360,
    seed: Annotated[int, typer.Option(min=0, help="Seed of a rollout's dice.")] = 1,
    json_: AsJson = False,
    batch: Batch = None,
) -> None:
    """Rank the plays of a roll: chances, equity and the difference to the best.

    Chances and equity are of the player who makes the play. Equity is cubeful, the opponent free
    to double next, in units of the present cube; at a match score normalised, so that a win
    with this cube is +1 and a loss -1.
    """
    from bgai import api
    from bgai.notation.answer_text import best_text
    from bgai.players.engines import PLAY_PLIES
    from bgai.ui.batch import id_and_dice, run_batch

    engine = apart(search.made, PLAY_PLIES)
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
        from bgai.search.rollout_run import RolloutSettings
        from bgai.ui.rollouts import finish, plays_rollout

        rules = RolloutSettings(trials=trials, seed=seed)
        situation = parse_identifier(identifier)
        player = engine.at(0)
        run = apart(plays_rollout, identifier, situation, dice, player, rules, ranker=engine)
        finish(run, json_=json_)
        return
    found = apart(api.best, identifier, dice, engine=engine)
    typer.echo(found.to_json() if json_ else best_text(found, count))
