"""`bgai serve`: the page to play and analyse on, and the HTTP API."""

import socket
from pathlib import Path
from typing import Annotated

import typer

from bgai.claims import Claim
from bgai.errors import InputError, needs

DEFAULT_PORT = 8421
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


def register(app: typer.Typer) -> None:
    """Add ``bgai serve`` to the program."""
    app.command()(serve)


def serve(
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 takes any.")] = DEFAULT_PORT,
    host: Annotated[
        str, typer.Option(help="Address to listen on; others than this machine's are let in by it.")
    ] = "127.0.0.1",
    visitors: Annotated[
        bool,
        typer.Option(
            "--visitors",
            help="Callers are visitors with games of their own, as with --host: for a proxy here.",
        ),
    ] = False,
    open_: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
    games: Annotated[
        Path | None,
        typer.Option(file_okay=False, help="Folder the games are kept in."),
    ] = None,
) -> None:
    """Serve a page to play and analyse on, with an HTTP API, on this machine.

    Ctrl-C stops it. Games go on after a reload of the page and after a restart.
    """
    with needs("web", "the page"):
        import uvicorn

        from bgai.ui.web.app import create_app
    if games is None:
        from bgai.sessions.saves import games_dir

        games = games_dir() / "web"
    listener = _listen(host, port)
    local = host in _LOOPBACK
    app = create_app(games, loopback_only=local and not visitors)
    address = _address(listener, host)
    typer.echo(f"bgai is at {address} (the API at {address}api.html); Ctrl-C stops it.")
    if not local:
        typer.echo(f"Listening on {host}: other machines that reach it can play and analyse here.")
    if visitors or not local:
        typer.echo("Every visitor has games of their own, known by a cookie (docs/hosting.md).")
    if open_:
        _open_soon(address)
    config = uvicorn.Config(app, log_level="warning", server_header=False, access_log=False)
    with Claim(games):
        uvicorn.Server(config).run(sockets=[listener])


def _listen(host: str, port: int) -> socket.socket:
    """A listening socket. Raises ``InputError`` with what is in the way."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(128)
    except OSError as error:
        raise InputError(
            f"can't listen on {host} port {port}: {error.strerror or error}; "
            "choose another with --port"
        ) from None
    return listener


def _address(listener: socket.socket, host: str) -> str:
    port = listener.getsockname()[1]
    shown = "127.0.0.1" if host in ("0.0.0.0", "::") else host
    return f"http://[{shown}]:{port}/" if ":" in shown else f"http://{shown}:{port}/"


def _open_soon(address: str) -> None:
    """Open the browser once the server answers (the socket already listens)."""
    import threading
    import webbrowser

    threading.Timer(0.3, webbrowser.open, [address]).start()
