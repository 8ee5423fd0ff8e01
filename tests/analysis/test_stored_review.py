"""Figures by the verdicts of a file, against gammonview's count of the same file, and reports."""

import json
from pathlib import Path

import pytest

from bgai.analysis.judging import judge_piece, pieces
from bgai.analysis.report_html import html_text
from bgai.analysis.report_text import json_text, summary
from bgai.analysis.review import Review, decision_from_json
from bgai.analysis.stored_review import judges, stored_decisions, stored_figures, stored_luck
from bgai.notation.record import MatchRecord
from bgai.notation.record_files import parse_records
from bgai.notation.stored import XG
from bgai.search.engine import HANDMADE, EngineSettings

GOLDEN = Path(__file__).parents[1] / "golden" / "matches"
FILES = [GOLDEN / name for name in ("XCu3RJ0UvDg_Tldl.xg", "B4_SrGcsKAQmoTyHlgJCbM.xg")]


def record_of(path: Path) -> MatchRecord:
    pytest.importorskip("gvformat")
    (reading,) = parse_records(path.read_bytes(), path.suffix)
    return reading.record


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem[:6])
def test_the_count_is_that_of_gammonview(path: Path) -> None:
    record = record_of(path)
    assert judges(record) == (XG,)
    from gvformat import compute_aggregates
    from gvformat.xg import convert_xg

    theirs = compute_aggregates(convert_xg(path))["match"]
    sides = [theirs["white"], theirs["black"]]
    for figures in stored_figures(record, XG):
        side = min(sides, key=lambda each: abs(each["total_error"] - figures.lost))
        assert figures.lost == pytest.approx(side["total_error"], abs=0.002)
        assert abs(figures.counted - side["total_decisions"]) <= 1  # it rounds to 4 decimals
        assert figures.rating == pytest.approx(side["pr"], abs=0.1)


def test_a_file_without_verdicts_has_no_figures() -> None:
    (reading,) = parse_records((GOLDEN / "3-point.mat").read_bytes(), ".mat")
    assert judges(reading.record) == ()
    assert stored_decisions(reading.record) == ()
    assert stored_luck(reading.record, XG) == (0.0, 0.0)


def test_reports_show_them_beside_ours() -> None:
    record = record_of(FILES[0])
    piece = next(pieces(record))
    found = judge_piece(EngineSettings(HANDMADE), piece)
    decisions = tuple(decision_from_json(each) for each in found["decisions"])
    review = Review(record, "handmade", decisions, ())
    text = summary(review)
    assert "PR by eXtreme Gammon" in text
    assert "luck by eXtreme Gammon" in text
    shown = [each for each in review.worst(0, 10) if review.stored(each) is not None]
    assert shown
    assert "XG 2-ply: " in text
    assert "XG 2-ply: " in html_text(review)
    kept = json.loads(json_text(review))["decisions"]
    stored = [each["stored"] for each in kept if each["stored"]]
    assert stored
    assert {each["by"] for each in stored} == {XG}
    for each in shown:
        verdict = review.stored(each)
        assert verdict is not None
        assert each.made in [play.text for play in verdict.plays] or verdict.cube
