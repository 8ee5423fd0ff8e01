"""`bgai score-table`: the cube verdict of one position at every score."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from bgai.ui.options import SearchOptions, bundled

if TYPE_CHECKING:
    from bgai.equity.match_equity import MatchEquityTable
    from bgai.notation.situation import Situation
    from bgai.search.lookahead import Lookahead


def register(app: typer.Typer) -> None:
    """Add ``bgai score-table`` to the program."""
    settings = {"ignore_unknown_options": True}
    app.command("score-table", context_settings=settings)(bundled(score_table))


def score_table(
    search: SearchOptions,
    identifier: Annotated[
        str, typer.Argument(metavar="ID", help="XGID, position ID or position:match ID.")
    ],
    away: Annotated[int, typer.Option(min=2, max=25, help="Most points away of either side.")] = 9,
    value: Annotated[int | None, typer.Option("--cube", help="Value of the cube.")] = None,
    owner: Annotated[
        str | None, typer.Option(help="Who owns the cube: me, opponent or centre.")
    ] = None,
    met: Annotated[
        str | None, typer.Option(help="Match equity table in GNU Backgammon's XML form.")
    ] = None,
    json_: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """The cube action for money and at every score, with the cube as in the ID.

    Rows are the points the player on roll needs, columns those of the opponent; 1 is after
    the Crawford game. ND no double, D/T double and take, D/P double and pass, D/B double
    and beaver, TG too good to double, TG/T too good although the opponent should take, - no
    cube to turn.
    """
    from bgai.equity.match_equity import read_met
    from bgai.notation.identifiers import parse_identifier
    from bgai.ui.cube_judging import Overrides
    from bgai.ui.judging import as_json

    judge = search.made(1)
    engine, label = judge.lookahead, judge.label
    options = Overrides(away="money", cube=value, owner=owner)
    money = options.applied(parse_identifier(identifier))
    answer = _answer(engine, money, away, None if met is None else read_met(met))
    if json_:
        typer.echo(as_json({"id": identifier} | answer))
    else:
        _print(money, answer, label)


def _answer(
    engine: "Lookahead", money: "Situation", away: int, met: "MatchEquityTable | None"
) -> dict[str, Any]:
    """``money`` and ``scores``: rows by points of the player on roll, each a list by points."""
    needs = range(1, away + 1)
    return {
        "money": _cell(engine, money, None),
        "scores": [[_cell(engine, money, (a, b), met) for b in needs] for a in needs],
    }


def _cell(
    engine: "Lookahead",
    money: "Situation",
    away: tuple[int, int] | None,
    met: "MatchEquityTable | None" = None,
) -> dict[str, Any]:
    from dataclasses import replace

    from bgai.rules.match import MatchScore
    from bgai.search.cube_verdict import cube_verdict
    from bgai.ui.cube_judging import rounded, short_action

    situation = money
    if away is not None:
        length = max(away)
        score = MatchScore(length, length - away[0], length - away[1])
        situation = replace(money, score=score, session=(0, 0))
    decision = cube_verdict(situation, engine, market=False, met=met).decision
    cell: dict[str, Any] = {
        "action": decision.text,
        "short": short_action(decision),
        "nd": rounded(decision.no_double),
        "dt": rounded(decision.double_take),
    }
    return cell if away is None else {"away": list(away)} | cell


_STYLES = {"D/T": "green", "D/P": "bold red", "TG": "magenta", "TG/T": "magenta", "D/B": "yellow"}


def _print(money: "Situation", answer: dict[str, Any], label: str) -> None:
    from rich.console import Console
    from rich.table import Table

    from bgai.ui.cube_judging import stakes_words

    cell = answer["money"]
    numbers = f"no double {cell['nd']:+.3f}"
    if cell["dt"] is not None:
        numbers += f", double/take {cell['dt']:+.3f}"
    typer.echo(f"Cube action, {label}\n{stakes_words(money)}: {cell['action']} ({numbers})\n")
    table = Table(box=None, header_style="", padding=(0, 1, 0, 0))
    table.add_column("you\\opponent", justify="right")
    for need in range(1, len(answer["scores"]) + 1):
        table.add_column(f"{need}", justify="center", min_width=4)
    for need, row in enumerate(answer["scores"], 1):
        cells = [
            f"[{_STYLES[each['short']]}]{each['short']}[/]"
            if each["short"] in _STYLES
            else each["short"]
            for each in row
        ]
        table.add_row(f"{need}", *cells)
    Console(highlight=False).print(table)
    typer.echo(
        "\npoints needed, 1 after the Crawford game; ND no double, D/T double and take, "
        "D/P double and pass,\nTG too good, D/B double and beaver, /B and /T say what the "
        "opponent should do, - no cube to turn"
    )
