"""Analysing matches: pieces handed out to an executor, kept in a store, put together again."""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, replace
from typing import Any

from bgai.analysis.judging import Piece, judge_piece, pieces
from bgai.analysis.review import Review
from bgai.analysis.store import Store
from bgai.notation.record import MatchRecord
from bgai.program import first_done
from bgai.search.engine import EngineSettings

_IN_FLIGHT = 256  # pieces handed out at once

Progress = Callable[[int, int], object]
"""Called with acts done and acts in all, those found earlier included."""


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
) -> list[Review]:
    """The reviews of some matches, in order; what the store has is not judged again.

    Work goes to ``executor`` a piece at a time and results are kept as they arrive, so that
    an interruption loses only the pieces being worked on. The numbers depend on the match and the
    settings alone.
    """
    numbers = [store.begin(job.record, settings.label, job.file) for job in jobs]
    todo: list[tuple[int, Piece]] = []
    total = done = 0
    seen: set[int] = set()
    for job, number in zip(jobs, numbers, strict=True):
        if number in seen:
            continue
        seen.add(number)
        known = store.pieces(number)
        for piece in pieces(job.record):
            size = piece.last - piece.first
            total += size
            if (piece.number, piece.first) in known:
                done += size
            else:
                todo.append((number, piece))
    if progress is not None:
        progress(done, total)

    def keep(number: int, piece: Piece, found: dict[str, Any]) -> None:
        nonlocal done
        store.add_piece(number, (piece.number, piece.first), found)
        done += piece.last - piece.first
        if progress is not None:
            progress(done, total)

    _work(todo, settings, executor, keep)
    reviews = []
    for job, number in zip(jobs, numbers, strict=True):
        review = replace(store.review(number), problems=job.problems)
        store.finish(number, review)
        reviews.append(review)
    return reviews


def _work(
    todo: Sequence[tuple[int, Piece]],
    settings: EngineSettings,
    executor: Executor,
    keep: Callable[[int, Piece, dict[str, Any]], None],
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
            waiting[executor.submit(judge_piece, settings, piece)] = (number, piece)
            collect(_IN_FLIGHT)
        collect(0)
    finally:
        for future in waiting:
            future.cancel()
