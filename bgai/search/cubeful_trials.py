"""Games played out with the cube, many at once: what rollouts of cubes and of plays share.

Each turn everybody doubles, passes and takes as a search of at least one ply sees it; a pass ends
the game. Dice and strata are those of :mod:`bgai.search.rollout`.

Variance reduction works on the cubeful worth: from each trial the luck of every roll is
subtracted, the worth after the best play of the roll in the state of the cube at that moment
less its mean over all rolls. That mean is also the worth on which the cube is decided.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bgai.equity.stakes import CANNOT_DOUBLE
from bgai.evaluation.evaluator import swap_chances
from bgai.rules.dice import ROLL_CHANCES
from bgai.rules.position import Positions, check_position, is_over
from bgai.search.cubeful_lookahead import CubefulLookahead, Outlook
from bgai.search.luck import roll_index
from bgai.search.rollout import LONGEST, RolloutSettings, VarianceReduction
from bgai.search.rollout_dice import SET, rolls_of_sets

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


@dataclass
class _Games:
    """Games under way, one a row; ``trial`` says which, ``line`` 0 or 1 which line."""

    positions: Positions
    trial: Rows
    line: Rows
    state: Rows
    scale: Floats

    def where(self, mask: NDArray[np.bool_]) -> "_Games":
        return _Games(
            self.positions[mask],
            self.trial[mask],
            self.line[mask],
            self.state[mask],
            self.scale[mask],
        )


class CubefulTrials:
    """Lines of games on the same dice; ``view`` 0 is the player whom the stakes were made for."""

    def __init__(
        self,
        positions: Positions,
        player: CubefulLookahead,
        settings: RolloutSettings | None = None,
        *,
        first_view: int = 0,
        thought: Thought | None = None,
    ) -> None:
        """``positions`` ``(lines, 2, 26)`` with the player of ``first_view`` on roll.

        In view 0 that player rolls without doubling first, in view 1 the opponent may double.
        The stakes and the depth of play are the ``player``'s. ``variance_reduction`` is none or
        0-ply. Raises ``InputError`` for an impossible position.
        """
        self.positions = np.stack([check_position(position) for position in positions])
        self.player = player
        self.settings = settings or RolloutSettings()
        self.stakes = player.stakes
        self.first_view = first_view
        self.thought = thought or Thought()
        self.start_states = [0] * len(self.positions)
        """State of the cube in which each line starts; others may be set before the first step."""
        self.values: Floats = np.empty((0, 0, 6))
        """Five chances and the worth ``(lines, trials, 6)`` of every trial, luck subtracted."""

    @property
    def trials_done(self) -> int:
        return self.values.shape[1]

    def step(self) -> None:
        """Play the next batch of sets in all lines."""
        first = self.trials_done // SET
        count = min(self.settings.batch, self.settings.sets - first)
        trials, lines = count * SET, len(self.start_states)
        line = np.repeat(np.arange(lines), trials)
        games = _Games(
            np.repeat(self.positions, trials, axis=0),
            np.tile(np.arange(trials), lines),
            line,
            np.array(self.start_states)[line],
            np.ones(len(line)),
        )
        totals = self._play_out(games, np.arange(first, first + count))
        fresh = totals.reshape(lines, trials, 6)
        self.values = np.concatenate([self.values, fresh], axis=1) if first else fresh

    def _play_out(self, games: _Games, sets: Rows) -> Floats:
        """Chances and worth ``(n, 6)`` of the first player, luck subtracted."""
        trials = len(sets) * SET
        totals = np.zeros((len(games.trial), 6))
        limit = self.settings.truncate or LONGEST
        for turn in range(limit + 1):
            view = (self.first_view + turn) % 2
            decide = turn > 0 or self.first_view == 1
            last = turn == limit
            ended = np.ones(len(games.trial), dtype=bool) if last else self._ended(games.positions)
            if ended.any():
                plies = self.thought.leaf_plies if last else 0
                games = self._judge_ended(
                    games, ended, view, totals, trials, decide=decide, plies=plies
                )
            if not len(games.trial):
                break
            games = self._turn(games, sets, turn, totals, trials, decide=decide)
        return totals

    def _ended(self, positions: Positions) -> NDArray[np.bool_]:
        return self.player.ends(positions) if self.settings.stop_at_tables else is_over(positions)

    def _judge_ended(
        self,
        games: _Games,
        ended: NDArray[np.bool_],
        view: int,
        totals: Floats,
        trials: int,
        *,
        decide: bool,
        plies: int,
    ) -> _Games:
        """Book the games that end here; returns the others."""
        over = games.where(ended)
        value = self.player.value_decided if decide else self.player.value
        chances, worths = value(over.positions, plies, view)
        worth = worths[np.arange(len(over.trial)), over.state] * over.scale
        _book(totals, over, trials, chances.astype(np.float64), worth, view)
        return games.where(~ended)

    def _turn(
        self,
        games: _Games,
        sets: Rows,
        turn: int,
        totals: Floats,
        trials: int,
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
                _book(totals, out, trials, chances, worth, view)
                games = games.where(~passed)
                outlook = _chosen(outlook, ~passed)
                if not len(games.trial):
                    return games
        rolls = rolls_of_sets(self.settings.seed, sets, turn)[games.trial]
        rows = np.arange(len(games.trial))
        rolled = roll_index(rolls)
        best = outlook.best[rows, :, games.state]
        if self.settings.variance_reduction is not VarianceReduction.NONE:
            worths = outlook.worths[rows, :, games.state]
            luck = (worths[rows, rolled] - worths @ ROLL_CHANCES) * games.scale
            wide = swap_chances(outlook.replies.chances[best]).astype(np.float64)
            of_chances = wide[rows, rolled] - np.einsum("ntc,t->nc", wide, ROLL_CHANCES)
            _book(totals, games, trials, -of_chances, -luck, view, difference=True)
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
            return self.thought.first_cube.value(self.positions, view=view).worths[games.line]
        if self.player.lookahead.plies > 1:
            return self.player.value(games.positions, view=view).worths
        return outlook.valued.worths

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
    trials: int,
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
    rows = games.line * trials + games.trial
    totals[rows, :5] += chances
    totals[rows, 5] += worth
