"""Means, standard errors and intervals of rolled-out trials.

Trials are stratified by their first and second roll (``rollout_dice``): each roll comes up
equally often, so the effect of either roll on a trial adds nothing to the error of a mean.
What counts is the spread left over once both effects are fitted and taken out, by least
squares and with the degrees of freedom that costs. Below four sets of 36 trials nothing is
taken out, which overstates the error.
"""

from dataclasses import dataclass
from math import erf, sqrt

import numpy as np
from numpy.typing import NDArray

from bgai.search.rollout_dice import SET
from bgai.search.utility import Utility

Z95 = 1.959964
_FITTED_FROM = 4 * SET


@dataclass(frozen=True)
class Figure:
    """A rolled-out mean and its standard error."""

    mean: float
    error: float

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval."""
        return self.mean - Z95 * self.error, self.mean + Z95 * self.error


@dataclass(frozen=True)
class Summary:
    """Figures of one position, for its player on roll."""

    chances: tuple[Figure, Figure, Figure, Figure, Figure]
    equity: Figure


@dataclass(frozen=True)
class Sureness:
    """The largest standard error of an equity, and how sure the decision is, if there is one."""

    error: float
    confidence: float | None


@dataclass(frozen=True, eq=False)
class RolledOut:
    """Result of a rollout: ``summaries`` of the positions in their order.

    ``equities`` ``(m, trials)`` are the single trials, the same dice in each column.
    """

    trials: int
    summaries: tuple[Summary, ...]
    equities: NDArray[np.float64]
    _rolls: NDArray[np.int64]

    def difference(self, one: int, other: int) -> Figure:
        """Equity of one position less that of another, from the same dice."""
        gaps = (self.equities[one] - self.equities[other])[:, None]
        return Figure(float(gaps.mean()), float(standard_errors(gaps, self._rolls)[0]))

    @property
    def sureness(self) -> Sureness:
        """How sure all this is; with one position alone there is nothing to decide."""
        alone = len(self.summaries) == 1
        return Sureness(
            max(summary.equity.error for summary in self.summaries),
            None if alone else self.confidence_in_least(),
        )

    def confidence_in_least(self) -> float:
        """Confidence that the position of least equity is truly below each single other one.

        After plays that is the best play, the opponent being on roll.
        """
        least = min(range(len(self.summaries)), key=lambda i: self.summaries[i].equity.mean)
        worst = 1.0
        for other in range(len(self.summaries)):
            if other != least:
                gap = self.difference(other, least)
                z = gap.mean / gap.error if gap.error > 0 else float(np.sign(gap.mean)) * 9
                worst = min(worst, (1 + erf(z / sqrt(2))) / 2)
        return worst


def summarise(
    values: NDArray[np.float32],
    utility: Utility,
    first: NDArray[np.int64],
    second: NDArray[np.int64],
) -> RolledOut:
    """Figures from trials ``(m, n, 5)``; ``first``, ``second`` ``(n,)`` are the roll numbers."""
    equities = np.stack([utility.worth(trials) for trials in values]).astype(np.float64)
    return summaries_of(values, equities, np.stack([first, second]))


def summaries_of(
    values: NDArray[np.floating], equities: NDArray[np.float64], rolls: NDArray[np.int64]
) -> RolledOut:
    """The same with the equity ``(m, n)`` of each trial; ``rolls`` ``(2, n)``."""
    summaries = []
    for trials, equity in zip(values, equities, strict=True):
        table = np.column_stack([trials.astype(np.float64), equity])
        figures = [
            Figure(float(mean), float(error))
            for mean, error in zip(table.mean(axis=0), standard_errors(table, rolls), strict=True)
        ]
        win, wg, wbg, lg, lbg, worth = figures
        summaries.append(Summary((win, wg, wbg, lg, lbg), worth))
    return RolledOut(values.shape[1], tuple(summaries), equities, rolls)


def standard_errors(table: NDArray[np.float64], rolls: NDArray[np.int64]) -> NDArray[np.float64]:
    """Standard error of the mean of each column of ``(n, k)`` trials."""
    n = len(table)
    left = table - table.mean(axis=0)
    freedom = n - 1
    if n >= _FITTED_FROM:
        left = _without_effects(left, rolls)
        freedom = n - (2 * SET - 1)
    return np.asarray(np.sqrt((left**2).sum(axis=0) / freedom / n))


def _without_effects(table: NDArray[np.float64], rolls: NDArray[np.int64]) -> NDArray[np.float64]:
    """What least squares leaves of the columns once an effect of each roll is fitted.

    Each first roll occurs equally often, so its effects are eliminated by hand and only a
    36 x 36 system for those of the second roll is left; it is singular by one constant.
    """
    first, second = rolls
    often = len(table) // SET
    together = np.zeros((SET, SET))
    np.add.at(together, (first, second), 1)
    of_first = _sums(table, first) / often
    right = _sums(table, second) - together.T @ of_first
    system = np.diag(together.sum(axis=0)) - together.T @ together / often
    effects = np.linalg.pinv(system, rcond=1e-9, hermitian=True) @ right
    rest = table - effects[second]
    return np.asarray(rest - (_sums(rest, first) / often)[first])


def _sums(table: NDArray[np.float64], rolls: NDArray[np.int64]) -> NDArray[np.float64]:
    """Sums ``(36, k)`` of the rows of each roll."""
    columns = [np.bincount(rolls, weights=column, minlength=SET) for column in table.T]
    return np.stack(columns, axis=1)
