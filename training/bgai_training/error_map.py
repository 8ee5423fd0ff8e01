"""A map of errors: how wrong values are in each family of positions.

The map is made once: positions of every family from self-play and rare starts, rolled out to
the end with the luck subtracted. It stays in a small file; measuring a player on it takes
seconds. The reference's own error, known from the spread of its trials, is taken off.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bgai.cachefile import read_arrays, write_arrays
from bgai.errors import InputError
from bgai.evaluation.evaluator import Evaluator, cubeless_equity
from bgai.rules.position import SLOTS
from bgai.search.greedy import ReplyPlayer
from bgai.search.lookahead import Lookahead
from bgai.search.rollout import Rollout
from bgai.search.rollout_run import RolloutSettings
from bgai_training.config import SelfPlay
from bgai_training.families import Family, family_numbers
from bgai_training.selfplay import Games
from bgai_training.starts import RARE_KINDS

_EVERY = 7  # plies between two looks at a game
_NEAR = 0.25  # plays up to so much worse are made too, as weaker players do
_NEAR_SHARE = 0.3
_MOST_PLIES = 4_000
_AT_ONCE = 40  # positions rolled out together


@dataclass(frozen=True)
class ErrorMap:
    """``positions (n, 2, 26)``, rolled-out ``chances (n, 5)`` of the player on roll and the
    standard ``errors (n,)`` of their equity."""

    positions: NDArray[np.int8]
    chances: NDArray[np.float32]
    errors: NDArray[np.float32]

    def save(self, path: Path) -> None:
        """Write the file, replaced in one step."""
        names = ("positions", "chances", "errors")
        write_arrays(path, {name: getattr(self, name) for name in names})

    @staticmethod
    def load(path: Path) -> "ErrorMap":
        """Read the file. Raises ``InputError`` when it is not one."""
        arrays = read_arrays(path)
        if arrays is None or "chances" not in arrays:
            raise InputError(f"{path} is not a map of errors, or it is damaged")
        return ErrorMap(*(np.array(arrays[name]) for name in ("positions", "chances", "errors")))


@dataclass(frozen=True)
class FamilyError:
    """Errors of equity in one family, in points.

    ``rmse`` has the reference's error taken off; ``bias`` is what the side ahead (by the
    reference) is given too much, ``bias_error`` its standard error.
    """

    family: Family
    positions: int
    rmse: float
    rmse_error: float
    bias: float
    bias_error: float


def sample_positions(
    players: ReplyPlayer, each: int, seed: int, say: Callable[[str], None] = print
) -> NDArray[np.int8]:
    """Up to ``each`` positions ``(n, 52)`` of every family, out of games of all levels.

    Half of the games start in rare positions, and a share of the plays is not the best. Families
    that don't come up in the time given are left short.
    """
    config = SelfPlay(games_at_once=512, varied=0.1, rare=0.5, kinds=tuple(RARE_KINDS))
    games = Games(config, np.random.SeedSequence(seed))
    rng = np.random.default_rng(seed)
    found: list[list[NDArray[np.int8]]] = [[] for _ in Family]
    for ply in range(_MOST_PLIES):
        _, siblings = games.play(players, _NEAR)
        other = rng.random(len(siblings)) < _NEAR_SHARE
        games.rows[other] = siblings[other]
        games.record(0.0)
        if ply >= 40 and ply % _EVERY == 0:
            for row, family in zip(games.rows, family_numbers(games.rows), strict=True):
                # One in three: no family from the first moments alone.
                if len(found[family]) < each and rng.random() < 0.34:
                    found[family].append(row.copy())
        if all(len(rows) == each for rows in found):
            break
    for family, rows in zip(Family, found, strict=True):
        if len(rows) < each:
            say(f"{family}: only {len(rows)} positions came up")
    return np.stack([row for rows in found for row in rows])


def roll_out(
    rows: NDArray[np.int8], player: Lookahead, trials: int, seed: int
) -> Iterator[ErrorMap]:
    """The map of positions ``(n, 52)``, each rolled out ``trials`` times: as it grows.

    They are taken in a random order, so that a map cut short has some of every family.
    """
    positions = np.random.default_rng(seed).permutation(rows).reshape(-1, 2, SLOTS)
    chances: list[list[float]] = []
    errors: list[float] = []
    for start in range(0, len(positions), _AT_ONCE):
        part = positions[start : start + _AT_ONCE]
        result = Rollout(part, player, RolloutSettings(trials=trials, seed=seed)).run()
        for summary in result.summaries:
            chances.append([figure.mean for figure in summary.chances])
            errors.append(summary.equity.error)
        done = len(errors)
        yield ErrorMap(
            positions[:done],
            np.array(chances, dtype=np.float32),
            np.array(errors, dtype=np.float32),
        )


def family_errors(evaluator: Evaluator, reference: ErrorMap) -> list[FamilyError]:
    """Errors of a player's equities in each family of a map, in the order of `Family`."""
    wanted = cubeless_equity(reference.chances)
    differences = cubeless_equity(evaluator.evaluate(reference.positions)) - wanted
    numbers = family_numbers(reference.positions)
    found = []
    for number, family in enumerate(Family):
        chosen = numbers == number
        if not chosen.any():
            continue
        squares = differences[chosen] ** 2 - reference.errors[chosen] ** 2
        mean = max(float(squares.mean()), 0.0)
        toward_leader = differences[chosen] * np.sign(wanted[chosen])
        root = float(np.sqrt(chosen.sum()))
        rmse = float(np.sqrt(mean))
        found.append(
            FamilyError(
                family,
                int(chosen.sum()),
                rmse,
                float(squares.std()) / root / (2 * max(rmse, 1e-3)),
                float(toward_leader.mean()),
                float(toward_leader.std()) / root,
            )
        )
    return found
