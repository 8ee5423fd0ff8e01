"""`bgai external`: a player for GNU Backgammon over its own socket."""

from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add ``bgai external`` to the program."""

    @app.command()
    def external(
        port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 takes any free one.")],
        level: Annotated[str, typer.Option(help="Engine that plays, as for bgai play.")] = "best",
        seed: Annotated[int, typer.Option(min=0, help="Seed of a weak level's judgement.")] = 0,
        host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
        jacoby: Annotated[
            bool, typer.Option("--jacoby/--no-jacoby", help="Money play with Jacoby.")
        ] = True,
        beavers: Annotated[int, typer.Option(min=0, help="Beavers and raccoons allowed.")] = 1,
        verbose: Annotated[
            bool, typer.Option("--verbose", "-v", help="Print every question and answer.")
        ] = False,
    ) -> None:
        """Play in GNU Backgammon as its external player, until Ctrl-C.

        There type: set player 0 external localhost:PORT
        """
        from bgai.players.engines import engine
        from bgai.players.external import ExternalServer
        from bgai.rules.cube import HouseRules

        bot = engine(level, seed=seed).bot
        rules = HouseRules(jacoby=jacoby, beaver_turns=beavers)
        log = typer.echo if verbose else None
        with ExternalServer((host, port), lambda: bot, rules, log) as server:
            typer.echo(f"{level} waits for GNU Backgammon; type there:")
            typer.echo(f"  set player 0 external localhost:{server.server_address[1]}")
            try:
                server.serve_forever()
            except KeyboardInterrupt:
                typer.echo("stopped")
