"""`bgai cube`: the cube verdict of a position, its costs and its market."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from bgai.errors import InputError
from bgai.ui.options import AsJson, Identifier, SearchOptions, bundled

if TYPE_CHECKING:
    from bgai.equity.match_equity import MatchEquityTable
    from bgai.notation.situation import Situation
    from bgai.search.cube_verdict import CubeVerdict
    from bgai.search.cubeful_rollout import RolledOutCube
    from bgai.search.lookahead import Lookahead
    from bgai.search.rollout import RolloutSettings
    from bgai.ui.cube_judging import Overrides


def register(app: typer.Typer) -> None:
    """Add ``bgai cube`` to the program."""
    app.command(context_settings={"ignore_unknown_options": True})(bundled(cube))


def cube(
    search: SearchOptions,
    identifier: Identifier = None,
    away: Annotated[
        str | None, typer.Option(help="Points you and the opponent need, such as 3,5; or money.")
    ] = None,
    crawford: Annotated[bool, typer.Option("--crawford", help="The Crawford game.")] = False,
    value: Annotated[int | None, typer.Option("--cube", help="Value of the cube.")] = None,
    owner: Annotated[
        str | None, typer.Option(help="Who owns the cube: me, opponent or centre.")
    ] = None,
    jacoby: Annotated[
        bool | None, typer.Option("--jacoby/--no-jacoby", help="Jacoby rule, money play.")
    ] = None,
    beavers: Annotated[
        int | None, typer.Option(min=0, help="Immediate redoubles: 0 none, 1 beavers, 2 raccoons.")
    ] = None,
    max_cube: Annotated[int | None, typer.Option(help="Highest value of the cube.")] = None,
    met: Annotated[
        str | None, typer.Option(help="Match equity table in GNU Backgammon's XML form.")
    ] = None,
    rollout: Annotated[bool, typer.Option("--rollout", help="Play it out many times.")] = False,
    trials: Annotated[int, typer.Option(min=1, help="Trials of a rollout.")] = 1296,
    truncate: Annotated[
        int | None, typer.Option(min=1, help="Judge each game of a rollout after so many turns.")
    ] = None,
    confidence: Annotated[
        float | None, typer.Option(help="Stop a rollout when its verdict is so sure, such as 0.99.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of a rollout's dice.")] = 1,
    json_: AsJson = False,
    batch: Annotated[
        str | None, typer.Option(metavar="FILE", help="Read an ID a line (- for standard input).")
    ] = None,
) -> None:
    """Whether to double and whether to take, what errors cost, and who loses the market.

    Cube, score and rules come from the ID; options replace them. Equities are the doubler's, in
    units of the cube before the double, normalised at a match score. A roll in the ID is not
    looked at; of a pending double the double is judged. A rollout's players are at 0-ply
    unless --plies says more.
    """
    from bgai.players.engines import PLAY_PLIES
    from bgai.search.rollout import RolloutSettings
    from bgai.ui.batch import run_batch
    from bgai.ui.cube_judging import Overrides
    from bgai.ui.judging import as_json

    judge = search.made(0 if rollout else PLAY_PLIES)
    engine, label = judge.lookahead, judge.label
    options = Overrides(away, crawford, value, owner, jacoby, beavers, max_cube)
    table = None if met is None else _read_met(met)
    if (batch is None) == (identifier is None):
        raise InputError("give an ID or --batch FILE, one of the two")
    if batch is not None:
        if rollout:
            raise InputError("--batch goes without --rollout")
        raise typer.Exit(run_batch(batch, lambda line: _answer(engine, line, options, table)))
    assert identifier is not None
    if rollout:
        rules = RolloutSettings(
            trials=trials, truncate=truncate, stop_confidence=confidence, seed=seed
        )
        _roll_out(identifier, options, table, engine, rules, label, json_)
    elif json_:
        typer.echo(as_json(_answer(engine, identifier, options, table, rolls=True)))
    else:
        situation, verdict = _judge(engine, identifier, options, table, market=True)
        _print(situation, verdict, label)


def _read_met(path: str) -> "MatchEquityTable":
    from bgai.equity.match_equity import read_met

    return read_met(path)


def _judge(
    engine: "Lookahead",
    identifier: str,
    options: "Overrides",
    met: "MatchEquityTable | None",
    *,
    market: bool,
) -> "tuple[Situation, CubeVerdict]":
    from bgai.notation.identifiers import parse_identifier
    from bgai.search.cube_verdict import cube_verdict

    situation = options.applied(parse_identifier(identifier))
    return situation, cube_verdict(situation, engine, market=market, met=met)


def _answer(
    engine: "Lookahead",
    identifier: str,
    options: "Overrides",
    met: "MatchEquityTable | None",
    *,
    rolls: bool = False,
) -> dict[str, Any]:
    """The JSON answer of one ID. Raises ``InputError``."""
    from bgai.ui.cube_judging import roll_fields, verdict_fields

    situation, verdict = _judge(engine, identifier, options, met, market=rolls)
    answer = {"id": identifier} | verdict_fields(verdict)
    if rolls:
        answer["rolls"] = [roll_fields(situation, roll) for roll in verdict.rolls]
    return answer


# --- words -------------------------------------------------------------------------------


def _print(situation: "Situation", verdict: "CubeVerdict", label: str) -> None:
    from bgai.ui.cube_judging import stakes_words

    source = "exact bear-off table" if verdict.decision.exact else label
    typer.echo(f"Cube of the player on roll, {source}\n{stakes_words(situation)}")
    typer.echo(_chances_line([float(chance) for chance in verdict.chances]))
    _print_decision(verdict.decision, {})
    if verdict.rolls:
        _print_market(situation, verdict)


def _chances_line(chances: list[float]) -> str:
    from bgai.ui.judging import percent

    win, wg, wbg, lg, lbg = map(percent, chances)
    lose = percent(1 - chances[0])
    return f"wins {win}% (gammons {wg}, backgammons {wbg}), loses {lose}% ({lg}, {lbg})"


def _print_decision(decision: Any, errors: dict[str, float]) -> None:
    """The block of equities, costs, cube points and the verdict; ``errors`` by act."""
    typer.echo(f"equity with the cube never turned {decision.cubeless:+.3f}\n")
    names, worths = decision.names, {"no_double": decision.no_double}
    if decision.double_take is not None:
        worths |= {"double_take": decision.double_take, "double_pass": 1.0}
        if decision.beaver is not None and decision.double_take < 0:
            worths["double_beaver"] = decision.beaver
    of_match = dict(zip(worths, decision.match_chances or (), strict=False))
    for key, equity in worths.items():
        line = f"  {names[key]:<16} {equity:+.3f}"
        if key in errors:
            line += f" ± {errors[key]:.3f}"
        if equity != decision.equity:
            line += f"  ({equity - decision.equity:+.3f})"
        chance = of_match.get(key)
        if chance is not None:
            line += f"  {100 * chance:.2f}% of matches"
        typer.echo(line)
    typer.echo(f"\n{decision.text}")
    costs = [
        f"{_COST_WORDS[act].format(double=decision.word)} {cost:.3f}"
        for act, cost in decision.costs.items()
        if cost >= 0.0005
    ]
    if costs:
        typer.echo(f"errors would cost: {', '.join(costs)}")
    points = decision.points
    if points.cash is not None:
        named = ((f"{decision.word} from", points.double), ("cash from", points.cash))
        words = [f"{name} {100 * point:.1f}%" for name, point in named if point is not None]
        if points.too_good is not None:
            words.append(f"too good from {100 * points.too_good:.1f}%")
        typer.echo(
            f"at these gammons: {', '.join(words)}; opponent's take point {100 * points.take:.1f}%"
        )


_COST_WORDS = {
    "no_double": "no {double}",
    "double": "{double}",
    "take": "take",
    "pass": "pass",
    "beaver": "beaver",
}


def _print_market(situation: "Situation", verdict: "CubeVerdict") -> None:
    """The chart of the 21 rolls, the best for the player on roll first."""
    from rich.console import Console
    from rich.table import Table

    from bgai.ui.cube_judging import play_words

    turned = verdict.decision.double_take is not None
    too_late = verdict.decision.too_late
    lost = "still a pass" if too_late else "loses the market"
    table = Table(box=None, header_style="", padding=(0, 2, 0, 0))
    table.add_column("roll")
    table.add_column("best play")
    word = verdict.decision.word
    table.add_column(f"no {word}", justify="right")
    if turned:
        table.add_column(f"{word}/take", justify="right")
        table.add_column("")
    order = sorted(verdict.rolls, key=lambda roll: -(roll.double_take or roll.no_double))
    for roll in order:
        row = [str(roll.roll), play_words(situation, roll), f"{roll.no_double:+.3f}"]
        if roll.double_take is not None:
            row += [f"{roll.double_take:+.3f}", lost if roll.loses_market else ""]
        style = "bold" if roll.loses_market else ""
        table.add_row(*row, style=style)
    typer.echo("\nEquity after each roll and its best play:")
    Console(highlight=False).print(table)
    if turned:
        typer.echo(
            "The market is lost already: the opponent should pass now, and still after "
            f"{verdict.market_losers} of 36 rolls."
            if too_late
            else f"{verdict.market_losers} of 36 rolls lose the market: after them the opponent "
            "should have passed."
        )


# --- rollouts ----------------------------------------------------------------------------


def _roll_out(
    identifier: str,
    options: "Overrides",
    met: "MatchEquityTable | None",
    engine: "Lookahead",
    rules: "RolloutSettings",
    label: str,
    json_: bool,
) -> None:
    from tqdm import tqdm

    from bgai.notation.identifiers import parse_identifier
    from bgai.search.cube_verdict import situation_stakes
    from bgai.search.cubeful_lookahead import CubefulLookahead
    from bgai.search.cubeful_rollout import CubeRollout
    from bgai.ui.cube_judging import stakes_words
    from bgai.ui.judging import as_json

    situation = options.applied(parse_identifier(identifier))
    player = CubefulLookahead(engine, situation_stakes(situation, met))
    run = CubeRollout(situation.position, player, rules)
    with tqdm(total=rules.sets * 36, unit="trial", disable=None) as bar:

        def progress(now: CubeRollout) -> None:
            bar.set_postfix_str(f"verdict {100 * now.result().confidence:.1f}% sure")
            bar.update(now.trials_done - bar.n)

        result = run.run(progress)
    if json_:
        typer.echo(as_json({"id": identifier} | _rollout_fields(result, rules, label)))
        return
    ends = "to the end" if rules.truncate is None else f"{rules.truncate} turns"
    typer.echo(
        f"Cube of the player on roll, rolled out: {result.trials} trials, {ends}, players "
        f"{label}, luck subtracted, seed {rules.seed}\n{stakes_words(situation)}"
    )
    typer.echo(_chances_line([figure.mean for figure in result.chances]))
    errors = {"no_double": result.no_double.error}
    if result.double_take is not None:
        errors["double_take"] = result.double_take.error
    _print_decision(result.decision, errors)
    if result.gain is not None:
        typer.echo(_surety(result))


def _surety(result: "RolledOutCube") -> str:
    """What doubling gains, and how likely the verdict is right."""
    decision, gain = result.decision, result.gain
    assert gain is not None
    what, mean, error = "take", gain.mean, gain.error
    if decision.too_late:  # a double would be passed
        what, mean, error = "pass", 1 - result.no_double.mean, result.no_double.error
    sure = f"{100 * result.confidence:.1f}%" if result.confidence < 0.9995 else "more than 99.9%"
    word = decision.word
    return (
        f"{word}/{what} less no {word} {mean:+.3f} ± {error:.3f}; "
        f"the probability that the verdict is right: {sure}"
    )


def _rollout_fields(
    result: "RolledOutCube", rules: "RolloutSettings", label: str
) -> dict[str, Any]:
    from bgai.ui.cube_judging import decision_fields, rounded

    fields = decision_fields(result.decision)
    fields["nd_error"] = rounded(result.no_double.error)
    if result.double_take is not None and result.gain is not None:
        fields["dt_error"] = rounded(result.double_take.error)
        fields["gain"] = rounded(result.gain.mean)
        fields["gain_error"] = rounded(result.gain.error)
    return fields | {
        "confidence": rounded(result.confidence),
        "chances": [rounded(figure.mean) for figure in result.chances],
        "trials": result.trials,
        "player": label,
        "seed": rules.seed,
        "truncate": rules.truncate,
    }
