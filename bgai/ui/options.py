"""Arguments and options that several commands have, so that they read the same everywhere."""

from pathlib import Path
from typing import Annotated

import typer

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]

DEFAULT_PLIES = 2
"""Lookahead of the commands that judge, where nothing else is asked for."""

# --- positions judged ---------------------------------------------------------------------------

Identifier = Annotated[
    str | None, typer.Argument(metavar="[ID]", help="XGID, position ID or position:match ID.")
]
RollText = Annotated[
    str | None,
    typer.Argument(metavar="[ROLL]", help="The dice, such as 31; an ID may carry its own."),
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
BatchOfRolls = Annotated[
    str | None, typer.Option(metavar="FILE", help="Read lines 'ID ROLL' (- for standard input).")
]

# --- games played -------------------------------------------------------------------------------

Jacoby = Annotated[bool, typer.Option(help="Gammons count only after a double (money).")]
Beavers = Annotated[
    int, typer.Option(min=0, help="Redoubles at once: 0 none, 1 beavers, 2 raccoons too (money).")
]
Automatic = Annotated[
    int, typer.Option(min=0, help="How often equal opening dice double the cube (money).")
]
MaxCube = Annotated[int | None, typer.Option(min=1, help="Highest value of the cube.")]
Games = Annotated[int | None, typer.Option(min=1, help="Stop after so many games.")]
Match = Annotated[int | None, typer.Option("--match", min=1, help="Match to so many points.")]
Margin = Annotated[int | None, typer.Option(min=1, help="Stop when one is so far ahead (money).")]
Seed = Annotated[int | None, typer.Option(min=0, help="Seed of the dice (default: a new one).")]
File = Annotated[Path | None, typer.Option(dir_okay=False, help="The file to keep it in.")]
Ascii = Annotated[bool, typer.Option("--ascii", help="Plain characters only.")]
