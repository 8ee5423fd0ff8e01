"""Analysing matches: pieces handed out to an executor, kept in a store, put together again."""

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from bgai.analysis.judging import Piece, judge_piece, pieces
from bgai.analysis.review import Review
from bgai.analysis.store import Store
from bgai.analysis.tiers import judge_in_tiers, tiers_label, tiers_of
from bgai.notation.record import MatchRecord
from bgai.program import first_done
from bgai.search.engine import EngineSettings, shared_engine

_IN_FLIGHT = 256  # pieces handed out at once

Progress = Callable[[int, int], object]
"""Called with acts done and acts in all, those found earlier included."""
Finished = Callable[[int, Review], object]
"""Called with the number of a job and its review."""


@dataclass(frozen=True, slots=True)
class Job:
    """A match to analyse: where it is from, and what was wrong in its file."""

    record: MatchRecord
    file: str
    problems: tuple[str, ...] = ()


def analyse(
    jobs: Sequence[Job],
    settings: EngineSettings,
    store: Store,
    executor: Executor,
    progress: Progress | None = None,
    *,
    deepen: bool = False,
    finished: Finished | None = None,
    stop: threading.Event | None = None,
) -> list[Review]:
    """The reviews of some matches, in order; what the store has is not judged again.

    Work goes to ``executor`` a piece at a time and results are kept as they arrive, so that
    an interruption loses only the pieces being worked on. The numbers depend on the match and the
    settings alone. ``deepen``: in tiers (:mod:`bgai.analysis.tiers`), 0-ply first and ``settings``
    where it is close or wrong. ``finished`` is called with each job's number and review, in order,
    as soon as it and those before it are done. ``stop`` ends the work from another thread: the
    reviews are then of the jobs done so far.
    """
    tiers = tiers_of(settings) if deepen else (settings,)
    label = tiers_label(tiers)
    numbers = [store.begin(job.record, label, job.file) for job in jobs]
    todo: list[tuple[int, Piece]] = []
    total = done = 0
    left: Counter[int] = Counter(dict.fromkeys(numbers, 0))
    for number, job in dict(zip(numbers, jobs, strict=True)).items():
        known = store.pieces(number)
        for piece in pieces(job.record):
            size = piece.last - piece.first
            total += size
            if (piece.number, piece.first) in known:
                done += size
            else:
                todo.append((number, piece))
                left[number] += 1
    if progress is not None:
        progress(done, total)
    reviews: list[Review] = []

    def review_done() -> None:
        """Put the matches together that are done, in order."""
        while len(reviews) < len(jobs) and not left[numbers[len(reviews)]]:
            place = len(reviews)
            review = replace(store.review(numbers[place]), problems=jobs[place].problems)
            store.finish(numbers[place], review)
            reviews.append(review)
            if finished is not None:
                finished(place, review)

    def keep(number: int, piece: Piece, found: dict[str, Any]) -> None:
        nonlocal done
        store.add_piece(number, (piece.number, piece.first), found)
        done += piece.last - piece.first
        left[number] -= 1
        if progress is not None:
            progress(done, total)
        review_done()

    review_done()
    _work(todo, tiers, executor, keep, stop)
    return reviews


def judge_piece_in_tiers(tiers: Sequence[EngineSettings], piece: Piece) -> dict[str, Any]:
    """A piece as :func:`bgai.analysis.judging.judge_piece` gives it, by the tiers."""
    if len(tiers) == 1:
        return judge_piece(tiers[0], piece)
    engines = [shared_engine(tier) for tier in tiers]
    return judge_piece(tiers[0], piece, partial(judge_in_tiers, engines))


def _work(
    todo: Sequence[tuple[int, Piece]],
    tiers: Sequence[EngineSettings],
    executor: Executor,
    keep: Callable[[int, Piece, dict[str, Any]], None],
    stop: threading.Event | None,
) -> None:
    waiting: dict[Future[dict[str, Any]], tuple[int, Piece]] = {}

    def collect(most: int) -> None:
        """Keep what is done; wait while more than ``most`` pieces are being worked on."""
        while waiting:
            if len(waiting) > most:
                finished = first_done(waiting)
            else:
                finished = {future for future in waiting if future.done()}
            for future in finished:
                keep(*waiting.pop(future), future.result())
            if not finished:
                return

    try:
        for number, piece in todo:
            if stop is not None and stop.is_set():
                return
            waiting[executor.submit(judge_piece_in_tiers, tiers, piece)] = (number, piece)
            collect(_IN_FLIGHT if stop is None else 1)
        collect(0)
    finally:
        for future in waiting:
            future.cancel()
