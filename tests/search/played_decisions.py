"""Decisions of self-play, the stakes they are judged at and the released engine."""

from functools import cache

import numpy as np

from bgai.equity.stakes import match_stakes, money_stakes
from bgai.rules.cube import Cube, CubeOwner
from bgai.rules.dice import Roll, roll_dice
from bgai.rules.match import MatchScore
from bgai.rules.position import Positions, is_over, starting_position
from bgai.search.engine import EngineSettings, build_engine
from bgai.search.lookahead import Lookahead

OWNED = Cube(2, CubeOwner.OPPONENT)
STAKES = {
    "money": money_stakes(),
    "the opponent's cube": money_stakes(OWNED),
    "match": match_stakes(Cube(), MatchScore(7, 2, 4)),
    "redouble": match_stakes(OWNED, MatchScore(9, 1, 4)),
    "double match point": match_stakes(Cube(), MatchScore(3, 2, 2)),
}


@cache
def engine(plies: int) -> Lookahead:
    return build_engine(EngineSettings("expert", plies=plies))


@cache
def decisions() -> tuple[Positions, np.ndarray]:
    """400 decisions of self-play in which the best play wins 8 to 28 %, and 200 of all kinds."""
    rng = np.random.default_rng(15)
    games = np.repeat(starting_position()[None], 60, axis=0)
    positions, rolls, wins = [], [], []
    while len(games):
        positions.append(games)
        rolls.append(roll_dice(rng, len(games)))
        games = engine(0).choose(games, rolls[-1])
        wins.append(1 - engine(0).evaluate(games)[:, 0])
        games = games[~is_over(games)]
    played, thrown, won = (np.concatenate(each) for each in (positions, rolls, wins))
    order = rng.permutation(len(played))
    behind = (won >= 0.08) & (won <= 0.28)
    chosen = np.concatenate([order[behind[order]][:400], order[~behind[order]][:200]])
    return played[chosen], thrown[chosen]


def roll_of(dice: np.ndarray) -> Roll:
    return Roll(int(dice.max()), int(dice.min()))
