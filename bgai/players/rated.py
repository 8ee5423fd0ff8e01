"""Opponents by performance rating: a good search whose judgement slips as people's does.

A rated player looks at the plays as its search does and misjudges each by a normal error. The
errors are larger in back games, with checkers on the bar late in the game, and at the cube, and
smaller in races; bear-offs are played right. An act that gives up more than ``most`` is never
chosen, so there is nothing absurd. Errors are drawn from the position, the dice and the seed: the
same seed gives the same game.
"""

import zlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bgai.analysis.plans import plays_back_game
from bgai.players.bot import Bot
from bgai.players.search_cube import SearchCubePolicy
from bgai.rules.acts import MakePlay
from bgai.rules.game import Game
from bgai.rules.outcome import Result
from bgai.rules.position import BAR, OFF, Positions, has_contact
from bgai.search.lookahead import Lookahead

RACE, RARE, CUBE = 0.6, 1.5, 1.4
"""How much larger errors are in races, in rare positions, at the cube."""
HOME = 6


@dataclass(frozen=True, slots=True)
class Slips:
    """How a player errs.

    ``spread`` is the standard deviation of what it thinks of an act, in equity, ``most`` the
    greatest error it can make. It resigns once the opponent has at most ``patience`` checkers left.
    """

    spread: float
    most: float
    patience: int = 15


class RatedBot(Bot):
    """A program that errs like a person of some strength."""

    def __init__(
        self, lookahead: Lookahead, slips: Slips, *, name: str = "bgai", seed: int = 0
    ) -> None:
        super().__init__(lookahead, name=name, cube=RatedCubePolicy(lookahead, slips, seed))
        self.slips = slips
        self.seed = seed

    def choose_play(self, game: Game) -> MakePlay:
        """The play that looks best."""
        ranked = self.rank_plays(game)
        if is_bearoff(game.position):
            return MakePlay(ranked[0].after)
        close = [each for each in ranked if ranked[0].worth - each.worth <= self.slips.most]
        errors = self.slips.spread * rarity(game.position) * draws(self.seed, game, len(close))
        seen = np.array([each.worth for each in close]) + errors
        return MakePlay(close[int(seen.argmax())].after)


class RatedCubePolicy(SearchCubePolicy):
    """The cube of such a program."""

    def __init__(self, lookahead: Lookahead, slips: Slips, seed: int) -> None:
        super().__init__(lookahead)
        self.slips = slips
        self.seed = seed

    def doubles(self, game: Game) -> bool:
        decision = self.decision(game)
        if decision.double_take is None or is_bearoff(game.position):
            return decision.action.doubles
        gain = min(decision.double_take, 1.0) - decision.no_double
        return gain > 0 if abs(gain) > self.slips.most else gain + self._error(game) > 0

    def taken(self, game: Game) -> float:
        taken = super().taken(game)
        if abs(taken - 1.0) > self.slips.most or is_bearoff(game.position):
            return taken
        return taken + self._error(game)

    def offers_resignation(self, game: Game) -> Result | None:
        """As the search has it, but not before the end is in sight."""
        left = int(15 - game.position[1, OFF])
        return super().offers_resignation(game) if left <= self.slips.patience else None

    def _error(self, game: Game) -> float:
        spread = self.slips.spread * CUBE * rarity(game.position)
        return spread * float(draws(self.seed, game, 1)[0])


def draws(seed: int, game: Game, count: int) -> NDArray[np.float64]:
    """Standard normal numbers of a decision, the same for the same seed."""
    roll = (0, 0) if game.roll is None else game.roll
    state = zlib.crc32(game.position.tobytes())
    key = [seed, state, *roll, game.cube_value, game.redoubles]
    return np.random.default_rng(key).standard_normal(count)


def is_bearoff(position: Positions) -> bool:
    """Whether the player on turn has all checkers home and nothing can be hit any more."""
    return not position[0, HOME + 1 :].any() and not bool(has_contact(position))


def rarity(position: Positions) -> float:
    """How much larger errors are here than in most positions."""
    if not has_contact(position):
        return RACE
    late_hit = bool(position[:, BAR].any() and position[:, OFF].any())
    back_game = any(plays_back_game(position, side) for side in (0, 1))
    return RARE if late_hit or back_game else 1.0
