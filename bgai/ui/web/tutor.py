"""The tutor's answers: what the one judge (:mod:`bgai.analysis.judging`) says, for the page."""

from collections.abc import Sequence
from typing import Any

from bgai import game_answers as answers
from bgai.analysis.answering import best_answer, chances_answer, cube_answer
from bgai.analysis.curve import equity_curve
from bgai.analysis.review import TRIVIAL, Decision, Kind, PlayerReview
from bgai.notation.play_text import parse_play
from bgai.notation.xgid import format_xgid, parse_xgid
from bgai.players.engines import Engine
from bgai.players.opinions import opinion
from bgai.rules.acts import Act, OpeningDice, RollDice
from bgai.rules.game import Game, Phase
from bgai.ui.web.situations import shown_situation

WORDS = {"??": "blunder", "?": "error", "?!": "doubtful", "": ""}
HINTS = 5
"""Plays a hint names."""
State = tuple[Game, Act, Game]
"""One act with the states before and after it."""


def hint_answer(engine: Engine, game: Game, person: int) -> answers.HintAnswer:
    """What an engine would do in the person's place.

    Chances are always the person's. Equities of plays too; those of a cube decision are the
    doubler's, the seat in ``of``.
    """
    situation = shown_situation(game, person)
    name = format_xgid(situation)
    if game.phase is Phase.PLAY:
        assert game.roll is not None
        best = best_answer(name, situation, game.roll, engine, HINTS, person)
        return answers.HintAnswer(root=answers.PlayHint(**dict(best)))
    with engine.lock:
        said = opinion(engine.bot, game)
    advice = "roll" if said.act is None else said.act.kind.value
    if game.phase is Phase.RESIGNED:
        mine = chances_answer(said.chances, person)
        resigned = answers.ResignationHint(engine=engine.label, advice=advice, chances=mine)
        return answers.HintAnswer(root=resigned)
    cube = cube_answer(name, situation, engine)
    win, wg, wbg, lg, lbg = cube.chances.values
    if game.turn != person:
        win, wg, wbg, lg, lbg = 1 - win, lg, lbg, wg, wbg
    mine = chances_answer((win, wg, wbg, lg, lbg), person)
    fields = dict(cube) | {"of": game.turn, "chances": mine}
    return answers.HintAnswer(root=answers.CubeHint(advice=advice, **fields))


def verdict_answer(decision: Decision, judge: str) -> answers.VerdictAnswer:
    """A decision judged."""
    return answers.VerdictAnswer(**_verdict(decision, judge))


def decision_answer(decision: Decision, judge: str) -> answers.DecisionAnswer:
    """A decision of the summary: its verdict, where it was, and the ID to look at it."""
    return answers.DecisionAnswer(
        act=decision.act,
        seat=decision.seat,
        id=decision.id,
        dice=decision.dice or None,
        **_verdict(decision, judge),
    )


def _verdict(decision: Decision, judge: str) -> dict[str, Any]:
    moves = None
    if decision.kind is Kind.PLAY:
        situation = parse_xgid(decision.id)
        assert situation.roll is not None
        best = parse_play(decision.best, situation.position, situation.roll)
        moves = [(move.source, move.destination, move.hit) for move in best]
    return {
        "of": decision.seat,
        "kind": decision.kind.value,
        "cost": decision.cost,
        "mark": decision.mark,
        "word": WORDS[decision.mark],
        "made": decision.made,
        "best": decision.best,
        "is_best": decision.cost <= TRIVIAL or decision.made == decision.best,
        "counts": decision.counts,
        "engine": judge,
        "moves": moves,
    }


def seat_answer(player: PlayerReview, judge: str) -> answers.SeatSummary:
    """A player's figures of the game, as in the reports of ``bgai analyse``."""
    found = player.all
    return answers.SeatSummary(
        name=player.name,
        engine=judge,
        luck=player.luck,
        decisions=found.decisions,
        counted=found.counted,
        lost=found.lost,
        error_rate=found.error_rate,
        rating=found.rating,
        marks=answers.MarkCounts(
            doubtful=found.doubtful, error=found.errors, blunder=found.blunders
        ),
    )


def curve_points(
    engine: Engine, states: Sequence[State], seat: int
) -> list[answers.CurvePointAnswer]:
    """The seat's chances and cubeless equity before every turn of the game."""
    turns = [
        (index, after)
        for index, (_, act, after) in enumerate(states)
        if isinstance(act, RollDice | OpeningDice) and after.phase is Phase.PLAY
    ]
    with engine.lock:
        points = equity_curve(engine.lookahead, turns, seat)
    return [
        answers.CurvePointAnswer(
            of=seat,
            act=point.act,
            turn=point.turn,
            win=float(point.chances[0]),
            equity=point.equity,
            cube=point.cube,
        )
        for point in points
    ]
