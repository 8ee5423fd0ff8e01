"""Reviews of matches: decisions, luck, figures, reports, keeping and resuming."""

import json
import re
import shutil
import sqlite3
from collections.abc import Iterator
from concurrent.futures import Executor, Future
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gnubg_program import needs_gnubg, run_gnubg

from bgai.analysis.analyse import Job, analyse
from bgai.analysis.judging import is_double_counted, judge_piece, pieces
from bgai.analysis.quiz import explanation, judge_answer, prompt, questions, rate
from bgai.analysis.report_html import html_text
from bgai.analysis.report_text import COLUMNS, csv_text, game_rows, json_text, summary
from bgai.analysis.rescue import rescue
from bgai.analysis.review import (
    TRIVIAL,
    ErrorKind,
    Errors,
    Figures,
    GamePhase,
    Kind,
    Review,
    decision_from_json,
    decision_to_json,
    error_kind,
    error_mark,
    game_phase,
    luck_mark,
    rating_words,
)
from bgai.analysis.stats import deepest, player_stats, rating_chart, stats_html
from bgai.analysis.store import Store
from bgai.equity.cube_action import cube_decision
from bgai.equity.stakes import money_stakes
from bgai.errors import InputError
from bgai.notation.mat import read_mat
from bgai.notation.record import MatchRecord
from bgai.notation.record_files import read_record
from bgai.notation.xgid import parse_xgid
from bgai.rules.game import Game
from bgai.rules.position import position_from_points
from bgai.search.engine import HANDMADE, EngineSettings
from bgai.search.executors import InlineExecutor, open_executor

MATCHES = Path(__file__).parents[1] / "golden" / "matches"
HANDMADE_0 = EngineSettings(network=HANDMADE)


@pytest.fixture(scope="module")
def reviewed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with the review of the three-point match, to be copied."""
    path = tmp_path_factory.mktemp("reviewed") / "analyses.sqlite"
    with Store(path) as opened:
        review_of(three_points(), opened)
    return path


@pytest.fixture
def full(reviewed: Path, tmp_path: Path) -> Iterator[Store]:
    """That store: nothing has to be judged again."""
    with Store(Path(shutil.copy(reviewed, tmp_path / "full.sqlite"))) as opened:
        yield opened


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "analyses.sqlite") as opened:
        yield opened


def three_points() -> MatchRecord:
    return read_record(MATCHES / "3-point.mat").record


def review_of(record: MatchRecord, store: Store, settings: EngineSettings = HANDMADE_0) -> Review:
    return analyse([Job(record, "3-point.mat")], settings, store, InlineExecutor())[0]


def short_match(rows: str, length: int = 5) -> MatchRecord:
    reading = read_mat(f" {length} point match\n Game 1\n Ann : 0   Bob : 0\n{rows}\n")
    assert reading.problems == ()
    return reading.record


def test_a_review_of_the_three_point_match(full: Store) -> None:
    review = review_of(three_points(), full)
    kinds = [decision.kind for decision in review.decisions]
    assert kinds.count(Kind.ANSWER) == 2
    for decision in review.decisions:
        assert decision.cost >= 0
        assert (decision.made == decision.best) == (decision.cost == 0)
        assert decision.chance_lost == pytest.approx(0, abs=1e-9) or decision.cost > 0
        assert 0 <= decision.chance <= 1
        parse_xgid(decision.id)
        assert decision.made in [option.text for option in decision.options]
    rolled = sum(
        act.kind.value in ("roll", "opening") for game in review.record.games for act in game.acts
    )
    assert len(review.rolls) == rolled
    white, black = review.player(0), review.player(1)
    assert (white.result, black.result) == (1, 0)
    assert white.adjusted is not None
    assert black.adjusted is not None
    assert white.adjusted + black.adjusted == pytest.approx(1)
    assert white.adjusted == pytest.approx(1 - white.chance_luck + black.chance_luck)
    assert white.all.rating is not None
    assert white.all.lost == pytest.approx(white.plays.lost + white.cube.lost)
    assert sum(each.counted for each in white.phases.values()) == white.all.counted


def test_forced_and_trivial_decisions_are_left_out(store: Store) -> None:
    rows = " 1) 31: 8/5 6/5          66: 24/18(2) 13/7(2)\n 2) 11: 6/5(2) 24/23(2)    61: 13/7 8/7"
    review = review_of(short_match(rows), store)
    plays = [decision for decision in review.decisions if decision.kind is Kind.PLAY]
    assert len(plays) == 4
    cubes = [decision for decision in review.decisions if decision.kind is Kind.DOUBLE]
    assert [decision.seat for decision in cubes] == [1, 0, 1]  # not before the opening roll


def test_a_double_and_a_pass_are_judged_for_those_who_made_them(store: Store) -> None:
    rows = " 1) 31: 8/5 6/5         Doubles => 2\n 2)  Drops\n                    Wins 1 point"
    review = review_of(short_match(rows), store)
    double = next(each for each in review.decisions if each.kind is Kind.DOUBLE)
    passed = next(each for each in review.decisions if each.kind is Kind.ANSWER)
    assert (double.seat, double.made, double.best) == (1, "double", "no double")
    assert (passed.seat, passed.made, passed.best) == (0, "pass", "take")
    assert passed.mark == "??"
    assert double.verdict == passed.verdict == "No double, take"
    assert len(double.cube) == 3
    assert double.cube[2] == 1
    assert double.options[0].equity == pytest.approx(double.cube[0])
    page = html_text(review)
    assert "Ann (white) to answer the double; Bob 5-away, Ann 5-away; cube 1, centred" in page
    assert "double, pass +1.000" in page
    assert passed.cost == pytest.approx(passed.options[0].equity + 1)
    errors = [review.player(seat).errors for seat in (0, 1)]
    assert errors[0][ErrorKind.WRONG_PASS] == Errors(1, pytest.approx(passed.cost))
    assert errors[1][ErrorKind.WRONG_DOUBLE] == Errors(1, pytest.approx(double.cost))


def test_every_answer_counts_and_errors_add_up(full: Store) -> None:
    review = review_of(three_points(), full)
    assert all(each.counts for each in review.decisions if each.kind is Kind.ANSWER)
    for seat in (0, 1):
        player = review.player(seat)
        small = sum(d.cost for d in review.decisions if d.seat == seat and 0 < d.cost < TRIVIAL)
        split = sum(each.lost for each in player.errors.values())
        assert split == pytest.approx(player.all.lost, abs=small + 1e-9)
        assert player.snowie == pytest.approx(1000 * player.all.lost / len(review.rolls), abs=0.5)


@pytest.mark.parametrize(
    ("equities", "counts"),
    [
        ((0.5, 0.6, 1.0), True),  # a double that is right
        ((0.2, 0.9, 1.0), True),  # by much
        ((0.5, 0.4, 1.0), True),  # close
        ((0.5, 0.2, 1.0), False),  # plainly no double
        ((0.5, 0.5005, 1.0), False),  # no difference
        ((1.1, 1.5, 1.0), True),  # too good, by little
        ((1.3, 1.8, 1.0), False),  # by much
        ((-0.95, -1.1, 1.0), False),  # as good as lost
        ((-0.85, -0.95, 1.0), True),
    ],
)
def test_which_doubles_count(equities: tuple[float, float, float], counts: bool) -> None:
    decision = cube_decision(equities, money_stakes(), np.zeros(5, np.float32), np.zeros(6))
    assert is_double_counted(decision) is counts


@pytest.mark.parametrize(
    ("kind", "made", "best", "error"),
    [
        (Kind.DOUBLE, "redouble", "no redouble", ErrorKind.WRONG_DOUBLE),
        (Kind.DOUBLE, "no redouble", "redouble", ErrorKind.MISSED_DOUBLE),
        (Kind.ANSWER, "take", "pass", ErrorKind.WRONG_TAKE),
        (Kind.ANSWER, "pass", "beaver", ErrorKind.WRONG_PASS),
        (Kind.ANSWER, "take", "beaver", ErrorKind.BEAVER),
        (Kind.ANSWER, "beaver", "pass", ErrorKind.WRONG_TAKE),
    ],
)
def test_kinds_of_errors(kind: Kind, made: str, best: str, error: ErrorKind, full: Store) -> None:
    (decision, *_) = review_of(three_points(), full).decisions
    assert error_kind(replace(decision, kind=kind, made=made, best=best)) is error


def test_answers_kept_by_an_older_version_count(full: Store) -> None:
    answer = next(
        each for each in review_of(three_points(), full).decisions if each.kind is Kind.ANSWER
    )
    old = decision_to_json(answer) | {"counts": False}
    assert decision_from_json(old) == answer


def test_luck_of_rolls_averages_to_nothing() -> None:
    """Over the 21 rolls, weighted, luck is 0; the best opening roll is lucky."""
    from bgai.rules.dice import ROLL_CHANCES, ROLLS

    total = 0.0
    for roll, chance in zip(ROLLS, ROLL_CHANCES, strict=True):
        rows = f" 1) 31: 8/5 6/5     {roll.high}{roll.low}: ????"
        record = short_match(rows)
        found = [judge_piece(HANDMADE_0, piece) for piece in pieces(record)]
        luck = found[0]["rolls"][-1]["luck"]
        total += chance * luck
    assert total == pytest.approx(0, abs=1e-9)


def test_words_for_a_rating() -> None:
    said = [rating_words(each) for each in (None, 0.0, 2.5, 7.4, 12.5, 31.0)]
    assert said == ["", "world champion", "world class", "expert", "intermediate", "distracted"]


def test_every_marked_error_has_a_diagram(full: Store) -> None:
    review = review_of(three_points(), full)
    marked = sum(bool(each.mark) for each in review.decisions)
    assert html_text(review, worst=1).count('<details class="board"') == max(marked, 1)


def test_marks() -> None:
    assert [error_mark(cost) for cost in (0.029, 0.03, 0.06, 0.12)] == ["", "?!", "?", "??"]
    assert [luck_mark(each) for each in (0.3, 0.31, 0.61, -0.31, -0.7)] == [
        "", "lucky", "very lucky", "unlucky", "very unlucky",
    ]  # fmt: skip
    assert Figures(counted=10, lost=0.1).rating == pytest.approx(5)
    assert Figures(counted=10, lost=0.1).error_rate == pytest.approx(10)
    assert Figures().rating is None


def test_phases() -> None:
    start = Game.set_up(three_points().games[0].states(three_points().terms).__next__()[0].position)
    assert game_phase(start, 1) is GamePhase.OPENING
    assert game_phase(start, 9) is GamePhase.CONTACT
    back = position_from_points({22: 2, 23: 2, 24: 2, 13: 3, 6: 3, 8: 3}, {6: 5, 8: 4, 4: 4, 7: 2})
    assert game_phase(Game.set_up(back), 9) is GamePhase.BACK_GAME
    race = position_from_points({6: 15}, {6: 15})
    assert game_phase(Game.set_up(race), 9) is GamePhase.RACE


def test_same_numbers_whatever_the_cut_or_the_process(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = three_points()
    begun = replace(record.games[0], acts=record.games[0].acts[:12], result=None)
    record = replace(record, games=(begun,))
    with open_executor(2) as executor:  # one piece: one process is started
        whole = analyse([Job(record, "x")], HANDMADE_0, store, executor)[0]
    monkeypatch.setattr("bgai.analysis.judging.PIECE", 5)
    with Store(tmp_path / "other.sqlite") as other:
        again = review_of(record, other)
    assert len(whole.decisions) > 5
    assert again.decisions == whole.decisions
    assert again.rolls == whole.rolls


class _Breaking(Executor):
    """Gives up after some pieces, as an interruption would."""

    def __init__(self, after: int) -> None:
        self.left = after
        self.done = 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        if self.done >= self.left:
            raise KeyboardInterrupt
        self.done += 1
        return InlineExecutor().submit(fn, *args, **kwargs)


def test_interrupted_work_goes_on(store: Store) -> None:
    record = three_points()
    total = len(list(pieces(record)))
    with pytest.raises(KeyboardInterrupt):
        analyse([Job(record, "x")], HANDMADE_0, store, _Breaking(3))
    rest = _Breaking(1000)
    progress: list[tuple[int, int]] = []
    review = analyse([Job(record, "x")], HANDMADE_0, store, rest, lambda *at: progress.append(at))[
        0
    ]
    assert rest.done == total - 3
    assert progress[0][0] > 0
    assert progress[-1][0] == progress[-1][1]
    again = _Breaking(0)
    assert analyse([Job(record, "x")], HANDMADE_0, store, again)[0] == review


def test_reports(full: Store) -> None:
    review = review_of(three_points(), full)
    text = summary(review)
    assert text.startswith("White against Black, match to 3 points\nWhite won 4-1\n")
    assert "luck-adjusted result" in text
    html = html_text(review)
    assert html.count("<svg") == 2 + min(20, len(review.worst(count=1000)))
    assert "http" not in html.replace("http://www.w3.org/2000/svg", "")
    rows = csv_text(review).splitlines()
    assert rows[0] == ",".join(COLUMNS)
    assert len(rows) == 1 + len(review.decisions)
    data = json.loads(json_text(review))
    assert data["players"][0]["all"]["rating"] == review.player(0).all.rating
    assert len(data["decisions"]) == len(review.decisions)
    for each, decision in zip(data["decisions"], review.decisions, strict=True):
        chances = each.pop("chances")
        assert chances.pop("of") == decision.seat
        assert list(chances.values()) == pytest.approx(decision.chances, abs=1e-6)
        assert decision_from_json(each | {"chances": list(decision.chances)}) == decision


def test_a_row_for_each_game(full: Store) -> None:
    review = review_of(three_points(), full)
    rows = game_rows(review)
    assert [number for number, _, _ in rows] == list(range(1, len(review.record.games) + 1))
    won = [0, 0]
    for _, result, _ in rows:
        words = result.split()
        won[review.record.players.index(words[0])] += int(words[2])
    assert tuple(won) == review.record.final_points
    for seat in (0, 1):
        player = review.player(seat)
        lost, luck = (
            sum(float(cells[3 * seat + column]) for _, _, cells in rows) for column in (1, 2)
        )
        assert lost == pytest.approx(player.all.lost, abs=0.001 * len(rows))
        assert luck == pytest.approx(player.luck, abs=0.001 * len(rows))
    assert '<table id="games">' in html_text(review)


def test_names_are_escaped_in_html(store: Store) -> None:
    record = short_match(" 1) 31: 8/5 6/5    65: 24/13")
    record = MatchRecord(("<b>Ann</b>", "Bob"), record.terms, record.games)
    html = html_text(review_of(record, store))
    assert "<b>Ann" not in html
    assert "&lt;b&gt;Ann" in html


def test_decisions_as_json() -> None:
    with pytest.raises(InputError, match="game: is missing"):
        decision_from_json({"kind": "play"})


def test_a_store_of_something_else_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as db:
        db.execute("CREATE TABLE things (name TEXT)")
    with pytest.raises(InputError, match="something else"):
        Store(other)
    (tmp_path / "text").write_text("no database, but long enough to be looked at " * 30)
    with pytest.raises(InputError, match="text"):
        Store(tmp_path / "text")
    with Store(tmp_path / "new.sqlite") as store:
        store.connection.execute("PRAGMA user_version = 99")
    with pytest.raises(InputError, match="schema 99"):
        Store(tmp_path / "new.sqlite")


def test_a_store_that_called_rolls_throws_is_read(tmp_path: Path) -> None:
    path = tmp_path / "old.sqlite"
    with Store(path) as store:
        review = review_of(three_points(), store)
        with store.connection as db:  # as version 0.1 wrote it
            db.execute("""UPDATE analyses SET digest = 'old',
                          record = replace(record, '"act": "roll"', '"act": "throw"')""")
            db.execute("""UPDATE pieces SET found = replace(found, '"rolls":', '"throws":')""")
            for table in ("words", "features", "listed", "notes", "tags"):
                db.execute(f"DROP TABLE {table}")
            db.execute("DROP INDEX decisions_by_analysis")
            db.execute("PRAGMA user_version = 1")
    with Store(path) as store:
        assert [each for _, _, each in store.finished()] == [review]
        review_of(three_points(), store)  # found again by its digest
        assert len(list(store.finished())) == 1


def use(path: Path) -> int:
    """Whatever is done with a store; how many reviews it gave."""
    with Store(path) as store:
        review_of(three_points(), store)
        store.due(None, datetime(2030, 1, 1, tzinfo=UTC))
        return len(list(store.finished())) + len(store.worst(None, 0, 9))


def test_a_damaged_store_says_so_and_can_be_rescued(reviewed: Path, tmp_path: Path) -> None:
    """Every page in turn overwritten or lost: no traceback, and all that is sound is rescued."""
    whole = reviewed.read_bytes()
    with Store(reviewed) as store:
        (review,) = (each for _, _, each in store.finished())
    said: list[str] = []
    page, rescued = 4096, 0
    rng = np.random.default_rng(1)
    for number in range(len(whole) // page):
        for filling in (rng.bytes(page), b"\x00" * page, None):
            path, new = tmp_path / "damaged.sqlite", tmp_path / "new.sqlite"
            start = number * page
            rest = b"" if filling is None else filling + whole[start + page :]
            path.write_bytes(whole[:start] + rest)
            try:
                use(path)
            except InputError as error:
                said.append(str(error))
            path.write_bytes(whole[:start] + rest)
            new.unlink(missing_ok=True)
            try:
                counts = rescue(path, new)
            except InputError:
                assert not new.exists()
                continue
            rescued += counts["decisions"] > 0
            with Store(new) as store:
                found = store.worst(None, -1, 10**6)
                assert {each.decision for each in found} <= set(review.decisions)
    assert len(said) > len(whole) // page
    assert all(str(path) in each and "\n" not in each for each in said)
    assert rescued > 0


def test_a_sound_store_is_rescued_whole(reviewed: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.sqlite"
    counts = rescue(reviewed, new)
    with Store(reviewed) as old, Store(new) as copy:
        assert list(copy.finished()) == list(old.finished())
        assert counts["decisions"] == len(old.worst(None, -1, 10**6))
    with pytest.raises(InputError, match="exists; name a new file"):
        rescue(reviewed, new)


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
    assert [each.name for each in player_stats(full.finished(), "White")] == ["White"]


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


@needs_gnubg
def test_two_plies_of_gnubg_play_better_than_noise(tmp_path: Path, store: Store) -> None:
    """PR of GNU Backgammon's 2-ply play is lower than that of its noisy play."""
    player = "set player {0} gnubg\nset player {0} chequerplay evaluation plies {1}\n"
    cube = "set player {0} cubedecision evaluation plies 0\n"
    printed = run_gnubg(
        player.format(0, 2) + cube.format(0) + player.format(1, 0) + cube.format(1)
        + "set player 1 chequerplay evaluation noise 0.3\nset seed 4\nnew match 1\n"
        f"export match mat {tmp_path}/match.mat\n",
        tmp_path,
        timeout=300,
    )  # fmt: skip
    assert "has won the match" in printed
    reading = read_record(tmp_path / "match.mat")
    assert reading.problems == ()
    settings = EngineSettings(plies=0)
    review = analyse([Job(reading.record, "match.mat")], settings, store, InlineExecutor())[0]
    good, noisy = review.player(0).plays, review.player(1).plays
    assert good.rating is not None
    assert noisy.rating is not None
    assert good.rating < noisy.rating
