"""Matches for the tests of analyses, and their reviews by the hand-made player."""

from pathlib import Path

from bgai.analysis.analyse import Job, analyse
from bgai.analysis.review import Review
from bgai.analysis.store import Store
from bgai.notation.mat import read_mat
from bgai.notation.record import MatchRecord
from bgai.notation.record_files import read_record
from bgai.search.engine import HANDMADE, EngineSettings
from bgai.search.executors import InlineExecutor

MATCHES = Path(__file__).parents[1] / "golden" / "matches"
HANDMADE_0 = EngineSettings(network=HANDMADE)


def three_points() -> MatchRecord:
    return read_record(MATCHES / "3-point.mat").record


def review_of(record: MatchRecord, store: Store, settings: EngineSettings = HANDMADE_0) -> Review:
    return analyse([Job(record, "3-point.mat")], settings, store, InlineExecutor())[0]


def short_match(rows: str, length: int = 5) -> MatchRecord:
    reading = read_mat(f" {length} point match\n Game 1\n Ann : 0   Bob : 0\n{rows}\n")
    assert reading.problems == ()
    return reading.record
