"""The .mat text format of Jellyfish, GNU Backgammon, eXtreme Gammon and many servers.

There is no formal grammar. A row has a number and up to two cells, the left one of the player
named on the left; here a cell is found by how it starts (dice and a colon, or a word such as
``Doubles``), so that any width of columns is read. Scores and names in a game's heading tell
who sits where: some programs put their own user on the left in every game.

Writing: plays as people write them with ``25`` and ``0`` for bar and off. Comments, refused
resignations and the dice of automatic doubles have no place in this format.
"""

import re
from collections.abc import Iterator, Sequence

from bgai.notation.entries import (
    Entry,
    Kind,
    RawGame,
    RawMatch,
    Reading,
    assemble,
    entries_of,
)
from bgai.notation.record import MatchRecord, RecordError

_LENGTH = re.compile(r"^\s*(\d+)\s*-?\s*point\s+match|match\s+(?:of|to)\s+(\d+)", re.IGNORECASE)
_GAME = re.compile(r"^\s*game\s+(\d+)\s*$", re.IGNORECASE)
_HEADING = re.compile(r"^\s*(\S.*?)\s*:\s*(-?\d+)\s{2,}(\S.*?)\s*:\s*(-?\d+)\s*$")
_TAG = re.compile(r'^\s*[;#]\s*\[\s*([^"\]]+?)\s+"([^"]*)"\s*\]')
_ROW = re.compile(r"^\s*(\d+)\)")
_CELL = re.compile(
    r"(?<!\S)(?:"
    r"(?P<dice>[1-6]{2}):"
    r"|(?P<word>doubles|redoubles|beavers?|raccoons?|takes?|accepts?|drops?|pass(?:es)?|rejects?"
    r"|resign(?:s|ed)|wins?)\b)",
    re.IGNORECASE,
)
_LEFT_MARGIN = 14  # a single cell that starts further right is the right column's
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


def read_mat(text: str) -> Reading:
    """The match of a .mat text, and what was wrong in it. Raises ``RecordError``."""
    lines = text.splitlines()
    length = next((found for line in lines if (found := _LENGTH.search(line))), None)
    if length is None or "//" in length[0]:
        raise RecordError("not a .mat file: no line such as '7 point match'")
    tags = {
        found[1].lower().replace(" ", ""): found[2] for line in lines if (found := _TAG.match(line))
    }
    points = int(length[1] or length[2])
    chunks = list(_chunks(lines))
    if not chunks:
        raise RecordError("no games: not one line such as 'Game 1'")
    players = _players(tags, chunks)
    limit = tags.get("cubelimit", "")
    max_cube = int(limit) if limit.isdigit() and 0 < int(limit) < _NO_LIMIT else None
    info = {_TAGS[name]: value for name, value in tags.items() if name in _TAGS and value}
    if "date" in info:
        info["date"] = info["date"].replace(".", "-")
    raw = RawMatch(
        players,
        points or None,
        [_read_game(players, chunk) for chunk in chunks],
        info,
        crawford_rule=_switch(tags, "crawford") is not False,
        jacoby=_switch(tags, "jacoby"),
        beavers=_switch(tags, "beaver"),
        max_cube=max_cube,
    )
    return assemble(raw)


def _switch(tags: dict[str, str], name: str) -> bool | None:
    return {"on": True, "off": False}.get(tags.get(name, "").lower())


Numbered = tuple[int, str]


def _chunks(lines: Sequence[str]) -> Iterator[list[Numbered]]:
    """The lines of each game with their numbers in the file, its heading first."""
    chunk: list[Numbered] | None = None
    for number, line in enumerate(lines, 1):
        if _GAME.match(line):
            if chunk is not None:
                yield chunk
            chunk = []
        elif chunk is not None and line.strip() and not line.lstrip().startswith((";", "#")):
            chunk.append((number, line.expandtabs()))
    if chunk is not None:
        yield chunk


def _players(tags: dict[str, str], chunks: Sequence[Sequence[Numbered]]) -> tuple[str, str]:
    for chunk in chunks:
        found = _HEADING.match(chunk[0][1]) if chunk else None
        if found:
            names = (found[1], found[3])
            tagged = (tags.get("player1", "").strip(), tags.get("player2", "").strip())
            return tagged if tagged == names[::-1] else names
    return tags.get("player1") or "Player 1", tags.get("player2") or "Player 2"


def _read_game(players: tuple[str, str], chunk: Sequence[Numbered]) -> RawGame:
    points = None
    swapped = False
    where = f"line {chunk[0][0]}" if chunk else ""
    rows = list(chunk)
    heading = _HEADING.match(rows[0][1]) if rows else None
    if heading:
        rows = rows[1:]
        points = (int(heading[2]), int(heading[4]))
        swapped = (heading[1], heading[3]) == players[::-1] and players[0] != players[1]
    if swapped and points:
        points = points[::-1]
    entries: list[Entry] = []
    row = ""
    for number, line in rows:
        found = _ROW.match(line)
        if found:
            row = f"row {found[1]}"
            line = " " * found.end() + line[found.end() :]
        where_row = f"line {number}" if not row else f"{row} (line {number})"
        entries += _cells(line, where_row, swapped)
    return RawGame(_with_winner(entries), points, where=where)


def _cells(line: str, where: str, swapped: bool) -> list[Entry]:
    """The entries of one row; text that starts no cell is an entry of its own."""
    starts = list(_CELL.finditer(line))
    first = starts[0].start() if starts else len(line)
    entries = []
    if line[:first].strip():
        entries.append(
            Entry(Kind.ERROR, -1, where, moves=f"'{line[:first].strip()}' is unreadable")
        )
    for index, found in enumerate(starts):
        end = starts[index + 1].start() if index + 1 < len(starts) else len(line)
        right = index if len(starts) > 1 else int(found.start() >= _LEFT_MARGIN)
        seat = min(right, 1) ^ swapped
        entries.append(_entry(found, line[found.end() : end].strip(), seat, where))
    return entries


def _entry(found: re.Match[str], rest: str, seat: int, where: str) -> Entry:
    if found["dice"]:
        dice = (int(found["dice"][0]), int(found["dice"][1]))
        lowered = rest.lower()
        if rest.startswith("?"):
            return Entry(Kind.ROLL, seat, where, dice, None)
        if lowered.startswith("illegal"):
            return Entry(Kind.ERROR, seat, where, dice, rest)
        if lowered.startswith("cannot move") or lowered in ("no play", "dance", "(no play)"):
            rest = ""
        return Entry(Kind.ROLL, seat, where, dice, rest)
    number = re.search(r"\d+", rest)
    points = int(number[0]) if number else 0
    match found["word"].lower()[:4]:
        case "doub" | "redo" | "beav" | "racc":
            return Entry(Kind.DOUBLE, seat, where, points=points)
        case "take" | "acce":
            return Entry(Kind.TAKE, seat, where)
        case "drop" | "pass" | "reje":
            return Entry(Kind.PASS, seat, where)
        case "resi":
            return Entry(Kind.RESIGN, seat, where)
        case _:
            return Entry(Kind.WIN, seat, where, points=points)


def _with_winner(entries: list[Entry]) -> list[Entry]:
    """Who won is told by the act before, rather than by the column of ``Wins``."""
    for index, entry in enumerate(entries):
        if entry.kind is not Kind.WIN or not index:
            continue
        before = entries[index - 1]
        if before.kind in (Kind.PASS, Kind.RESIGN) and before.seat in (0, 1):
            entries[index] = Entry(Kind.WIN, 1 - before.seat, entry.where, points=entry.points)
    return entries


_WIDTH = 27  # of the left cell; wider where a play needs it


def write_mat(record: MatchRecord) -> str:
    """The .mat text of a match. Raises ``RecordError`` for what the format can't say."""
    lines = list(_headers(record))
    lines += ["", f" {record.terms.length or 0} point match", ""]
    won = [0, 0]
    for number, game in enumerate(record.games, 1):
        points = game.standing.points
        if record.terms.length is None:
            if number == 1:
                won = [max(each, 0) for each in points]
            points = (won[0], won[1])
        left = f"{record.players[0]} : {points[0]}"
        lines += [f" Game {number}", f" {left:<{_WIDTH + 3}} {record.players[1]} : {points[1]}"]
        lines += _rows(entries_of(game, record.terms))
        lines.append("")
        if game.result is not None:
            won[game.result.winner] += game.result.points
    return "\n".join(lines) + "\n"


def _headers(record: MatchRecord) -> Iterator[str]:
    names = {
        "event": "Event",
        "round": "Round",
        "place": "Site",
        "date": "EventDate",
        "annotator": "Transcriber",
        "comment": "Comment",
    }
    for name, tag in names.items():
        text = record.info.get(name, "")
        if text:
            if name == "date":
                text = text.replace("-", ".")
            quoted = re.sub(r"\s+", " ", text.replace('"', "'"))
            yield f'; [{tag} "{quoted}"]'
    rules = record.terms.rules
    if record.terms.length is None:
        yield f'; [Jacoby "{"On" if rules.jacoby else "Off"}"]'
        yield f'; [Beaver "{"On" if rules.beaver_turns else "Off"}"]'
    elif not _plays_crawford(record):
        yield '; [Crawford "Off"]'
    if rules.max_cube is not None:
        yield f'; [CubeLimit "{rules.max_cube}"]'


def _plays_crawford(record: MatchRecord) -> bool:
    """Whether the Crawford rule held; taken to be so where no game could tell."""
    last = (record.terms.length or 0) - 1
    reached = [game.standing for game in record.games if last in game.standing.points]
    return not reached or any(standing.crawford for standing in reached)


def _rows(entries: Sequence[Entry]) -> list[str]:
    rows: list[list[str]] = []
    place = 2  # the column after the last cell; a cell left of it begins a row
    wins: list[str] = []
    dropped: int | None = None
    for entry in entries:
        text = _cell_text(entry)
        if text is None:
            continue
        if entry.kind is Kind.WIN:
            if dropped == 0:  # GNU Backgammon wants it beside a pass on the left
                rows[-1][1] = text
                continue
            indent = 6 if entry.seat == 0 else 7 + _WIDTH
            wins.append(" " * indent + text)
            continue
        if entry.seat < place or (entry.kind is Kind.ERROR and entry.dice is None):
            rows.append(["", ""])
        rows[-1][entry.seat] = text
        place = entry.seat + 1
        dropped = entry.seat if entry.kind is Kind.PASS else None
    width = max([_WIDTH, *(len(row[0]) + 2 for row in rows)])
    texts = [
        f"{number:>3}) {row[0]:<{width}}{row[1]}".rstrip() for number, row in enumerate(rows, 1)
    ]
    return texts + wins


def _cell_text(entry: Entry) -> str | None:
    match entry.kind:
        case Kind.ROLL | Kind.ERROR if entry.dice is not None:
            high, low = max(entry.dice), min(entry.dice)
            if entry.kind is Kind.ERROR:
                return f"{high}{low}: Illegal play ({_plain(entry.moves or '')})"
            if entry.moves is None:
                return f"{high}{low}: ????"
            moves = entry.moves.replace("bar", "25").replace("off", "0")
            return f"{high}{low}: {moves}"
        case Kind.ERROR:
            return f"({_plain(entry.moves or '')})"
        case Kind.DOUBLE:
            return f" {'Beavers' if entry.moves else 'Doubles'} => {entry.points}"
        case Kind.TAKE:
            return None if entry.points else " Takes"  # a beaver is accepted by going on
        case Kind.PASS:
            return " Drops"
        case _:
            return f"Wins {entry.points} point{'' if entry.points == 1 else 's'}"


def _plain(text: str) -> str:
    """A reason that starts no cell when it is read again."""
    reason = re.sub(r"^Illegal play \((.*)\)$", r"\1", text)
    return _CELL.sub(lambda found: "'" + found[0].replace(":", ""), reason)
