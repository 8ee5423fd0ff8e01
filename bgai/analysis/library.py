"""The library: all analysed matches, searched by words and features, tagged and noted.

A search is words and conditions, all of which must hold::

    zurich player:Ann kind:cube cost>=0.08 away:2 plan:"back game"

Words are looked for in players, event, place, date, file, comments, tags and notes. A match that
was analysed several times is found once, by its deepest analysis.
"""

import csv
import io
import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from bgai.analysis.listing import list_words
from bgai.analysis.plans import Plan
from bgai.analysis.review import (
    BLUNDER,
    DOUBTFUL,
    ERROR,
    TRIVIAL,
    ErrorKind,
    GamePhase,
    decision_to_json,
)
from bgai.analysis.store import DECISION_COLUMNS, Store, StoredDecision, stored
from bgai.errors import InputError

KINDS = ("play", "cube", "double", "answer")
MARKS = {"?!": (DOUBTFUL, ERROR), "?": (ERROR, BLUNDER), "??": (BLUNDER, 1e9)}
_TERM = re.compile(r"([a-z][a-z-]*)(>=|<=|[:=<>])(.*)", re.DOTALL)
_TEXT = {
    "player": "d.player", "opponent": "CASE f.seat WHEN 0 THEN a.player1 ELSE a.player0 END",
    "file": "a.file",
}  # fmt: skip
_NUMBERS = {
    "cost": "d.cost", "away": "f.away", "opponent-away": "f.opponent_away", "cube": "f.cube",
    "game": "f.game",
}  # fmt: skip
_NAMED: dict[str, tuple[str, Sequence[str]]] = {
    "plan": ("f.plan", [each.value for each in Plan]),
    "phase": ("d.phase", [each.value for each in GamePhase]),
    "error": ("f.error", [each.value for each in ErrorKind]),
}
_OWN = "digest = a.digest AND (game = 0 OR game = f.game AND act = f.act)"


@dataclass(slots=True)
class Search:
    """A search read: conditions on the tables of the store, and what stands for ``?`` in them."""

    conditions: list[str] = field(default_factory=list)
    values: list[str | float] = field(default_factory=list)

    def require(self, condition: str, *values: str | float) -> None:
        """Add a condition."""
        self.conditions.append(condition)
        self.values += values


@dataclass(frozen=True, slots=True)
class Found:
    """A decision found, with the tags and the note of its match and its own."""

    stored: StoredDecision
    tags: tuple[str, ...]
    notes: tuple[str, ...]


def read_search(text: str) -> Search:
    """Read a search. Raises ``InputError`` naming the condition that is wrong."""
    try:
        terms = shlex.split(text)
    except ValueError:
        raise InputError(f"search '{text}': a quotation mark is missing") from None
    search = Search()
    for term in terms:
        found = _TERM.fullmatch(term)
        if found is None:
            _add_word(search, term)
        else:
            _add_condition(search, term, *found.groups())
    return search


def find(store: Store, search: Search, count: int | None = None) -> list[Found]:
    """What is found, the most expensive decision first; all of it, or ``count``."""
    rows = store.connection.execute(
        f"{_select(DECISION_COLUMNS, search)} ORDER BY d.cost DESC, d.id LIMIT ?",
        (*search.values, -1 if count is None else count),
    ).fetchall()
    return [_found(store, stored(row)) for row in rows]


def find_ids(store: Store, search: Search) -> set[int]:
    """The numbers of all decisions found."""
    rows = store.connection.execute(_select("d.id", search), search.values)
    return {number for (number,) in rows}


def _select(columns: str, search: Search) -> str:
    return (
        f"SELECT {columns} FROM decisions d JOIN analyses a ON a.id = d.analysis "
        "JOIN listed l ON l.analysis = a.id JOIN features f ON f.decision = d.id "
        f"WHERE {' AND '.join(search.conditions) or '1'}"
    )


def change(
    store: Store,
    search: Search,
    *,
    add: Sequence[str] = (),
    remove: Sequence[str] = (),
    note: str | None = None,
    matches: bool = False,
) -> int:
    """Tag, untag and note all that is found, or with ``matches`` their matches; how many.

    A note replaces the one before; an empty one removes it. Raises ``InputError`` for a tag with
    a blank in it.
    """
    check_tags((*add, *remove))
    place = "DISTINCT a.digest, 0, 0" if matches else "a.digest, f.game, f.act"
    with store.connection as db:
        db.execute("BEGIN IMMEDIATE")
        places = db.execute(_select(place, search), search.values).fetchall()
        for found in places:
            here = "digest = ? AND game = ? AND act = ?"
            db.executemany(
                "INSERT OR IGNORE INTO tags VALUES (?, ?, ?, ?)", [(*found, tag) for tag in add]
            )
            db.executemany(
                f"DELETE FROM tags WHERE {here} AND tag = ?", [(*found, tag) for tag in remove]
            )
            if note is not None:
                db.execute(f"DELETE FROM notes WHERE {here}", found)
            if note:
                db.execute("INSERT INTO notes VALUES (?, ?, ?, ?)", (*found, note))
            list_words(db, *found)
    return len(places)


def check_tags(tags: Sequence[str]) -> None:
    """Raise ``InputError`` for a tag that is not one word."""
    for tag in tags:
        if not tag or any(each.isspace() for each in tag):
            raise InputError(f"tag '{tag}': a tag is one word")


def match_search(digest: str) -> Search:
    """The search that finds all decisions of one match."""
    search = Search()
    search.require("a.digest = ?", digest)
    return search


def found_json(found: Found) -> dict[str, Any]:
    """What was found as a JSON object."""
    kept = found.stored
    return {
        "player": kept.player,
        "opponent": kept.opponent,
        "date": kept.date,
        "file": kept.file,
        "judge": kept.judge,
        **decision_to_json(kept.decision),
        "tags": list(found.tags),
        "notes": list(found.notes),
    }


COLUMNS = (
    "date", "file", "player", "opponent", "game", "turn", "kind", "phase", "dice", "made", "best",
    "cost", "mark", "tags", "notes", "id",
)  # fmt: skip


def found_csv(found: Sequence[Found]) -> str:
    """What was found as CSV with the columns ``COLUMNS``; several tags with blanks between."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for each in found:
        fields = found_json(each) | {"tags": " ".join(each.tags), "notes": "\n".join(each.notes)}
        fields["cost"] = f"{each.stored.decision.cost:.6f}"
        writer.writerow([fields[column] for column in COLUMNS])
    return out.getvalue()


def _found(store: Store, decision: StoredDecision) -> Found:
    own = """SELECT {} FROM {} WHERE digest = (SELECT digest FROM decisions d JOIN analyses a
              ON a.id = d.analysis WHERE d.id = ?) AND (game = 0 OR game = ? AND act = ?)
              ORDER BY game, rowid"""
    key = (decision.id, decision.decision.game, decision.decision.act)
    db = store.connection
    tags = db.execute(own.format("tag", "tags"), key).fetchall()
    notes = db.execute(own.format("note", "notes"), key).fetchall()
    names = dict.fromkeys(tag for (tag,) in tags)
    return Found(decision, tuple(names), tuple(note for (note,) in notes))


def _add_word(search: Search, word: str) -> None:
    phrase = '"' + word.replace('"', '""') + '"'
    listed = "(SELECT digest, game, act FROM words WHERE words MATCH ?)"
    search.require(
        f"((a.digest, 0, 0) IN {listed} OR (a.digest, f.game, f.act) IN {listed})", phrase, phrase
    )


def _add_condition(search: Search, term: str, key: str, sign: str, value: str) -> None:
    sign = "=" if sign == ":" else sign
    if key in _NUMBERS:
        search.require(f"{_NUMBERS[key]} {sign} ?", _number(term, value))
        return
    if key == "date":
        # Compared as far as it is written: date:2024, date>=2024-05.
        _check_date(term, value)
        search.require(f"a.date <> '' AND substr(a.date, 1, {len(value)}) {sign} ?", value)
        return
    reader = _READERS.get(key)
    if reader is None and key not in _TEXT and key not in _NAMED:
        known = ", ".join(sorted([*_NUMBERS, *_TEXT, *_NAMED, *_READERS, "date"]))
        raise InputError(f"search '{term}': no condition '{key}' ({known})")
    if sign != "=":
        raise InputError(f"search '{term}': write {key}:{value}")
    if reader is not None:
        reader(search, term, value)
    elif key in _TEXT:
        search.require(f"instr(lower({_TEXT[key]}), lower(?)) > 0", value)
    else:
        column, names = _NAMED[key]
        search.require(f"{column} = ?", _one_of(term, value, names))
        if key == "error":
            search.require("d.cost >= ?", TRIVIAL)


def _check_date(term: str, value: str) -> None:
    if not re.fullmatch(r"\d{4}(-\d\d(-\d\d)?)?", value):
        raise InputError(f"search '{term}': '{value}' is no date such as 2024 or 2024-05-31")


def _number(term: str, value: str) -> float:
    if not re.fullmatch(r"-?\d*\.?\d+", value):
        raise InputError(f"search '{term}': '{value}' is no number")
    return float(value)


def _one_of(term: str, value: str, names: Sequence[str]) -> str:
    """The name that starts with what was written, blanks and hyphens alike."""
    wanted = value.lower().replace("-", " ").strip()
    found = [name for name in names if name == wanted] or [
        name for name in names if wanted and name.startswith(wanted)
    ]
    if len(found) != 1:
        raise InputError(f"search '{term}': '{value}' is none of {', '.join(names)}")
    return found[0]


def _kind(search: Search, term: str, value: str) -> None:
    kind = _one_of(term, value, KINDS)
    if kind == "cube":
        search.require("d.kind <> 'play'")
    else:
        search.require("d.kind = ?", kind)


def _mark(search: Search, term: str, value: str) -> None:
    if value not in MARKS:
        raise InputError(f"search '{term}': '{value}' is none of {', '.join(MARKS)}")
    search.require("d.cost >= ? AND d.cost < ?", *MARKS[value])


def _tag(search: Search, term: str, value: str) -> None:
    search.require(f"EXISTS (SELECT 1 FROM tags WHERE {_OWN} AND tag = ?)", value)


def _dice(search: Search, term: str, value: str) -> None:
    if not re.fullmatch(r"[1-6]{2}", value):
        raise InputError(f"search '{term}': '{value}' is no roll such as 31")
    search.require("f.dice IN (?, ?)", value, value[::-1])


def _score(search: Search, term: str, value: str) -> None:
    if value == "money":
        search.require("f.away IS NULL")
        return
    found = re.fullmatch(r"(\d+)-(\d+)", value)
    if found is None:
        raise InputError(f"search '{term}': '{value}' is no score such as 2-4 (away) or money")
    search.require("f.away = ? AND f.opponent_away = ?", *map(float, found.groups()))


_READERS: dict[str, Callable[[Search, str, str], None]] = {
    "kind": _kind,
    "mark": _mark,
    "tag": _tag,
    "dice": _dice,
    "score": _score,
}
