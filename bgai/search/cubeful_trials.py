"""Games played out with the cube, many at once: what rollouts of cubes and of plays share.

Each turn everybody doubles, passes and takes as a search of at least one ply sees it; a pass ends
the game. Dice and strata are those of :mod:`bgai.search.rollout`.

Variance reduction works on the cubeful worth: from each trial the luck of every roll is
subtracted, the worth after the best play of the roll in the state of the cube at that moment
less its mean over all rolls. That mean is also the worth on which the cube is decided.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgai.equity.stakes import CANNOT_DOUBLE
from bgai.errors import InputError
from bgai.evaluation.evaluator import swap_chances
from bgai.rules.dice import ROLL_CHANCES
from bgai.rules.position import Positions, is_over
from bgai.search.cubeful_lookahead import CubefulLookahead, Outlook
from bgai.search.luck import roll_index
from bgai.search.rollout_dice import SET, rolls_of_sets
from bgai.search.rollout_run import (
    EVERY,
    LONGEST,
    R,
    RolloutRun,
    RolloutSettings,
    Trials,
    VarianceReduction,
)

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]


@dataclass(frozen=True)
class Thought:
    """Deeper thought where it tells most: early in each game and at its end.

    ``early`` plays the first ``early_turns`` turns, the rollout's player those after.
    ``first_cube`` decides on the cube before the first roll. A game cut off is judged
    ``leaf_plies`` deep.
    """

    early: CubefulLookahead | None = None
    early_turns: int = 0
    first_cube: CubefulLookahead | None = None
    leaf_plies: int = 0

    def words(self) -> list[int | None]:
        """What makes a difference to a trial, for a saved rollout."""
        depths = [
            None if each is None else each.lookahead.plies for each in (self.early, self.first_cube)
        ]
        return [*depths, self.early_turns, self.leaf_plies]


@dataclass
class _Games:
    """Games under way, one a row; ``row`` is where it is booked, ``trial`` its dice."""

    positions: Positions
    row: Rows
    trial: Rows
    line: Rows
    state: Rows
    scale: Floats

    def where(self, mask: NDArray[np.bool_]) -> "_Games":
        return _Games(
            self.positions[mask],
            self.row[mask],
            self.trial[mask],
            self.line[mask],
            self.state[mask],
            self.scale[mask],
        )


class CubefulTrials(RolloutRun[R]):
    """Lines of games on the same dice; ``view`` 0 is the player whom the stakes were made for."""

    def __init__(
        self,
        positions: Positions,
        player: CubefulLookahead,
        settings: RolloutSettings | None = None,
        *,
        first_view: int = 0,
        states: Sequence[int] | None = None,
        thought: Thought | None = None,
        label: str = "",
    ) -> None:
        """``positions`` ``(lines, 2, 26)`` with the player of ``first_view`` on roll.

        In view 0 that player rolls without doubling first, in view 1 the opponent may double.
        The stakes and the depth of play are the ``player``'s. ``states`` are those of the cube
        in which the lines start, the present one by default. ``variance_reduction`` is none or
        0-ply. ``label`` names the players in a saved rollout. Raises ``InputError`` for an
        impossible position.
        """
        super().__init__(positions, settings, label, np.empty((len(positions), 0, 6)))
        if self.settings.variance_reduction is VarianceReduction.ONE_PLY:
            raise InputError("with the cube in play luck is measured at 0-ply, or not at all")
        self.player = player
        self.stakes = player.stakes
        self.first_view = first_view
        self.thought = thought or Thought()
        self.start_states = np.array([0] * len(positions) if states is None else states)

    def played(self, first: int, count: int, lines: slice = EVERY) -> Trials:
        """Five chances and the worth ``(lines, 36 count, 6)``, luck subtracted."""
        asked = np.arange(len(self.positions))[lines]
        trials = count * SET
        line = np.repeat(asked, trials)
        games = _Games(
            self.positions[line],
            np.arange(len(line)),
            np.tile(np.arange(trials), len(asked)),
            line,
            self.start_states[line],
            np.ones(len(line)),
        )
        totals = self._play_out(games, np.arange(first, first + count))
        return totals.reshape(len(asked), trials, 6)

    def identity(self) -> dict[str, Any]:
        payoffs = self.stakes.payoffs.tobytes()
        return {
            "cube": type(self).__name__,
            "plies": self.player.lookahead.plies,
            "thought": self.thought.words(),
            "states": self.start_states.tolist(),
            "view": self.first_view,
            "stakes": repr((self.stakes.cube, self.stakes.score, self.stakes.rules)),
            "payoffs": hashlib.sha256(payoffs).hexdigest(),
        }

    def _play_out(self, games: _Games, sets: Rows) -> Floats:
        """Chances and worth ``(n, 6)`` of the first player, luck subtracted."""
        totals = np.zeros((len(games.trial), 6))
        limit = self.settings.truncate or LONGEST
        for turn in range(limit + 1):
            self.check()
            view = (self.first_view + turn) % 2
            decide = turn > 0 or self.first_view == 1
            last = turn == limit
            ended = np.ones(len(games.trial), dtype=bool) if last else self._ended(games.positions)
            if ended.any():
                plies = self.thought.leaf_plies if last else 0
                games = self._judge_ended(games, ended, view, totals, decide=decide, plies=plies)
            if not len(games.trial):
                break
            games = self._turn(games, sets, turn, totals, decide=decide)
        return totals

    def _ended(self, positions: Positions) -> NDArray[np.bool_]:
        return self.player.ends(positions) if self.settings.stop_at_tables else is_over(positions)

    def _judge_ended(
        self,
        games: _Games,
        ended: NDArray[np.bool_],
        view: int,
        totals: Floats,
        *,
        decide: bool,
        plies: int,
    ) -> _Games:
        """Book the games that end here; returns the others."""
        over = games.where(ended)
        value = self.player.value_decided if decide else self.player.value
        chances, worths = value(over.positions, plies, view)
        worth = worths[np.arange(len(over.trial)), over.state] * over.scale
        _book(totals, over, chances.astype(np.float64), worth, view)
        return games.where(~ended)

    def _turn(
        self,
        games: _Games,
        sets: Rows,
        turn: int,
        totals: Floats,
        *,
        decide: bool,
    ) -> _Games:
        """Cube, roll and play of one turn of every game."""
        view = (self.first_view + turn) % 2
        outlook = self.player.outlook(games.positions, 1, view)
        if decide:
            worths = self._cube_worths(games, outlook, turn, view)
            passed = self._turn_cubes(games, worths, view)
            if passed.any():
                out = games.where(passed)
                level = self.stakes.level[out.state]
                worth = self.stakes.payoffs[view, level, 0] * out.scale
                chances = outlook.valued.chances[passed].astype(np.float64)
                _book(totals, out, chances, worth, view)
                games = games.where(~passed)
                outlook = _chosen(outlook, ~passed)
                if not len(games.trial):
                    return games
        rolls = rolls_of_sets(self.settings.seed, sets, turn)[games.trial]
        rows = np.arange(len(games.trial))
        rolled = roll_index(rolls)
        best = outlook.best[rows, :, games.state]
        if self.settings.variance_reduction is not VarianceReduction.NONE:
            worths = np.ascontiguousarray(outlook.worths[rows, :, games.state])
            # not a product of matrices, whose last bits depend on how many rows there are
            luck = (worths[rows, rolled] - (worths * ROLL_CHANCES).sum(axis=1)) * games.scale
            wide = swap_chances(outlook.replies.chances[best]).astype(np.float64)
            of_chances = wide[rows, rolled] - np.einsum("ntc,t->nc", wide, ROLL_CHANCES)
            _book(totals, games, -of_chances, -luck, view, difference=True)
        player = self.player
        if turn < self.thought.early_turns and self.thought.early is not None:
            player = self.thought.early
        if player.lookahead.plies:
            after = player.choose(games.positions, rolls, games.state, view)
        else:
            after = outlook.after[best[rows, rolled]]
        return replace(games, positions=np.ascontiguousarray(after))

    def _cube_worths(self, games: _Games, outlook: Outlook, turn: int, view: int) -> Floats:
        """Worths without a double, on which the cube is decided."""
        if turn == 0 and self.thought.first_cube is not None:
            return self._first_worths[games.line]
        if self.player.lookahead.plies > 1:
            return self.player.value(games.positions, view=view).worths
        return outlook.valued.worths

    @cached_property
    def _first_worths(self) -> Floats:
        """Worths ``(lines, S)`` on which ``first_cube`` decides; the same in all trials."""
        assert self.thought.first_cube is not None
        return self.thought.first_cube.value(self.positions, view=self.first_view).worths

    def _turn_cubes(self, games: _Games, worths: Floats, view: int) -> NDArray[np.bool_]:
        """Turn the cube where that is best; returns the mask of the games passed."""
        rows = np.arange(len(games.trial))
        after = self.stakes.after_take[view, games.state]
        can = after != CANNOT_DOUBLE
        waiting = worths[rows, games.state]
        cash = self.stakes.payoffs[view, self.stakes.level[games.state], 0]
        taken = self.stakes.take_factor * worths[rows, np.where(can, after, 0)]
        beavered = self.stakes.beavers & self.stakes.unlimited & (taken < 0)
        doubled = np.minimum(np.where(beavered, 2 * taken, taken), cash)
        free = self.stakes.free_double[games.state]
        doubles = can & np.where(free, doubled >= waiting - 1e-9, doubled > waiting)
        takes = doubles & (taken <= cash)
        games.state = np.where(takes, after, games.state)
        games.scale = np.where(takes, games.scale * self.stakes.take_factor, games.scale)
        games.scale = np.where(takes & beavered, 2 * games.scale, games.scale)
        return np.asarray(doubles & ~takes)


def _chosen(outlook: Outlook, mask: NDArray[np.bool_]) -> Outlook:
    valued = outlook.valued
    return outlook._replace(
        valued=valued._replace(chances=valued.chances[mask], worths=valued.worths[mask]),
        worths=outlook.worths[mask],
        best=outlook.best[mask],
    )


def _book(
    totals: Floats,
    games: _Games,
    chances: Floats,
    worth: Floats,
    view: int,
    *,
    difference: bool = False,
) -> None:
    """Add chances and worth of the player on roll to the totals, seen by the first player."""
    if view == 1:
        win = -chances[:, :1] if difference else 1 - chances[:, :1]
        chances = np.concatenate([win, chances[:, 3:], chances[:, 1:3]], axis=1)
        worth = -worth
    totals[games.row, :5] += chances
    totals[games.row, 5] += worth
