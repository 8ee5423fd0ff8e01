"""Many games between players, with win shares and standard errors."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bgai.dicegames.kit import AnyKit

CHUNK = 500
"""Sets of games between two reports of progress."""


@dataclass(frozen=True)
class Simulation:
    """``shares`` and ``errors``: each listed player's share of the wins and its standard
    error; ``seats``: each seat's. ``games`` played in all."""

    games: int
    players: tuple[str, ...]
    shares: tuple[float, ...]
    errors: tuple[float, ...]
    seat_shares: tuple[float, ...]


def simulate(
    kit: AnyKit,
    players: Sequence[str],
    games: int,
    seed: int,
    *,
    mirror: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Simulation:
    """Play games; the first player listed sits in the first seat.

    With ``mirror`` every set of dice is played once for each turning of the players round the
    seats, each seat keeping its dice; the errors are those of the sets. ``games`` is rounded
    up to whole sets. ``progress`` is told of games played.
    """
    seats = len(players)
    turns = range(seats) if mirror else range(1)
    sets = -(-games // len(turns))
    rng = np.random.default_rng(seed)
    won: list[NDArray[np.float64]] = []
    seat_wins = np.zeros(seats)
    for start in range(0, sets, CHUNK):
        count = min(CHUNK, sets - start)
        seeds = rng.integers(0, 2**63, count).astype(np.uint64)
        shares = np.zeros((count, seats))
        for turn in turns:
            seated = [players[(seat - turn) % seats] for seat in range(seats)]
            winners = kit.winners(seeds, seated, range(seats))
            shares[np.arange(count), (winners - turn) % seats] += 1 / len(turns)
            seat_wins += np.bincount(winners, minlength=seats)
            if progress is not None:
                progress(count)
        won.append(shares)
    table = np.concatenate(won)
    errors = table.std(axis=0, ddof=1) / np.sqrt(sets) if sets > 1 else np.full(seats, np.nan)
    return Simulation(
        sets * len(turns),
        tuple(players),
        tuple(table.mean(axis=0).tolist()),
        tuple(errors.tolist()),
        tuple((seat_wins / seat_wins.sum()).tolist()),
    )
