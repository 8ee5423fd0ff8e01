"""A board drawn in text, in Unicode or plain ASCII.

The points carry the numbers of the player on roll, whichever side is drawn at the bottom.
Each player keeps one symbol: the player of the bottom seat the first of the pair.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from bgai.notation.captions import decision_text, terms
from bgai.notation.identifiers import format_gnu_id
from bgai.notation.situation import Seat, Situation
from bgai.notation.xgid import format_xgid
from bgai.rules.cube import CubeOwner
from bgai.rules.position import BAR, OFF, POINTS, Positions, pip_counts

_ROWS = 5  # checkers drawn on a point before the number is written


@dataclass(frozen=True, slots=True)
class _Glyphs:
    bottom: str
    top: str
    across: str
    down: str
    upper: tuple[str, str, str]  # left corner, tee and right corner of the upper edge
    lower: tuple[str, str, str]


_UNICODE = _Glyphs("●", "○", "─", "│", ("┌", "┬", "┐"), ("└", "┴", "┘"))
_ASCII = _Glyphs("X", "O", "-", "|", ("+", "+", "+"), ("+", "+", "+"))


def symbol(seat: Seat, *, ascii_only: bool = False) -> str:
    """The character of a player's checkers."""
    glyphs = _ASCII if ascii_only else _UNICODE
    return glyphs.bottom if seat is Seat.BOTTOM else glyphs.top


def seen_from(situation: Situation, view: Seat) -> Positions:
    """The ``(2, 26)`` position with the player of seat ``view`` first."""
    return situation.position if view is situation.seat else situation.position[::-1]


def cube_seat(situation: Situation) -> Seat | None:
    """Who owns the cube; None where it is centred."""
    if situation.cube.owner is CubeOwner.CENTRED:
        return None
    mine = situation.cube.owner is CubeOwner.ON_ROLL
    return situation.seat if mine else situation.seat.other()


def format_diagram(
    situation: Situation,
    *,
    view: Seat | None = None,
    names: Mapping[Seat, str] | None = None,
    ascii_only: bool = False,
    ids: bool = True,
    numbered_for: Seat | None = None,
    decision: str | None = None,
) -> str:
    """The board as lines of text, at most 80 columns with short names.

    ``view`` is the seat drawn at the bottom, by default the player on roll. ``names``
    gives each seat's name. ``ids`` adds the XGID and GNU Backgammon's ID below. The points
    carry the numbers of ``numbered_for``, by default the player on roll. ``decision`` stands
    beside the board in place of whose decision it is.
    """
    view = situation.seat if view is None else view
    names = names or {situation.seat: "on roll", situation.seat.other(): "opponent"}
    glyphs = _ASCII if ascii_only else _UNICODE
    board = _Board(seen_from(situation, view), view, glyphs)
    upper, lower = (
        _numbers(row, (numbered_for or situation.seat) is view) for row in (True, False)
    )
    rows = [board.row(depth, upper=True) for depth in range(_ROWS)]
    middle = board.middle()
    rows += [middle, *(board.row(depth, upper=False) for depth in reversed(range(_ROWS)))]
    trays = _trays(situation, view, board)
    notes = _notes(situation, view, names, ascii_only, decision)
    lines = [_edge(upper, glyphs, upper_edge=True)]
    for row, tray, note in zip(rows, trays, notes, strict=True):
        lines.append(f"{row}{tray:^6}{glyphs.down}  {note}".rstrip())
    lines.append(_edge(lower, glyphs, upper_edge=False))
    if ids:
        lines += [format_xgid(situation), f"GNU ID {format_gnu_id(situation)}"]
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class _Board:
    """Rows of the board for one view; ``sides[0]`` is the player at the bottom."""

    sides: Positions
    view: Seat
    glyphs: _Glyphs

    def symbols(self) -> tuple[str, str]:
        """The symbols of the players at the bottom and at the top."""
        pair = (self.glyphs.bottom, self.glyphs.top)
        return pair if self.view is Seat.BOTTOM else pair[::-1]

    def row(self, depth: int, *, upper: bool) -> str:
        """One line without tray: ``depth`` checkers away from the edge."""
        points = range(13, 25) if upper else range(12, 0, -1)
        cells = [self._cell(point, depth) for point in points]
        side = 0 if upper else 1  # checkers on the bar enter in this half
        bar = int(self.sides[side, BAR])
        on_bar = _stacked(bar, self.symbols()[side], _ROWS - 1 - depth)
        down = self.glyphs.down
        return f"{down}{''.join(cells[:6])}{down}{on_bar:^5}{down}{''.join(cells[6:])}{down}"

    def middle(self) -> str:
        down = self.glyphs.down
        return f"{down}{'':18}{down}{'BAR':^5}{down}{'':18}{down}"

    def _cell(self, point: int, depth: int) -> str:
        for side, slot in ((0, point), (1, POINTS + 1 - point)):
            count = int(self.sides[side, slot])
            if count:
                return f"{_stacked(count, self.symbols()[side], depth):^3}"
        return "   "


def _stacked(count: int, mark: str, depth: int) -> str:
    """What a stack of ``count`` shows ``depth`` checkers from its foot."""
    if count > _ROWS and depth == _ROWS - 1:
        return str(count)
    return mark if depth < count else " "


def _numbers(upper: bool, on_roll_below: bool) -> list[int]:
    points = list(range(13, 25)) if upper else list(range(12, 0, -1))
    return points if on_roll_below else [POINTS + 1 - point for point in points]


def _edge(numbers: list[int], glyphs: _Glyphs, *, upper_edge: bool) -> str:
    left, tee, right = glyphs.upper if upper_edge else glyphs.lower
    across = glyphs.across
    texts = [f"{number:{across}^3}" for number in numbers]
    halves = ["".join(texts[:6]), "".join(texts[6:])]
    return left + halves[0] + tee + across * 5 + tee + halves[1] + tee + across * 6 + right


def _trays(situation: Situation, view: Seat, board: _Board) -> list[str]:
    """The column at the right: checkers borne off and the cube, a text for each row."""
    rows = [""] * (2 * _ROWS + 1)
    bottom, top = board.symbols()
    off = board.sides[:, OFF]
    if off[1]:
        rows[0] = f"{off[1]} {top}"
    if off[0]:
        rows[-1] = f"{off[0]} {bottom}"
    owner = cube_seat(situation)
    at = _ROWS if owner is None else (2 * _ROWS - 2 if owner is view else 2)
    rows[at] = f"[{situation.cube.value}]"
    return rows


def _notes(
    situation: Situation,
    view: Seat,
    names: Mapping[Seat, str],
    ascii_only: bool,
    decision: str | None,
) -> list[str]:
    """What is written beside the board, a text for each row."""
    rows = [""] * (2 * _ROWS + 1)
    seats = (situation.seat, situation.seat.other())
    marks = dict(zip(seats, (symbol(s, ascii_only=ascii_only) for s in seats), strict=True))
    counts = dict(zip(seats, _counts(situation), strict=True))
    rows[:2] = [f"{marks[view.other()]} {names[view.other()]}", f"  {counts[view.other()]}"]
    rows[-2:] = [f"  {counts[view]}", f"{marks[view]} {names[view]}"]
    agreed = terms(situation)
    rows[2:5] = [*agreed[:2], ", ".join(agreed[2:]), ""][:3]
    if decision is None:
        decision = decision_text(situation, marks[situation.seat], marks[situation.seat.other()])
    for row, words in enumerate(decision.split(", "), _ROWS):
        rows[row] = words
    return rows


def _counts(situation: Situation) -> list[str]:
    """Pips and score of the player on roll and of the opponent."""
    pips = [f"pips {count}" for count in pip_counts(situation.position)]
    if situation.score is not None:
        away = (situation.score.away_on_roll, situation.score.away_opponent)
        return [f"{text}, {points} away" for text, points in zip(pips, away, strict=True)]
    if situation.session != (0, 0):
        points = situation.session
        return [f"{text}, {won} won" for text, won in zip(pips, points, strict=True)]
    return pips
