"""How a game swung: the chances before every turn."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bgai.evaluation.evaluator import Chances, swap_chances
from bgai.players.situation import game_situation
from bgai.rules.game import Game
from bgai.search.cube_verdict import situation_utility
from bgai.search.lookahead import Lookahead


@dataclass(frozen=True, slots=True, eq=False)
class CurvePoint:
    """Chances ``(5,)`` and cubeless equity of one seat before the turn of the act ``act``."""

    act: int
    turn: int
    chances: Chances
    equity: float
    cube: int


def equity_curve(
    engine: Lookahead, turns: Sequence[tuple[int, Game]], seat: int
) -> list[CurvePoint]:
    """The curve of a seat; ``turns`` are acts that rolled dice and the states after them."""
    if not turns:
        return []
    positions = np.stack([game.position for _, game in turns])
    points = []
    for (act, game), row in zip(turns, engine.evaluate(positions), strict=True):
        worth = float(situation_utility(game_situation(game)).worth(row[None])[0])
        mine = game.turn == seat
        points.append(
            CurvePoint(
                act,
                game.turn,
                row if mine else swap_chances(row),
                worth if mine else -worth,
                game.cube_value,
            )
        )
    return points
