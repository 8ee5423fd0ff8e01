"""BGBlitz's .bgf files, unpacked by ``gvformat`` (package gammonview).

A line of JSON, then the match in Smile, a binary JSON. Green is seat 0, and both number points
from their own side. A double and its answer are a pair of records without a play, and a dance
has its dice where the moves are. Who won a game without bearing off or a pass is told by the
scores alone. What is told is played through by the rules like that of any other format.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from bgai.notation.assembling import assemble
from bgai.notation.entries import Entry, Kind, RawGame, RawMatch, Reading
from bgai.notation.record import RecordError
from bgai.notation.texts import LARGEST_FILE, TooLarge, unpacked

_START = [2, 0, 0, 0, 0, -5, 0, -3, 0, 0, 0, 5, -5, 0, 0, 0, 3, 0, 5, 0, 0, 0, 0, -2]
_NO_MOVE = -1
_MOST_CUBE = 1 << 16
_SEATS = {-1: 0, 1: 1}
_INFO = {"event": "event", "round": "round", "location": "place", "comment": "comment"}
Fields = Mapping[str, Any]


def read_bgf(content: bytes) -> Reading:
    """The match of a .bgf file's bytes, and what was wrong in it. Raises ``RecordError``."""
    try:
        return assemble(_raw_match(_contents(content)))
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        if isinstance(error, RecordError | TooLarge):
            raise
        raise RecordError(f"a damaged .bgf file: {type(error).__name__} {error}") from None


def _contents(content: bytes) -> Fields:
    try:
        from gvformat import bgf
    except ImportError:
        raise RecordError(
            "reading .bgf files needs the package gammonview: pip install 'bgai[xg]'"
        ) from None
    header, newline, packed = content.partition(b"\n")
    if not newline or not header.lstrip().startswith(b"{"):
        raise RecordError("not a .bgf file: it doesn't begin with a line of JSON")
    plain = packed if packed.startswith(b":)\n") else unpacked(packed)
    if plain is None:
        raise RecordError("a damaged .bgf file: its contents can't be unpacked")
    if len(plain) > LARGEST_FILE:
        raise TooLarge(f"unpacks to more than {LARGEST_FILE >> 20} MB")
    try:
        _, smile = bgf.read_bgf(header + b"\n" + plain)
        data = bgf.decode_smile(smile)
    except Exception as error:  # whatever damaged bytes make of its parser
        raise RecordError(f"a damaged .bgf file: {type(error).__name__} {error}") from None
    if not isinstance(data, dict) or not isinstance(data.get("games"), list):
        raise RecordError("a damaged .bgf file: no games in it")
    return data


def _raw_match(data: Fields) -> RawMatch:
    games = data["games"]
    scores = [(int(game["scoreGreen"]), int(game["scoreRed"])) for game in games]
    scores.append((int(data["finalGreen"]), int(data["finalRed"])))
    limit = int(data.get("cubeLimit") or 0)
    mode = next((game["gameMode"] for game in games if game.get("gameMode")), data.get("gameMode"))
    info = {name: str(data[key]) for key, name in _INFO.items() if data.get(key)}
    if data.get("date"):
        info["date"] = str(data["date"]).replace(".", "-")
    return RawMatch(
        (str(data["nameGreen"]), str(data["nameRed"])),
        int(data["matchlen"]) or None,
        [
            _game(game, before, after)
            for game, (before, after) in zip(games, pairwise(scores), strict=True)
        ],
        info,
        crawford_rule=bool(data.get("useCrawford", True)),
        jacoby=bool(data.get("useJacoby")),
        beavers=bool(data.get("useBeaver")),
        max_cube=limit if 0 < limit <= _MOST_CUBE and limit.bit_count() == 1 else None,
        variation=f"another game (mode {mode})" if mode else "",
    )


def _game(game: Fields, before: tuple[int, int], after: tuple[int, int]) -> RawGame:
    entries: list[Entry] = []
    initial = game["initial"]
    if list(initial["points"][:24]) != _START or initial.get("egyptian"):
        entries.append(Entry(Kind.ERROR, -1, moves="a set-up position is no game from the start"))
    moves = iter(game["moves"])
    for number, move in enumerate(moves, 1):
        where = f"record {number}"
        double = _cube(move)
        if double is not None:
            answer = next(moves, None)
            entries += _double(_SEATS[move["player"]], double, answer is not None, where)
        elif _is_dance(move) or move["from"][0] != _NO_MOVE:
            entries.append(_roll(move, where))
    gains = (after[0] - before[0], after[1] - before[1])
    if (gains[0] > 0) != (gains[1] > 0):
        winner = 0 if gains[0] > 0 else 1
        entries.append(Entry(Kind.WIN, winner, "its end", points=gains[winner]))
    return RawGame(entries, before, bool(game["isCrawford"]))


def _cube(move: Fields) -> Fields | None:
    """The cube decision of a record that is a double; None of others."""
    if move["from"][0] != _NO_MOVE:
        return None
    decision = (move.get("equity") or {}).get("cubeDecision") or {}
    return decision if decision.get("hasDoubled") else None


def _double(seat: int, decision: Fields, answered: bool, where: str) -> Iterator[Entry]:
    yield Entry(Kind.DOUBLE, seat, where)
    if answered:
        taken = decision.get("hasAccepted")
        yield Entry(Kind.TAKE if taken else Kind.PASS, 1 - seat, where)


def _is_dance(move: Fields) -> bool:
    return move.get("dancingEquity") is not None


def _roll(move: Fields, where: str) -> Entry:
    seat = _SEATS[move["player"]]
    dice = (int(move["red"]), int(move["green"]))
    moves = "" if _is_dance(move) else _moves(move["from"], move["to"])
    if _is_dance(move):
        dice = (int(move["from"][0]), int(move["to"][0]))
    if min(dice) < 1 or max(dice) > 6:
        return Entry(Kind.ERROR, seat, where, moves=f"dice {dice}")
    return Entry(Kind.ROLL, seat, where, dice, moves)


def _moves(sources: Sequence[int], ends: Sequence[int]) -> str:
    pairs = zip(sources, ends, strict=True)
    return " ".join(f"{source}/{max(end, 0)}" for source, end in pairs if source != _NO_MOVE)
