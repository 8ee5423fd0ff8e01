"""`bgai cube`: the cube verdict of a position, its costs and its market."""

from typing import TYPE_CHECKING, Annotated

import typer

from bgai.errors import InputError
from bgai.ui.options import (
    AsJson,
    Batch,
    Identifier,
    MetFile,
    SearchOptions,
    StakesOptions,
    TrialsOptions,
    bundled,
)

if TYPE_CHECKING:
    from bgai.answers import CubeAnswer

TRIALS = 1296


def register(app: typer.Typer) -> None:
    """Add ``bgai cube`` to the program."""
    app.command(context_settings={"ignore_unknown_options": True})(bundled(cube))


def cube(
    search: SearchOptions,
    stakes: StakesOptions,
    rolled: TrialsOptions,
    identifier: Identifier = None,
    met: MetFile = None,
    rollout: Annotated[bool, typer.Option("--rollout", help="Play it out many times.")] = False,
    json_: AsJson = False,
    batch: Batch = None,
) -> None:
    """Whether to double and whether to take, what errors cost, and who loses the market.

    Cube, score and rules come from the ID; options replace them. Equities are the doubler's, in
    units of the cube before the double, normalised at a match score. Dice in the ID are not
    looked at; of a pending double the double is judged. A rollout's players are at 0-ply
    unless --plies says more; it plays 1,296 games.
    """
    from bgai.analysis.answering import cube_answer
    from bgai.notation.answer_text import text_of
    from bgai.notation.identifiers import parse_identifier
    from bgai.players.engines import PLAY_PLIES
    from bgai.ui.batch import run_batch
    from bgai.ui.options import met_of

    if not rollout:
        rolled.refuse_without_rollout()
    engine, table = search.made(0 if rollout else PLAY_PLIES), met_of(met)
    if (batch is None) == (identifier is None):
        raise InputError("give an ID or --batch FILE, one of the two")
    if batch is not None:
        if rollout:
            raise InputError("--batch goes without --rollout")

        def answered(line: str) -> "CubeAnswer":
            situation = stakes.applied(parse_identifier(line))
            return cube_answer(line, situation, engine, market=False, met=table)

        raise typer.Exit(run_batch(batch, answered))
    assert identifier is not None
    situation = stakes.applied(parse_identifier(identifier))
    if rollout:
        from bgai.analysis.rolling import CubeDecisionRollout
        from bgai.ui.rollouts import finish

        rules, spread = rolled.settings(TRIALS, search.device), rolled.spread(search.device)
        run = CubeDecisionRollout(
            identifier, situation, engine, rules, met=table, leaf_plies=rolled.leaf or 0
        )
        finish(run, save=rolled.save, spread=spread, json_=json_)
        return
    found = cube_answer(identifier, situation, engine, rolls=True, met=table)
    typer.echo(found.to_json() if json_ else text_of(found))
