"""``python -m bgai_training.cube NAME``: teach a checkpoint's network of cube efficiency.

Plays games with the checkpoint's own networks, labels them (``cube_labels``), fits the small
network, and begins again with it at the leaves. The last one goes into the checkpoint's
folder; the other networks are left as they are. A few minutes of one core.
"""

import time
from typing import Annotated

import numpy as np
import typer

from bgai.equity.cubeful import model_worths
from bgai.evaluation.checkpoint import (
    composite_of,
    find_checkpoint,
    load_checkpoint,
    save_cube_network,
)
from bgai.evaluation.composite import Composite, SmallNetwork
from bgai.evaluation.contact_kernels import CONTACT_INPUTS, all_contact_inputs
from bgai.program import run_program
from bgai.search.cubeful_lookahead import CubefulLookahead
from bgai.search.lookahead import Lookahead
from bgai.search.pruning import NetworkPruner
from bgai_training.cube_labels import (
    CubeSteps,
    Floats,
    columns_of,
    joined,
    labels,
    plain_stakes,
    play_steps,
)
from bgai_training.small_network import fit_small

GAMES, TURNS = 64, 160
KEEP, WINDOW = 5, 0.3  # replies, as in play
HIDDEN = (16, 8)
app = typer.Typer(add_completion=False)


def played(name: str, cube: SmallNetwork | None, positions: int, seed: int) -> CubeSteps:
    """About so many positions of self-play with this network of cube efficiency at the leaves."""
    checkpoint = load_checkpoint(name)
    networks = composite_of(checkpoint)
    evaluator = Composite(networks.contact, networks.race, cube_network=cube)
    lookahead = Lookahead(evaluator, 0, pruner=NetworkPruner(checkpoint.pruner, KEEP, WINDOW))
    search = CubefulLookahead(lookahead, plain_stakes())
    games = min(GAMES, -(-positions // TURNS))
    parts = -(-positions // (games * TURNS))
    return joined([play_steps(search, games, TURNS, seed + part) for part in range(parts)])


def fitted(steps: CubeSteps, decay: float, count: int, pull: float, seed: int) -> SmallNetwork:
    """The network fitted to the labels of these positions."""
    inputs = np.empty((len(steps.rows), CONTACT_INPUTS), dtype=np.float32)
    all_contact_inputs(steps.rows, steps.chances, inputs)
    spans, gains = spans_and_gains(steps, labels(steps, decay))
    weights = np.ones(len(inputs))
    return fit_small(
        inputs, spans, gains, weights, hidden=HIDDEN, steps=count, rate=5e-3, decay=1e-3,
        pull=pull, seed=seed,
    )  # fmt: skip


def spans_and_gains(steps: CubeSteps, values: Floats) -> tuple[Floats, Floats]:
    """Live equity by the model and labelled equity ``(n, 3)``, each less the dead one."""
    stakes = plain_stakes()
    columns, chances = columns_of(stakes), steps.chances.astype(np.float64)
    dead = model_worths(chances, stakes, np.zeros(3))[:, columns]
    return model_worths(chances, stakes, np.ones(3))[:, columns] - dead, values - dead


@app.command()
def teach(
    name: Annotated[str, typer.Argument(help="A checkpoint, name or folder")],
    positions: Annotated[int, typer.Option(help="Positions a cycle", min=1)] = 200_000,
    cycles: Annotated[int, typer.Option(min=1)] = 3,
    decay: Annotated[float, typer.Option(help="Of corrections along a game", min=0, max=1)] = 0.9,
    steps: Annotated[int, typer.Option(help="Of the fit, 1,024 positions each", min=1)] = 20_000,
    pull: Annotated[float, typer.Option(help="Price of unusual efficiencies", min=0)] = 5e-4,
    seed: Annotated[int, typer.Option()] = 1,
) -> None:
    """Teach the network of cube efficiency that belongs to a checkpoint's other networks."""
    folder, cube = find_checkpoint(name), None
    for cycle in range(cycles):
        begin = time.perf_counter()
        found = played(name, cube, positions, seed + 1_000 * cycle)
        typer.echo(f"cycle {cycle + 1}: {len(found.rows)} positions, {_minutes(begin)}")
        cube = fitted(found, decay, steps, pull, seed)
        typer.echo(f"cycle {cycle + 1}: fitted, {_minutes(begin)}")
    assert cube is not None
    notes = {"positions": positions, "cycles": cycles, "decay": decay, "seed": seed}
    save_cube_network(folder, cube, {"hidden": list(HIDDEN), **notes})
    typer.echo(f"wrote {folder.name}: the network of cube efficiency")


def _minutes(begin: float) -> str:
    return f"{(time.perf_counter() - begin) / 60:.1f} minutes"


def main() -> None:
    """Entry point; exit codes as those of :func:`bgai.program.run_program`."""
    run_program(app)


if __name__ == "__main__":
    main()
