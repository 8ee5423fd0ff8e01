"""What a judge says of a game: ranked plays, a cube decision, chances."""

from typing import Any

from bgai.players.engines import Engine
from bgai.rules.game import Game
from bgai.rules.play import recover_play
from bgai.search.cube_verdict import CubeVerdict, cube_verdict, cubeful_plays
from bgai.search.lookahead import RankedPlay
from bgai.ui.web.situations import chances_fields, cube_fields, play_fields, shown_situation


def ranked_plays(judge: Engine, game: Game) -> list[RankedPlay]:
    """All plays with the cube and the score in mind, the best first."""
    assert game.roll is not None
    with judge.lock:
        return cubeful_plays(shown_situation(game), game.roll, judge.lookahead)


def play_opinion(judge: Engine, game: Game, count: int | None = None) -> dict[str, Any]:
    """``plays`` ranked with equity, difference and chances of the mover."""
    assert game.roll is not None
    ranked = ranked_plays(judge, game)
    rows: list[dict[str, Any]] = []
    for each in [] if game.must_pass else ranked[:count]:
        play = recover_play(game.position, each.after, game.roll)
        rows.append(
            play_fields(play, each.after)
            | {
                "equity": round(each.worth, 6),
                "difference": round(each.worth - ranked[0].worth, 6),
                "plies": each.plies,
                "chances": chances_fields(each.chances),
            }
        )
    return {
        "engine": judge.label,
        "roll": str(game.roll),
        "total": 0 if game.must_pass else len(ranked),
        "plays": rows,
        "equity": round(ranked[0].worth, 6),
        "chances": chances_fields(ranked[0].chances),
    }


def verdict_of(judge: Engine, game: Game, *, market: bool = False) -> CubeVerdict:
    """The decision of the player on turn, or of the one who doubled, before the double."""
    with judge.lock:
        return cube_verdict(shown_situation(game), judge.lookahead, market=market)


def cube_opinion(judge: Engine, game: Game) -> dict[str, Any]:
    """The cube decision with the chances behind it and how many rolls lose the market."""
    verdict = verdict_of(judge, game, market=True)
    losers = verdict.market_losers if verdict.decision.double_take is not None else None
    return {
        "engine": judge.label,
        "chances": chances_fields(verdict.chances),
        **cube_fields(verdict.decision),
        "market_losers": losers,
    }
