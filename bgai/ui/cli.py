"""The `bgai` program: one typer application that the command modules add themselves to.

Modules under ``bgai.ui.commands`` import the engine inside their command functions, so that
``bgai --help`` answers at once.
"""

import functools
import warnings
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer

from bgai import __version__
from bgai.program import apart, run_program
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
    library,
    met,
    play,
    plays,
    quiz,
    ratings,
    rollout,
    score_table,
    serve,
    session,
    show,
    stats,
    ubgi,
)
from bgai.ui.terminal.notice import show_notices

REGISTER: tuple[Callable[[typer.Typer], None], ...] = (
    play.register,
    session.register,
    serve.register,
    external.register,
    ubgi.register,
    convert.register,
    analyse.register,
    stats.register,
    library.register,
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
    ratings.register,
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


OWN_WAY = {
    "play", "quiz", "serve", "external", "ubgi", "session", "dice play",  # with somebody else
    "best", "rollout", "duel", "analyse", "library add",  # show what they have when interrupted
}  # fmt: skip
"""Commands that see to Ctrl-C themselves; all others are done apart."""


def _apart(command: Callable[..., object]) -> Callable[..., object]:
    @functools.wraps(command)
    def run(*args: Any, **kwargs: Any) -> object:
        return apart(command, *args, **kwargs)

    return run


def _do_apart(commands: typer.Typer, above: str = "") -> None:
    for group in commands.registered_groups:
        if group.name not in OWN_WAY and group.typer_instance is not None:
            _do_apart(group.typer_instance, f"{group.name} ")
    for info in commands.registered_commands:
        assert info.callback is not None
        if above + (info.name or info.callback.__name__) not in OWN_WAY:
            info.callback = _apart(info.callback)


for _register in REGISTER:
    _register(app)
_do_apart(app)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the program on ``arguments`` (those of the process by default) and exit.

    Exit codes: 0 done, 1 some lines of a batch failed or the person gave up, and those of
    :func:`bgai.program.run_program`.
    """
    warnings.formatwarning = lambda message, *_: f"warning: {message}\n"
    given = None if arguments is None else list(arguments)

    def command() -> None:
        show_notices()  # on streams that are there by now
        app(args=given, prog_name="bgai")

    run_program(command)


if __name__ == "__main__":
    main()
