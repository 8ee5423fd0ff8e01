"""`bgai duel`: many games between two players of the program."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from bgai.program import INTERRUPTED, apart

if TYPE_CHECKING:
    from bgai.analysis.duel import DuelResult
    from bgai.search.lookahead import Lookahead

NO_JUDGE = "none"
BEST = "the best network"

_PLAYER = "A level, or a network's name or folder; NAME@N looks N plies ahead, NAME@roller more."


def register(app: typer.Typer) -> None:
    """Add ``bgai duel`` to the program."""

    @app.command()
    def duel(
        first: Annotated[str, typer.Argument(help=_PLAYER)],
        second: Annotated[str, typer.Argument(help=_PLAYER)],
        games: Annotated[int, typer.Option(help="Games in all; an even number.")] = 1000,
        seed: Annotated[int, typer.Option(min=0, help="The same seed rolls the same dice.")] = 0,
        judge: Annotated[
            str | None,
            typer.Option(
                help="Player whose evaluation takes the luck out, by default the best network; "
                "'none' for none."
            ),
        ] = None,
        threads: Annotated[int, typer.Option(min=1, help="Threads of the judge.")] = 1,
        as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    ) -> None:
        """Play cubeless money games between two players, every dice sequence from both sides.

        A network without @N plays at 0-ply.
        """
        from tqdm import tqdm

        from bgai.analysis.duel import duel as play_duel
        from bgai.players.engines import engine

        def lookahead(name: str | None, seed: int = 0) -> "Lookahead":
            return engine(name, plies=0, seed=seed, threads=threads).lookahead

        # Two bots of one random level must not make the same mistakes.
        players = apart(lookahead, first), apart(lookahead, second, 1)
        luck = None if judge == NO_JUDGE else apart(lookahead, judge)
        with tqdm(total=games, unit="game", leave=False, disable=None) as bar:
            result = play_duel(
                *players,
                games,
                judge=luck,
                seed=seed,
                threads=threads,
                progress=bar.update,
            )
        if as_json:
            typer.echo(_as_json(first, second, seed, judge or BEST, result))
        else:
            typer.echo(_as_text(first, second, seed, judge or BEST, result))
        if result.games < games:
            raise typer.Exit(INTERRUPTED)


def _as_json(first: str, second: str, seed: int, judge: str, result: "DuelResult") -> str:
    from dataclasses import asdict

    from bgai.answers import DuelAnswer

    named: dict[str, Any] = {"first": first, "second": second, "seed": seed, "judge": judge}
    return DuelAnswer(**named, **asdict(result)).to_json()


def _as_text(first: str, second: str, seed: int, judge: str, result: "DuelResult") -> str:
    lines = [
        f"{first} against {second}: {result.games} games, each dice sequence from both sides, "
        f"seed {seed}",
        f"  points a game   {result.points:+.3f} ± {result.standard_error:.3f}",
    ]
    if result.adjusted is not None:
        adjusted = f"{result.adjusted:+.4f} ± {result.adjusted_error:.4f}"
        lines.append(f"  luck-adjusted   {adjusted} (judge {judge})")
    for name, sign in ((first, 1), (second, -1)):
        won = [result.results[sign * level] / result.games for level in (1, 2, 3)]
        lines.append(
            f"  won by {name}: {sum(won):.1%} of the games, "
            f"{won[1]:.1%} with a gammon, {won[2]:.1%} with a backgammon"
        )
    if result.results[0]:
        lines.append(f"  {result.results[0]} games never ended and count as draws")
    return "\n".join(lines)
