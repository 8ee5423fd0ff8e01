"""Answers about positions: what the rules, a search or a table say, in the one schema.

The front door (:mod:`bgai.api`), the commands and the web page call these. ``identifier`` is
what the asker called the position; it comes back as ``id``.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bgai import answers
from bgai.answers import Chances, Whose
from bgai.equity.cube_action import CubeAccess, CubeDecision
from bgai.equity.match_equity import MatchEquityTable
from bgai.errors import InputError
from bgai.evaluation.bearoff import BearoffSummary, bearoff_chances_and_kinds, side_summary
from bgai.evaluation.evaluator import Chances as ChancesArray
from bgai.notation.captions import decision_text, score_text, stakes_text
from bgai.notation.diagram import format_diagram, symbol
from bgai.notation.match_id import format_match_id
from bgai.notation.play_text import format_play
from bgai.notation.position_id import format_position_id
from bgai.notation.situation import Situation
from bgai.notation.xgid import format_xgid
from bgai.players.engines import Engine
from bgai.rules.dice import Roll
from bgai.rules.legal_plays import has_legal_play, legal_plays
from bgai.rules.match import MatchScore
from bgai.rules.play import Play, recover_play
from bgai.rules.position import Positions, is_over, pip_counts
from bgai.search.cube_verdict import (
    RollOutlook,
    cube_verdict,
    cubeful_plays,
    situation_utility,
)
from bgai.search.lookahead import RankedPlay

EXACT = 2  # kind of a bear-off whose chances come from the exact table


def chances_answer(chances: Sequence[float] | ChancesArray, of: Whose = "on_roll") -> Chances:
    """Five chances with whose they are."""
    win, wg, wbg, lg, lbg = (float(chance) for chance in chances)
    return Chances(
        of=of, win=win, win_gammon=wg, win_backgammon=wbg, lose_gammon=lg, lose_backgammon=lbg
    )


def dice_of(situation: Situation, dice: Roll | None) -> Roll:
    """The dice given, else those the situation carries. Raises ``InputError``."""
    check_not_over(situation)
    roll = situation.roll if dice is None else dice
    if roll is None:
        raise InputError("no roll: give two dice after the ID, such as 31")
    return roll


def check_not_over(situation: Situation) -> None:
    """Raise ``InputError`` where the game is over."""
    if is_over(situation.position):
        raise InputError("the game is over: one side has borne off all its checkers")


# --- positions and plays --------------------------------------------------------------------------


def position_answer(situation: Situation) -> answers.PositionAnswer:
    """Everything about a situation."""
    score, rules, seat = situation.score, situation.rules, situation.seat
    position_id, match_id = format_position_id(situation.position), format_match_id(situation)
    return answers.PositionAnswer.model_validate(
        {
            "xgid": format_xgid(situation),
            "position_id": position_id,
            "match_id": match_id,
            "gnu_id": f"{position_id}:{match_id}",
            "position": situation.position.tolist(),
            "pips": pip_counts(situation.position).tolist(),
            "cube": {"value": situation.cube.value, "owner": situation.cube.owner.name.lower()},
            "dice": None if situation.roll is None else str(situation.roll),
            "offer": situation.offer.name.lower(),
            "seat": seat.name.lower(),
            "match": None
            if score is None
            else {
                "length": score.length,
                "on_roll": score.on_roll,
                "opponent": score.opponent,
                "crawford": score.crawford,
            },
            "jacoby": rules.jacoby,
            "beavers": rules.beaver_turns > 0,
            "max_cube": rules.max_cube,
            "text": format_diagram(situation),
            "score_text": score_text(situation),
            "decision": decision_text(situation, symbol(seat), symbol(seat.other())),
        }
    )


def play_fields(position: Positions, after: Positions, dice: Roll) -> dict[str, Any]:
    """A play: its text, its moves and the position ID after it."""
    play = recover_play(position, after, dice)
    return {
        "play": format_play(play),
        "moves": [(move.source, move.destination, move.hit) for move in play],
        "after": format_position_id(after),
    }


def plays_answer(identifier: str, situation: Situation, dice: Roll) -> answers.PlaysAnswer:
    """The legal plays, high points first."""
    position = situation.position
    after = legal_plays(position, dice)
    rows: list[tuple[Play, Positions]] = []
    if has_legal_play(position, after):
        rows = sorted(((recover_play(position, each, dice), each) for each in after), key=_order)
    plays = [answers.LegalPlay(**play_fields(position, each, dice)) for _, each in rows]
    return answers.PlaysAnswer(id=identifier, dice=str(dice), plays=plays)


def _order(row: tuple[Play, Positions]) -> tuple[tuple[int, int], ...]:
    return tuple((-move.source, -move.destination) for move in row[0])


def best_answer(
    identifier: str,
    situation: Situation,
    dice: Roll,
    engine: Engine,
    count: int | None = None,
    of: Whose = "on_roll",
) -> answers.BestAnswer:
    """The plays of a roll, the best ``count`` of them; ``of`` is the mover's name."""
    with engine.lock:
        ranked = cubeful_plays(situation, dice, engine.lookahead)
    best, position = ranked[0], situation.position
    none = len(ranked) == 1 and not has_legal_play(position, best.after[None])
    plays = [] if none else [_ranked(position, dice, each, best, of) for each in ranked[:count]]
    return answers.BestAnswer(
        id=identifier,
        of=of,
        dice=str(dice),
        engine=engine.label,
        equity=best.worth,
        chances=chances_answer(best.chances, of),
        total=0 if none else len(ranked),
        plays=plays,
    )


def _ranked(
    position: Positions, dice: Roll, play: RankedPlay, best: RankedPlay, of: Whose
) -> answers.RankedPlay:
    return answers.RankedPlay(
        **play_fields(position, play.after, dice),
        equity=play.worth,
        difference=play.worth - best.worth,
        plies=play.plies,
        trials=play.trials,
        chances=chances_answer(play.chances, of),
    )


def evaluate_answer(
    identifier: str, situation: Situation, engine: Engine
) -> answers.EvaluateAnswer:
    """Chances and equity before the roll."""
    utility = situation_utility(situation)
    with engine.lock:
        chances = engine.lookahead.evaluate_at(situation.position[None], engine.plies, utility)
    return answers.EvaluateAnswer(
        id=identifier,
        engine=engine.label,
        equity=float(utility.worth(chances)[0]),
        chances=chances_answer(chances[0]),
    )


# --- the cube -------------------------------------------------------------------------------------


def verdict_fields(decision: CubeDecision) -> dict[str, Any]:
    """Fields of a ``CubeVerdictAnswer``."""
    points = decision.points
    chances = decision.match_chances
    names = ("no_double", "double_take", "double_pass")
    return {
        "verdict": decision.text,
        "action": decision.action.name.lower(),
        "access": decision.access.value,
        "redouble": decision.redouble,
        "no_double": decision.no_double,
        "double_take": decision.double_take,
        "double_pass": decision.double_pass,
        "beaver": decision.beaver,
        "equity": decision.equity,
        "cubeless": decision.cubeless,
        "costs": decision.costs,
        "points": {
            "double": points.double,
            "take": points.take,
            "cash": points.cash,
            "too_good": points.too_good,
        },
        "match_chances": None if chances is None else dict(zip(names, chances, strict=True)),
        "exact": decision.exact,
    }


def cube_answer(
    identifier: str,
    situation: Situation,
    engine: Engine,
    *,
    market: bool = True,
    rolls: bool = False,
    met: MatchEquityTable | None = None,
) -> answers.CubeAnswer:
    """The cube decision. ``market`` counts the rolls that lose it, ``rolls`` lists all 21."""
    with engine.lock:
        verdict = cube_verdict(situation, engine.lookahead, market=market or rolls, met=met)
    decision = verdict.decision
    turns = verdict.rolls and decision.double_take is not None
    return answers.CubeAnswer(
        id=identifier,
        engine=engine.label,
        plies=verdict.plies,
        stakes=stakes_text(situation),
        chances=chances_answer(verdict.chances),
        market_losers=verdict.market_losers if turns else None,
        rolls=[_roll(situation, each) for each in verdict.rolls] if rolls else None,
        **verdict_fields(decision),
    )


def _roll(situation: Situation, outlook: RollOutlook) -> answers.RollOutlook:
    def words(after: Positions) -> str:
        if not has_legal_play(situation.position, after[None]):
            return "no play"
        return format_play(recover_play(situation.position, after, outlook.roll))

    play = words(outlook.after)
    doubled = play if outlook.after_double is None else words(outlook.after_double)
    return answers.RollOutlook(
        dice=str(outlook.roll),
        play=play,
        play_doubled=None if doubled == play else doubled,
        no_double=outlook.no_double,
        double_take=outlook.double_take,
        loses_market=outlook.loses_market,
    )


def score_table_answer(
    identifier: str,
    money: Situation,
    engine: Engine,
    away: int,
    met: MatchEquityTable | None = None,
) -> answers.ScoreTableAnswer:
    """The decision for money and at every score up to ``away`` points."""
    needs = range(1, away + 1)
    return answers.ScoreTableAnswer(
        id=identifier,
        engine=engine.label,
        stakes=stakes_text(money),
        money=_cell(engine, money, None, None),
        scores=[[_cell(engine, money, (a, b), met) for b in needs] for a in needs],
    )


def _cell(
    engine: Engine, money: Situation, away: tuple[int, int] | None, met: MatchEquityTable | None
) -> answers.ScoreCell:
    situation = money
    if away is not None:
        length = max(away)
        score = MatchScore(length, length - away[0], length - away[1])
        situation = replace(money, score=score, session=(0, 0))
    with engine.lock:
        decision = cube_verdict(situation, engine.lookahead, market=False, met=met).decision
    return answers.ScoreCell(
        away=away,
        verdict=decision.text,
        short=short_action(decision),
        no_double=decision.no_double,
        double_take=decision.double_take,
    )


def short_action(decision: CubeDecision) -> str:
    """Two to four letters: ND, D/T, D/P, D/B, TG, and - where nobody can turn the cube."""
    if decision.access is not CubeAccess.AVAILABLE:
        return "-"
    codes = ["-", "ND", "ND/B", "D/T", "D/P", "D/B", "TG/T", "TG"]
    return codes[int(decision.action)]


# --- bear-offs ------------------------------------------------------------------------------------


def bearoff_answer(identifier: str, situation: Situation) -> answers.BearoffAnswer:
    """What the tables say. Raises ``InputError`` unless the player on roll is home."""
    check_not_over(situation)
    position = situation.position
    fields: dict[str, Any] = {"id": identifier, "on_roll": _side(side_summary(position[0]))}
    if not position[1, 7:].any():
        chances, kinds = bearoff_chances_and_kinds(position[None])
        fields |= {
            "opponent": _side(side_summary(position[1])),
            "equity": float(situation_utility(situation).worth(np.asarray(chances))[0]),
            "chances": chances_answer(chances[0]),
            "exact": bool(kinds[0] == EXACT),
        }
    return answers.BearoffAnswer(**fields)


def _side(summary: BearoffSummary) -> answers.BearoffSide:
    return answers.BearoffSide(
        pips=summary.pips,
        effective_pips=summary.effective_pips,
        wastage=summary.wastage,
        mean_rolls=summary.mean_rolls,
        deviation=summary.deviation,
        distribution=summary.distribution.tolist(),
        first_checker=summary.first.tolist(),
    )
