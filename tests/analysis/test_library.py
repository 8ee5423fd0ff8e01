"""The library: searches against a plain filter, tags and notes, duplicates, older stores."""

import csv
import io
import json
import random
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from analysed_matches import MATCHES

from bgai.analysis.analyse import Job, analyse
from bgai.analysis.anki import deck_key, write_deck
from bgai.analysis.library import (
    COLUMNS,
    Found,
    change,
    find,
    find_ids,
    found_csv,
    found_json,
    match_search,
    read_search,
)
from bgai.analysis.plans import plan_of
from bgai.analysis.quiz import judge_answer, questions, rate
from bgai.analysis.rescue import rescue
from bgai.analysis.review import TRIVIAL, Kind, error_kind
from bgai.analysis.store import Store, match_digest
from bgai.errors import InputError
from bgai.notation.record import MatchRecord
from bgai.notation.record_files import read_record
from bgai.notation.situation import Seat
from bgai.notation.xgid import parse_xgid
from bgai.search.engine import HANDMADE, EngineSettings
from bgai.search.executors import InlineExecutor

NEW_TABLES = ("words", "features", "listed", "notes", "tags")


def three_points() -> MatchRecord:
    record = read_record(MATCHES / "3-point.mat").record
    comments = {2: "Zurich brilliancy", -1: "A long game"}
    first = replace(record.games[0], comments=comments)
    return replace(record, games=(first, *record.games[1:]), info={**record.info, "event": "Oslo"})


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of one match."""
    path = tmp_path_factory.mktemp("library") / "analyses.sqlite"
    with Store(path) as store:
        judge(store)
    return path


@pytest.fixture
def store(made: Path, tmp_path: Path) -> Iterator[Store]:
    with Store(Path(shutil.copy(made, tmp_path / "copy.sqlite"))) as opened:
        yield opened


def judge(store: Store) -> None:
    settings = EngineSettings(network=HANDMADE)
    analyse([Job(three_points(), "club/3-point.mat")], settings, store, InlineExecutor())


def searched(store: Store, text: str, count: int | None = None) -> list[Found]:
    return find(store, read_search(text), count)


def older(path: Path) -> None:
    """Make a file one of schema 2."""
    with sqlite3.connect(path) as db:
        db.execute("DROP INDEX decisions_by_analysis")
        for table in NEW_TABLES:
            db.execute(f"DROP TABLE {table}")
        db.execute("PRAGMA user_version = 2")


def away(found: Found) -> tuple[int, int]:
    """The decider's points to go and the other's."""
    decision = found.stored.decision
    situation = parse_xgid(decision.id)
    assert situation.score is not None
    score = situation.score.away_on_roll, situation.score.away_opponent
    return score if (situation.seat is Seat.BOTTOM) == (decision.seat == 0) else score[::-1]


FILTERS: dict[str, Callable[[Found], bool]] = {
    "kind:cube": lambda f: f.stored.decision.kind is not Kind.PLAY,
    "kind:play": lambda f: f.stored.decision.kind is Kind.PLAY,
    "cost>=0.08": lambda f: f.stored.decision.cost >= 0.08,
    "cost<0.2": lambda f: f.stored.decision.cost < 0.2,
    "away:2": lambda f: away(f)[0] == 2,
    "opponent-away>=3": lambda f: away(f)[1] >= 3,
    "score:3-2": lambda f: away(f) == (3, 2),
    "plan:blitz": lambda f: plan_of(parse_xgid(f.stored.decision.id).position) == "blitz",
    "plan:other-contact": lambda f: (
        plan_of(parse_xgid(f.stored.decision.id).position) == "other contact"
    ),
    "phase:race": lambda f: f.stored.decision.phase == "race",
    "error:missed-doubles": lambda f: (
        f.stored.decision.cost >= TRIVIAL and error_kind(f.stored.decision) == "missed doubles"
    ),
    "mark:?": lambda f: f.stored.decision.mark == "?",
    "mark:??": lambda f: f.stored.decision.mark == "??",
    "cube:2": lambda f: parse_xgid(f.stored.decision.id).cube.value == 2,
    "player:WHI": lambda f: f.stored.player == "White",
    "opponent:white": lambda f: f.stored.opponent == "White",
    "dice:13": lambda f: f.stored.decision.dice in ("13", "31"),
    "game<=2": lambda f: f.stored.decision.game <= 2,
    "date:2026": lambda f: f.stored.date.startswith("2026"),
    "date<2026-11": lambda f: "" < f.stored.date < "2026-11",
    "file:3-POINT": lambda f: True,
    "oslo": lambda f: True,
    "brilliancy": lambda f: (f.stored.decision.game, f.stored.decision.act) == (1, 2),
    "'long game'": lambda f: True,
    "nowhere": lambda f: False,
}


def test_searches_find_what_a_plain_filter_finds(store: Store) -> None:
    """Every condition alone and 300 pairs and triples of them; the dearest first."""
    every = searched(store, "")
    assert len(every) == len(store.worst(None, -1, 10**6)) > 50
    rng = random.Random(1)
    names = list(FILTERS)
    picked = [[name] for name in names]
    picked += [rng.sample(names, rng.choice((2, 3))) for _ in range(300)]
    hits = 0
    for conditions in picked:
        expected = [each for each in every if all(FILTERS[name](each) for name in conditions)]
        assert searched(store, " ".join(conditions)) == expected, conditions
        hits += bool(expected)
    assert hits > 50
    costs = [each.stored.decision.cost for each in every]
    assert costs == sorted(costs, reverse=True)
    assert searched(store, "", 3) == every[:3]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("colour:red", "no condition 'colour'"),
        ("cost>=much", "'much' is no number"),
        ("cost>=nan", "'nan' is no number"),
        ("plan:attack", "'attack' is none of race, back game"),
        ("plan:b", "'b' is none of"),
        ("plan>=race", "write plan:race"),
        ("kind:", "'' is none of play"),
        ("mark:!", "'!' is none of"),
        ("dice:71", "'71' is no roll"),
        ("score:seven", "'seven' is no score"),
        ("date:yesterday", "'yesterday' is no date"),
        ('"no end', "a quotation mark is missing"),
    ],
)
def test_a_bad_search_is_named(text: str, said: str) -> None:
    with pytest.raises(InputError, match="search") as caught:
        read_search(text)
    assert said in str(caught.value)


@pytest.mark.parametrize("text", ["'a\"b'", "*", "'AND OR NOT'", "a*b", "(", "'; DROP TABLE tags'"])
def test_words_are_words(store: Store, text: str) -> None:
    """Nothing in a word is taken for a language of searches."""
    assert searched(store, text) == []
    assert searched(store, "") != []


def test_tags_and_notes(store: Store) -> None:
    worst = searched(store, "mark:??")
    assert change(store, read_search("mark:??"), add=["study", "hard"], note="Why not hit?") == len(
        worst
    )
    assert [each.stored for each in searched(store, "tag:study")] == [e.stored for e in worst]
    assert searched(store, "hit tag:hard")[0].notes == ("Why not hit?",)
    assert searched(store, "tag:study")[0].tags == ("study", "hard")
    change(store, read_search("tag:hard cost>=0.3"), remove=["hard"], note="")
    assert all(each.stored.decision.cost < 0.3 for each in searched(store, "tag:hard"))
    assert all(each.stored.decision.cost < 0.3 for each in searched(store, "hit"))
    with pytest.raises(InputError, match="one word"):
        change(store, read_search(""), add=["two words"])


def test_tags_of_a_match_hold_for_all_of_it(store: Store) -> None:
    digest = match_digest(three_points())
    assert change(store, match_search(digest), add=["final"], note="in Oslo", matches=True) == 1
    assert len(searched(store, "tag:final oslo")) == len(searched(store, ""))


def test_a_match_is_found_once_by_its_deepest_analysis(store: Store) -> None:
    change(store, read_search("mark:??"), add=["study"])
    tagged = {(f.stored.decision.game, f.stored.decision.act) for f in searched(store, "tag:study")}
    review = next(iter(store.finished()))[2]
    deeper = [
        replace(each, options=tuple(replace(option, plies=2) for option in each.options))
        for each in review.decisions
    ]
    before = len(searched(store, ""))
    store.finish(
        store.begin(review.record, "other 2-ply", "again.mat"),
        replace(review, judge="other 2-ply", decisions=tuple(deeper)),
    )
    store.finish(store.begin(review.record, "shallow", "third.mat"), replace(review, judge="s"))
    found = searched(store, "")
    assert len(found) == before
    assert {each.stored.judge for each in found} == {"other 2-ply"}
    again = {(f.stored.decision.game, f.stored.decision.act) for f in searched(store, "tag:study")}
    assert again == tagged
    store.finish(store.begin(review.record, "other 2-ply", "again.mat"), review)
    assert len(searched(store, "")) == before


def test_an_older_store_is_listed(made: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(made, tmp_path / "old.sqlite"))
    with Store(path) as store:
        wanted = searched(store, "oslo")
    older(path)
    with Store(path) as store:
        assert searched(store, "oslo") == wanted != []


def test_a_damaged_store_keeps_tags_and_notes_when_rescued(store: Store, tmp_path: Path) -> None:
    change(store, read_search("mark:??"), add=["study"], note="look")
    wanted = searched(store, "tag:study look")
    counts = rescue(store.path, tmp_path / "new.sqlite")
    assert counts["tags"] == counts["notes"] == len(wanted) > 0
    with Store(tmp_path / "new.sqlite") as copy:
        assert searched(copy, "tag:study look") == wanted
    older(store.path)
    assert rescue(store.path, tmp_path / "older.sqlite")["tags"] == 0
    with Store(tmp_path / "older.sqlite") as copy:
        assert len(searched(copy, "mark:??")) == len(wanted)


def test_two_processes_may_open_an_older_store_and_tag_at_once(made: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(made, tmp_path / "both.sqlite"))
    older(path)
    code = (
        "import sys; from pathlib import Path; from bgai.analysis.store import Store\n"
        "from bgai.analysis.library import change, read_search\n"
        "for number in range(20):\n"
        "    with Store(Path(sys.argv[1])) as s:\n"
        "        change(s, read_search('mark:??'), add=[f'{sys.argv[2]}{number}'])\n"
    )
    running = [subprocess.Popen([sys.executable, "-c", code, path, name]) for name in "ab"]
    assert [each.wait(60) for each in running] == [0, 0]
    with Store(path) as store:
        tags = {f"{name}{number}" for name in "ab" for number in range(20)}
        assert all(set(each.tags) == tags for each in searched(store, "mark:??"))


def test_the_quiz_is_limited_by_a_search(store: Store) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    among = find_ids(store, read_search("kind:cube cost>=0.1"))
    asked = questions(store, None, now, 100, 0.06, among)
    assert {each.id for each in asked} == among != set()
    other = questions(store, None, now, 1, 0.06)[0]
    assert other.id not in among
    rate(store, other, judge_answer(other.decision, other.decision.made), now)
    later = now + timedelta(days=300)
    assert {each.id for each in questions(store, None, later, 100, 0.06, among)} == among


def test_export(store: Store) -> None:
    change(store, read_search("mark:??"), add=["study"], note='a "note"\nof two lines')
    found = searched(store, "tag:study")
    rows = list(csv.DictReader(io.StringIO(found_csv(found))))
    assert list(rows[0]) == list(COLUMNS)
    assert [row["id"] for row in rows] == [each.stored.decision.id for each in found]
    assert rows[0]["notes"] == 'a "note"\nof two lines'
    assert found_json(found[0])["tags"] == ["study"]


def test_a_deck_of_anki(store: Store, tmp_path: Path) -> None:
    change(store, read_search("mark:??"), add=["study"], note="<b> is no tag")
    found = searched(store, "tag:study")
    for _ in range(2):  # sent again it replaces the file, and the cards are the same
        write_deck(tmp_path / "deck.apkg", found)
        with zipfile.ZipFile(tmp_path / "deck.apkg") as deck:
            media = json.loads(deck.read("media"))
            pictures = {name: deck.read(number) for number, name in media.items()}
            (tmp_path / "deck.sqlite").write_bytes(deck.read("collection.anki2"))
        with sqlite3.connect(tmp_path / "deck.sqlite") as db:
            notes = db.execute("SELECT guid, flds, tags FROM notes").fetchall()
            cards = db.execute("SELECT count(*) FROM cards").fetchone()[0]
        assert cards == len(notes) == len({guid for guid, _, _ in notes}) == len(found) > 1
    for (_, fields, tags), each in zip(sorted(notes, key=lambda n: n[1]), sorted(
        found, key=lambda f: f"bgai-{deck_key(f)}"), strict=True):  # fmt: skip
        board, question, answer = fields.split("\x1f")
        assert pictures[board.partition('"')[2].partition('"')[0]].startswith(b"\x89PNG")
        assert tags.split() == ["study"]
        assert each.stored.decision.best in answer
        assert each.stored.decision.id in answer
        assert each.stored.decision.best not in question or each.stored.decision.dice == ""
        assert "&lt;b&gt; is no tag" in answer
