"""`bgai rollout`: a position, or the plays of a roll, played out many times."""

from typing import Annotated

import typer

from bgai.errors import InputError
from bgai.program import apart
from bgai.ui.options import AsJson, OneIdentifier, PlayTrialsOptions, SearchOptions, bundled

TRIALS = 1296


def register(app: typer.Typer) -> None:
    """Add ``bgai rollout`` to the program."""
    app.command(context_settings={"ignore_unknown_options": True})(bundled(rollout))


def rollout(
    search: SearchOptions,
    rolled: PlayTrialsOptions,
    identifier: OneIdentifier,
    dice: Annotated[
        str | None,
        typer.Argument(metavar="[DICE]", help="Roll out the best plays of these dice."),
    ] = None,
    count: Annotated[int, typer.Option("--count", "-n", min=1, help="Plays to roll out.")] = 5,
    json_: AsJson = False,
) -> None:
    """Play games to the end and report means with their standard errors.

    With dice (given, or carried by the ID) their best plays are rolled out on the same dice,
    otherwise the position, its player about to roll without doubling first. The cube is in play:
    both sides double, take and pass; --cubeless leaves it where it is. Equity is normalised at a
    match score. Games stop at the bear-off tables. The players are at 0-ply unless --plies says
    more. 1,296 games; Ctrl-C prints what is done.
    """
    from bgai.analysis.rolling import PositionRollout, Rolling
    from bgai.notation.identifiers import parse_identifier
    from bgai.ui.rollouts import finish, plays_rollout

    engine = apart(search.made, 0)
    rules = rolled.settings(TRIALS, search.device)
    spread = rolled.spread(search.device)
    situation = parse_identifier(identifier)
    named = {"cubeless": rolled.cubeless, "leaf_plies": rolled.leaf or 0}
    run: Rolling
    if dice is None and situation.roll is None:
        if rolled.plays is not None:
            raise InputError("--plays needs dice")
        run = apart(PositionRollout, identifier, situation, engine, rules, **named)
    else:
        run = apart(
            plays_rollout, identifier, situation, dice, engine, rules,
            count=count, plays=rolled.chosen, **named,
        )  # fmt: skip
    finish(run, save=rolled.save, spread=spread, json_=json_)
