"""The commands of ``bgai-train`` that train no recipe."""

from pathlib import Path
from typing import Annotated

import typer

tools = typer.Typer(add_completion=False, no_args_is_help=True)


@tools.callback()
def _several() -> None:
    """Networks as files for other programs, and back."""


@tools.command()
def export(
    network: Annotated[str, typer.Argument(help="A released network's name or its folder")],
    path: Annotated[Path, typer.Argument(metavar="MODEL.onnx", help="The file to write")],
) -> None:
    """Write a network as one ONNX model, for ONNX Runtime and other programs."""
    from bgai_training import onnx_export

    onnx_export.export(network, path)
    typer.echo(f"Wrote {path}")


TOOLS = ("export",)
"""Their names, as typed."""
