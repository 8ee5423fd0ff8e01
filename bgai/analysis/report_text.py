"""An analysis as text for a terminal, as JSON, and as CSV."""

import csv
import io

from bgai.analysis.review import (
    Decision,
    ErrorKind,
    Errors,
    Figures,
    GamePhase,
    Kind,
    PlayerReview,
    Review,
    figures,
    rating_words,
    review_to_json,
)
from bgai.analysis.stored_review import judges, stored_figures, stored_luck
from bgai.notation.stored import stored_words

COLOURS = ("white", "black")
"""The checkers of each seat on boards."""
COLUMNS = (
    "game", "turn", "player", "kind", "phase", "dice", "made", "best", "cost", "mark", "counts",
    "chance", "chance_lost", "xgid",
)  # fmt: skip


def title(review: Review) -> str:
    """``Alice against Bob, match to 7 points``."""
    first, second = review.record.players
    length = review.record.terms.length
    played = f"match to {length}" if length else f"money session of {len(review.record.games)}"
    unit = "points" if length else "games"
    return f"{first} against {second}, {played} {unit}"


def outcome(review: Review) -> str:
    """Who won, with the score."""
    points = review.record.final_points
    names = review.record.players
    score = f"{points[0]}-{points[1]}"
    if review.record.terms.length is None:
        return f"{names[0]} {points[0]:+d}, {names[1]} {points[1]:+d}"
    winner = review.record.winner
    return f"unfinished at {score}" if winner is None else f"{names[winner]} won {score}"


def describe(decision: Decision) -> str:
    """What was decided: ``31: 24/20, best 8/5 6/5`` or ``no double, best double``."""
    dice = f"{decision.dice}: " if decision.dice else ""
    if decision.made == decision.best:
        return f"{dice}{decision.made}"
    return f"{dice}{decision.made}, best {decision.best}"


def summary(review: Review, worst: int = 10) -> str:
    """The figures of both players, and the worst decisions of each."""
    players = [review.player(seat) for seat in (0, 1)]
    unit = "match" if review.record.terms.length else "points"
    lines = [title(review), outcome(review), f"judged by {review.judge}", ""]
    width = max(16, *(len(player.name) + 2 for player in players))
    lines.append(" " * 26 + "".join(f"{player.name:>{width}}" for player in players))
    for label, cells in [*rows(players, unit), *stored_rows(review)]:
        lines.append(f"{label:<26}" + "".join(f"{cell:>{width}}" for cell in cells))
    for seat, player in enumerate(players):
        found = review.worst(seat, worst)
        lines += [
            "",
            f"Worst decisions of {player.name}:" if found else f"{player.name}: no errors",
        ]
        for each in found:
            lines.append(
                f"  game {each.game}, turn {each.turn:>3}  {-each.cost:+.3f} {each.mark:<2} "
                f"{describe(each)}"
            )
            said = review.stored(each)
            lines += [f"{'':26}{stored_words(said, each.made)}"] if said is not None else []
    return "\n".join(lines)


def stored_rows(review: Review) -> list[tuple[str, list[str]]]:
    """Rows of figures by the verdicts that the file holds itself, if any."""
    table = []
    for by in judges(review.record):
        found = stored_figures(review.record, by)
        if any(each.counted for each in found):
            table.append((f"PR by {by}", [number(each.rating, 2) for each in found]))
        luck = stored_luck(review.record, by)
        if any(luck):
            table.append((f"luck by {by}", [f"{each:+.3f}" for each in luck]))
    return table


def rows(players: list[PlayerReview], unit: str) -> list[tuple[str, list[str]]]:
    """The table of figures: a label and a cell for each player."""

    def line(label: str, pick: list[Figures]) -> tuple[str, list[str]]:
        return label, [number(each.rating, 2) for each in pick]

    table = [
        line("PR", [player.all for player in players]),
        ("", [rating_words(player.all.rating) for player in players]),
        ("error rate, mEq", [number(player.all.error_rate, 1) for player in players]),
        ("decisions that count", [str(player.all.counted) for player in players]),
        line("PR of checker plays", [player.plays for player in players]),
        line("PR of the cube", [player.cube for player in players]),
    ]
    for phase in GamePhase:
        if phase is not GamePhase.CUBE and any(p.phases[phase].counted for p in players):
            table.append(line(f"PR, {phase.value}", [p.phases[phase] for p in players]))
    percent = unit == "match"
    table += [
        ("blunders, errors, doubtful", [_marks(player.all) for player in players]),
        ("equity lost", [f"{player.all.lost:.3f}" for player in players]),
        *(
            (f"  {kind}", [_errors(player.errors[kind]) for player in players])
            for kind in ErrorKind
            if any(player.errors[kind].count for player in players)
        ),
        ("Snowie error rate, mEq", [number(player.snowie, 2) for player in players]),
        (f"{unit} lost by errors", [_lost(p.all.chance_lost, percent) for p in players]),
        ("luck, equity", [f"{player.luck:+.3f}" for player in players]),
        (f"luck, {unit}", [_chance(player.chance_luck, percent) for player in players]),
        ("result", [_result(player.result, percent) for player in players]),
        ("luck-adjusted result", [_result(player.adjusted, percent) for player in players]),
    ]
    return table


def game_rows(review: Review) -> list[tuple[int, str, list[str]]]:
    """A row for each game: number, result, and PR, equity lost and luck of both players."""
    table = []
    for index, game in enumerate(review.record.games, 1):
        result, cells = "unfinished", []
        if game.result is not None:
            points = f"{game.result.points} point{'s' if game.result.points > 1 else ''}"
            result = f"{review.record.players[game.result.winner]} won {points}"
        for seat in (0, 1):
            found = figures([d for d in review.decisions if (d.game, d.seat) == (index, seat)])
            luck = sum(
                each.luck for each in review.rolls if (each.game, each.seat) == (index, seat)
            )
            cells += [number(found.rating, 2), f"{found.lost:.3f}", f"{luck:+.3f}"]
        table.append((index, result, cells))
    return table


def number(value: float | None, digits: int) -> str:
    """A figure, or a dash where there is none."""
    return "-" if value is None else f"{value:.{digits}f}"


def _errors(found: Errors) -> str:
    return f"{found.count}: {found.lost:.3f}" if found.count else "-"


def _marks(found: Figures) -> str:
    return f"{found.blunders}/{found.errors}/{found.doubtful}"


def _chance(value: float, percent: bool) -> str:
    return f"{100 * value:+.1f}%" if percent else f"{value:+.2f}"


def _lost(value: float, percent: bool) -> str:
    return _chance(value, percent).lstrip("+")


def _result(value: float | None, percent: bool) -> str:
    if value is None:
        return "-"
    return f"{100 * value:.1f}%" if percent else f"{value:+.2f}"


def csv_text(review: Review) -> str:
    """Every decision as a row of CSV with the columns ``COLUMNS``."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for each in review.decisions:
        writer.writerow(
            [
                each.game, each.turn, review.record.players[each.seat], each.kind.value,
                each.phase.value, each.dice, each.made, each.best, f"{each.cost:.6f}", each.mark,
                int(each.counts), f"{each.chance:.6f}", f"{each.chance_lost:.6f}", each.id,
            ]
        )  # fmt: skip
    return out.getvalue()


def json_text(review: Review) -> str:
    """The analysis as JSON text."""
    import json

    return json.dumps(review_to_json(review), indent=1, ensure_ascii=False) + "\n"


def kind_words(decision: Decision) -> str:
    """``checker play``, ``double`` or ``take or pass``."""
    return {Kind.PLAY: "checker play", Kind.DOUBLE: "double", Kind.ANSWER: "take or pass"}[
        decision.kind
    ]
