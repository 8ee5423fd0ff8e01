"""Questions from one's own errors: what is asked, offered and asked again."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from analysed_matches import review_of, short_match, three_points

from bgai.analysis.quiz import explanation, judge_answer, prompt, questions, rate
from bgai.analysis.review import Kind
from bgai.analysis.store import Store
from bgai.errors import InputError


def test_the_quiz_asks_again_what_was_missed(full: Store) -> None:
    review_of(three_points(), full)
    now = datetime(2026, 12, 1, tzinfo=UTC)
    first, second = questions(full, None, now, 2, least=0.0001)
    assert first.decision.cost >= second.decision.cost
    best = judge_answer(first.decision, first.decision.best)
    assert best.right
    assert best.cost == pytest.approx(0)
    missed = judge_answer(second.decision, second.decision.made)
    assert missed.cost == pytest.approx(second.decision.cost)
    known_due = rate(full, first, best, now)
    missed_due = rate(full, second, judge_answer(second.decision, second.decision.made), now)
    assert now < missed_due <= known_due or missed.right
    later = questions(full, None, now + timedelta(days=300), 2, least=0.0001)
    assert {each.id for each in later} == {first.id, second.id}
    lines = "\n".join(explanation(second.decision, missed))
    assert "your answer" in lines
    assert "played" in lines
    with pytest.raises(InputError):
        judge_answer(first.decision, "nonsense")


def test_the_quiz_offers_what_was_possible_and_accepts_it(store: Store) -> None:
    """Beavers in money play only, redoubles for one's own cube; every offer is an answer."""
    opening = " 1) 31: 8/5 6/5         Doubles => 2\n 2)  Takes                   52: 13/8 13/11\n"
    rows = opening + " 3)  Doubles => 4           Takes\n 4) 31: 8/5 6/5"
    money = short_match(rows, length=0)
    asked = {}
    for length, record in ((0, money), (7, short_match(rows, length=7))):
        for decision in review_of(record, store).decisions:
            words = prompt(decision)
            asked[length, words] = decision
            if decision.kind is Kind.PLAY:
                continue
            assert length == 0 or "eaver" not in words
            for offer in re.split(", | or ", words.lower()):
                assert judge_answer(decision, offer).cost is not None
    assert {words for length, words in asked if "31" not in words and "52" not in words} == {
        "Double or no double", "Redouble or no redouble", "Take, pass or beaver", "Take or pass",
    }  # fmt: skip
    answers = {length for length, words in asked if words == "Take, pass or beaver"}
    assert answers == {0}
