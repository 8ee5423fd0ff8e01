"""The `bgai` program: one typer application that the command modules add themselves to.

Modules under ``bgai.ui.commands`` import the engine inside their command functions, so that
``bgai --help`` answers at once.
"""

import sys
import warnings
from collections.abc import Callable, Sequence
from typing import Annotated

import typer

from bgai import __version__
from bgai.errors import BAD_INPUT, FileError, InputError
from bgai.ui.commands import (
    analyse,
    bearoff,
    bench,
    best,
    convert,
    cube,
    dice,
    duel,
    evaluate,
    external,
    met,
    play,
    plays,
    quiz,
    rollout,
    score_table,
    serve,
    session,
    show,
    stats,
)
from bgai.ui.terminal.notice import show_notices

REGISTER: tuple[Callable[[typer.Typer], None], ...] = (
    play.register,
    session.register,
    serve.register,
    external.register,
    convert.register,
    analyse.register,
    stats.register,
    quiz.register,
    plays.register,
    show.register,
    best.register,
    evaluate.register,
    rollout.register,
    bearoff.register,
    cube.register,
    score_table.register,
    met.register,
    duel.register,
    bench.register,
    dice.register,
)
"""Each command module's ``register``, in the order of ``bgai --help``."""

app = typer.Typer(
    name="bgai",
    help="Backgammon: play against the program, ask it about positions and the cube.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"bgai {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and stop."
        ),
    ] = False,
) -> None:
    pass


for _register in REGISTER:
    _register(app)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the program on ``arguments`` (those of the process by default) and exit.

    Exit codes: 0 done, 1 some lines of a batch failed or the person gave up, 2 bad input,
    74 a failure of reading or writing (a full disk).
    """
    show_notices()
    warnings.formatwarning = lambda message, *_: f"warning: {message}\n"
    try:
        app(args=None if arguments is None else list(arguments), prog_name="bgai")
    except InputError as error:
        _stop(str(error), error.exit_code)
    except UnicodeDecodeError as error:
        _stop(f"the input is not UTF-8 text (byte {error.start})")
    except OSError as error:
        if error.filename is None:
            raise
        failure = FileError(error.filename, error)
        _stop(str(failure), failure.exit_code)


def _stop(message: str, code: int = BAD_INPUT) -> None:
    print(f"error: {message}", file=sys.stderr)
    sys.exit(code)


if __name__ == "__main__":
    main()
