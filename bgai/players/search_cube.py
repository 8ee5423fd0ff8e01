"""A program's cube and resignations: decided by the cubeful search of its level."""

from bgai.equity.cube_action import (
    BeaverAnswer,
    CubeDecision,
    Response,
    best_beaver_answer,
    best_responses,
)
from bgai.equity.stakes import Stakes, stakes_for
from bgai.players.situation import game_situation
from bgai.rules.acts import ActKind, Answer, CubeAct
from bgai.rules.game import Game, Phase
from bgai.rules.outcome import Result
from bgai.rules.position import has_contact
from bgai.search.cube_verdict import cube_verdict
from bgai.search.cubeful_lookahead import CubefulLookahead
from bgai.search.lookahead import Lookahead

_RESIGNED_AT = 2  # plies


def game_stakes(game: Game) -> Stakes:
    """Stakes of the cube as it lies (before a pending double), seen by the player on turn."""
    situation = game_situation(game)
    return stakes_for(situation.cube, situation.score, game.rules_in_force)


class SearchCubePolicy:
    """Doubles, answers and resigns by the verdict at the depth of a lookahead.

    In money play and at every score. A resignation is judged by the cubeful worth of playing
    on, at 2-ply or deeper whatever the depth of the lookahead: a loss nobody doubts is a little
    less than certain to a bare network. One is offered only without contact, and only where
    playing on is worth the same.
    """

    SAME = 0.002
    """Equities within this, in units of the cube, count as equal when resigning."""
    NEAR = 0.3
    """Nothing is resigned where the equity at 0-ply is further than this from every level's."""

    def __init__(self, lookahead: Lookahead) -> None:
        self.lookahead = lookahead

    def decision(self, game: Game) -> CubeDecision:
        """The verdict on the cube of the player on turn, before any pending double."""
        return cube_verdict(game_situation(game), self.lookahead, market=False).decision

    def doubles(self, game: Game) -> bool:
        return self.decision(game).action.doubles

    def taken(self, game: Game) -> float:
        """The doubler's equity after double and take."""
        taken = self.decision(game).double_take
        assert taken is not None
        return taken

    def answer_double(self, game: Game) -> CubeAct:
        taken = self.taken(game)
        kinds = game.legal_kinds()
        if game.redoubles % 2:  # the doubler was beavered
            beaver = best_beaver_answer(taken, raccoons=ActKind.RACCOON in kinds)
            return {
                BeaverAnswer.PASS: CubeAct.PASS,
                BeaverAnswer.ACCEPT: CubeAct.TAKE,
                BeaverAnswer.RACCOON: CubeAct.RACCOON,
            }[beaver]
        response = Response(int(best_responses(taken, beavers=ActKind.BEAVER in kinds)))
        return {
            Response.PASS: CubeAct.PASS,
            Response.TAKE: CubeAct.TAKE,
            Response.BEAVER: CubeAct.BEAVER,
        }[response]

    def offers_resignation(self, game: Game) -> Result | None:
        """The level that loses what playing on loses; None before a roll is played or in doubt."""
        if game.phase is not Phase.TURN or bool(has_contact(game.position)):
            return None
        stakes = game_stakes(game)
        losses = {level: _resigned(game, stakes, level) for level in game.resignation_levels}
        rough = _equity(CubefulLookahead(self.lookahead, stakes), game, 0)
        if all(abs(loss - rough) > self.NEAR for loss in losses.values()):
            return None
        expected = self._expected(game, stakes)
        near = (level for level, loss in losses.items() if abs(loss - expected) <= self.SAME)
        return next(near, None)

    def answer_resignation(self, game: Game) -> Answer:
        """Accept what loses the resigner at least what playing on would."""
        assert game.offer is not None
        stakes = game_stakes(game)
        offered = _resigned(game, stakes, game.offer)
        accepts = offered <= self._expected(game, stakes) + self.SAME
        return Answer.ACCEPT if accepts else Answer.REFUSE

    def _expected(self, game: Game, stakes: Stakes) -> float:
        """Equity of playing on to the player on turn, who may double before rolling."""
        lookahead = self.lookahead
        if lookahead.plies < _RESIGNED_AT:
            lookahead = Lookahead(
                lookahead.evaluator, _RESIGNED_AT, pruner=lookahead.pruner,
                threads=lookahead.threads, piece=lookahead.piece,
            )  # fmt: skip
        search = CubefulLookahead(lookahead, stakes)
        if game.roll is not None:
            return search.best_plays(game.position, game.roll)[0].worth
        return _equity(search, game)


def _equity(search: CubefulLookahead, game: Game, plies: int | None = None) -> float:
    """Equity of the player on turn, who may double before rolling."""
    worths = search.value_decided(game.position[None], plies).worths
    return float(search.stakes.equity(worths[0, 0]))


def _resigned(game: Game, stakes: Stakes, level: Result) -> float:
    """Equity of the player on turn who resigns at a level."""
    counted = int(level) if game.counts_gammons else 1
    return float(stakes.equity(stakes.payoffs[0, 0, 2 + counted]))
