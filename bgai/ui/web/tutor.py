"""The tutor's answers: what the one judge (:mod:`bgai.analysis.judging`) says, for the page."""

from collections.abc import Sequence
from typing import Any

from bgai.analysis.curve import equity_curve
from bgai.analysis.review import TRIVIAL, Decision, Kind, PlayerReview
from bgai.notation.play_text import parse_play
from bgai.notation.xgid import parse_xgid
from bgai.players.engines import Engine
from bgai.rules.acts import Act, OpeningDice, RollDice
from bgai.rules.game import Game, Phase

WORDS = {"??": "blunder", "?": "error", "?!": "doubtful", "": ""}
State = tuple[Game, Act, Game]
"""One act with the states before and after it."""


def verdict_fields(decision: Decision, judge: str) -> dict[str, Any]:
    """A decision judged: what it cost the seat ``of``. ``moves`` are those of the best play."""
    moves = None
    if decision.kind is Kind.PLAY:
        situation = parse_xgid(decision.id)
        assert situation.roll is not None
        best = parse_play(decision.best, situation.position, situation.roll)
        moves = [[move.source, move.destination, move.hit] for move in best]
    return {
        "of": decision.seat,
        "kind": decision.kind.value,
        "cost": round(decision.cost, 6),
        "mark": decision.mark,
        "word": WORDS[decision.mark],
        "made": decision.made,
        "best": decision.best,
        "is_best": decision.cost <= TRIVIAL or decision.made == decision.best,
        "counts": decision.counts,
        "engine": judge,
        "moves": moves,
    }


def decision_fields(decision: Decision, judge: str) -> dict[str, Any]:
    """A decision of the summary: its verdict, where it was, and the ID to look at it."""
    return {
        "act": decision.act,
        "seat": decision.seat,
        "id": decision.id,
        "dice": decision.dice or None,
        **verdict_fields(decision, judge),
    }


def player_fields(player: PlayerReview, judge: str) -> dict[str, Any]:
    """A player's figures of the game, as in the reports of ``bgai analyse``."""
    found = player.all
    return {
        "name": player.name,
        "engine": judge,
        "luck": round(player.luck, 6),
        "decisions": found.decisions,
        "counted": found.counted,
        "lost": round(found.lost, 6),
        "error_rate": round(found.error_rate or 0.0, 2),
        "rating": round(found.rating or 0.0, 2),
        "marks": {"blunder": found.blunders, "error": found.errors, "doubtful": found.doubtful},
    }


def curve_fields(engine: Engine, states: Sequence[State], seat: int) -> list[dict[str, Any]]:
    """The seat's chances and cubeless equity before every turn of the game."""
    turns = [
        (index, after)
        for index, (_, act, after) in enumerate(states)
        if isinstance(act, RollDice | OpeningDice) and after.phase is Phase.PLAY
    ]
    with engine.lock:
        points = equity_curve(engine.lookahead, turns, seat)
    return [
        {
            "of": seat,
            "act": point.act,
            "turn": point.turn,
            "win": round(float(point.chances[0]), 6),
            "equity": round(point.equity, 6),
            "cube": point.cube,
        }
        for point in points
    ]
