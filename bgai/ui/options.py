"""Arguments and options that several commands have, so that they read the same everywhere."""

from typing import Annotated

import typer

DEFAULT_PLIES = 2
"""Lookahead of the commands that judge, where nothing else is asked for."""

Identifier = Annotated[
    str | None, typer.Argument(metavar="[ID]", help="XGID, position ID or position:match ID.")
]
ThrowText = Annotated[
    str | None,
    typer.Argument(metavar="[THROW]", help="The dice, such as 31; an ID may carry its own."),
]
Plies = Annotated[
    int | None,
    typer.Option(min=0, max=3, help=f"Lookahead, {DEFAULT_PLIES} by default; 0 is the network."),
]
Level = Annotated[str | None, typer.Option(help="A level of `bgai play` instead.")]
Network = Annotated[
    str | None,
    typer.Option(
        help="A released network's name or a checkpoint folder; default the best released."
    ),
]
RolloutSeed = Annotated[int, typer.Option(min=0, help="Seed of a rollout's dice.")]
Threads = Annotated[int, typer.Option(min=1, help="Threads of the search.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
BatchOfThrows = Annotated[
    str | None, typer.Option(metavar="FILE", help="Read lines 'ID THROW' (- for standard input).")
]
