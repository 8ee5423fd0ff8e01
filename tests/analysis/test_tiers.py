"""Analysis in tiers: who has the last word, what is told when, work stopped and gone on."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from bgai.analysis.analyse import Job, analyse
from bgai.analysis.judging import judge_game
from bgai.analysis.review import Decision, Review
from bgai.analysis.store import Store
from bgai.analysis.tiers import is_doubtful, tiers_label, tiers_of
from bgai.notation.record import MatchRecord
from bgai.notation.record_files import parse_records
from bgai.search.engine import HANDMADE, EngineSettings, shared_engine

GOLDEN = Path(__file__).parents[1] / "golden" / "matches"
SETTINGS = EngineSettings(HANDMADE, plies=1)


@pytest.fixture
def record() -> MatchRecord:
    (reading,) = parse_records((GOLDEN / "3-point.mat").read_bytes(), ".mat")
    return reading.record


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "kept.sqlite") as kept:
        yield kept


def by_one(record: MatchRecord, settings: EngineSettings) -> dict[tuple[int, int], Decision]:
    """Every decision by one tier alone."""
    engine = shared_engine(settings)
    return {
        (each.game, each.act): each
        for number, game in enumerate(record.games, 1)
        for each in judge_game(engine, game.states(record.terms), number=number).decisions
    }


def test_the_deepest_tier_that_was_asked_has_the_last_word(
    record: MatchRecord, store: Store
) -> None:
    with ThreadPoolExecutor(1) as pool:
        (review,) = analyse([Job(record, "m")], SETTINGS, store, pool, deepen=True)
    glance, deeper = by_one(record, replace(SETTINGS, plies=0)), by_one(record, SETTINGS)
    assert review.judge == "handmade 0-ply (XG 1-ply), 1-ply (XG 2-ply) where close or wrong"
    asked = 0
    for found in review.decisions:
        key = (found.game, found.act)
        doubtful = is_doubtful(glance[key], 1)
        asked += doubtful
        assert found == (deeper if doubtful else glance)[key]
    assert 0 < asked < len(review.decisions)


def test_networks_roll_errors_out_and_the_others_do_not() -> None:
    tiers = tiers_of(EngineSettings("expert", plies=2))
    assert [(tier.plies, tier.roller) for tier in tiers] == [(0, ""), (2, ""), (2, "roller")]
    assert tiers_label(tiers) == (
        "expert 0-ply (XG 1-ply), 2-ply (XG 3-ply) where close or wrong, errors rolled out"
    )
    assert len(tiers_of(SETTINGS)) == 2


def test_matches_are_told_in_order_as_they_are_done(record: MatchRecord, store: Store) -> None:
    other = replace(record, players=("Cleo", "Dora"))
    jobs = [Job(record, "a"), Job(other, "b"), Job(record, "again")]
    told: list[tuple[int, str]] = []
    left: list[int] = []

    def finished(place: int, review: Review) -> None:
        told.append((place, review.record.players[0]))

    def progress(done: int, total: int) -> None:
        left.append(total - done)
        if left[-1]:
            assert len(told) < len(jobs)

    with ThreadPoolExecutor(1) as pool:
        reviews = analyse(jobs, SETTINGS, store, pool, progress, finished=finished)
    assert told == [(0, record.players[0]), (1, "Cleo"), (2, record.players[0])]
    assert [review.record.players for review in reviews] == [job.record.players for job in jobs]
    assert left[-1] == 0
    assert reviews[0].decisions == reviews[2].decisions


def test_stopped_work_goes_on_where_it_was(
    record: MatchRecord, store: Store, tmp_path: Path
) -> None:
    stop = threading.Event()
    seen: list[int] = []

    def progress(done: int, total: int) -> None:
        seen.append(done)
        if done:
            stop.set()

    with ThreadPoolExecutor(1) as pool:
        assert analyse([Job(record, "m")], SETTINGS, store, pool, progress, stop=stop) == []
        stopped_at = seen[-1]
        (review,) = analyse(
            [Job(record, "m")], SETTINGS, store, pool, lambda done, _: seen.append(done)
        )
        assert seen[len(seen) - 1] > stopped_at
        assert stopped_at in seen[2:] or stopped_at == seen[1]  # what was done is not done again
        with Store(tmp_path / "other.sqlite") as fresh:
            (whole,) = analyse([Job(record, "m")], SETTINGS, fresh, pool)
    assert review.decisions == whole.decisions
    assert review.rolls == whole.rolls
