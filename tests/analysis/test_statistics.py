"""Figures over many matches."""

from dataclasses import replace

import pytest
from analysed_matches import review_of, three_points

from bgai.analysis.stats import deepest, player_stats, rating_chart, stats_html
from bgai.analysis.store import Store


def test_statistics(full: Store) -> None:
    review = review_of(three_points(), full)
    review_of(three_points(), full)  # the same match again changes nothing
    found = player_stats(full.finished())
    assert [each.name for each in found] == ["Black", "White"]
    black = found[0]
    assert len(black.matches) == 1
    assert black.matches[0].date == "2026-11-29"
    assert black.all == review.player(1).all
    assert black.phases == review.player(1).phases
    assert black.running == [pytest.approx(black.all.rating)]
    assert "<svg" in rating_chart(found)
    page = stats_html(found)
    assert "<svg" in page
    assert f"{found[0].all.rating:.2f}" in page
    assert [each.name for each in player_stats(full.finished(), "White")] == ["White"]


def test_a_match_counts_once_by_its_deepest_analysis(full: Store) -> None:
    review = review_of(three_points(), full)
    deeper = [
        replace(each, cost=0.5, options=tuple(replace(o, plies=4) for o in each.options))
        for each in review.decisions
    ]
    deep = replace(review, judge="expert 4-ply", decisions=tuple(deeper))
    other = replace(review, record=replace(review.record, players=("White", "Red")))
    given = [("", "a", deep), ("", "a", review), ("", "b", other)]
    assert [each[2] for each in deepest(given)] == [deep, other]
    assert [each[2] for each in deepest(given[::-1])] == [other, deep]
    (white,) = player_stats(given, "White")
    assert [line.judge for line in white.matches] == ["expert 4-ply", review.judge]
