"""The cube verdict of a situation: what to do, what errors cost, how many rolls lose the market.

This is the one door for everybody who asks about the cube (commands, reports, the web page)::

    verdict = cube_verdict(parse_identifier(xgid), build_engine(EngineSettings(plies=2)))
    verdict.decision.text        # "Double, take"
    verdict.decision.no_double   # equities, costs and cube points: bgai.equity.cube_action
    verdict.rolls[0]            # 11: the best play, the equity after it, market lost or not

At 0-ply the model judges the evaluator's chances, deeper a cubeful search; in the exact bear-off
table (money play) the verdict is exact at any depth. Plays with the cube and score in mind are
ranked by :func:`cubeful_plays`.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bgai.equity.bearoff_cube import answers_for, exact_cube_equities, in_cube_table
from bgai.equity.cube_action import CubeDecision, cube_decision
from bgai.equity.cubeful import equities_from_worths
from bgai.equity.efficiency import cube_efficiency
from bgai.equity.match_equity import MatchEquityTable
from bgai.equity.stakes import CANNOT_DOUBLE, Stakes, stakes_for
from bgai.errors import InputError
from bgai.evaluation.evaluator import Chances
from bgai.notation.situation import Situation
from bgai.rules.dice import ROLL_CHANCES, ROLLS, Roll
from bgai.rules.position import Positions, is_over
from bgai.search.cubeful_lookahead import CubefulLookahead, Outlook, Valued
from bgai.search.lookahead import Lookahead, RankedPlay
from bgai.search.utility import LinearUtility, cubeless_utility


@dataclass(frozen=True, slots=True, eq=False)
class RollOutlook:
    """One of the 21 rolls after a cube decision; equities as in :class:`CubeDecision`.

    ``no_double`` is the equity after the best play with the cube as it is, ``after`` the
    position ``(2, 26)`` then, the opponent on roll; ``double_take`` and ``after_double`` the
    same after double and take (None where the cube can't be turned). ``loses_market``: the
    opponent would then rather have passed.
    """

    roll: Roll
    chance: float
    no_double: float
    after: Positions
    double_take: float | None
    after_double: Positions | None
    loses_market: bool


@dataclass(frozen=True, slots=True, eq=False)
class CubeVerdict:
    """A decision, the chances behind it ``(5,)`` and what each roll brings.

    ``plies`` is the depth. ``rolls`` is empty where the market was not asked for.
    """

    decision: CubeDecision
    chances: Chances
    plies: int
    rolls: tuple[RollOutlook, ...] = ()

    @property
    def market_losers(self) -> int:
        """How many of the 36 rolls lose the market."""
        return round(36 * sum(roll.chance for roll in self.rolls if roll.loses_market))


def situation_stakes(situation: Situation, met: MatchEquityTable | None = None) -> Stakes:
    """The stakes of a situation's cube, score and rules, seen by its player on roll."""
    return stakes_for(situation.cube, situation.score, situation.rules, met)


def situation_utility(situation: Situation) -> LinearUtility:
    """What the player on roll plays for with the cube left where it is."""
    return cubeless_utility(situation_stakes(situation))


def cube_verdict(
    situation: Situation,
    lookahead: Lookahead,
    *,
    plies: int | None = None,
    market: bool = True,
    met: MatchEquityTable | None = None,
) -> CubeVerdict:
    """Judge the cube of the player on roll, before rolling (dice already rolled are ignored).

    ``plies`` is the ``lookahead``'s own depth by default, ``met`` the packaged table. With a
    pending double the double itself is judged, the cube as it was. ``market`` asks for the
    rolls; it costs one ply more at 0-ply and nothing deeper. Raises ``InputError`` when the
    game is over.
    """
    depth = lookahead.plies if plies is None else plies
    search = CubefulLookahead(lookahead, situation_stakes(situation, met))
    position = np.ascontiguousarray(situation.position)[None]
    if is_over(position)[0]:
        raise InputError("the game is over: one side has borne off all its checkers")
    outlook = search.outlook(position, depth) if market or depth else None
    valued = search.value(position, 0) if depth == 0 or outlook is None else outlook.valued
    decision = decision_of(position, valued, search, rolled=depth == lookahead.plies)
    rolls = _rolls(outlook, search.stakes) if market and outlook is not None else ()
    return CubeVerdict(decision, valued.chances[0], depth, rolls)


def decision_of(
    positions: Positions, valued: Valued, search: CubefulLookahead, *, rolled: bool = False
) -> CubeDecision:
    """The decision of one position ``(1, 2, 26)`` from its values, exact where it can be.

    ``rolled``: a level that rolls out has its say where the decision is close.
    """
    stakes = search.stakes
    exact = answers_for(stakes) and bool(in_cube_table(positions)[0])
    found = (
        exact_cube_equities(positions, stakes)
        if exact
        else equities_from_worths(valued.worths, stakes)
    )
    no_double, taken, passed = (float(equity[0]) for equity in found)
    roller = search.lookahead.roller
    if rolled and roller is not None and not exact:
        no_double, taken = roller.rolled_cube(positions[0], no_double, taken, search)
    efficiency = cube_efficiency(positions, valued.chances, search.cube_model)[0]
    return cube_decision(
        (no_double, taken, passed), stakes, valued.chances[0], efficiency, exact=exact
    )


def _rolls(outlook: Outlook, stakes: Stakes) -> tuple[RollOutlook, ...]:
    after = int(stakes.after_take[0, 0])
    waiting = stakes.equity(outlook.worths[0, :, 0])
    taken: NDArray[np.float64] | None = None
    if after != CANNOT_DOUBLE:
        taken = stakes.equity(stakes.take_factor * outlook.worths[0, :, after])
    rolls = []
    for i, roll in enumerate(ROLLS):
        best = outlook.best[0, i]
        doubled = None if taken is None else float(taken[i])
        rolls.append(
            RollOutlook(
                roll=roll,
                chance=float(ROLL_CHANCES[i]),
                no_double=float(waiting[i]),
                after=outlook.after[best[0]],
                double_take=doubled,
                after_double=None if taken is None else outlook.after[best[after]],
                loses_market=doubled is not None and doubled > 1,
            )
        )
    return tuple(rolls)


def cubeful_plays(
    situation: Situation,
    roll: Roll,
    lookahead: Lookahead,
    *,
    met: MatchEquityTable | None = None,
) -> list[RankedPlay]:
    """All plays of a roll, the best first, judged with the cube and the score.

    ``worth`` is the mover's equity in units of the present cube, normalised in a match, with
    the opponent free to double next.
    """
    search = CubefulLookahead(lookahead, situation_stakes(situation, met))
    return search.best_plays(situation.position, roll)
