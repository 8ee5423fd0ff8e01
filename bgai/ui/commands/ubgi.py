"""`bgai ubgi`: an engine for other programs, over standard input and output."""

from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add ``bgai ubgi`` to the program."""

    @app.command()
    def ubgi(
        level: Annotated[str, typer.Option(help="Engine that plays, as for bgai play.")] = "best",
    ) -> None:
        """Answer the Universal Backgammon Interface on standard input until quit.

        `keys` lists the settings: engine, depth, time a decision, plays told with numbers.
        """
        import sys

        from bgai.players.ubgi.engine import EngineThinker
        from bgai.players.ubgi.loop import serve

        def write(line: str) -> None:
            print(line, flush=True)

        serve(EngineThinker(level), sys.stdin, write)
