"""An analysis as one HTML file that needs nothing else: boards and charts are SVG inside."""

from collections.abc import Sequence
from typing import Any

from bgai.analysis.charts import Series, line_chart
from bgai.analysis.pages import render
from bgai.analysis.report_text import (
    COLOURS,
    describe,
    game_rows,
    kind_words,
    outcome,
    rows,
    stored_rows,
    title,
)
from bgai.analysis.review import Decision, Review, Rolled, luck_mark
from bgai.notation.situation import Offer, Seat, Situation
from bgai.notation.stored import stored_words
from bgai.notation.svg import board_svg
from bgai.notation.xgid import parse_xgid
from bgai.rules.cube import CubeOwner

WORST = 20
_COLUMNS = (
    ("game", "n"), ("turn", "n"), ("player", "t"), ("phase", "t"), ("dice", "t"), ("made", "t"),
    ("best", "t"), ("cost", "n"), ("", "t"), ("luck", "n"),
)  # fmt: skip
_CLASSES = {"??": "blunder", "?": "error", "?!": "doubtful", "": ""}
_THREE = ("no double", "double, take", "double, pass")
_ABOUT = ("event", "round", "place", "date")


def html_text(review: Review, worst: int = WORST) -> str:
    """The report as HTML text."""
    from markupsafe import Markup

    players = [review.player(seat) for seat in (0, 1)]
    match = review.record.terms.length is not None
    luck = {(each.game, each.act): each for each in review.rolls}
    return render(
        "report.html",
        title=title(review),
        outcome=outcome(review),
        about=[review.record.info[key] for key in _ABOUT if review.record.info.get(key)],
        judge=review.judge,
        problems=review.problems,
        names=review.record.players,
        rows=[*rows(players, "match" if match else "points"), *stored_rows(review)],
        games=game_rows(review),
        chance_title=_chance_title(review),
        chance_chart=Markup(chance_chart(review)),
        luck_chart=Markup(luck_chart(review)),
        worst=[_item(review, each) for each in _shown(review, worst)],
        columns=_COLUMNS,
        decisions=[_row(review, each, luck) for each in review.decisions],
    )


def _shown(review: Review, least: int) -> list[Decision]:
    """The worst decisions: all that have a mark, and so many at least."""
    found = review.worst(count=len(review.decisions))
    return found[: max(least, sum(bool(each.mark) for each in found))]


def _chance_title(review: Review) -> str:
    first = review.record.players[0]
    if review.record.terms.length is None:
        return f"Points {first} could expect of each game"
    return f"Chance of {first} to win the match"


def chance_chart(review: Review) -> str:
    """Chance of seat 0 before each roll; expected points in money play."""
    match = review.record.terms.length is not None
    points = []
    for x, each in enumerate(review.rolls):
        flipped = 1 - each.chance_before if match else -each.chance_before
        points.append((float(x), each.chance_before if each.seat == 0 else flipped))
    series = [Series(review.record.players[0], points)]
    label, marks = _chance_title(review), _game_marks(review)
    if match:
        if review.record.winner is not None and points:
            points.append((float(len(points)), 1.0 - review.record.winner))
        return line_chart(series, label=label, marks=marks, low=0, high=1, percent=True)
    return line_chart(series, label=label, marks=marks)


def luck_chart(review: Review) -> str:
    """Luck of both players added up, in equity."""
    totals = [0.0, 0.0]
    lines: list[list[tuple[float, float]]] = [[], []]
    for x, each in enumerate(review.rolls):
        totals[each.seat] += each.luck
        for seat in (0, 1):
            lines[seat].append((float(x), totals[seat]))
    series = [Series(name, line) for name, line in zip(review.record.players, lines, strict=True)]
    return line_chart(series, label="Luck so far, in equity", marks=_game_marks(review))


def _game_marks(review: Review) -> list[tuple[float, str]]:
    marks: dict[int, float] = {}
    for x, each in enumerate(review.rolls):
        marks.setdefault(each.game, float(x))
    return [(x, str(game)) for game, x in marks.items()]


def _item(review: Review, decision: Decision) -> dict[str, Any]:
    """One of the worst decisions, with its board seen by the player who decided."""
    from markupsafe import Markup

    situation = parse_xgid(decision.id)
    first, second = review.record.players
    view = Seat.BOTTOM if decision.seat == 0 else Seat.TOP
    board = board_svg(situation, view=view, names={Seat.BOTTOM: first, Seat.TOP: second}, width=480)
    top = max(option.equity for option in decision.options)
    said = review.stored(decision)
    win, wg, wbg, lg, lbg = (100 * each for each in decision.chances)
    return {
        "player": review.record.players[decision.seat],
        "game": decision.game,
        "turn": decision.turn,
        "text": describe(decision),
        "cost": f"{-decision.cost:+.3f}",
        "mark": decision.mark,
        "cls": _CLASSES[decision.mark],
        "kind": kind_words(decision),
        "board": Markup(board),
        "about": _moment(situation, review.record.players, decision.seat),
        "cube": [
            {"text": text, "equity": f"{equity:+.3f}"}
            for text, equity in zip(_THREE, decision.cube, strict=False)
        ],
        "options": [
            {
                "text": option.text,
                "equity": f"{option.equity:+.3f}",
                "loss": "" if option.equity == top else f"({option.equity - top:+.3f})",
                "plies": option.plies,
                "chosen": option.text == decision.made,
            }
            for option in decision.options
        ],
        "verdict": decision.verdict,
        "stored": "" if said is None else stored_words(said, decision.made),
        "chances": f"Wins {win:.1f}% (gammon {wg:.1f}, backgammon {wbg:.1f}), "
        f"loses {100 - win:.1f}% (gammon {lg:.1f}, backgammon {lbg:.1f}).",
        "id": decision.id,
    }


def _moment(situation: Situation, names: Sequence[str], decider: int) -> str:
    """``Ann (white) to play 31; Ann 3-away, Bob 5-away; cube 2, Bob's``."""
    task, on_roll = "to decide on the cube", decider
    if situation.roll is not None:
        task = f"to play {situation.roll}"
    elif situation.offer is not Offer.NONE:
        task, on_roll = "to answer the double", 1 - decider
    score, cube = situation.score, situation.cube
    mine, theirs = names[on_roll], names[1 - on_roll]
    stakes = "money"
    if score is not None:
        stakes = f"{mine} {score.away_on_roll}-away, {theirs} {score.away_opponent}-away"
        stakes += ", Crawford game" if score.crawford else ""
    owners = {CubeOwner.CENTRED: "centred", CubeOwner.ON_ROLL: f"{mine}'s"}
    owner = owners.get(cube.owner, f"{theirs}'s")
    return f"{names[decider]} ({COLOURS[decider]}) {task}; {stakes}; cube {cube.value}, {owner}"


def _row(review: Review, decision: Decision, luck: dict[tuple[int, int], Rolled]) -> dict[str, Any]:
    rolled = luck.get((decision.game, decision.act - 1)) if decision.dice else None
    words = f" {luck_mark(rolled.luck)}" if rolled is not None else ""
    return {
        "game": decision.game,
        "turn": decision.turn,
        "player": review.record.players[decision.seat],
        "phase": decision.phase.value,
        "dice": decision.dice,
        "made": decision.made,
        "best": "" if decision.best == decision.made else decision.best,
        "cost": f"{-decision.cost:+.3f}" if decision.cost > 0.0005 else "",
        "cost_value": f"{decision.cost:.6f}",
        "mark": decision.mark,
        "cls": _CLASSES[decision.mark],
        "luck": "" if rolled is None else f"{rolled.luck:+.3f}{words}",
        "luck_value": "" if rolled is None else f"{rolled.luck:.6f}",
        "counts": decision.counts,
    }
