"""Entries: what the rows of match files say, and the way from records to them.

Every file format tells a game as a list of entries: a roll with its play, a turn of the cube,
a result. :func:`bgai.notation.assembling.assemble` plays them through by the rules;
:func:`entries_of` is the way back.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np

from bgai.notation.illegal import moves_between, moves_text
from bgai.notation.play_text import format_play
from bgai.notation.record import MatchRecord, RecordedGame, RecordError, StoredVerdict
from bgai.rules.acts import Act, ActKind, CubeAct, MakePlay, OpeningDice, RollDice
from bgai.rules.dice import roll_of
from bgai.rules.game import Ending, Game
from bgai.rules.match import Terms
from bgai.rules.play import Play, recover_play
from bgai.rules.position import Positions


class Kind(StrEnum):
    """The kinds of entries."""

    ROLL = "roll"  # with the play; ``moves`` "" where none is written, None for none made
    DOUBLE = "double"  # a beaver where a double waits for its answer
    TAKE = "take"
    PASS = "pass"
    RESIGN = "resign"
    WIN = "win"
    ERROR = "error"  # ``moves`` says what is wrong


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing a file says; ``where`` names the row for messages.

    ``points``: the cube offered (a double), the points won (a win), the level (a resignation),
    0 where the file doesn't say. ``complete``: no moves written means that none was made, and
    not a forced play left out. ``illegal``: a play against the rules; ``after`` the position
    after it, the opponent on roll, where the file knows it. ``stored``: what the file thinks of
    the play or the turn of the cube, ``before`` of the cube before a roll, and of its luck;
    ``in_chances`` where its cubes are match-winning chances. ``state`` is that of a recorded act.
    """

    kind: Kind
    seat: int
    where: str = ""
    dice: tuple[int, int] | None = None
    moves: str | None = None
    points: int = 0
    comment: str = ""
    complete: bool = False
    illegal: bool = False
    after: Positions | None = field(default=None, compare=False)
    stored: StoredVerdict | None = field(default=None, compare=False)
    before: StoredVerdict | None = field(default=None, compare=False)
    in_chances: bool = field(default=False, compare=False)
    state: Game | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class RawGame:
    """A game as its file tells it. ``points`` before the game; ``crawford`` None: infer it."""

    entries: Sequence[Entry]
    points: tuple[int, int] | None = None
    crawford: bool | None = None
    comment: str = ""
    where: str = ""


@dataclass(frozen=True, slots=True)
class RawMatch:
    """A match as its file tells it. ``jacoby`` None: the file doesn't say.

    ``variation`` is the name of other rules than those of backgammon.
    """

    players: tuple[str, str]
    length: int | None
    games: Sequence[RawGame]
    info: dict[str, str]
    crawford_rule: bool = True
    jacoby: bool | None = None
    beavers: bool | None = None
    max_cube: int | None = None
    variation: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in a file: the game's number, where in it, what."""

    game: int
    where: str
    text: str
    file: str = ""

    def __str__(self) -> str:
        parts = [self.file, f"game {self.game}" if self.game else "", self.where]
        return ", ".join(part for part in parts if part) + f": {self.text}"


@dataclass(frozen=True, slots=True)
class Reading:
    """A record read from a file, and what was wrong in it."""

    record: MatchRecord
    problems: tuple[Problem, ...] = ()


def entries_of(game: RecordedGame, terms: Terms) -> list[Entry]:
    """The entries a file tells this game with, a win at its end.

    Refused resignations and automatic doubles have no entry: the former are left out, the
    latter refused with ``RecordError``.
    """
    entries: list[Entry] = []
    broken, final = game.broken, None
    for index, (state, act) in enumerate(game.states(terms)):
        comment = game.comments.get(index, "")
        said = game.verdicts.get(index)
        if not isinstance(act, MakePlay):
            for found in _entry_of(state, act, comment, terms):
                rolled = found.kind is Kind.ROLL
                before, stored = (said, None) if rolled else (None, said)
                entries.append(replace(found, state=state, before=before, stored=stored))
            continue
        play = play_of(state, act)
        if play is None:
            broken, final = "an illegal play that no moves tell", state
            break
        last = entries[-1]
        notes = "\n".join(filter(None, (last.comment, comment)))
        illegal = index in game.illegal
        moves = moves_text(play) if illegal else format_play(play) if play else ""
        entries[-1] = replace(
            last, moves=moves, comment=notes, illegal=illegal, stored=said, state=state
        )
    if broken is not None:
        final = final or game.final(terms)
        seat = final.turn if final.actor is None else final.actor
        if entries and entries[-1].kind is Kind.ROLL and entries[-1].moves is None:
            entries[-1] = replace(entries[-1], kind=Kind.ERROR, moves=broken)
        else:
            entries.append(Entry(Kind.ERROR, seat, moves=broken))
    if game.result is not None:
        won = game.result
        resigned = won.ending is Ending.RESIGNED
        entries.append(
            Entry(Kind.WIN, won.winner, points=won.points, moves="resigned" if resigned else None)
        )
    return entries


def play_of(state: Game, act: MakePlay) -> Play | None:
    """The moves of a recorded play, legal or not; None where none lead to the position."""
    assert state.roll is not None
    if state.must_pass and np.array_equal(state.plays[0], act.after):
        return ()
    if (state.plays == act.after).all(axis=(1, 2)).any():
        return recover_play(state.position, act.after, state.roll)
    return moves_between(state.position, act.after)


def _entry_of(state: Game, act: Act, comment: str, terms: Terms) -> list[Entry]:
    """The entry of an act other than a play; none of a resignation."""
    match act:
        case OpeningDice((first, second)) if first == second:
            if terms.length is None and terms.rules.automatic_doubles:
                raise RecordError("this format has no automatic doubles, JSON has")
            return []
        case OpeningDice((first, second)):
            seat = 0 if first > second else 1
            return [Entry(Kind.ROLL, seat, dice=roll_of(first, second), comment=comment)]
        case RollDice(roll):
            return [Entry(Kind.ROLL, state.turn, dice=roll, comment=comment)]
        case CubeAct():
            return [_cube_entry(state, act, comment)]
        case _:
            return []  # a resignation that counted is the win at the end


def _cube_entry(state: Game, act: CubeAct, comment: str) -> Entry:
    seat = state.turn if state.actor is None else state.actor
    match act.kind:
        case ActKind.TAKE:
            return Entry(Kind.TAKE, seat, comment=comment, points=state.redoubles)
        case ActKind.PASS:
            return Entry(Kind.PASS, seat, comment=comment)
        case ActKind.DOUBLE:
            return Entry(Kind.DOUBLE, seat, comment=comment, points=2 * state.cube_value)
        case _:
            return Entry(Kind.DOUBLE, seat, comment=comment, points=4 * state.cube_value, moves="!")
