"""A rating list from many contests: the ratings that explain all their results best.

Matches give Elo: the chance of a win is ``1 / (1 + 10 ** (-difference / 400))``, and the ratings
are those of greatest (quasi-)likelihood, each result counted as so many games as its standard
error is worth; without luck that is many more than were played. Money games give points a game:
weighted least squares. The mean of all ratings is 0, and intervals are of 95%.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bgai.errors import InputError

Floats = NDArray[np.float64]

ELO = 400 / np.log(10)
"""Elo of one unit of log odds."""
WIDE = 1.96
_STEPS, _SMALL = 100, 1e-10
_FARTHEST = 8.0
"""Log odds (some 1,400 Elo) beyond which results say no more."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two players' contest: ``mean`` is the part of matches that the first won, or its points."""

    first: str
    second: str
    mean: float
    error: float
    bouts: int


@dataclass(frozen=True, slots=True)
class Rated:
    """A player's rating and its standard error."""

    name: str
    rating: float
    error: float
    bouts: int


def rate(meetings: Sequence[Meeting], *, matches: bool) -> list[Rated]:
    """The list, the best first. Raises ``InputError`` where it can't be made."""
    names = sorted({name for each in meetings for name in (each.first, each.second)})
    if len(names) < 2:
        raise InputError("a rating list needs contests between two players or more")
    if not all(np.isfinite(each.error) and each.error > 0 for each in meetings):
        raise InputError("a contest of two pairs or more that differ is needed: no standard error")
    index = {name: number for number, name in enumerate(names)}
    sides = np.zeros((len(meetings), len(names)))
    for row, each in enumerate(meetings):
        sides[row, index[each.first]] += 1
        sides[row, index[each.second]] -= 1
    _check_joined(names, sides)
    means = np.array([each.mean for each in meetings])
    errors = np.array([each.error for each in meetings])
    ratings, covariance = (_elo if matches else _points)(sides, means, errors)
    played = np.abs(sides).T @ np.array([each.bouts for each in meetings])
    found = [
        Rated(name, float(ratings[i]), float(np.sqrt(covariance[i, i])), int(played[i]))
        for name, i in index.items()
    ]
    return sorted(found, key=lambda each: -each.rating)


def _check_joined(names: list[str], sides: Floats) -> None:
    """Raise ``InputError`` unless every player is joined to every other by contests."""
    joined = {0}
    while True:
        rows = (sides[:, sorted(joined)] != 0).any(axis=1)
        found = joined | set(np.flatnonzero((sides[rows] != 0).any(axis=0)).tolist())
        if found == joined:
            break
        joined = found
    if len(joined) < len(names):
        apart = next(name for number, name in enumerate(names) if number not in joined)
        raise InputError(f"no contests join {apart} to {names[0]}")


def _points(sides: Floats, means: Floats, errors: Floats) -> tuple[Floats, Floats]:
    weights = errors**-2.0
    return _solved(sides.T @ (weights[:, None] * sides), sides.T @ (weights * means))


def _elo(sides: Floats, means: Floats, errors: Floats) -> tuple[Floats, Floats]:
    """Newton's steps; a result is worth ``p (1 - p) / error ** 2`` games."""
    least = 1 / (1 + np.exp(_FARTHEST))
    chances = np.clip(means, least, 1 - least)
    games = chances * (1 - chances) / errors**2
    ratings = np.zeros(sides.shape[1])
    for _ in range(_STEPS):
        expected = 1 / (1 + np.exp(-(sides @ ratings)))
        slope = sides.T @ (games * (chances - expected))
        curvature = games * expected * (1 - expected)
        step, covariance = _solved(sides.T @ (curvature[:, None] * sides), slope)
        ratings = ratings + np.clip(step, -2.0, 2.0)
        if np.abs(step).max() < _SMALL:
            break
    return ELO * ratings, ELO**2 * covariance


def _solved(matrix: Floats, right: Floats) -> tuple[Floats, Floats]:
    """Solution with mean 0 and its covariance, of a matrix that knows differences alone."""
    inverse = np.asarray(np.linalg.pinv(matrix, hermitian=True), dtype=np.float64)
    return inverse @ right, inverse
