"""What a score does to a game: the worth of a gammon and cubeless take points.

All functions take the :class:`bgai.equity.stakes.Stakes` of one cube and score and answer for
the present cube seen by the player on roll (``view`` 1: by the opponent).
"""

from typing import NamedTuple

from bgai.equity.stakes import Stakes


class GammonValues(NamedTuple):
    """Worth of a gammon (a backgammon) over the result below it, in the usual unit.

    The unit is the swing between a single loss and a single win, so that both are 0.5 in
    money play, and 0 under Jacoby while the cube is centred.
    """

    gammon: float
    backgammon: float


def gammon_values(stakes: Stakes, view: int = 0) -> GammonValues:
    """Gammon values of the view's player with the present cube turned no more."""
    if stakes.jacoby:
        return GammonValues(0.0, 0.0)
    win, gammon, backgammon = stakes.payoffs[view, 0, :3]
    return GammonValues(float((gammon - win) / 2), float((backgammon - gammon) / 2))


class DeadPoints(NamedTuple):
    """Cubeless points for a double from the present cube, in winning chances.

    ``take``: the taker's least winning chance. ``double``: the doubler's at the last roll of
    a game, when doubling and not doubling are worth the same. None where nobody gives up
    anything by it.
    """

    take: float
    double: float


def dead_points(
    stakes: Stakes,
    *,
    doubler_gammons: float = 0.0,
    taker_gammons: float = 0.0,
) -> DeadPoints | None:
    """Take and last-roll doubling points if the cube is turned once now and never again.

    ``doubler_gammons`` and ``taker_gammons`` are the shares of each side's wins that are
    gammons. None where the player on roll can't turn the cube. In a match the taker may have
    a redouble that costs nothing (a sure one), which is then counted.
    """
    after = stakes.after_take[0, 0]
    if after < 0:
        return None
    now = stakes.payoffs[0, 0]
    level = min(1, stakes.payoffs.shape[1] - 1)
    while not stakes.unlimited and _free_redouble(stakes, level):
        level += 1
    then = stakes.payoffs[0, level] * stakes.take_factor
    win_now = now[0] if stakes.jacoby else now[0] + doubler_gammons * (now[1] - now[0])
    lose_now = now[3] if stakes.jacoby else now[3] + taker_gammons * (now[4] - now[3])
    win = then[0] + doubler_gammons * (then[1] - then[0])
    lose = then[3] + taker_gammons * (then[4] - then[3])
    take = 1 - (now[0] - lose) / (win - lose) if win > lose else 0.0
    gained, risked = win - win_now, lose_now - lose
    double = risked / (gained + risked) if gained + risked > 0 else 0.0
    return DeadPoints(float(take), float(double))


def _free_redouble(stakes: Stakes, level: int) -> bool:
    """Whether the taker, owning this level, loses nothing more by turning it."""
    pay = stakes.payoffs[0]
    return bool(stakes.can_turn[0, level, 1] and pay[level, 0] == pay[level + 1, 0])
