"""What a game is played for: the worth of every result at every cube that can arise.

``Stakes`` turn money rules or a match score into plain arrays, so that one compiled model and
one search serve both.

Worth
    The equity of the player on roll in units of the *present* cube, zero-sum: negated when the
    turn passes. In a match normalised: at the score, losing a single game with this cube is -1
    and winning it +1.
Level
    How often the cube has been turned since now; level 0 is the present value. In money play
    without a maximum every level is the one before, doubled, so that one level is kept
    (``unlimited``) and ``take_factor`` is 2.
State
    A cube that can arise from the present one: level and owner. State 0 is the present cube.
    The numbering does not change when the turn passes; owners and payoffs do, so these arrays
    have a leading axis ``view``: 0 seen by the player on roll now, 1 seen by the other.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bgai.equity.match_equity import MatchEquityTable, kazaross_xg2
from bgai.rules.cube import Cube, CubeOwner, HouseRules
from bgai.rules.match import MatchScore

Floats = NDArray[np.float64]

CANNOT_DOUBLE = -1
_MOST_WORTH = 1e30
_LEAST = 1e-12


class StakesView(NamedTuple):
    """What compiled code needs of :class:`Stakes`, seen by one player: without the axis V."""

    payoffs: Floats
    can_turn: NDArray[np.bool_]
    level: NDArray[np.int64]
    owner: NDArray[np.int64]
    after_take: NDArray[np.int64]
    risk: Floats
    jacoby: bool
    unlimited: bool
    take_factor: float
    beavers: bool


@dataclass(frozen=True, eq=False)
class Stakes:
    """See the module's docstring; V = 2 views, K levels, S states.

    ``payoffs`` ``(V, K, 6)``: worth of winning 1, 2, 3 times the cube, of losing 1, 2, 3.
    ``can_turn`` bool ``(V, K, 2)``: whether the view's player (index 0), the other (1), may
    turn a cube of this level that is theirs or centred. ``level`` int64 ``(S,)``, ``owner``
    int64 ``(V, S)`` with values of ``CubeOwner``. ``after_take`` int64 ``(V, S)``: the state after
    the view's player doubles and is taken, ``CANNOT_DOUBLE`` where they can't. ``free_double`` bool
    ``(S,)``: the one player who may turn loses nothing more by it (the match is gone with
    this game anyway), so the cube comes at once. ``risk`` ``(S,)``: what the one player who may
    turn puts at stake by it against what they may gain, at most 1; 0 where doubling is free, 1
    where both may turn.
    ``jacoby``: gammons count single in the centred state. ``beavers``: the player doubled may
    turn at once and keep the cube. ``match``: the match-winning chance at worth 0, and what a
    worth of 1 adds to it; None in money play.
    """

    cube: Cube
    score: MatchScore | None
    rules: HouseRules
    payoffs: Floats
    can_turn: NDArray[np.bool_]
    level: NDArray[np.int64]
    owner: NDArray[np.int64]
    after_take: NDArray[np.int64]
    free_double: NDArray[np.bool_]
    risk: Floats
    take_factor: float
    jacoby: bool
    beavers: bool
    match: tuple[float, float] | None

    @property
    def unlimited(self) -> bool:
        """Whether levels repeat, each worth twice the one before."""
        return self.take_factor != 1.0

    def view(self, number: int) -> StakesView:
        """Seen by the player on roll now (0) or the other (1)."""
        return StakesView(
            self.payoffs[number], self.can_turn[number], self.level, self.owner[number],
            self.after_take[number], self.risk, self.jacoby, self.unlimited, self.take_factor,
            self.beavers,
        )  # fmt: skip

    @property
    def states(self) -> int:
        """Number of states."""
        return len(self.level)

    def equity(self, worth: Floats) -> Floats:
        """Equity in units of the present cube (normalised in a match), an array of its own."""
        return np.array(worth, dtype=np.float64)

    def match_chance(self, worth: Floats) -> Floats:
        """Match-winning chance of the player on roll now; only for a match."""
        assert self.match is not None
        return np.asarray(np.clip(self.match[0] + self.match[1] * worth, 0, 1))

    def dead_equity(self, chances: NDArray[np.floating]) -> Floats:
        """Equity of ``(..., 5)`` chances if the present cube is never turned."""
        if self.jacoby:
            chances = np.where(np.arange(5) == 0, chances, 0)
        return self.cubeless_equity(chances)

    def cubeless_equity(self, chances: NDArray[np.floating]) -> Floats:
        """The same with gammons that count in spite of Jacoby."""
        wide = np.asarray(chances, dtype=np.float64)
        win, wg, wbg, lg, lbg = np.moveaxis(wide, -1, 0)
        results = np.stack([win - wg, wg - wbg, wbg, 1 - win - lg, lg - lbg, lbg], axis=-1)
        return self.equity(results @ self.payoffs[0, 0])


def money_stakes(cube: Cube = Cube(), rules: HouseRules = HouseRules()) -> Stakes:  # noqa: B008
    """Stakes of a money game, in points of the present cube."""
    unlimited = rules.max_cube is None
    levels = 1
    if rules.max_cube is not None:
        levels = max(1, (rules.max_cube // cube.value).bit_length())
    values = 2.0 ** np.arange(levels)
    payoffs = values[:, None] * np.array([1.0, 2, 3, -1, -2, -3])
    can_turn = np.ones((levels, 2), dtype=bool)
    if not unlimited:
        can_turn[-1] = False
    return _stakes(cube, None, rules, payoffs, can_turn, unlimited=unlimited)


def match_stakes(
    cube: Cube,
    score: MatchScore,
    met: MatchEquityTable | None = None,
    rules: HouseRules = HouseRules(),  # noqa: B008
) -> Stakes:
    """Stakes of a game of a match; only ``max_cube`` of the house rules applies.

    ``met`` (Kazaross-XG2 by default) is seen by the player on roll.
    """
    met = met or kazaross_xg2()
    values = [cube.value]
    while values[-1] < max(score.away_on_roll, score.away_opponent):
        values.append(2 * values[-1])
    points = np.array(values)[:, None] * np.array([1, 2, 3])
    payoffs, match = _match_payoffs(points, score, met)
    highest = rules.max_cube or values[-1] * 2
    away = np.array([score.away_on_roll, score.away_opponent])
    can_turn = np.array(values)[:, None] < away
    can_turn &= (np.array(values)[:, None] * 2 <= highest) & (not score.crawford)
    return _stakes(cube, score, rules, payoffs, can_turn, unlimited=False, match=match)


def _match_payoffs(
    points: NDArray[np.int64], score: MatchScore, met: MatchEquityTable
) -> tuple[Floats, tuple[float, float]]:
    """Payoffs ``(K, 6)`` of winning and losing ``points`` ``(K, 3)``; ``Stakes.match``.

    The chance of a player who is far ahead differs from 1 by less than a float64 shows. So
    results are told apart by the chance of the one behind, which is small but exact.
    """
    mine, theirs = score.away_on_roll, score.away_opponent
    later = score.crawford or score.is_post_crawford
    if mine >= theirs:
        won = met.before_game(mine - points, theirs, post_crawford=later)
        lost = met.before_game(mine, theirs - points, post_crawford=later)
        base = 0.0
    else:
        other = met.swapped()
        won = -other.before_game(theirs, mine - points, post_crawford=later)
        lost = -other.before_game(theirs - points, mine, post_crawford=later)
        base = 1.0
    middle, unit = (won[0, 0] + lost[0, 0]) / 2, (won[0, 0] - lost[0, 0]) / 2
    results = np.concatenate([won, lost], axis=1) - middle
    if not unit > 0:  # to the digits of this table a single game changes nothing
        unit = np.abs(results).max() or 1.0
    # The bound is for big cubes in hopeless matches, where a gammon may be worth any number of
    # single games; it leaves room for products.
    payoffs = np.clip(results / unit, -_MOST_WORTH, _MOST_WORTH)
    return payoffs, (float(base + middle), float(unit))


@lru_cache(maxsize=512)
def stakes_for(
    cube: Cube,
    score: MatchScore | None = None,
    rules: HouseRules = HouseRules(),  # noqa: B008
    met: MatchEquityTable | None = None,
) -> Stakes:
    """Stakes of a match where there is a score, of a money game otherwise; kept and shared."""
    if score is None:
        return money_stakes(cube, rules)
    return match_stakes(cube, score, met, rules)


def _stakes(
    cube: Cube,
    score: MatchScore | None,
    rules: HouseRules,
    payoffs: Floats,
    can_turn: NDArray[np.bool_],
    *,
    unlimited: bool,
    match: tuple[float, float] | None = None,
) -> Stakes:
    states = _reachable(int(cube.owner), can_turn, unlimited)
    number = {state: i for i, state in enumerate(states)}
    after_take = np.full((2, len(states)), CANNOT_DOUBLE, dtype=np.int64)
    for (level, owner), i in number.items():
        for view, me in ((0, 1), (1, -1)):
            if owner != -me and can_turn[level, view]:
                after_take[view, i] = number[(0 if unlimited else level + 1), -me]
    risk = np.array([_risk(payoffs, can_turn, *state, unlimited) for state in states])
    turned = cube.owner != CubeOwner.CENTRED
    levels, owners = np.array(states, dtype=np.int64).T.copy()
    stakes = Stakes(
        cube=cube,
        score=score,
        rules=rules,
        payoffs=np.stack([payoffs, -payoffs[:, [3, 4, 5, 0, 1, 2]]]),
        can_turn=np.stack([can_turn, can_turn[:, ::-1]]),
        level=levels,
        owner=np.stack([owners, -owners]),
        after_take=after_take,
        free_double=risk == 0,
        risk=risk,
        take_factor=2.0 if unlimited else 1.0,
        jacoby=score is None and not rules.counts_gammons(turned=turned),
        beavers=score is None and rules.beaver_turns > 0,
        match=match,
    )
    for part in (stakes.payoffs, stakes.can_turn, stakes.level, stakes.owner, stakes.after_take):
        part.flags.writeable = False
    return stakes


def _reachable(owner: int, can_turn: NDArray[np.bool_], unlimited: bool) -> list[tuple[int, int]]:
    """(level, owner) of every cube that can arise, the present one first."""
    states = [(0, owner)]
    for level, holder in states:
        for view, me in ((0, 1), (1, -1)):
            after = (0 if unlimited else level + 1, -me)
            if holder != -me and can_turn[level, view] and after not in states:
                states.append(after)
    return states


def _risk(
    payoffs: Floats, can_turn: NDArray[np.bool_], level: int, owner: int, unlimited: bool
) -> float:
    if unlimited:
        return 1.0
    turners = [view for view, me in ((0, 1), (1, -1)) if owner != -me and can_turn[level, view]]
    if len(turners) != 1:
        return 1.0
    mine, other = slice(0, 3), slice(3, 6)
    won, lost = (mine, other) if turners[0] == 0 else (other, mine)
    steps = np.abs(np.diff(payoffs[level : level + 2], axis=0))[0]
    if not steps[lost].any():
        return 0.0
    return float(np.clip(steps[lost][0] / max(steps[won][0], _LEAST), _LEAST, 1.0))
