"""The .mat text format of Jellyfish, GNU Backgammon, eXtreme Gammon and many servers: reading.

There is no formal grammar. A row has a number and up to two cells, the left one of the player
named on the left; here a cell is found by how it starts (dice and a colon, or a word such as
``Doubles``), so that any width of columns is read. Scores and names in a game's heading tell
who sits where: some programs put their own user on the left in every game. A file may hold
several matches. Lines that begin with ``;`` or ``#`` are headers and comments.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from bgai.notation.assembling import assemble
from bgai.notation.entries import Entry, Kind, RawGame, RawMatch, Reading
from bgai.notation.record import RecordError
from bgai.notation.texts import (
    LONGEST_GAME,
    LONGEST_MATCH,
    MOST_GAMES,
    MOST_POINTS,
    excerpt,
    one_line,
    read_whole,
)

# Each is matched on a line whose runs of blanks are single ones, so none can backtrack far.
_LENGTH = re.compile(r"([0-9]+) ?-? ?point match|match (?:of|to) ([0-9]+)\b", re.IGNORECASE)
_MONEY = re.compile(r"(?:unlimited match|money (?:game|session))$", re.IGNORECASE)
_GAME = re.compile(r"game ([0-9]+)$", re.IGNORECASE)
_TAG = re.compile(r'[;#] ?\[([^"\]]*)"([^"]*)" ?\]')
# A score in a heading: what is before it is the left name. Two blanks follow, or at least one.
_SCORE = re.compile(r":\s*(-?[0-9]{1,10})(?=\s\s)")
_CLOSE_SCORE = re.compile(r":\s*(-?[0-9]{1,10})(?=\s)")
_ROW = re.compile(r"\s*([0-9]{1,6})\)")
CELL = re.compile(
    r"(?<!\S)(?:"
    r"(?P<dice>[1-6]{2}|00):"
    r"|(?P<word>doubles|redoubles|beavers?|raccoons?|takes?|accepts?|drops?|pass(?:es)?|rejects?"
    r"|resign(?:s|ed)|concedes?|wins?|loses|loss(?:es)?)\b"
    r"|(?P<gone>\?{2,}))",
    re.IGNORECASE,
)
_LEFT_MARGIN = 14  # a single cell that starts further right is the right column's
_NO_MOVE = ("no play", "dance", "(no play)", "no move")
_LONGEST_LINE = 4000
_TAGS = {
    "event": "event",
    "round": "round",
    "site": "place",
    "place": "place",
    "eventdate": "date",
    "date": "date",
    "transcriber": "annotator",
    "annotator": "annotator",
    "comment": "comment",
}
_NO_LIMIT = 1024  # the cube limit programs write when there is none
Numbered = tuple[int, str]


@dataclass
class _Part:
    """The lines of one match: its length, its headers, the lines of each game."""

    length: int | None = None
    headers: list[str] = field(default_factory=list)
    games: list[list[Numbered]] = field(default_factory=list)


def read_mat(text: str) -> Reading:
    """The only match of a .mat text, and what was wrong in it. Raises ``RecordError``."""
    readings = read_mats(text)
    if len(readings) > 1:
        raise RecordError(f"{len(readings)} matches, where one is expected")
    return readings[0]


def read_mats(text: str) -> list[Reading]:
    """The matches of a .mat text, and what was wrong in each. Raises ``RecordError``."""
    parts = _parts(text.splitlines())
    if all(part.length is None for part in parts):
        raise RecordError("not a .mat file: no line such as '7 point match'")
    if not any(part.games for part in parts):
        raise RecordError("no games: not one line such as 'Game 1'")
    return [assemble(_raw_match(part)) for part in parts if part.games]


def _parts(lines: Sequence[str]) -> list[_Part]:
    """The matches of a file, by their lines."""
    splitter = _Splitter()
    for number, line in enumerate(lines, 1):
        if line and not line.isspace():
            splitter.take(number, line.expandtabs())
    return splitter.parts


class _Splitter:
    """Sorts lines to matches: a line with a length begins one, and a game between others does."""

    def __init__(self) -> None:
        self.parts = [_Part()]
        self.names: set[str] = set()  # of the present match
        self.headers: list[str] = []  # not yet known of which match

    def take(self, number: int, line: str) -> None:
        comment = line.lstrip()[0] in ";#"
        if len(line) > _LONGEST_LINE and not comment:
            raise RecordError(f"line {number}: {len(line)} characters, {excerpt(line)}")
        games = self.parts[-1].games
        if games and not games[-1] and self._takes_heading(number, line):
            return
        short = " ".join(line.split())
        length = None if comment else _length(short, number)
        if comment:
            self.headers.append(short)
        elif length is not None and (games or self.parts[-1].length is None):
            self._begin_match(length)
        elif _GAME.match(short):
            self._begin_game(number)
        elif games:
            if len(games[-1]) > LONGEST_GAME:
                raise RecordError(f"line {number}: a game of more than {LONGEST_GAME} rows")
            games[-1].append((number, line))

    def _begin_match(self, length: int) -> None:
        if self.parts[-1].games:
            self.parts.append(_Part())
            self.names = set()
        self.parts[-1].length = length
        self.parts[-1].headers += self.headers
        self.headers = []

    def _begin_game(self, number: int) -> None:
        if len(self.parts[-1].games) >= MOST_GAMES:
            raise RecordError(f"line {number}: a match of more than {MOST_GAMES} games")
        self.parts[-1].headers += self.headers
        self.headers = []
        self.parts[-1].games.append([])

    def _takes_heading(self, number: int, line: str) -> bool:
        """Whether the line is the heading of the game that has just begun."""
        heading = _heading(line)
        if heading is None:
            return False
        names = {heading[0], heading[2]}
        if self.names and self.names.isdisjoint(names):
            self.parts[-1].games.pop()
            self.parts.append(_Part(self.parts[-1].length, games=[[]]))
        self.names = names
        self.parts[-1].games[-1].append((number, line))
        return True


def _length(line: str, number: int) -> int | None:
    """The points of a line that tells them, 0 for money."""
    found = _LENGTH.match(line)
    if found is None:
        return 0 if _MONEY.match(line) else None
    length = read_whole(found[1] or found[2], LONGEST_MATCH)
    if length is None:
        most = f"at most {LONGEST_MATCH} points are read"
        raise RecordError(f"line {number}: {excerpt(line)}: {most}")
    return length


def _heading(line: str) -> tuple[str, int, str, int] | None:
    """Both names and scores of a game's heading; None for any other line."""
    rest, colon, score = line.rstrip().rpartition(":")
    if not colon or not re.fullmatch(r"-?[0-9]{1,10}", score.strip()):
        return None
    for separator in (_SCORE, _CLOSE_SCORE):
        for found in separator.finditer(rest):
            left, right = one_line(rest[: found.start()]), one_line(rest[found.end() :])
            if left and right:
                return left, int(found[1]), right, int(score)
    return None


def _raw_match(part: _Part) -> RawMatch:
    tags = {
        found[1].strip().lower().replace(" ", ""): found[2]
        for line in part.headers
        if (found := _TAG.match(line)) and found[1].endswith(" ")
    }
    players = _players(tags, part.games)
    max_cube = read_whole(tags.get("cubelimit", ""), _NO_LIMIT - 1) or None
    info = {_TAGS[name]: value for name, value in tags.items() if name in _TAGS and value}
    if "date" in info:
        info["date"] = info["date"].replace(".", "-")
    variation = tags.get("variation", "").strip()
    return RawMatch(
        players,
        part.length or None,
        [_read_game(players, lines) for lines in part.games],
        info,
        crawford_rule=_switch(tags, "crawford") is not False,
        jacoby=_switch(tags, "jacoby"),
        beavers=_switch(tags, "beaver"),
        max_cube=max_cube,
        variation="" if variation.lower() in ("", "backgammon", "standard") else variation,
    )


def _switch(tags: dict[str, str], name: str) -> bool | None:
    return {"on": True, "off": False}.get(tags.get(name, "").lower())


def _players(tags: dict[str, str], games: Sequence[Sequence[Numbered]]) -> tuple[str, str]:
    tagged = (one_line(tags.get("player1", "")), one_line(tags.get("player2", "")))
    for lines in games:
        found = _heading(lines[0][1]) if lines else None
        if found:
            names = (found[0], found[2])
            return tagged if tagged == names[::-1] else names
    return tagged[0] or "Player 1", tagged[1] or "Player 2"


def _read_game(players: tuple[str, str], lines: Sequence[Numbered]) -> RawGame:
    points = None
    swapped = False
    where = f"line {lines[0][0]}" if lines else ""
    heading = _heading(lines[0][1]) if lines else None
    if heading:
        lines = lines[1:]
        points = (heading[1], heading[3])
        left, right = heading[0], heading[2]
        swapped = players[0] != players[1] and (
            (left == players[1] and right != players[1])
            or (right == players[0] and left != players[0])
        )
    if swapped and points:
        points = points[::-1]
    entries: list[Entry] = []
    row = ""
    for number, line in lines:
        found = _ROW.match(line)
        if found:
            row = f"row {found[1]}"
            line = " " * found.end() + line[found.end() :]
        where_row = f"line {number}" if not row else f"{row} (line {number})"
        entries += _cells(line, where_row, swapped)
    return RawGame(_with_winner(entries), points, where=where)


def _cells(line: str, where: str, swapped: bool) -> list[Entry]:
    """The entries of one row; text that starts no cell is an entry of its own."""
    found_at = list(CELL.finditer(line))
    starts = [
        each
        for before, each in zip([None, *found_at], found_at, strict=False)
        # Question marks right after dice are of their cell.
        if not (each["gone"] and before and before["dice"] and each.start() - before.end() <= 2)
    ]
    first = starts[0].start() if starts else len(line)
    entries = []
    if line[:first].strip():
        entries.append(Entry(Kind.ERROR, -1, where, moves=f"{excerpt(line[:first])} is unreadable"))
    for index, found in enumerate(starts):
        end = starts[index + 1].start() if index + 1 < len(starts) else len(line)
        right = index if len(starts) > 1 else int(found.start() >= _LEFT_MARGIN)
        seat = min(right, 1) ^ swapped
        entries.append(_entry(found, line[found.end() : end].strip(), seat, where))
    return entries


def _entry(found: re.Match[str], rest: str, seat: int, where: str) -> Entry:
    if found["gone"] or found["dice"] == "00":
        return Entry(Kind.RESIGN, seat, where)
    if found["dice"]:
        return _roll(found["dice"], rest, seat, where)
    number = re.search("[0-9]+", rest)
    points = read_whole(number[0], MOST_POINTS) if number else 0
    if points is None:
        return Entry(Kind.ERROR, seat, where, moves=f"{excerpt(found[0] + ' ' + rest)} is too much")
    match found["word"].lower()[:4]:
        case "doub" | "redo" | "beav" | "racc":
            return Entry(Kind.DOUBLE, seat, where, points=points)
        case "take" | "acce":
            return Entry(Kind.TAKE, seat, where)
        case "drop" | "pass" | "reje":
            return Entry(Kind.PASS, seat, where)
        case "resi" | "conc":
            return Entry(Kind.RESIGN, seat, where)
        case "loss" | "lose":
            return Entry(Kind.WIN, 1 - seat, where, points=points)
        case _:
            return Entry(Kind.WIN, seat, where, points=points)


def _roll(dice: str, rest: str, seat: int, where: str) -> Entry:
    """A roll with what stands after it: its play, a reason for none, or question marks."""
    entry = Entry(Kind.ROLL, seat, where, (int(dice[0]), int(dice[1])), rest)
    lowered = rest.lower()
    if rest.startswith("?"):
        return replace(entry, moves=None)
    if lowered.startswith("illegal"):
        inside = rest.partition("(")[2].rpartition(")")[0]
        if "/" not in inside:
            return replace(entry, kind=Kind.ERROR)
        return replace(entry, moves=inside)
    if lowered.startswith("cannot move") or lowered in _NO_MOVE:
        return replace(entry, moves="", illegal=True)  # unless it is so
    return entry


def _with_winner(entries: list[Entry]) -> list[Entry]:
    """Who won is told by the act before, rather than by the column of ``Wins``."""
    for index, entry in enumerate(entries):
        if entry.kind is not Kind.WIN or not index:
            continue
        before = entries[index - 1]
        if before.kind in (Kind.PASS, Kind.RESIGN) and before.seat in (0, 1):
            entries[index] = replace(entry, seat=1 - before.seat)
    return entries
