"""Answers in words and tables, as a player would write them down."""

from collections.abc import Sequence
from functools import singledispatch

from bgai import answers
from bgai.answers import Answer, FiveChances

_HEADINGS = ("win", "gammon", "bg", "lose g", "bg")
_NOTE = "gammons include backgammons"
LISTED = 10
"""Plays shown of a ranked list."""


@singledispatch
def text_of(answer: Answer) -> str:
    """The answer for people."""
    return answer.to_json()


def percent(chance: float) -> str:
    """``55.1``: a chance in per cent."""
    return f"{round(100 * chance, 1) + 0.0:.1f}"  # never -0.0


def cells(chances: FiveChances) -> list[str]:
    """Five cells of a table row, in per cent."""
    return [percent(chance) for chance in chances.values]


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """A plain table; the first ``left`` columns are text, the others numbers."""
    widths = [max(len(row[i]) for row in (headings, *rows)) for i in range(len(headings))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if i < left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (headings, *rows)
    )


# --- plays and positions ------------------------------------------------------------------------


@text_of.register
def _plays(answer: answers.PlaysAnswer) -> str:
    if not answer.plays:
        return f"no legal play of {answer.dice}: the turn passes"
    width = max(len(row.play) for row in answer.plays)
    return "\n".join(
        f"{number:4}. {row.play:{width}}  {row.after}" for number, row in enumerate(answer.plays, 1)
    )


@text_of.register
def best_text(answer: answers.BestAnswer, count: int = LISTED) -> str:
    """The best ``count`` plays in a table."""
    if not answer.plays:
        return (
            f"no legal play of {answer.dice}: the turn passes\n"
            f"equity {answer.equity:+.3f}, {answer.engine}"
        )
    rows = [
        [
            f"{number:2}. {play.play}",
            f"{play.plies}R" if play.trials else f"{play.plies}",
            f"{play.equity:+.3f}",
            f"({play.difference:+.3f})" if number > 1 else "",
            *cells(play.chances),
        ]
        for number, play in enumerate(answer.plays[:count], 1)
    ]
    lines = [
        f"Roll {answer.dice}, {answer.engine}; chances of the mover in per cent, {_NOTE}.",
        table(["    play", "ply", "equity", "", *_HEADINGS], rows),
    ]
    left = answer.total - len(rows)
    if left > 0:
        lines.append(f"    {left} more")
    return "\n".join(lines)


@text_of.register
def _evaluate(answer: answers.EvaluateAnswer) -> str:
    return _evaluations(answers.EvaluationsAnswer(engine=answer.engine, positions=[answer]))


@text_of.register
def _evaluations(answer: answers.EvaluationsAnswer) -> str:
    rows = [[each.id, f"{each.equity:+.3f}", *cells(each.chances)] for each in answer.positions]
    return (
        f"Player on roll, {answer.engine}; chances in per cent, {_NOTE}.\n"
        f"{table(['position', 'equity', *_HEADINGS], rows)}"
    )


@text_of.register
def _position(answer: answers.PositionAnswer) -> str:
    return answer.text


@text_of.register
def _bearoff(answer: answers.BearoffAnswer) -> str:
    sides = {"on roll": answer.on_roll}
    if answer.opponent is not None:
        sides["opponent"] = answer.opponent
    rows = [
        [
            name,
            str(side.pips),
            f"{side.effective_pips:.2f}",
            f"{side.wastage:.2f}",
            f"{side.mean_rolls:.3f}",
            f"{side.deviation:.3f}",
        ]
        for name, side in sides.items()
    ]
    longest = max(len(side.distribution) for side in sides.values())
    shown = [
        [str(rolls), *(_chance_of(side, rolls) for side in sides.values())]
        for rolls in range(longest)
        if any(_chance_of(side, rolls) for side in sides.values())
    ]
    parts = [
        table(["side", "pips", "effective", "wastage", "rolls", "deviation"], rows),
        table(["rolls", *sides], shown),
    ]
    if answer.chances is None:
        parts.append("no win chance: the opponent is not home")
    else:
        win, gammon, _, lost, _ = cells(answer.chances)
        how = "exact" if answer.exact else "both playing for the fewest rolls"
        parts.append(
            f"player on roll wins {win}% (gammon {gammon}%), loses a gammon {lost}%, "
            f"cubeless equity {answer.equity:+.4f} ({how})"
        )
    return "\n\n".join(parts)


def _chance_of(side: answers.BearoffSide, rolls: int) -> str:
    """Per cent of bearing off in exactly so many rolls; empty where it rounds to nothing."""
    chance = side.distribution[rolls] if rolls < len(side.distribution) else 0.0
    return f"{100 * chance:.2f}" if chance >= 5e-5 else ""


# --- the cube -----------------------------------------------------------------------------------


@text_of.register
def _cube(answer: answers.CubeAnswer) -> str:
    source = "exact bear-off table" if answer.exact else answer.engine
    lines = [
        f"Cube of the player on roll, {source}",
        answer.stakes,
        chances_line(answer.chances),
        *decision_lines(answer),
    ]
    if answer.rolls:
        lines += ["", "Equity after each roll and its best play:", _market(answer, answer.rolls)]
        if answer.market_losers is not None:
            lines.append(
                "The market is lost already: the opponent should pass now, and still after "
                f"{answer.market_losers} of 36 rolls."
                if answer.too_late
                else f"{answer.market_losers} of 36 rolls lose the market: after them the "
                "opponent should have passed."
            )
    return "\n".join(lines)


def chances_line(chances: FiveChances) -> str:
    """``wins 75.5% (gammons 28.2, backgammons 2.2), loses 24.5% (6.8, 0.3)``."""
    win, wg, wbg, lg, lbg = cells(chances)
    return (
        f"wins {win}% (gammons {wg}, backgammons {wbg}), "
        f"loses {percent(1 - chances.win)}% ({lg}, {lbg})"
    )


def decision_lines(
    cube: answers.CubeVerdictAnswer, figures: answers.CubeFigures | None = None
) -> list[str]:
    """The block of equities, the verdict, costs and cube points; ``figures`` have the errors."""
    word = cube.word
    name = word.capitalize()
    rows = [("no_double", f"No {word}", cube.no_double)]
    if cube.double_take is not None and cube.double_pass is not None:
        rows.append(("double_take", f"{name}, take", cube.double_take))
        rows.append(("double_pass", f"{name}, pass", cube.double_pass))
        if cube.beaver is not None and cube.double_take < 0:
            rows.append(("beaver", f"{name}, beaver", cube.beaver))
    lines = [f"cubeless equity {cube.cubeless:+.3f}", ""]
    for key, shown, equity in rows:
        figure = getattr(figures, key, None)
        chance = getattr(cube.match_chances, key, None)
        line = f"  {shown:<16} {equity:+.3f}"
        if figure is not None:
            line += f" ± {figure.error:.3f}"
        if equity != cube.equity:
            line += f"  ({equity - cube.equity:+.3f})"
        if chance is not None:
            line += f"  {100 * chance:.2f}% of matches"
        lines.append(line)
    return [*lines, "", cube.verdict, *_costs(cube, word), *_points(cube.points, word)]


def _costs(cube: answers.CubeVerdictAnswer, word: str) -> list[str]:
    names = {"no_double": f"no {word}", "double": word}
    costs = [
        f"{names.get(act, act)} {cost:.3f}" for act, cost in cube.costs.items() if cost >= 0.0005
    ]
    return [f"errors would cost: {', '.join(costs)}"] if costs else []


def _points(points: answers.CubePoints, word: str) -> list[str]:
    if points.cash is None:
        return []
    named = (
        (f"{word} from", points.double),
        ("cash from", points.cash),
        ("too good from", points.too_good),
    )
    words = [f"{name} {100 * point:.1f}%" for name, point in named if point is not None]
    take = "" if points.take is None else f"; opponent's take point {100 * points.take:.1f}%"
    return [f"at these gammons: {', '.join(words)}{take}"]


def _market(cube: answers.CubeAnswer, rolls: Sequence[answers.RollOutlook]) -> str:
    """The chart of the 21 rolls, the best for the player on roll first."""
    lost = "still a pass" if cube.too_late else "loses the market"
    turned = rolls[0].double_take is not None
    rows = []
    for each in sorted(rolls, key=lambda roll: -(roll.double_take or roll.no_double)):
        row = [each.dice, each.play, f"{each.no_double:+.3f}"]
        if each.double_take is not None:
            row += [f"{each.double_take:+.3f}", lost if each.loses_market else ""]
        rows.append(row)
    headings = ["roll", "best play", f"no {cube.word}"]
    headings += [f"{cube.word}/take", ""] if turned else []
    return table(headings, rows, left=2)


@text_of.register
def _score_table(answer: answers.ScoreTableAnswer) -> str:
    cell = answer.money
    numbers = f"no double {cell.no_double:+.3f}"
    if cell.double_take is not None:
        numbers += f", double/take {cell.double_take:+.3f}"
    needs = [str(need) for need in range(1, len(answer.scores) + 1)]
    rows = [
        [need, *(each.short for each in row)]
        for need, row in zip(needs, answer.scores, strict=True)
    ]
    return "\n".join(
        [
            f"Cube action, {answer.engine}",
            f"{answer.stakes}: {cell.verdict} ({numbers})",
            "",
            table(["you\\opponent", *needs], rows, left=0),
            "",
            "points needed, 1 after the Crawford game; ND no double, D/T double and take, "
            "D/P double and pass,",
            "TG too good, D/B double and beaver, /B and /T say what the opponent should do, "
            "- no cube to turn",
        ]
    )


# --- rollouts -----------------------------------------------------------------------------------


@text_of.register
def _rollout(answer: answers.RolloutAnswer) -> str:
    rules = answer.settings
    ends = "to the end" if rules.truncate is None else f"{rules.truncate} turns"
    if answer.kind == "cube":
        return _rolled_cube(answer, ends)
    who = answer.engine
    if answer.ranked_by not in (None, answer.engine):
        who = f"ranked by {answer.ranked_by}, played by {answer.engine}"
    rows = []
    for number, row in enumerate(answer.rows, 1):
        equity = row.equity
        gap = row.difference
        rows.append(
            [
                "on roll" if row.play is None else f"{number:2}. {row.play}",
                f"{equity.mean:+.3f}",
                f"± {equity.error:.4f}",
                f"[{equity.low:+.3f}, {equity.high:+.3f}]",
                "" if gap is None else f"({gap.mean:+.3f} ± {gap.error:.3f})",
                *cells(row.chances),
            ]
        )
        rows.append(["", "", "", "", "", *(f"± {cell}" for cell in cells(row.errors))])
    cube = "cubeless" if rules.cubeless else "with the cube in play"
    return "\n".join(
        (
            f"{answer.trials} trials {cube}, {who}, {ends} or to the bear-off tables, luck "
            f"subtracted: {rules.variance_reduction}, seed {rules.seed}",
            answer.stakes,
            table(["    play", "equity", "std error", "95% interval", "", *_HEADINGS], rows),
            *([answer.note] if answer.note else []),
        )
    )


def _rolled_cube(answer: answers.RolloutAnswer, ends: str) -> str:
    cube = answer.cube
    assert cube is not None
    lines = [
        f"Cube of the player on roll, rolled out: {answer.trials} trials, {ends}, players "
        f"{answer.engine}, luck subtracted, seed {answer.settings.seed}",
        answer.stakes,
        chances_line(answer.rows[0].chances),
        *decision_lines(cube, cube.figures),
    ]
    if cube.figures.gain is not None:
        lines.append(_surety(cube, cube.figures.gain))
    if answer.note:
        lines.append(answer.note)
    return "\n".join(lines)


def _surety(cube: answers.RolledOutCubeAnswer, gain: answers.FigureAnswer) -> str:
    """What doubling gains, and how likely the verdict is right."""
    what, mean, error = "take", gain.mean, gain.error
    if cube.too_late:  # a double would be passed
        waiting = cube.figures.no_double
        what, mean, error = "pass", 1 - waiting.mean, waiting.error
    sure = f"{100 * cube.confidence:.1f}%" if cube.confidence < 0.9995 else "more than 99.9%"
    return (
        f"{cube.word}/{what} less no {cube.word} {mean:+.3f} ± {error:.3f}; "
        f"the probability that the verdict is right: {sure}"
    )
