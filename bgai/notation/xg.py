"""eXtreme Gammon's .xg files, read through the records of ``gvformat`` (package gammonview).

``gvformat`` unpacks the file and the fields of each record. Two of its fields are not used:
``played_from``/``played_to`` (it reads 32-bit numbers as bytes, so half of them are 0), and the
positions after a play where a judged play is marked as the one made. A play marked as illegal
ends what can be read of that game. What those records tell is
played through by the rules like that of any other format.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from bgai.notation.entries import Entry, Kind, RawGame, RawMatch, Reading, assemble
from bgai.notation.record import RecordError

_MONEY = 99999
_DELPHI_EPOCH = date(1899, 12, 30)
_NO_LIMIT = 10  # log2 of the highest cube where there is no limit
_MOST_LIMIT = 30
_ILLEGAL = 2  # value of invalid_m; the moves stored with such a play may be cut short
Fields = Mapping[str, Any]


def read_xg(content: bytes) -> Reading:
    """The match of an .xg file's bytes, and what was wrong in it. Raises ``RecordError``."""
    try:
        from gvformat import xg
    except ImportError:
        raise RecordError(
            "reading .xg files needs the package gammonview: pip install 'bgai[xg]'"
        ) from None
    try:
        records = xg.read_xg(content)
    except Exception as error:  # whatever damaged bytes make of its parser
        raise RecordError(f"not an .xg file, or a damaged one: {error}") from None
    header = next((fields for kind, fields in records if kind == "header_match"), None)
    if header is None:
        raise RecordError("not an .xg file, or a damaged one: it has no match header")
    length = header["match_length"]
    limit = header["cube_limit_code"]
    raw = RawMatch(
        (header["player1"] or "Player 1", header["player2"] or "Player 2"),
        None if length in (0, _MONEY) else length,
        list(_games(records)),
        dict(_info(header)),
        crawford_rule=bool(header["crawford"]),
        jacoby=bool(header["jacoby"]),
        beavers=bool(header["beaver"]),
        max_cube=1 << limit if 0 < limit < _MOST_LIMIT and limit != _NO_LIMIT else None,
    )
    return assemble(raw)


def _info(header: Fields) -> Iterator[tuple[str, str]]:
    for name, field in (("event", "event"), ("place", "location")):
        if header[field]:
            yield name, header[field]
    days = header["date"]
    if 0 < days < 1e6:
        yield "date", (_DELPHI_EPOCH + timedelta(days=int(days))).isoformat()


def _games(records: Sequence[tuple[str, Fields]]) -> Iterator[RawGame]:
    start: Fields | None = None
    entries: list[Entry] = []
    number = 0
    for kind, fields in records:
        if kind == "header_game":
            if start is not None:
                yield _game(start, entries)
            start, entries, number = fields, [], 0
        elif start is not None:
            if kind == "move":
                number += 1
            entries += _entries(kind, fields, f"play {max(number, 1)}")
    if start is not None:
        yield _game(start, entries)


def _game(start: Fields, entries: list[Entry]) -> RawGame:
    return RawGame(entries, (start["score1"], start["score2"]), bool(start["is_crawford"]))


def _entries(kind: str, fields: Fields, where: str) -> Iterator[Entry]:
    match kind:
        case "cube" if fields["doubled"] == 1:
            seat = 0 if fields["actif"] == 1 else 1
            yield Entry(Kind.DOUBLE, seat, where)
            if fields["take"] in (1, 2):
                yield Entry(Kind.TAKE if fields["take"] == 1 else Kind.DOUBLE, 1 - seat, where)
            elif fields["take"] == 0:
                yield Entry(Kind.PASS, 1 - seat, where)
        case "move":
            seat = 0 if fields["actifp"] == 1 else 1
            dice = (int(fields["dice"][0]), int(fields["dice"][1]))
            if min(dice) < 1 or max(dice) > 6:
                yield Entry(Kind.ERROR, seat, where, moves=f"dice {dice}")
            elif fields["invalid_m"] == _ILLEGAL:
                yield Entry(Kind.ERROR, seat, where, dice, f"illegal play ({_moves(fields, seat)})")
            else:
                yield Entry(Kind.ROLL, seat, where, dice, _moves(fields, seat))
        case "footer_game" if fields["points"] > 0:
            winner = 0 if fields["winner"] == 1 else 1
            yield Entry(Kind.WIN, winner, "its end", points=fields["points"])


def _moves(fields: Fields, seat: int) -> str:
    """The play as text: that of the judged play marked as made, else from the positions."""
    for candidate in fields["candidates"]:
        if candidate["is_played"]:
            return _text(candidate["moves"])
    return _difference(fields["pos_before"], fields["pos_after"], seat)


def _text(moves: Sequence[int]) -> str:
    """Pairs of points counted from 0, the bar 24, off below 0; -1 as a source ends them."""
    parts = []
    for source, end in zip(moves[::2], moves[1::2], strict=True):
        if source < 0 or source == end:
            break
        parts.append(f"{source + 1}/{max(end + 1, 0)}")
    return " ".join(parts)


def _difference(before: Sequence[int], after: Sequence[int], seat: int) -> str:
    """Moves between two boards of player 1's numbering (his bar 25, the other's 0, negative)."""
    counts = [
        [max(sign * board[slot], 0) for slot in order]
        for board in (before, after)
        for sign, order in [(1, range(26)) if seat == 0 else (-1, range(25, -1, -1))]
    ]
    gone = [slot for slot in range(25, 0, -1) for _ in range(counts[0][slot] - counts[1][slot])]
    came = [slot for slot in range(25, 0, -1) for _ in range(counts[1][slot] - counts[0][slot])]
    came += [0] * (len(gone) - len(came))
    return " ".join(f"{source}/{end}" for source, end in zip(gone, came, strict=True))
