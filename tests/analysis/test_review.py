"""Reviews of matches: decisions, luck, figures, reports, interrupted work."""

import json
from concurrent.futures import Executor, Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from analysed_matches import HANDMADE_0, review_of, short_match, three_points
from gnubg_program import needs_gnubg, run_gnubg

from bgai.analysis.analyse import Job, analyse
from bgai.analysis.judging import is_double_counted, judge_piece, pieces
from bgai.analysis.report_html import html_text
from bgai.analysis.report_text import COLUMNS, csv_text, game_rows, json_text, summary
from bgai.analysis.review import (
    TRIVIAL,
    ErrorKind,
    Errors,
    Figures,
    GamePhase,
    Kind,
    decision_from_json,
    decision_to_json,
    error_kind,
    error_mark,
    game_phase,
    luck_mark,
    rating_words,
)
from bgai.analysis.store import Store
from bgai.errors import InputError
from bgai.notation.record import MatchRecord
from bgai.notation.record_files import read_record
from bgai.notation.xgid import parse_xgid
from bgai.rules.game import Game
from bgai.rules.position import position_from_points
from bgai.search.engine import EngineSettings
from bgai.search.executors import InlineExecutor, open_executor


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
    assert is_double_counted(*equities) is counts


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
