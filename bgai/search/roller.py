"""Levels above the plies: close decisions of a search, rolled out briefly with the cube.

A search that errs has mostly seen the right play and misjudged it by little. So the few plays
within ``window`` of the best are rolled out for some turns on the same dice, 1-ply players first
and 0-ply players after, the games cut off judged at 1-ply; what counts is a mean of the rolled-out
and the searched equity. It stops as soon as the best is clear. Of cube decisions those are rolled
out in which doubling or taking is close.
"""

from dataclasses import dataclass

import numpy as np

from bgai.rules.position import Positions
from bgai.search.cubeful_lookahead import CubefulLookahead
from bgai.search.cubeful_rollout import CubeRollout
from bgai.search.cubeful_trials import Floats, Thought
from bgai.search.lookahead import Lookahead, RankedPlay
from bgai.search.move_filter import filters_named
from bgai.search.play_rollout import PlayRollout
from bgai.search.rollout_dice import SET
from bgai.search.rollout_run import RolloutSettings

_EARLY_TURNS = 3
_CLEAR = 1.5  # standard errors between the best play and each other, to stop at


@dataclass(frozen=True)
class RollerLevel:
    """How a level thinks. ``plies`` and ``filters`` are those of the search that goes before.

    At most ``most`` plays within ``window`` of the best are rolled out, ``trials`` games each of
    ``turns`` turns, and cube decisions within ``cube_window``; ``weight`` is the share of the
    rolled-out equity.
    """

    plies: int
    filters: str
    trials: int
    turns: int
    weight: float
    most: int = 3
    window: float = 0.015
    cube_window: float = 0.1


ROLLERS: dict[str, RollerLevel] = {
    "roller": RollerLevel(2, "wide", trials=72, turns=4, weight=0.7),
    "roller+": RollerLevel(2, "wide", trials=144, turns=4, weight=0.7),
    "roller++": RollerLevel(3, "wide", trials=144, turns=6, weight=0.5),
}
"""The levels by name."""


class Roller:
    """Puts the plays of a search in the order of a level."""

    def __init__(self, level: RollerLevel, quick: Lookahead, early: Lookahead) -> None:
        """``quick`` plays the games on at 0-ply, ``early`` their first turns."""
        self.level = level
        self.quick = quick
        self.early = early

    @classmethod
    def around(cls, search: Lookahead, level: RollerLevel) -> "Roller":
        """A level with the evaluator, pruner and threads of a search."""
        quick, early = (
            Lookahead(
                search.evaluator,
                plies,
                filters=filters_named("narrow"),
                pruner=search.pruner,
                threads=search.threads,
                piece=search.piece,
            )
            for plies in (0, 1)
        )
        return cls(level, quick, early)

    def reordered(self, plays: list[RankedPlay], search: CubefulLookahead) -> list[RankedPlay]:
        """The plays of ``search``, the best first, after the closest ones are rolled out.

        The ``worth`` of those is the mean of both equities; they stand before the others. Where a
        rollout says that the search has the level of a position wrong, that holds for all its
        plays: the others are moved by the mean of what the closest ones were.
        """
        level = self.level
        least = plays[0].worth - level.window
        close = [play for play in plays[: level.most] if play.worth >= least]
        after = np.stack([play.after for play in close])
        if len(close) < 2 or search.ends(after).all():
            return plays
        searched = np.array([play.worth for play in close])
        mixed, trials = self._mixed(after, searched, search)
        order = sorted(range(len(close)), key=lambda i: -mixed[i])
        shifts = mixed - searched
        first = [_shifted(close[i], shifts[i])._replace(trials=trials) for i in order]
        return [*first, *(_shifted(play, shifts.mean()) for play in plays[len(close) :])]

    def _mixed(
        self, after: Positions, searched: Floats, search: CubefulLookahead
    ) -> tuple[Floats, int]:
        """Mean equities ``(m,)`` of the plays, and the trials they took."""
        level = self.level
        run = PlayRollout(after, *self._players(search), thought=self._thought(search))
        while True:
            run.step()
            result = run.result()
            rolled = np.array([-each.equity.mean for each in result.summaries])
            mixed = level.weight * rolled + (1 - level.weight) * searched
            best = int(mixed.argmax())
            clear = all(
                mixed[best] - mixed[other]
                > _CLEAR * level.weight * result.difference(best, other).error
                for other in range(len(mixed))
                if other != best
            )
            if clear or run.trials_done >= level.trials // SET * SET:
                return mixed, run.trials_done

    def rolled_cube(
        self, position: Positions, no_double: float, taken: float, search: CubefulLookahead
    ) -> tuple[float, float]:
        """Equities ``no_double`` and double/take of a search, mixed with rolled-out ones.

        Unchanged where the decision of ``position`` ``(2, 26)`` is not close, the cube can't be
        turned, or the bear-off tables answer.
        """
        level = self.level
        gain, over = min(taken, 1.0) - no_double, taken - 1.0
        if (
            not min(abs(gain), abs(over)) <= level.cube_window  # NaN where there is no cube
            or search.ends(position[None]).all()
        ):
            return no_double, taken
        run = CubeRollout(position, *self._players(search), thought=self._thought(search))
        while True:
            run.step()
            result = run.result()
            assert result.double_take is not None
            assert result.gain is not None
            waits = self._mean(result.no_double.mean, no_double)
            takes = self._mean(result.double_take.mean, taken)
            doubling = result.gain if takes < 1.0 else result.no_double
            clear = (
                abs(takes - 1.0) > _CLEAR * level.weight * result.double_take.error
                and abs(min(takes, 1.0) - waits) > _CLEAR * level.weight * doubling.error
            )
            if clear or run.trials_done >= level.trials // SET * SET:
                return waits, takes

    def _mean(self, rolled: float, searched: float) -> float:
        return self.level.weight * rolled + (1 - self.level.weight) * searched

    def _players(self, search: CubefulLookahead) -> tuple[CubefulLookahead, RolloutSettings]:
        """Who plays the games on, and how many of them how far."""
        level = self.level
        settings = RolloutSettings(trials=level.trials, truncate=level.turns, batch=1)
        return CubefulLookahead(self.quick, search.stakes), settings

    def _thought(self, search: CubefulLookahead) -> Thought:
        return Thought(
            early=CubefulLookahead(self.early, search.stakes),
            early_turns=_EARLY_TURNS,
            first_cube=search,
            leaf_plies=1,
        )


def _shifted(play: RankedPlay, shift: float) -> RankedPlay:
    return play._replace(worth=play.worth + float(shift), shift=float(shift))
