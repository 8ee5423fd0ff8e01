"""Saving from a damaged file of analyses what can still be read."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from bgai.analysis.listing import list_all
from bgai.analysis.review import decision_from_json
from bgai.analysis.store import Store, match_digest
from bgai.errors import InputError
from bgai.notation.record import RECORDS

Row = tuple[Any, ...]


def rescue(damaged: Path, new: Path) -> dict[str, int]:
    """Copy every sound row to a new file; how many of each table.

    A table is read from both ends up to its damaged pages. Rows whose texts are damaged, and
    those of analyses that are lost, are left out. Raises ``InputError`` where ``new`` exists or
    nothing can be read.
    """
    if new.exists():
        raise InputError(f"{new} exists; name a new file")
    try:
        source = sqlite3.connect(f"file:{damaged.absolute()}?mode=ro", uri=True)
        source.text_factory = bytes
        rows = {table: list(_rows(source, table, sound)) for table, sound in _SOUND.items()}
    except sqlite3.Error as error:
        raise InputError(f"{damaged}: {error}; nothing can be read") from None
    counts = dict.fromkeys(rows, 0)
    with Store(new) as store, store.connection as db:
        for table, found in rows.items():
            for row in found:
                marks = ", ".join("?" * len(row))
                try:
                    db.execute(f"INSERT INTO {table} VALUES ({marks})", row)
                    counts[table] += 1
                except sqlite3.IntegrityError:
                    continue  # its analysis, or its decision, is lost
        list_all(db)
    if not sum(counts.values()):
        new.unlink()
        raise InputError(f"{damaged}: nothing can be read")
    return counts


def _rows(source: sqlite3.Connection, table: str, sound: Callable[[Row], None]) -> Iterator[Row]:
    seen: set[int] = set()
    for order in ("ASC", "DESC"):
        try:
            rows = source.execute(f"SELECT rowid, * FROM {table} ORDER BY rowid {order}")
        except sqlite3.OperationalError:
            return  # older files have no tags and notes
        while True:
            try:
                number, *values = next(rows)
                if number in seen:
                    break
                row = tuple(_text(value) for value in values)
                sound(row)
            except StopIteration:
                return
            except sqlite3.DatabaseError:
                break
            except (InputError, ValueError, TypeError):
                continue
            seen.add(number)
            yield row


def _text(value: Any) -> Any:
    return value.decode() if isinstance(value, bytes) else value


def _sound_analysis(row: Row) -> None:
    if match_digest(RECORDS.load(json.loads(row[7]))) != row[1]:
        raise InputError("the match is not the one analysed")


_SOUND: dict[str, Callable[[Row], Any]] = {
    "analyses": _sound_analysis,
    "pieces": lambda row: [decision_from_json(each) for each in json.loads(row[3])["decisions"]],
    "decisions": lambda row: decision_from_json(json.loads(row[7])),
    "cards": lambda row: json.loads(row[2]),
    "tags": str,
    "notes": str,
}
"""Checks of the rows of every table; they raise ``InputError`` or ``ValueError``."""
