"""Cubeful rollouts: a cube decision played out many times, with the cube in play.

Two lines are played on the same dice: no double (the player on roll rolls with the cube as it
is), and double, take. From the next turn on everybody doubles, passes and takes as a search of
at least one ply sees it; a pass ends the game. Dice and strata are those of
:mod:`bgai.search.rollout`.

Variance reduction works on the cubeful worth: from each trial the luck of every roll is
subtracted, the worth after the best play of the roll in the state of the cube at that moment
less its mean over all rolls. That mean is also the worth on which the cube is decided.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bgai.equity.cube_action import CubeAction, CubeDecision, best_actions, cube_decision
from bgai.equity.cubeful import CubeEquities
from bgai.equity.efficiency import cube_efficiency
from bgai.equity.stakes import CANNOT_DOUBLE
from bgai.errors import InputError
from bgai.evaluation.evaluator import swap_chances
from bgai.rules.dice import ROLL_CHANCES
from bgai.rules.position import Positions, check_position, is_over
from bgai.search.cubeful_lookahead import CubefulLookahead, Outlook
from bgai.search.luck import roll_index
from bgai.search.rollout import LONGEST, RolloutSettings, VarianceReduction
from bgai.search.rollout_dice import SET, roll_numbers, rolls_of_sets
from bgai.search.rollout_stats import Figure, standard_errors

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]

_DRAWS = 20_000  # of the two means, to see how often the verdict stays


@dataclass(frozen=True, eq=False)
class RolledOutCube:
    """Result of a cubeful rollout; equities as in :class:`CubeDecision`.

    ``double_take`` and ``gain`` (double and take less no double, from the same dice) are None
    where the cube can't be turned. ``chances`` are cubeless, of the no-double line: a game
    that ends by a pass is judged where it ended. ``confidence`` is the probability that the
    verdict is right, as far as chance goes.
    """

    trials: int
    decision: CubeDecision
    no_double: Figure
    double_take: Figure | None
    gain: Figure | None
    chances: tuple[Figure, ...]
    confidence: float


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


class CubeRollout:
    """A cubeful rollout of one position, in batches."""

    def __init__(
        self,
        position: Positions,
        player: CubefulLookahead,
        settings: RolloutSettings | None = None,
    ) -> None:
        """``position`` ``(2, 26)``; its stakes and the depth of play are the ``player``'s.

        Of the settings ``stop_confidence`` asks for the probability that the verdict is right;
        ``variance_reduction`` is none or 0-ply. Raises ``InputError`` when the game is over.
        """
        self.position = check_position(position)
        if is_over(self.position[None])[0]:
            raise InputError("the game is over: one side has borne off all its checkers")
        self.player = player
        self.settings = settings or RolloutSettings()
        self.stakes = player.stakes
        after = int(self.stakes.after_take[0, 0])
        self.start_states = [0] if after == CANNOT_DOUBLE else [0, after]
        """State of the cube in which each line starts; others may be set before the first step."""
        self.values: Floats = np.empty((0, 0, 6))
        """Five chances and the worth ``(lines, trials, 6)`` of every trial, luck subtracted."""

    # -- running --------------------------------------------------------------------------

    @property
    def trials_done(self) -> int:
        return self.values.shape[1]

    @property
    def finished(self) -> bool:
        """Whether all trials are done or a stop rule says enough."""
        rules = self.settings
        if self.trials_done >= rules.sets * SET:
            return True
        if self.trials_done < max(rules.least_trials, SET):
            return False
        if rules.stop_error is None and rules.stop_confidence is None:
            return False
        result = self.result()
        figures = [figure for figure in (result.no_double, result.double_take) if figure]
        if rules.stop_error is not None and all(f.error <= rules.stop_error for f in figures):
            return True
        return rules.stop_confidence is not None and result.confidence >= rules.stop_confidence

    def run(self, progress: Callable[["CubeRollout"], None] | None = None) -> RolledOutCube:
        """Play until finished; ``progress`` is called after every batch of sets."""
        while not self.finished:
            self.step()
            if progress is not None:
                progress(self)
        return self.result()

    def step(self) -> None:
        """Play the next batch of sets in both lines."""
        first = self.trials_done // SET
        count = min(self.settings.batch, self.settings.sets - first)
        trials = count * SET
        lines = len(self.start_states)
        line = np.repeat(np.arange(lines), trials)
        games = _Games(
            np.repeat(self.position[None], lines * trials, axis=0),
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
            view = turn % 2
            ended = self._ended(games.positions, last=turn == limit)
            if ended.any():
                games = self._judge_ended(games, ended, view, totals, trials, decide=turn > 0)
            if not len(games.trial):
                break
            games = self._turn(games, sets, turn, totals, trials)
        return totals

    def _ended(self, positions: Positions, *, last: bool) -> NDArray[np.bool_]:
        if last:
            return np.ones(len(positions), dtype=bool)
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
    ) -> _Games:
        """Book the games that end here; returns the others."""
        over = games.where(ended)
        value = self.player.value_decided if decide else self.player.value
        chances, worths = value(over.positions, 0, view)
        worth = worths[np.arange(len(over.trial)), over.state] * over.scale
        _book(totals, over, trials, chances.astype(np.float64), worth, view)
        return games.where(~ended)

    def _turn(self, games: _Games, sets: Rows, turn: int, totals: Floats, trials: int) -> _Games:
        """Cube, roll and play of one turn of every game."""
        view = turn % 2
        outlook = self.player.outlook(games.positions, 1, view)
        if turn > 0:
            passed = self._turn_cubes(games, outlook.valued.worths, view)
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
        if self.player.lookahead.plies:
            after = self.player.choose(games.positions, rolls, games.state, view)
        else:
            after = outlook.after[best[rows, rolled]]
        return replace(games, positions=np.ascontiguousarray(after))

    def _turn_cubes(self, games: _Games, worths: Floats, view: int) -> NDArray[np.bool_]:
        """Turn the cube where that is best; returns the mask of the games passed."""
        if self.player.lookahead.plies > 1:
            worths = self.player.value(games.positions, view=view).worths
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

    # -- figures --------------------------------------------------------------------------

    def means(self) -> Floats:
        """Means of the chances and the worth ``(lines, 6)`` of all trials, which are run now."""
        while self.trials_done < self.settings.sets * SET:
            self.step()
        return np.asarray(self.values.mean(axis=1))

    def result(self) -> RolledOutCube:
        """Figures so far. Raises ``InputError`` before the first batch."""
        if not self.trials_done:
            raise InputError("nothing has been rolled out yet")
        sets = np.arange(self.trials_done // SET)
        rolls = np.stack([roll_numbers(self.settings.seed, sets, turn) for turn in (0, 1)])
        equities = self.stakes.equity(self.values[:, :, 5])
        equities[1:] = self.stakes.equity(self.stakes.take_factor * self.values[1:, :, 5])
        gap = equities[-1] - equities[0]
        table = np.column_stack([self.values[0, :, :5], *equities, gap])
        figures = [
            Figure(float(mean), float(error))
            for mean, error in zip(table.mean(axis=0), standard_errors(table, rolls), strict=True)
        ]
        doubled = len(self.start_states) == 2
        no_double, taken, gain = figures[5], figures[6], figures[-1]
        decision = self._decision(
            no_double.mean, taken.mean if doubled else float("nan"), figures[:5]
        )
        return RolledOutCube(
            trials=self.trials_done,
            decision=decision,
            no_double=no_double,
            double_take=taken if doubled else None,
            gain=gain if doubled else None,
            chances=tuple(figures[:5]),
            confidence=_confidence(decision, no_double, taken, gain) if doubled else 1.0,
        )

    def _decision(self, no_double: float, taken: float, chances: list[Figure]) -> CubeDecision:
        mean = np.clip([figure.mean for figure in chances], 0, 1).astype(np.float32)
        efficiency = cube_efficiency(self.position[None], mean[None], self.player.cube_model)[0]
        return cube_decision((no_double, taken, 1.0), self.stakes, mean, efficiency)


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


def _confidence(decision: CubeDecision, no_double: Figure, taken: Figure, gain: Figure) -> float:
    """How often the two means, drawn from their joint normal law, give the same verdict."""
    shared = (no_double.error**2 + taken.error**2 - gain.error**2) / 2
    covariance = np.array([[no_double.error**2, shared], [shared, taken.error**2]])
    values, vectors = np.linalg.eigh(covariance)
    drawn = np.random.default_rng(0).standard_normal((_DRAWS, 2)) * np.sqrt(values.clip(0))
    waits, takes = (drawn @ vectors.T).T
    rows = CubeEquities(no_double.mean + waits, taken.mean + takes, np.ones(_DRAWS))
    actions = best_actions(
        rows, beavers=decision.beaver is not None, free_double=decision.free_double
    )
    return float(np.mean(_acts(actions) == _acts(np.array([decision.action]))))


def _acts(actions: Rows) -> Rows:
    """Acts alone: too good to double and take is no double and take."""
    return np.where(actions == CubeAction.TOO_GOOD_TAKE, CubeAction.NO_DOUBLE_TAKE, actions)
