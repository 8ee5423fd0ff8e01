"""The .mat text format of Jellyfish, GNU Backgammon, eXtreme Gammon and many servers: writing.

Plays are as people write them, with ``25`` and ``0`` for bar and off. Comments, refused
resignations and the dice of automatic doubles have no place in this format.
"""

import re
from collections.abc import Iterator, Sequence

from bgai.notation.entries import Entry, Kind, entries_of
from bgai.notation.mat import CELL
from bgai.notation.record import MatchRecord
from bgai.notation.texts import one_line

LONGEST_HEADER = 1000
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
        right = f"{record.players[1]} : {points[1]}"
        lines += [f" Game {number}", f" {left:<{_WIDTH + 2}}  {right}"]
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
            quoted = one_line(text, LONGEST_HEADER).replace('"', "'")
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
            if entry.illegal and not entry.moves:
                return f"{high}{low}: Cannot Move"
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
    return CELL.sub(lambda found: "'" + found[0].replace(":", ""), reason)
