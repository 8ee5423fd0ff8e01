"""What decisions are searched by, kept beside them in the file of analyses.

The tables ``listed``, ``features`` and ``words`` are made from analyses, tags and notes and can be
made again at any time; ``tags`` and ``notes`` are the user's own. These belong to a match
(``game`` 0) or to one of its decisions, by the match's digest, so that they outlast an analysis
and hold for all analyses of that match.
"""

import json
import sqlite3
from collections.abc import Iterable
from typing import Any

from bgai.analysis.plans import plan_of
from bgai.analysis.review import Decision, decision_from_json, error_kind, judged_plies
from bgai.errors import InputError
from bgai.notation.record import RECORDS
from bgai.notation.situation import Seat
from bgai.notation.xgid import parse_xgid

OWN_TABLES = (
    """CREATE TABLE tags (
        digest TEXT NOT NULL, game INTEGER NOT NULL, act INTEGER NOT NULL, tag TEXT NOT NULL,
        UNIQUE (digest, game, act, tag))""",
    """CREATE TABLE notes (
        digest TEXT NOT NULL, game INTEGER NOT NULL, act INTEGER NOT NULL, note TEXT NOT NULL,
        UNIQUE (digest, game, act))""",
)
MADE_TABLES = (
    """CREATE TABLE listed (
        digest TEXT PRIMARY KEY, plies INTEGER NOT NULL,
        analysis INTEGER NOT NULL REFERENCES analyses ON DELETE CASCADE)""",
    """CREATE TABLE features (
        decision INTEGER PRIMARY KEY REFERENCES decisions ON DELETE CASCADE,
        game INTEGER NOT NULL, act INTEGER NOT NULL, seat INTEGER NOT NULL, plan TEXT NOT NULL,
        error TEXT NOT NULL, away INTEGER, opponent_away INTEGER, cube INTEGER NOT NULL,
        dice TEXT NOT NULL)""",
    "CREATE VIRTUAL TABLE words USING fts5(text, digest UNINDEXED, game UNINDEXED, act UNINDEXED)",
    "CREATE INDEX decisions_by_analysis ON decisions (analysis, cost)",
)


def make_tables(db: sqlite3.Connection) -> None:
    """Make all tables, within the caller's transaction, and list what was analysed before."""
    for statement in (*OWN_TABLES, *MADE_TABLES):
        db.execute(statement)
    list_all(db)


def list_all(db: sqlite3.Connection) -> None:
    """Make the tables of what is searched by again from analyses, tags and notes."""
    for table in ("listed", "features", "words"):
        db.execute(f"DELETE FROM {table}")
    for (number,) in db.execute("SELECT id FROM analyses WHERE finished ORDER BY id").fetchall():
        list_analysis(db, number)
    own = "SELECT digest, game, act FROM tags UNION SELECT digest, game, act FROM notes"
    for place in db.execute(own).fetchall():
        list_words(db, *place)


def list_analysis(db: sqlite3.Connection, analysis: int) -> None:
    """List the decisions of a finished analysis; those that can't be read are left out."""
    digest = db.execute("SELECT digest FROM analyses WHERE id = ?", (analysis,)).fetchone()[0]
    found = list(_readable(db, analysis))
    plies = judged_plies(each for _, each in found)
    db.executemany(
        "INSERT OR REPLACE INTO features VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [(number, *_features(each)) for number, each in found],
    )
    db.execute(
        "INSERT INTO listed VALUES (?, ?, ?) ON CONFLICT (digest) DO UPDATE SET "
        "plies = excluded.plies, analysis = excluded.analysis WHERE excluded.plies >= plies",
        (digest, plies, analysis),
    )
    texts = _texts(db, digest)
    for place in texts:
        _list_words(db, (digest, *place), texts)


def list_words(db: sqlite3.Connection, digest: str, game: int, act: int) -> None:
    """List the words of a match (game 0) or a decision: texts, comments, tags and note."""
    _list_words(db, (digest, game, act), _texts(db, digest))


def _list_words(
    db: sqlite3.Connection, place: tuple[str, int, int], texts: dict[tuple[int, int], list[str]]
) -> None:
    db.execute("DELETE FROM words WHERE digest = ? AND game = ? AND act = ?", place)
    words = [
        str(row[0])
        for table, column in (("tags", "tag"), ("notes", "note"))
        for row in db.execute(
            f"SELECT {column} FROM {table} WHERE digest = ? AND game = ? AND act = ?", place
        )
    ]
    words += texts.get(place[1:], [])
    if words:
        db.execute("INSERT INTO words VALUES (?, ?, ?, ?)", ("\n".join(words), *place))


def _readable(db: sqlite3.Connection, analysis: int) -> Iterable[tuple[int, Decision]]:
    rows = db.execute("SELECT id, decision FROM decisions WHERE analysis = ?", (analysis,))
    for number, text in rows.fetchall():
        try:
            yield number, decision_from_json(json.loads(text))
        except (InputError, ValueError):
            continue


def _features(decision: Decision) -> tuple[Any, ...]:
    situation = parse_xgid(decision.id)
    score = situation.score
    away: tuple[int | None, int | None] = (None, None)
    if score is not None:
        away = (score.away_on_roll, score.away_opponent)
        if situation.seat is not (Seat.BOTTOM if decision.seat == 0 else Seat.TOP):
            away = away[::-1]
    return (
        decision.game, decision.act, decision.seat, plan_of(situation.position).value,
        error_kind(decision).value, *away, situation.cube.value, decision.dice,
    )  # fmt: skip


def _texts(db: sqlite3.Connection, digest: str) -> dict[tuple[int, int], list[str]]:
    """What a match's files say: of the match at (0, 0), its decisions' comments by game and act.

    Comments on anything else, such as a game, are the match's.
    """
    texts: dict[tuple[int, int], list[str]] = {(0, 0): []}
    judged = set(
        db.execute(
            "SELECT f.game, f.act FROM features f JOIN decisions d ON d.id = f.decision "
            "JOIN analyses a ON a.id = d.analysis WHERE a.digest = ?",
            (digest,),
        )
    )
    rows = db.execute("SELECT file, record FROM analyses WHERE digest = ?", (digest,)).fetchall()
    for file, text in rows:
        try:
            record = RECORDS.load(json.loads(text))
        except (InputError, ValueError):
            continue
        for number, game in enumerate(record.games, 1):
            for act, comment in game.comments.items():
                place = (number, act) if (number, act) in judged else (0, 0)
                texts.setdefault(place, []).append(comment)
        texts[0, 0] += [file, *record.players, *record.info.values()]
    return {place: list(dict.fromkeys(found)) for place, found in texts.items()}
