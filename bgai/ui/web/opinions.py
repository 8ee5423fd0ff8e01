"""What a judge says of a game: ranked plays, a cube decision, chances."""

from typing import Any

from bgai.equity.cube_action import CubeDecision, model_decision
from bgai.equity.efficiency import cube_efficiency
from bgai.equity.stakes import stakes_for
from bgai.evaluation.evaluator import Chances
from bgai.rules.game import Game, Phase
from bgai.rules.play import recover_play
from bgai.table.bot import RankedPlay
from bgai.ui.web.engines import Judge
from bgai.ui.web.situations import chances_fields, cube_fields, play_fields


def chances_of(judge: Judge, game: Game) -> Chances:
    """Chances ``(5,)`` of the player on turn, before the throw."""
    with judge.lock:
        return judge.bot.evaluator.evaluate(game.position[None])[0]


def ranked_plays(judge: Judge, game: Game) -> list[RankedPlay]:
    """All plays, the best first."""
    with judge.lock:
        return judge.bot.rank_plays(game)


def play_opinion(judge: Judge, game: Game, count: int | None = None) -> dict[str, Any]:
    """``plays`` ranked with equity, difference and chances of the mover."""
    assert game.throw is not None
    ranked = ranked_plays(judge, game)
    rows: list[dict[str, Any]] = []
    for each in [] if game.must_pass else ranked[:count]:
        play = recover_play(game.position, each.after, game.throw)
        rows.append(
            play_fields(play, each.after)
            | {
                "equity": round(each.equity, 6),
                "difference": round(each.equity - ranked[0].equity, 6),
                "chances": chances_fields(each.chances),
            }
        )
    return {
        "engine": judge.label,
        "throw": str(game.throw),
        "total": 0 if game.must_pass else len(ranked),
        "plays": rows,
        "equity": round(ranked[0].equity, 6),
        "chances": chances_fields(ranked[0].chances),
    }


def cube_decision(judge: Judge, game: Game) -> CubeDecision:
    """The decision of the player on turn, or of the one who doubled, before the double."""
    return decision_from_chances(game, chances_of(judge, game))


def decision_from_chances(game: Game, chances: Chances) -> CubeDecision:
    """The cube decision by the cubeful model from chances ``(5,)`` of the player on turn."""
    value = game.cube_value >> game.redoubles if game.phase is Phase.DOUBLED else game.cube_value
    cube = game.cube_for(game.turn)
    cube = type(cube)(value, cube.owner)
    stakes = stakes_for(cube, game.score_for(game.turn), game.rules)
    efficiency = cube_efficiency(game.position[None], chances[None])[0]
    return model_decision(chances, stakes, efficiency)


def cube_opinion(judge: Judge, game: Game) -> dict[str, Any]:
    """The cube decision with the chances behind it."""
    chances = chances_of(judge, game)
    return {
        "engine": judge.label,
        "chances": chances_fields(chances),
        **cube_fields(decision_from_chances(game, chances)),
    }
