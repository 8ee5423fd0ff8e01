"""Contests of the arena for the command line: playing them, and what came of them in words."""

from math import isfinite
from typing import TYPE_CHECKING

import typer

from bgai.analysis.arena import ArenaResult, Contest, Side, check_players
from bgai.analysis.arena_file import ArenaFile
from bgai.answers import ArenaAnswer, ArenaSide
from bgai.files import write_text
from bgai.notation.mat_writing import write_mat
from bgai.program import INTERRUPTED, apart
from bgai.search.executors import open_executor

if TYPE_CHECKING:
    from bgai.ui.commands.duel import ArenaOptions


def play_contest(
    contest: Contest, bouts: int, options: "ArenaOptions", *, as_json: bool = False
) -> None:
    """Play a contest to so many bouts and print what came of it; Ctrl-C prints what there is."""
    from tqdm import tqdm

    apart(check_players, contest)
    interrupted = False
    unit = "match" if contest.terms.length else "game"
    with ArenaFile(options.save, contest) as kept:
        try:
            with (
                open_executor(options.workers or 1, options.scheduler) as executor,
                tqdm(total=bouts, unit=unit, leave=False, disable=None) as bar,
            ):
                kept.play(bouts, executor, bar.update)
        except KeyboardInterrupt:
            interrupted = True
        result = kept.result()
        if options.records is not None:
            for name, record in kept.records():
                write_text(options.records / f"{name}.mat", write_mat(record))
    if result is None:
        raise KeyboardInterrupt
    answer = arena_answer(contest, result)
    typer.echo(answer.to_json() if as_json else arena_text(answer))
    if interrupted:
        raise typer.Exit(INTERRUPTED)


def arena_answer(contest: Contest, result: ArenaResult) -> ArenaAnswer:
    """The answer of a contest."""
    rules = contest.terms.rules
    money = contest.terms.length is None
    adjusted = result.adjusted
    first, second = (
        _side(name, side, contest) for name, side in zip(contest.players, result.sides, strict=True)
    )
    return ArenaAnswer(
        first=first,
        second=second,
        length=contest.terms.length or 0,
        cube=rules.max_cube != 1,
        jacoby=money and rules.jacoby,
        beavers=rules.beaver_turns if money else 0,
        seconds_a_decision=contest.seconds,
        seed=contest.seed,
        judge=None if contest.judge is None else contest.judge.label,
        bouts=result.bouts,
        result=result.result.mean,
        standard_error=_finite(result.result.error),
        adjusted=None if adjusted is None else adjusted.mean,
        adjusted_error=None if adjusted is None else _finite(adjusted.error),
    )


def _finite(number: float) -> float | None:
    return number if isfinite(number) else None


def _side(name: str, side: Side, contest: Contest) -> ArenaSide:
    rated = contest.reviewed and side.counted > 0
    return ArenaSide(
        name=name,
        seconds=side.seconds,
        decisions=side.decisions,
        milliseconds_a_decision=1000 * side.seconds / max(side.decisions, 1),
        equity_lost=side.lost if contest.reviewed else None,
        judged_decisions=side.counted if contest.reviewed else None,
        performance_rating=500 * side.lost / side.counted if rated else None,
    )


def arena_text(answer: ArenaAnswer) -> str:
    """The same in words."""
    what = f"matches to {answer.length}" if answer.length else "money games"
    if not answer.length:
        rules = [
            "Jacoby" if answer.jacoby else "no Jacoby",
            "beavers" if answer.beavers else "no beavers",
        ]
        what += f" ({', '.join(rules)})" if answer.cube else " without the cube"
    time = (
        "" if answer.seconds_a_decision is None else f", {answer.seconds_a_decision:g} s a decision"
    )
    names = answer.first.name, answer.second.name
    lines = [
        f"{names[0]} against {names[1]}: {answer.bouts} {what}, each dice sequence from both "
        f"sides, seed {answer.seed}{time}"
    ]
    won = "matches won    " if answer.length else "points a game  "
    lines.append(f"  {won} {_figure(answer, answer.result, answer.standard_error, 3)}")
    if answer.adjusted is not None:
        figure = _figure(answer, answer.adjusted, answer.adjusted_error, 4)
        lines.append(f"  luck-adjusted   {figure} (judge {answer.judge})")
    for side in (answer.first, answer.second):
        text = (
            f"  {side.name}: {side.milliseconds_a_decision:.3g} ms a decision, "
            f"{side.seconds:.1f} s for {side.decisions}"
        )
        if side.performance_rating is not None:
            text += f"; PR {side.performance_rating:.2f} in {side.judged_decisions} decisions"
        lines.append(text)
    return "\n".join(lines)


def _figure(answer: ArenaAnswer, mean: float, error: float | None, digits: int) -> str:
    wide = "" if error is None else f" ± {error:.{digits}f}"
    sign = "" if answer.length else "+"
    return f"{mean:{sign}.{digits}f}{wide}"
