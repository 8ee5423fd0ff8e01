"""The fixed workload that measures the move generator.

Two sets of positions and rolls, always the same ones: every turn of games played at
random, and every turn of games played by a simple rule that makes points and avoids blots,
which look like real games. The rule is integer arithmetic written out here, so that the
workload, and the number of positions after a play that it leads to, can't drift with an
evaluator. That number is the signature: a faster generator has to come to the same one.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from bgai.answers import BenchAnswer, SpeedRow
from bgai.rules.dice import roll_dice
from bgai.rules.legal_plays import legal_plays_batch
from bgai.rules.position import BAR, OFF, Positions, is_over, starting_position

SEED = 20
RANDOM_GAMES = 2_000
SENSIBLE_GAMES = 4_000
SIGNATURE = 5_758_189
"""Positions after a play in both workloads together, whatever the speed."""
BATCH = 4_096
"""Positions in one call of the generator."""

Chooser = Callable[[Positions, NDArray[np.int64], np.random.Generator], NDArray[np.int64]]
"""From positions after ``(m, 2, 26)`` and offsets ``(n + 1,)`` to the ``(n,)`` rows played."""


@dataclass(frozen=True, slots=True)
class Workload:
    """Positions ``(n, 2, 26)`` with the roll ``(n, 2)`` of each."""

    name: str
    positions: Positions
    rolls: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.positions)


@dataclass(frozen=True, slots=True)
class Speed:
    """What one pass over a workload found, and the rates of the fastest pass."""

    rolls: int
    positions_after: int
    seconds: float

    @property
    def rolls_per_second(self) -> float:
        return self.rolls / self.seconds

    @property
    def positions_per_second(self) -> float:
        return self.positions_after / self.seconds


def random_rows(
    after: Positions, offsets: NDArray[np.int64], rng: np.random.Generator
) -> NDArray[np.int64]:
    """Any play, each as likely as the others."""
    counts = np.diff(offsets)
    return np.asarray(offsets[:-1] + (rng.random(len(counts)) * counts).astype(np.int64))


def sensible_rows(
    after: Positions, offsets: NDArray[np.int64], rng: np.random.Generator
) -> NDArray[np.int64]:
    """The play that hits, makes points, bears off and leaves few blots; the first of equals."""
    mover, opponent = after[:, 1].astype(np.int64), after[:, 0].astype(np.int64)
    made = (mover[:, 1:BAR] >= 2).sum(axis=1)
    blots = (mover[:, 1:BAR] == 1).sum(axis=1)
    score = 6 * made - 7 * blots + 9 * opponent[:, BAR] + 8 * mover[:, OFF]
    # Larger for the earlier of two equal rows, so that the maximum names one row.
    ranked = score * (len(after) + 1) + np.arange(len(after), 0, -1)
    best = np.maximum.reduceat(ranked, offsets[:-1])
    return np.asarray(len(after) - best % (len(after) + 1))


def play_workload(name: str, choose: Chooser, games: int, seed: int = SEED) -> Workload:
    """Every turn of ``games`` whole games, played side by side with one choosing rule."""
    rng = np.random.default_rng(seed)
    positions = np.repeat(starting_position()[None], games, axis=0)
    turns: list[Positions] = []
    rolled: list[NDArray[np.int8]] = []
    while len(positions):
        rolls = roll_dice(rng, len(positions))
        turns.append(positions)
        rolled.append(rolls)
        after, offsets = legal_plays_batch(positions, rolls)
        played = after[choose(after, offsets, rng)]
        positions = played[~is_over(played)]
    return Workload(name, np.concatenate(turns), np.concatenate(rolled))


def workloads() -> tuple[Workload, Workload]:
    """The two fixed workloads, about 200,000 rolls each; made in one to two seconds."""
    return (
        play_workload("random play", random_rows, RANDOM_GAMES),
        play_workload("sensible play", sensible_rows, SENSIBLE_GAMES),
    )


def _count(workload: Workload, start: int) -> int:
    rows = slice(start, start + BATCH)
    return len(legal_plays_batch(workload.positions[rows], workload.rolls[rows])[0])


def measure(
    workload: Workload,
    *,
    threads: int = 1,
    passes: int = 5,
    clock: Callable[[], float] = perf_counter,
) -> Speed:
    """Run the generator over the workload ``passes`` times; the rate is that of the fastest.

    The kernels release the interpreter's lock, so threads run on several cores. ``clock``
    gives seconds: with ``time.process_time`` one thread is measured fairly on a busy machine.
    """
    starts = range(0, len(workload), BATCH)
    fastest, total = float("inf"), 0
    with ThreadPoolExecutor(threads) as pool:
        for _ in range(passes):
            begin = clock()
            counts = pool.map(lambda start: _count(workload, start), starts)
            total = sum(counts)
            fastest = min(fastest, clock() - begin)
    return Speed(len(workload), total, fastest)


def bench_answer(threads: int, passes: int) -> BenchAnswer:
    """The speeds on one core and with ``threads``, over both workloads."""
    rows = [
        (workload.name, count, measure(workload, threads=count, passes=passes))
        for workload in workloads()
        for count in dict.fromkeys((1, threads))
    ]
    speeds = [
        SpeedRow(
            workload=name,
            threads=count,
            rolls=speed.rolls,
            positions_after=speed.positions_after,
            rolls_per_second=round(speed.rolls_per_second),
            positions_per_second=round(speed.positions_per_second),
        )
        for name, count, speed in rows
    ]
    signature = sum(row.positions_after for row in speeds if row.threads == 1)
    return BenchAnswer(signature=signature, speeds=speeds)
