"""`bgai met`: match equity of a score, what gammons are worth there and when to take."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from bgai.answers import MetAnswer
    from bgai.equity.match_equity import MatchEquityTable
    from bgai.rules.match import MatchScore


def register(app: typer.Typer) -> None:
    """Add ``bgai met`` to the program."""

    @app.command()
    def met(
        a: Annotated[int, typer.Argument(metavar="A", help="Points you still need.")],
        b: Annotated[int, typer.Argument(metavar="B", help="Points the opponent still needs.")],
        post_crawford: Annotated[
            bool,
            typer.Option("--post-crawford", help="The Crawford game is over (with 1 point away)."),
        ] = False,
        table: Annotated[
            Path | None,
            typer.Option("--met", help="Another table, in GNU Backgammon's XML form."),
        ] = None,
        as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    ) -> None:
        """Show your chance to win a match from A-away, B-away, and the cube's points there.

        Take points are the taker's least winning chances in a game without gammons: dead, if
        the cube is turned once and no more but for redoubles that cost nothing, and live, if it
        is always turned at the perfect moment.
        """
        from bgai.equity.match_equity import kazaross_xg2, read_met
        from bgai.errors import InputError
        from bgai.rules.match import MatchScore

        if min(a, b) < 1:
            raise InputError(f"points away must be 1 or more, not {min(a, b)}")
        if post_crawford and 1 not in (a, b):
            raise InputError("--post-crawford needs a player who is 1 point away")
        met = read_met(table) if table else kazaross_xg2()
        length = max(a, b)
        crawford = 1 in (a, b) and not post_crawford and (a, b) != (1, 1)
        score = MatchScore(length, length - a, length - b, crawford)
        answer = _answer(met, score)
        if as_json:
            typer.echo(answer.to_json())
        else:
            _print(answer)


def _answer(met: "MatchEquityTable", score: "MatchScore") -> "MetAnswer":
    from bgai.answers import MetAnswer

    a, b = score.away_on_roll, score.away_opponent
    chance = met.before_game(a, b, post_crawford=score.is_post_crawford)
    game = "normal"
    if score.crawford:
        game = "Crawford"
    elif score.is_post_crawford:
        game = "double match point" if a == b else "post-Crawford"
    cubes, value = [], 1
    while value < max(a, b) or value == 1:
        cubes.append(_cube(met, score, value))
        value = max(a, b) if score.crawford else 2 * value
    return MetAnswer.model_validate(
        {
            "table": met.name,
            "away": (a, b),
            "game": game,
            "chance": float(chance),
            "cubes": cubes,
        }
    )


def _cube(met: "MatchEquityTable", score: "MatchScore", value: int) -> dict[str, Any]:
    """The row of one cube value: each player's gammon value and take points."""
    import numpy as np

    from bgai.equity.cubeful import cube_points
    from bgai.equity.score_points import dead_points, gammon_values
    from bgai.equity.stakes import match_stakes
    from bgai.rules.cube import Cube, CubeOwner

    even = np.array([0.5, 0, 0, 0, 0])
    row: dict[str, Any] = {"cube": value}
    sides = (("you", score, met), ("opponent", score.swapped(), met.swapped()))
    for name, own_score, own_met in sides:
        owner = CubeOwner.CENTRED if value == 1 else CubeOwner.ON_ROLL
        doubled = match_stakes(Cube(value, owner), own_score.swapped(), own_met.swapped())
        here = match_stakes(Cube(value), own_score, own_met)
        dead = dead_points(doubled)
        live = cube_points(even, doubled, np.ones(3)).take
        row[name] = {
            "gammon_value": gammon_values(here).gammon,
            "dead_take": None if dead is None else dead.take,
            "live_take": None if live is None else live,
        }
    return row


def _print(answer: "MetAnswer") -> None:
    from rich.console import Console
    from rich.table import Table

    a, b = answer.away
    game = {"normal": "", "double match point": ", double match point"}.get(
        answer.game, f", {answer.game} game"
    )
    typer.echo(f"{a}-away, {b}-away{game}: {answer.chance:.3%} ({answer.table})")
    table = Table("\ncube", box=None, header_style="", padding=(0, 2, 0, 0))
    for name in ("you", "opponent"):
        for heading in (f"{name}:\ngammon value", "\ndead take", "\nlive take"):
            table.add_column(heading, justify="right", vertical="bottom")
    for row in answer.cubes:
        cells = [_cell(getattr(side, key)) for side in (row.you, row.opponent) for key in _KEYS]
        table.add_row(str(row.cube), *cells)
    Console(highlight=False).print(table)


_KEYS = ("gammon_value", "dead_take", "live_take")


def _cell(number: float | None) -> str:
    return "-" if number is None else f"{number:.3f}"
