"""Plays as people write them: ``13/8 6/5*``, ``24/20(2)``, ``13/10*/9``, ``bar/22``, ``6/off``."""

import re
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from bgai.notation.texts import excerpt
from bgai.rules.dice import Roll
from bgai.rules.legal_plays import has_legal_play, legal_plays
from bgai.rules.play import (
    Move,
    Play,
    PlayError,
    recover_play,
    slot_name,
    step_stops,
)
from bgai.rules.position import BAR, OFF, POINTS, Positions

_HOME = 6
NO_PLAY = "no play"
"""How the empty play is written: nothing was legal."""


class AmbiguousPlayError(PlayError):
    """A text that fits several plays, which are in ``candidates``."""

    def __init__(self, text: str, candidates: tuple[Play, ...]) -> None:
        listed = ", ".join(format_play(play) for play in candidates)
        super().__init__(f"'{text}' fits several plays: {listed}")
        self.candidates = candidates


def format_play(play: Play) -> str:
    """The usual text of a play, high to low; equal moves are counted."""
    chains: Counter[tuple[int, ...]] = Counter()
    marks: dict[tuple[int, ...], set[int]] = {}
    for chain in _joined(play):
        path = (chain[0].source, *(move.destination for move in chain))
        chains[path] += 1
        marks.setdefault(path, set()).update(move.destination for move in chain if move.hit)
    texts = []
    for path, count in chains.items():
        stops = [slot_name(slot) + "*" * (slot in marks[path]) for slot in path[1:]]
        times = f"({count})" if count > 1 else ""
        texts.append("/".join([slot_name(path[0]), *stops]) + times)
    return " ".join(texts) or NO_PLAY


def format_single_moves(play: Play, position: Positions, roll: Roll) -> str:
    """A play of ``roll`` in a ``(2, 26)`` position, every die written out: ``24/18 18/13``.

    No hits are marked and nothing is joined or counted, as other programs like to read it.
    """
    texts = []
    for source, destination, _ in play:
        routes = step_stops(source, destination, roll) or [()]
        open_ = min(routes, key=lambda stops: (_in_the_way(stops, position), len(stops)))
        texts += [
            f"{slot_name(a)}/{slot_name(b)}" for a, b in pairwise((source, *open_, destination))
        ]
    return " ".join(texts)


def _in_the_way(stops: tuple[int, ...], position: Positions) -> int:
    """Most of the opponent's checkers on one of these points of the mover's numbering."""
    return max((int(position[1, POINTS + 1 - stop]) for stop in stops), default=0)


def parse_play(text: str, position: Positions, roll: Roll) -> Play:
    """The legal play of ``roll`` in a ``(2, 26)`` position that ``text`` describes.

    Moves may come in any order and be joined or not; hit marks may be left out, but a mark
    must be right, and where a text without marks could hit on the way or not, it does not.
    Raises ``PlayError`` saying what is wrong, ``AmbiguousPlayError`` where several fit.
    """
    after = legal_plays(position, roll)
    if not has_legal_play(position, after):
        if text.strip().lower() in ("", NO_PLAY, "pass"):
            return ()
        raise PlayError(f"there is no legal play of {roll}: the turn passes")
    paths = _read(text)
    hops = [hop for path in paths for hop in path.hops()]
    _check_hops(hops, position, roll)
    row = _row_after(position[0], hops)
    plays = [recover_play(position, each, roll) for each in after[(after[:, 1] == row).all(axis=1)]]
    if not plays:
        raise PlayError(_why_not(text, hops, position, roll, after))
    fitting = [play for play in plays if _hits_fit(play, hops, position, roll)]
    if not fitting:
        raise PlayError(
            f"the hits of '{text}' are not those of {' or '.join(map(format_play, plays))}"
        )
    marked = {hop.destination for hop in hops if hop.hit}
    exact = [play for play in fitting if {move.destination for move in play if move.hit} == marked]
    if len(fitting) > 1 and len(exact) == 1:
        return exact[0]
    if len(fitting) > 1:
        raise AmbiguousPlayError(text, tuple(fitting))
    return fitting[0]


def parse_moves(text: str, *, backwards: bool = False) -> Play:
    """The moves of a text in the order written, whether or not any dice allow them.

    For plays accepted as made at a real board; ``backwards`` lets checkers go up too. Raises
    ``PlayError`` where a word is no move, and for more than ``MOST_MOVES``.
    """
    return tuple(hop for path in _read(text, backwards) for hop in path.hops())


def _joined(play: Play) -> list[list[Move]]:
    """The moves of each checker that hits and goes on, together."""
    chains: list[list[Move]] = []
    for move in play:
        if chains and chains[-1][-1].hit and chains[-1][-1].destination == move.source:
            chains[-1].append(move)
        else:
            chains.append([move])
    return chains


@dataclass(frozen=True, slots=True)
class _Path:
    """One written move: the slots it names, those marked as hits, how many checkers."""

    slots: tuple[int, ...]
    marked: tuple[bool, ...]
    count: int

    def hops(self) -> list[Move]:
        steps = zip(self.slots, self.slots[1:], self.marked[1:], strict=False)
        return [Move(*step) for step in steps] * self.count


LONGEST = 200  # characters of any play
MOST_MOVES = 15  # of checkers from one place to another; legal plays have four
_SLOT = r"(?:bar|off|b|o|[0-9]{1,2})"
_PATH = re.compile(rf"({_SLOT}(?:/{_SLOT}\*?)+)(?:\(([1-4])\))?", re.IGNORECASE)


def _read(text: str, backwards: bool = False) -> list[_Path]:
    """The written moves. Raises ``PlayError`` naming the word that is not one."""
    text = " ".join(re.sub(r"[,;]", " ", text).split())
    if len(text) > LONGEST:
        raise PlayError(f"{excerpt(text)} is too long for a play: {len(text)} characters")
    words = re.sub(r" ?([/*(]) ?", r"\1", text)
    words = re.sub(r"\*(?=[^/\s(])", "* ", words).replace(")", ") ")
    paths = []
    for word in words.split():
        match = _PATH.fullmatch(word)
        if not match:
            raise PlayError(f"'{word}' is not a move such as 13/8, bar/22, 6/off or 24/20(2)")
        stops = match[1].lower().split("/")
        slots = tuple(_slot(stop.rstrip("*")) for stop in stops)
        for source, destination in pairwise(slots):
            if destination >= source and not backwards:
                raise PlayError(f"'{word}' does not go down from {source} to {destination}")
        marked = tuple(stop.endswith("*") for stop in stops)
        paths.append(_Path(slots, marked, int(match[2] or 1)))
    if not paths:
        raise PlayError("no move given: write a play such as 13/8 6/5")
    if sum(path.count * (len(path.slots) - 1) for path in paths) > MOST_MOVES:
        raise PlayError(f"{excerpt(text)} has more than {MOST_MOVES} moves")
    return paths


def _slot(name: str) -> int:
    if name in ("bar", "b"):
        return BAR
    if name in ("off", "o"):
        return OFF
    if int(name) > BAR:
        raise PlayError(f"there is no point {name}: points are 1 to 24, bar (25) and off (0)")
    return int(name)


def _row_after(row: np.ndarray, hops: list[Move]) -> np.ndarray:
    """The mover's checkers after all hops, which may be written in any order."""
    row = row.astype(np.int64)
    for source, destination, _ in hops:
        row[source] -= 1
        row[destination] += 1
    return row


def _check_hops(hops: list[Move], position: Positions, roll: Roll) -> None:
    """Refuse what no order of the moves can make possible, and say why."""
    row = _row_after(position[0], hops)
    if (row < 0).any():
        slot = int(np.argmax(row < 0))
        place = slot_name(slot) if slot == BAR else f"the {slot} point"
        few = "not enough checkers" if position[0, slot] else "no checker"
        raise PlayError(f"there {'are' if position[0, slot] else 'is'} {few} on {place} to move")
    for source, destination, _ in hops:
        name = f"{slot_name(source)}/{slot_name(destination)}"
        if step_stops(source, destination, roll) is None:
            raise PlayError(f"{name} can't be played with {roll}")
        if destination != OFF and position[1, POINTS + 1 - destination] > 1:
            raise PlayError(f"{name}: the {destination} point is blocked")


def _hits_fit(play: Play, hops: list[Move], position: Positions, roll: Roll) -> bool:
    """Whether the play hits where the text says or could leave out, and nowhere else."""
    hits = {move.destination for move in play if move.hit}
    marked = {hop.destination for hop in hops if hop.hit}
    stops = {hop.destination for hop in hops if hop.destination != OFF}
    blots = {point for point in stops if position[1, POINTS + 1 - point] == 1}
    on_the_way = {
        point
        for source, destination, _ in hops
        for route in step_stops(source, destination, roll) or []
        for point in route
    }
    return marked | blots <= hits <= stops | on_the_way


def _why_not(text: str, hops: list[Move], position: Positions, roll: Roll, after: Positions) -> str:
    """Why the moves of a text, each possible by itself, are no legal play."""
    bar = int(position[0, BAR])
    if sum(hop.source == BAR for hop in hops) < min(bar, len(hops)):
        return f"'{text}': a checker on the bar must enter first"
    fewest = sum(min(len(r) for r in step_stops(h[0], h[1], roll) or [()]) + 1 for h in hops)
    available = 4 if roll.is_double else 2
    if fewest > available:
        return f"'{text}' takes more than the {available} moves of {roll}"
    if (
        any(hop.destination == OFF for hop in hops)
        and (_row_after(position[0], hops)[7:] > 0).any()
    ):
        return f"'{text}': all 15 checkers must be home before one is borne off"
    plays = [format_play(recover_play(position, each, roll)) for each in after[:4]]
    more = f" and {len(after) - len(plays)} more" if len(after) > len(plays) else ""
    return f"'{text}' is not a legal play of {roll}; legal: {', '.join(plays)}{more}"
