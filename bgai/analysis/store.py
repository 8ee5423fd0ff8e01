"""Analyses kept in an SQLite file: unfinished ones to go on with, finished ones for statistics.

An analysis is found by its match (a digest of players, terms and games) and its judge. Pieces
are kept as they come, each in a transaction of its own, so that an interrupted analysis goes on
where it was. ``PRAGMA user_version`` is the version of the schema.
"""

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from bgai.analysis.listing import list_analysis, make_tables
from bgai.analysis.review import ROLLS, Decision, Review, decision_from_json, decision_to_json
from bgai.errors import IO_FAILURE, FileError, InputError
from bgai.notation.record import RECORDS, MatchRecord

SCHEMA = 3
STORE_VARIABLE = "BGAI_ANALYSES"
PieceKey = tuple[int, int]
"""A piece's game and first act."""

_TABLES = """
CREATE TABLE analyses (
    id INTEGER PRIMARY KEY,
    digest TEXT NOT NULL,
    judge TEXT NOT NULL,
    file TEXT NOT NULL,
    date TEXT NOT NULL,
    player0 TEXT NOT NULL,
    player1 TEXT NOT NULL,
    record TEXT NOT NULL,
    finished INTEGER NOT NULL DEFAULT 0,
    UNIQUE (digest, judge)
);
CREATE TABLE pieces (
    analysis INTEGER NOT NULL REFERENCES analyses ON DELETE CASCADE,
    game INTEGER NOT NULL,
    first INTEGER NOT NULL,
    found TEXT NOT NULL,
    PRIMARY KEY (analysis, game, first)
);
CREATE TABLE decisions (
    id INTEGER PRIMARY KEY,
    analysis INTEGER NOT NULL REFERENCES analyses ON DELETE CASCADE,
    player TEXT NOT NULL,
    kind TEXT NOT NULL,
    phase TEXT NOT NULL,
    cost REAL NOT NULL,
    counts INTEGER NOT NULL,
    decision TEXT NOT NULL
);
CREATE INDEX decisions_by_player ON decisions (player, cost);
CREATE TABLE cards (
    decision INTEGER PRIMARY KEY REFERENCES decisions ON DELETE CASCADE,
    due TEXT NOT NULL,
    card TEXT NOT NULL
);
"""


def store_path() -> Path:
    """``$BGAI_ANALYSES``, else ``analyses.sqlite`` in the user's data directory."""
    chosen = os.environ.get(STORE_VARIABLE)
    if chosen:
        return Path(chosen)
    import platformdirs

    return Path(platformdirs.user_data_dir("bgai", appauthor=False)) / "analyses.sqlite"


_BESIDE = ("comments", "verdicts")


def match_digest(record: MatchRecord) -> str:
    """What makes a match the same: players, terms and games, not texts, comments and verdicts."""
    data = RECORDS.dump(record)
    games = [
        # Without illegal plays as version 0.1 had it, so that its analyses are found.
        {k: v for k, v in game.items() if k not in _BESIDE and (v or k != "illegal")}
        for game in data["games"]
    ]
    key = [data["players"], data["terms"], games]
    return hashlib.sha256(json.dumps(key, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class StoredDecision:
    """A decision with the match it is from."""

    id: int
    player: str
    opponent: str
    date: str
    file: str
    judge: str
    decision: Decision


class StoreError(InputError):
    """What SQLite says about a file of analyses; a damaged one has a way out."""

    def __init__(self, path: Path, error: Exception) -> None:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
        damaged = code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
        way_out = "; bgai stats --rescue NEW copies what can be read" if damaged else ""
        super().__init__(f"{path}: {error}{way_out}")
        if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
            self.exit_code = IO_FAILURE


class Store:
    """An open file of analyses. Use it as a context manager, which tells SQLite's errors."""

    def __init__(self, path: Path) -> None:
        """Open or create. Raises ``InputError`` for a file of something else or a newer schema."""
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self.connection = sqlite3.connect(path, timeout=30)
            self._prepare()
        except InputError:
            self.connection.close()
            raise
        except OSError as error:
            raise FileError(path, error, writing=True) from None
        except (sqlite3.Error, json.JSONDecodeError) as error:
            raise StoreError(path, error) from None

    def _prepare(self) -> None:
        """Check the schema, make the tables of a new file, bring an older one up to date."""
        db = self.connection
        db.execute("PRAGMA foreign_keys = ON")
        if self._version() == SCHEMA:
            return
        with db:
            db.execute("BEGIN IMMEDIATE")
            version = self._version()  # another process may have been here first
            if version == SCHEMA:
                return
            if version == 0:
                for statement in filter(str.strip, _TABLES.split(";")):
                    db.execute(statement)
            elif version == 1:
                self._read_rolls_for_throws()
            make_tables(db)
            db.execute(f"PRAGMA user_version = {SCHEMA}")

    def _version(self) -> int:
        """The version of the schema, 0 for a new file. Raises ``InputError`` for another's."""
        version = int(self.connection.execute("PRAGMA user_version").fetchone()[0])
        tables = self.connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if (0 < version <= SCHEMA and tables) or version == tables == 0:
            return version
        raise InputError(
            f"{self.path}: analyses of schema {version}, this program knows {SCHEMA}"
            if version
            else f"{self.path} is an SQLite file of something else"
        )

    def _read_rolls_for_throws(self) -> None:
        """Schema 1 called rolls throws, in the texts that digests are made of too."""
        db = self.connection
        for table, column, old, new in (
            ("analyses", "record", '"act": "throw"', '"act": "roll"'),
            ("pieces", "found", '"throws": [', '"rolls": ['),
        ):
            db.execute(f"UPDATE {table} SET {column} = replace({column}, ?, ?)", (old, new))
        for number, text in db.execute("SELECT id, record FROM analyses").fetchall():
            digest = match_digest(RECORDS.load(json.loads(text)))
            db.execute("UPDATE analyses SET digest = ? WHERE id = ?", (digest, number))

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        with suppress(sqlite3.Error):
            self.connection.close()
        if isinstance(error, sqlite3.Error | json.JSONDecodeError):
            raise StoreError(self.path, error) from None

    # -- analyses -------------------------------------------------------------------------

    def begin(self, record: MatchRecord, judge: str, file: str) -> int:
        """The number of the analysis of a match by a judge, new or already begun."""
        digest = match_digest(record)
        text = json.dumps(RECORDS.dump(record))
        with self.connection as db:
            db.execute(
                "INSERT INTO analyses (digest, judge, file, date, player0, player1, record) "
                "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                (digest, judge, file, _date(record), *record.players, text),
            )
            row = db.execute(
                "SELECT id FROM analyses WHERE digest = ? AND judge = ?", (digest, judge)
            ).fetchone()
            if any(game.verdicts for game in record.games):  # another file of it may have none
                db.execute("UPDATE analyses SET record = ? WHERE id = ?", (text, row[0]))
        return int(row[0])

    def pieces(self, analysis: int) -> dict[PieceKey, dict[str, Any]]:
        """The pieces found so far."""
        rows = self.connection.execute(
            "SELECT game, first, found FROM pieces WHERE analysis = ?", (analysis,)
        )
        return {(game, first): json.loads(found) for game, first, found in rows}

    def add_piece(self, analysis: int, key: PieceKey, found: Mapping[str, Any]) -> None:
        """Keep what was found in a piece."""
        with self.connection as db:
            db.execute(
                "INSERT OR REPLACE INTO pieces VALUES (?, ?, ?, ?)",
                (analysis, *key, json.dumps(found)),
            )

    def finish(self, analysis: int, review: Review) -> None:
        """Keep the decisions of a finished analysis for statistics and the quiz; only once."""
        with self.connection as db:
            changed = db.execute(
                "UPDATE analyses SET finished = 1 WHERE id = ? AND finished = 0", (analysis,)
            )
            if not changed.rowcount:
                return
            players = review.record.players
            db.executemany(
                "INSERT INTO decisions (analysis, player, kind, phase, cost, counts, decision) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    (
                        analysis, players[each.seat], each.kind.value, each.phase.value,
                        each.cost, each.counts, json.dumps(decision_to_json(each)),
                    )
                    for each in review.decisions
                ],
            )  # fmt: skip
            list_analysis(db, analysis)

    def review(self, analysis: int) -> Review:
        """The analysis as found so far."""
        judge, text = self.connection.execute(
            "SELECT judge, record FROM analyses WHERE id = ?", (analysis,)
        ).fetchone()
        found = [piece for _, piece in sorted(self.pieces(analysis).items())]
        decisions = [decision_from_json(each) for piece in found for each in piece["decisions"]]
        rolls = ROLLS.load([each for piece in found for each in piece["rolls"]])
        return Review(RECORDS.load(json.loads(text)), judge, tuple(decisions), rolls)

    def finished(self) -> Iterator[tuple[str, str, Review]]:
        """Date, file and review of every finished analysis, the oldest match first."""
        rows = self.connection.execute(
            "SELECT id, date, file FROM analyses WHERE finished ORDER BY date, id"
        ).fetchall()
        for number, when, file in rows:
            yield when, file, self.review(number)

    # -- decisions and cards --------------------------------------------------------------

    def worst(self, player: str | None, least: float, count: int) -> list[StoredDecision]:
        """The most expensive decisions, the worst first."""
        rows = self.connection.execute(
            f"{_DECISION} WHERE d.cost >= ? AND (? IS NULL OR d.player = ?) "
            "ORDER BY d.cost DESC, d.id LIMIT ?",
            (least, player, player, count),
        )
        return [stored(row) for row in rows]

    def due(self, player: str | None, now: datetime) -> list[StoredDecision]:
        """Decisions whose cards are due, the longest overdue first."""
        rows = self.connection.execute(
            f"{_DECISION} JOIN cards c ON c.decision = d.id "
            "WHERE c.due <= ? AND (? IS NULL OR d.player = ?) ORDER BY c.due, d.id",
            (now.astimezone(UTC).isoformat(), player, player),
        )
        return [stored(row) for row in rows]

    def card(self, decision: int) -> str | None:
        """The JSON text of a decision's card; None where it was never asked."""
        row = self.connection.execute(
            "SELECT card FROM cards WHERE decision = ?", (decision,)
        ).fetchone()
        return None if row is None else str(row[0])

    def put_card(self, decision: int, due: datetime, card: str) -> None:
        """Keep a decision's card and when it is due."""
        with self.connection as db:
            db.execute(
                "INSERT OR REPLACE INTO cards VALUES (?, ?, ?)",
                (decision, due.astimezone(UTC).isoformat(), card),
            )


DECISION_COLUMNS = "d.id, d.player, a.player0, a.player1, a.date, a.file, a.judge, d.decision"
_DECISION = f"SELECT {DECISION_COLUMNS} FROM decisions d JOIN analyses a ON a.id = d.analysis"


def stored(row: tuple[Any, ...]) -> StoredDecision:
    """The decision of a row of ``DECISION_COLUMNS``."""
    number, player, first, second, when, file, judge, text = row
    decision = decision_from_json(json.loads(text))
    opponent = (first, second)[1 - decision.seat]
    return StoredDecision(number, player, opponent, when, file, judge, decision)


def _date(record: MatchRecord) -> str:
    text = record.info.get("date", "")
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        return ""
