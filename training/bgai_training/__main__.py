"""``bgai-train quick``: learn from self-play; resumes when called again.

``bgai-train export`` and the other tools of :mod:`bgai_training.tools` are commands beside it.
"""

import os
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from bgai.claims import Claim
from bgai.errors import FileError, InputError, needs
from bgai.program import run_program

app = typer.Typer(add_completion=False)


def _print_recipes(wanted: bool) -> None:
    if wanted:
        from bgai_training.recipe_files import recipe_lines

        typer.echo("\n".join(recipe_lines()))
        raise typer.Exit


@app.command()
def train(
    recipe: Annotated[
        str, typer.Argument(help="A recipe by name, such as quick (see --list), or a file")
    ],
    folder: Annotated[
        Path | None, typer.Option(help="Where the run lives; runs/NAME by default")
    ] = None,
    minutes: Annotated[
        float | None, typer.Option(help="Stop after this long; call again to go on", min=0)
    ] = None,
    save_minutes: Annotated[float, typer.Option(help="Save the state this often", min=0)] = 5.0,
    seed: Annotated[int | None, typer.Option(help="Instead of the recipe's seed")] = None,
    start: Annotated[
        # Not --start, which torchrun would take for its --start-method.
        str | None,
        typer.Option("--from", help="Checkpoint to begin from, name or folder"),
    ] = None,
    labels: Annotated[
        Path | None, typer.Option(help="Folder of another run's labels to begin with")
    ] = None,
    decisions: Annotated[
        Path | None, typer.Option(help="Rolled-out decisions to measure the error on")
    ] = None,
    device: Annotated[str, typer.Option(help="cpu or cuda")] = "cpu",
    threads: Annotated[int, typer.Option(help="Threads that make labels", min=1)] = 1,
    _list: Annotated[
        bool,
        typer.Option("--list", callback=_print_recipes, is_eager=True, help="List the recipes"),
    ] = False,
) -> None:
    """Train networks by self-play as a recipe says.

    The state is saved in the folder; the same command continues it after any interruption.
    Under torchrun every process plays its own games and gradients are averaged.

    Beside the recipes there are commands with options of their own: export.
    """
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    import dataclasses

    with needs("train", "training"):
        import torch

        from bgai_training import distributed
        from bgai_training.config import load_recipe
        from bgai_training.recipe_files import find_recipe
        from bgai_training.trainer import Options, Run

    torch.set_num_threads(1)  # the steps are small; more threads only wait for each other
    plan = load_recipe(find_recipe(recipe))
    if seed is not None:
        plan = dataclasses.replace(plan, seed=seed)
    if device.startswith("cuda") and not torch.cuda.is_available():
        raise InputError(f"--device {device}: torch sees no such device here")
    rank, _ = distributed.start(device)
    networks = None
    if start is not None:
        from bgai_training.start import load_networks

        networks = load_networks(start)
    place = folder if folder is not None else Path("runs") / plan.name
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(place, error, writing=True) from None
    options = Options(
        folder=place,
        minutes=minutes,
        save_minutes=save_minutes,
        decisions=decisions,
        device=device,
        threads=threads,
        rank=rank,
        labels=labels,
    )
    try:
        with Claim(options.folder) if rank == 0 else nullcontext():
            done = Run(plan, options, networks).go()
    finally:
        distributed.stop()
    if rank == 0:
        checkpoint = options.folder / "checkpoint"
        state = "finished" if done else "stopped; the same command goes on"
        typer.echo(f"Run {state}. Networks: {checkpoint}")


def main() -> None:
    """Entry point; exit codes as those of :func:`bgai.program.run_program`."""
    from bgai_training.tools import TOOLS, tools

    run_program(tools if sys.argv[1:2] and sys.argv[1] in TOOLS else app)


if __name__ == "__main__":
    main()
