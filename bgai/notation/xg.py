"""eXtreme Gammon's .xg files, read through the records of ``gvformat`` (package gammonview).

A header, a picture, and zlib data of records of one size, which ``gvformat`` takes apart. It
gets them in slices, unpacked here within limits. Fields of it that are not used:
``played_from``/``played_to`` (it reads 32-bit numbers as bytes, so half of them are 0), and the
position after a play, where a judged play is marked as the one made.

Of a play marked as illegal the position before the next one tells what was made. A play after
which no checker is left at all is how eXtreme Gammon writes a resignation. What those records
tell is played through by the rules like that of any other format.
"""

import math
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import numpy as np

from bgai.notation.assembling import assemble
from bgai.notation.entries import Entry, Kind, RawGame, RawMatch, Reading
from bgai.notation.record import RecordError, StoredPlay, StoredVerdict
from bgai.notation.situation import Seat, Situation
from bgai.notation.stored import XG
from bgai.notation.texts import encodable, unpacked
from bgai.rules.cube import Cube, CubeOwner, HouseRules
from bgai.rules.dice import Roll, roll_of
from bgai.rules.match import MatchScore
from bgai.rules.position import BAR, CHECKERS, OFF, SLOTS, Positions, check_position

_MONEY = 99999
_DELPHI_EPOCH = date(1899, 12, 30)
_NO_LIMIT = 10  # log2 of the highest cube where there is no limit
_MOST_LIMIT = 30
_ILLEGAL = 2  # value of invalid_m
_HEADER = 8232
_PICTURE_SIZE = slice(20, 24)
_RECORD = 2560
_KIND = 8  # where a record says what it is
_VARIATION = 96  # where the match header says which game it is
_VARIATIONS = {0: "", 1: "Nackgammon", 2: "HyperGammon", 3: "LongGammon"}
_CUBE_BOARD = 36  # where a cube record has its board
_SLICE = 64 * _RECORD
Fields = Mapping[str, Any]


def read_xg(content: bytes) -> Reading:
    """The match of an .xg file's bytes, and what was wrong in it. Raises ``RecordError``."""
    data = _record_bytes(content)
    records = _records(content[:_HEADER], data)
    kind, header = next(records, ("", {}))
    if kind != "header_match":
        raise RecordError("not an .xg file, or a damaged one: it has no match header")
    length = header["match_length"]
    limit = header["cube_limit_code"]
    (variation,) = struct.unpack_from("<i", data, _VARIATION)
    games = list(_games(records))
    if not games:
        raise RecordError("an .xg file without a game in it")
    raw = RawMatch(
        (encodable(header["player1"]), encodable(header["player2"])),
        None if length in (0, _MONEY) else length,
        games,
        dict(_info(header)),
        crawford_rule=bool(header["crawford"]),
        jacoby=bool(header["jacoby"]),
        beavers=bool(header["beaver"]),
        max_cube=1 << limit if 0 < limit < _MOST_LIMIT and limit != _NO_LIMIT else None,
        variation=_VARIATIONS.get(variation, f"another game (number {variation})"),
    )
    return assemble(raw)


def _record_bytes(content: bytes) -> bytes:
    """The unpacked records. Raises ``RecordError``."""
    if len(content) < _HEADER or content[:4] != b"RGMH":
        raise RecordError("not an .xg file: it doesn't begin with an .xg header")
    (picture,) = struct.unpack("<I", content[_PICTURE_SIZE])
    data = unpacked(content[_HEADER + picture :])
    if data is None or len(data) < _RECORD:
        raise RecordError("a damaged .xg file: its records can't be unpacked")
    return data


def _records(header: bytes, data: bytes) -> Iterator[tuple[str, Fields]]:
    """The records by kind, a slice at a time. Raises ``RecordError``."""
    try:
        from gvformat import xg
    except ImportError:
        raise RecordError(
            "reading .xg files needs the package gammonview: pip install 'bgai[xg]'"
        ) from None
    header = header[: _PICTURE_SIZE.start] + b"\0\0\0\0" + header[_PICTURE_SIZE.stop :]
    for start in range(0, len(data), _SLICE):
        part = data[start : start + _SLICE]
        # Its first bytes mean nothing; zeros can't be taken for packed data.
        part = b"\0" * _KIND + part[_KIND:]
        try:
            yield from xg.read_xg(header + part)
        except Exception as error:  # whatever damaged bytes make of its parser
            raise RecordError(f"a damaged .xg file: {error}") from None


def read_xg_position(content: bytes) -> Situation:
    """The first decision of an .xgp file (or an .xg one): a position with score, cube and dice.

    Raises ``InputError``.
    """
    data = _record_bytes(content)
    kinds = [data[at + _KIND] for at in range(0, len(data) - _RECORD + 1, _RECORD)]
    found: dict[str, tuple[int, Fields]] = {}
    for index, (kind, fields) in enumerate(_records(content[:_HEADER], data)):
        found.setdefault(kind, (index, fields))
        if len(found) == len(set(kinds)):
            break
    match, start = found.get("header_match"), found.get("header_game")
    if match is None or start is None or not found.keys() & {"move", "cube"}:
        raise RecordError("an .xg file without a position in it")
    move = found["move"][1] if "move" in found else None
    if move is not None and all(1 <= die <= 6 for die in move["dice"]):
        dice = roll_of(*(int(die) for die in move["dice"]))
        return _situation(
            match[1], start[1], move["pos_before"], move["actifp"], move["cube_a"], dice
        )
    if "cube" not in found:
        raise RecordError("an .xg file whose position has no dice and no cube decision")
    index, cube = found["cube"]
    board = struct.unpack_from("<26b", data, index * _RECORD + _CUBE_BOARD)
    return _situation(match[1], start[1], board, cube["actif"], cube["cube_b"], None)


def _situation(
    match: Fields, game: Fields, board: Sequence[int], active: int, code: int, roll: Roll | None
) -> Situation:
    """A decision of the player ``active``, 1 or -1.

    ``code`` is log2 of the cube with the sign of its owner.
    """
    seat = Seat.BOTTOM if active == 1 else Seat.TOP
    points = (game["score1"], game["score2"])
    mine, theirs = points if seat is Seat.BOTTOM else points[::-1]
    length = match["match_length"]
    owner = CubeOwner.CENTRED
    if code:
        owner = CubeOwner.ON_ROLL if (code > 0) == (active == 1) else CubeOwner.OPPONENT
    if abs(code) > _MOST_LIMIT:
        raise RecordError(f"a damaged .xg file: a cube of 2**{abs(code)}")
    money = length in (0, _MONEY)
    return Situation(
        check_position(_position(board, 0 if active == 1 else 1)),
        cube=Cube(1 << abs(code), owner),
        score=None if money else MatchScore(length, mine, theirs, bool(game["is_crawford"])),
        rules=HouseRules(bool(match["jacoby"]), int(bool(match["beaver"]))),
        roll=roll,
        seat=seat,
        session=(mine, theirs) if money else (0, 0),
    )


def _info(header: Fields) -> Iterator[tuple[str, str]]:
    for name, field in (("event", "event"), ("place", "location")):
        if header[field]:
            yield name, header[field]
    days = header["date"]
    if 0 < days < 1e6:
        yield "date", (_DELPHI_EPOCH + timedelta(days=int(days))).isoformat()


def _games(records: Iterator[tuple[str, Fields]]) -> Iterator[RawGame]:
    start: Fields | None = None
    entries: list[Entry] = []
    number = 0
    cube: StoredVerdict | None = None  # of the decision before the next roll
    for kind, fields in records:
        if kind == "header_game":
            if start is not None:
                yield _game(start, entries)
            start, entries, number, cube = fields, [], 0, None
        elif start is not None:
            if kind == "move":
                number += 1
                _settle(entries, fields["pos_before"])
            found = list(_entries(kind, fields, f"play {max(number, 1)}"))
            if kind == "cube":
                cube = _cube_verdict(fields)
                found = [replace(each, stored=cube) for each in found]
            elif kind == "move":
                before = _roll_verdict(cube if not _doubled(entries) else None, fields)
                found = [
                    replace(each, stored=_plays_verdict(fields), before=before) for each in found
                ]
                cube = None
            entries += found
    if start is not None:
        yield _game(start, entries)


def _doubled(entries: Sequence[Entry]) -> bool:
    """Whether the turn began with a double: its verdict stands with that, not with the roll."""
    return bool(entries) and entries[-1].kind in (Kind.DOUBLE, Kind.TAKE)


_LEVELS = {12: "3-ply", 100: "rollout", 998: "book", 999: "book"}
_LEVELS |= {1000: "Roller", 1001: "Roller+", 1002: "Roller++"}
_UNLIKELY = 1e3  # no equity is: how damaged or absent figures look


def _level(code: int) -> str:
    return _LEVELS.get(code, f"{code + 1}-ply" if 0 <= code < 10 else "")


def _cube_verdict(fields: Fields) -> StoredVerdict | None:
    """Of a cube record; None where the cube was not judged."""
    equities = tuple(float(fields[name]) for name in ("equ_b", "equ_double", "equ_drop"))
    if not any(equities) or not _sane(equities):
        return None
    lose_bg, lose_g, _, win, win_g, win_bg, _ = (float(each) for each in fields["eval_nd"])
    chances = (win, win_g, win_bg, lose_g, lose_bg)
    return StoredVerdict(XG, _level(fields["level"]), cube=equities, chances=chances)


def _roll_verdict(cube: StoredVerdict | None, fields: Fields) -> StoredVerdict | None:
    """The cube before a roll, and the roll's luck."""
    luck = float(fields["err_luck"])
    if not _sane((luck,)) or luck <= -_UNLIKELY:
        return cube
    return replace(cube or StoredVerdict(XG), luck=luck)


def _plays_verdict(fields: Fields) -> StoredVerdict | None:
    """The plays of a roll as they were judged; None where none was."""
    plays = [
        StoredPlay(
            _text(each["moves"]),
            float(each["equity"]),
            _level(each["level"]),
            tuple(float(chance) for chance in each["probs"]),
        )
        for each in fields["candidates"]
        if (any(each["probs"]) or each["equity"]) and _sane((each["equity"], *each["probs"]))
    ]
    if not plays:
        return None
    return StoredVerdict(XG, plays[0].level, plays=tuple(plays))


def _sane(numbers: Sequence[float]) -> bool:
    return all(math.isfinite(each) and abs(each) < _UNLIKELY for each in numbers)


def _game(start: Fields, entries: list[Entry]) -> RawGame:
    return RawGame(entries, (start["score1"], start["score2"]), bool(start["is_crawford"]))


def _settle(entries: list[Entry], board: Sequence[int]) -> None:
    """Give the last play, if it was illegal, the position the next one was made in."""
    index = next((i for i in range(len(entries) - 1, -1, -1) if entries[i].dice is not None), None)
    if index is not None and entries[index].illegal:
        entries[index] = replace(entries[index], after=_position(board, 1 - entries[index].seat))


def _entries(kind: str, fields: Fields, where: str) -> Iterator[Entry]:
    match kind:
        case "cube" if fields["doubled"] == 1:
            seat = 0 if fields["actif"] == 1 else 1
            yield Entry(Kind.DOUBLE, seat, where)
            if fields["take"] in (1, 2):
                yield Entry(Kind.TAKE if fields["take"] == 1 else Kind.DOUBLE, 1 - seat, where)
            elif fields["take"] == 0:
                yield Entry(Kind.PASS, 1 - seat, where)
        case "move" if any(fields["pos_after"]):
            yield _roll(fields, where)
        case "footer_game" if fields["points"] > 0:
            winner = 0 if fields["winner"] == 1 else 1
            yield Entry(Kind.WIN, winner, "its end", points=fields["points"])


def _roll(fields: Fields, where: str) -> Entry:
    seat = 0 if fields["actifp"] == 1 else 1
    dice = (int(fields["dice"][0]), int(fields["dice"][1]))
    if min(dice) < 1 or max(dice) > 6:
        return Entry(Kind.ERROR, seat, where, moves=f"dice {dice}")
    entry = Entry(Kind.ROLL, seat, where, dice, _moves(fields, seat))
    if fields["invalid_m"] != _ILLEGAL:
        return entry
    return replace(entry, illegal=True, after=_position(fields["pos_after"], 1 - seat))


def _position(board: Sequence[int], on_roll: int) -> Positions:
    """The position of a board in player 1's numbering, his checkers above 0; not checked."""
    position = np.zeros((2, SLOTS), dtype=np.int8)
    for side, seat in enumerate((on_roll, 1 - on_roll)):
        for slot in range(1, SLOTS):
            count = board[slot] if seat == 0 else -board[BAR - slot]
            position[side, slot] = max(count, 0)
        position[side, OFF] = max(CHECKERS - position[side, 1:].sum(dtype=int), -1)
    return position


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
    return " ".join(f"{source}/{end}" for source, end in zip(gone, came, strict=False))
