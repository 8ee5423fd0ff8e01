"""When a program turns the cube, takes, and resigns.

``CubePolicy`` is the interface; ``ChancesCubePolicy`` is a plain policy from the chances of
one evaluation, for engines without a cube model of their own.
"""

from typing import Protocol

import numpy as np

from bgai.evaluation.evaluator import Chances, Evaluator, swap_chances
from bgai.rules.acts import ActKind, Answer, CubeAct
from bgai.rules.game import Game
from bgai.rules.outcome import Result
from bgai.rules.position import has_contact


class CubePolicy(Protocol):
    """The decisions of a player that are not plays; each sees the whole state."""

    def doubles(self, game: Game) -> bool:
        """Whether the player on turn doubles; a double is legal."""
        ...

    def answer_double(self, game: Game) -> CubeAct:
        """The answer of ``game.actor`` to a double, beaver or raccoon."""
        ...

    def offers_resignation(self, game: Game) -> Result | None:
        """The level the player on turn resigns at, or None."""
        ...

    def answer_resignation(self, game: Game) -> Answer:
        """The answer of ``game.actor`` to ``game.offer``."""
        ...


def gammon_weights(game: Game, seat: int, value: int, gammons: bool) -> tuple[float, float]:
    """What a gammon adds for this seat and against it, in units of a single game, 0 to 1.

    ``value`` is the cube the game would be played at; nothing where gammons don't count, and
    only as much as the winner of a match still needs.
    """
    weights = []
    for winner in (seat, 1 - seat):
        away = game.standing.away(winner)
        useful = 1.0 if away is None else float(np.clip(away / value - 1, 0, 1))
        weights.append(useful if gammons else 0.0)
    return weights[0], weights[1]


def weighted_equity(chances: Chances, weights: tuple[float, float]) -> Chances:
    """Equity ``(...)`` of ``(..., 5)`` chances with gammons worth the weights."""
    win, wg, wbg, lg, lbg = np.moveaxis(chances, -1, 0)
    equity = 2 * win - 1 + weights[0] * (wg + wbg) - weights[1] * (lg + lbg)
    return np.asarray(equity, dtype=np.float32)


class ChancesCubePolicy:
    """Fixed thresholds on the cubeless equity of one evaluation.

    Take at a quarter with a little less for owning the cube; double inside the market window;
    play on when gammons are worth more than the cash; beaver as the favourite. A player one
    point from losing the match doubles at once. No match equity is used.
    """

    TAKE = -0.56  # cubeless equity of the taker at which recube vig makes up the rest
    DOUBLE = 0.40
    REDOUBLE = 0.46
    TOO_GOOD = 1.02
    BEAVER = 0.04
    HOPELESS = 0.02
    RESIGN = 0.998

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator

    def _chances(self, game: Game, seat: int) -> Chances:
        """Chances of a seat before the player on turn throws."""
        chances = self.evaluator.evaluate(game.position[None])[0]
        return chances if seat == game.turn else swap_chances(chances)

    def doubles(self, game: Game) -> bool:
        seat = game.turn
        chances = self._chances(game, seat)
        if game.standing.away(1 - seat) == 1:  # after the Crawford game: nothing to lose
            return bool(chances[0] > self.HOPELESS)
        weights = gammon_weights(game, seat, game.cube_value, game.counts_gammons)
        if weighted_equity(chances, weights) >= self.TOO_GOOD:
            return False
        doubled = weighted_equity(chances, gammon_weights(game, seat, 2 * game.cube_value, True))
        return bool(doubled >= (self.DOUBLE if game.cube_owner is None else self.REDOUBLE))

    def answer_double(self, game: Game) -> CubeAct:
        seat = game.actor
        assert seat is not None
        value = 2 * game.cube_value
        kinds = game.legal_kinds()
        weights = gammon_weights(game, seat, value, True)
        equity = float(weighted_equity(self._chances(game, seat), weights))
        for kind, act in ((ActKind.BEAVER, CubeAct.BEAVER), (ActKind.RACCOON, CubeAct.RACCOON)):
            if kind in kinds and equity >= self.BEAVER:
                return act
        return CubeAct.TAKE if equity >= self.TAKE else CubeAct.PASS

    def offers_resignation(self, game: Game) -> Result | None:
        """Only without contact and what is as good as certain, so that nothing is given away."""
        if game.throw is not None or bool(has_contact(game.position)):
            return None
        win, _, _, lose_gammon, lose_backgammon = map(float, self._chances(game, game.turn))
        levels = game.resignation_levels
        if 1 - win < self.RESIGN or not levels:
            return None
        if levels[-1] is Result.SINGLE:
            return Result.SINGLE
        if lose_gammon <= 1 - self.RESIGN:
            level = Result.SINGLE
        elif lose_gammon >= self.RESIGN and lose_backgammon <= 1 - self.RESIGN:
            level = Result.GAMMON
        else:
            return None
        return level if level in levels else None

    def answer_resignation(self, game: Game) -> Answer:
        """Refuse what is less than playing on promises."""
        seat = game.actor
        assert seat is not None
        assert game.offer is not None
        weights = gammon_weights(game, seat, game.cube_value, game.counts_gammons)
        expected = float(weighted_equity(self._chances(game, seat), weights))
        offered = 1 + weights[0] * (int(game.offer) - 1)
        return Answer.ACCEPT if offered >= expected - 0.005 else Answer.REFUSE
