"""What a judge says of a game: ranked plays, a cube decision, chances."""

from typing import Any, Literal

from bgai.evaluation.evaluator import swap_chances
from bgai.players.engines import Engine
from bgai.rules.game import Game
from bgai.rules.play import recover_play
from bgai.search.cube_verdict import CubeVerdict, cube_verdict, cubeful_plays
from bgai.search.lookahead import RankedPlay
from bgai.ui.web.situations import (
    Whose,
    chances_fields,
    cube_fields,
    play_fields,
    shown_situation,
)


def ranked_plays(judge: Engine, game: Game) -> list[RankedPlay]:
    """All plays with the cube and the score in mind, the best first."""
    assert game.roll is not None
    with judge.lock:
        return cubeful_plays(shown_situation(game), game.roll, judge.lookahead)


def play_opinion(
    judge: Engine, game: Game, count: int | None = None, of: Whose = "on_roll"
) -> dict[str, Any]:
    """``plays`` ranked with equity, difference and chances of the mover, who is ``of``."""
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
                "chances": chances_fields(each.chances, of),
            }
        )
    return {
        "engine": judge.label,
        "of": of,
        "roll": str(game.roll),
        "total": 0 if game.must_pass else len(ranked),
        "plays": rows,
        "equity": round(ranked[0].worth, 6),
        "chances": chances_fields(ranked[0].chances, of),
    }


def verdict_of(judge: Engine, game: Game, *, market: bool = False) -> CubeVerdict:
    """The decision of the player on turn, or of the one who doubled, before the double."""
    with judge.lock:
        return cube_verdict(shown_situation(game), judge.lookahead, market=market)


def cube_opinion(
    judge: Engine, game: Game, doubler: Whose = "on_roll", of: Whose | None = None
) -> dict[str, Any]:
    """The cube decision, the chances before it and how many rolls lose the market.

    Equities are the ``doubler``'s, the player on turn; chances those of ``of``, by default the
    same.
    """
    verdict = verdict_of(judge, game, market=True)
    losers = verdict.market_losers if verdict.decision.double_take is not None else None
    of = doubler if of is None else of
    chances = verdict.chances if of == doubler else swap_chances(verdict.chances)
    return {
        "engine": judge.label,
        "chances": chances_fields(chances, of),
        **cube_fields(verdict.decision, doubler),
        "market_losers": losers,
    }


def chances_of(judge: Engine, game: Game, seat: Literal[0, 1]) -> dict[str, Any]:
    """The chances of a seat: before the roll, or after the best play of the roll there is."""
    if game.roll is None:
        with judge.lock:
            chances = judge.lookahead.evaluate(game.position[None])[0]
    else:
        chances = ranked_plays(judge, game)[0].chances
    return chances_fields(chances if seat == game.turn else swap_chances(chances), seat)
