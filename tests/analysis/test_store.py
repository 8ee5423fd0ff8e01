"""Stores of other programs and versions, damaged ones, and what is rescued of them."""

import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from analysed_matches import review_of, three_points

from bgai.analysis.rescue import rescue
from bgai.analysis.store import Store
from bgai.errors import InputError


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
