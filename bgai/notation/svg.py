"""A board drawn as a self-contained SVG image.

No style sheets, scripts, fonts or ids, so that many boards can stand in one page. Layout
in units of one point's width: the bear-off tray at the right is 1.2 wide, the bar 1.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

from bgai.notation.captions import cube_text, decision_text, score_text
from bgai.notation.diagram import cube_seat, seen_from
from bgai.notation.situation import Seat, Situation
from bgai.notation.xgid import format_xgid
from bgai.rules.position import BAR, OFF, POINTS, pip_counts

_UNIT = 40.0
_EDGE = 26.0  # frame with the point numbers
_HALF = 6 * _UNIT
_BAR = _UNIT
_TRAY = 1.2 * _UNIT
_WIDTH = 2 * _HALF + _BAR + _TRAY + 2 * _EDGE
_HEIGHT = 11.4 * _UNIT
_RADIUS = 0.47 * _UNIT
_MIDDLE = _HEIGHT / 2
_SLICE = 7.3  # a checker borne off, seen from its edge
_FULL = 5  # checkers drawn on a point before the number is written


@dataclass(frozen=True, slots=True)
class Colours:
    """Colours of a board; ``bottom`` and ``top`` are the checkers of the two seats."""

    frame: str = "#5b4636"
    field: str = "#e9dfc8"
    dark: str = "#b08d63"
    light: str = "#d3bd95"
    bottom: str = "#fbf7ee"
    top: str = "#35312e"
    line: str = "#241f1b"
    text: str = "#f6efe0"

    def checker(self, seat: Seat) -> tuple[str, str]:
        """Fill and text colour of a player's checkers."""
        pair = (self.bottom, self.top)
        return pair if seat is Seat.BOTTOM else pair[::-1]


def board_svg(
    situation: Situation,
    *,
    view: Seat | None = None,
    names: Mapping[Seat, str] | None = None,
    home_left: bool = False,
    width: int = 620,
    colours: Colours | None = None,
) -> str:
    """The board as an ``<svg>`` element ``width`` pixels wide.

    ``view`` is the seat drawn at the bottom, by default the player on roll; ``home_left``
    mirrors the board. Points carry the numbers of the player on roll. Cube, dice, pip
    counts and a pending double are shown; title and description say all of it in words.
    """
    view = situation.seat if view is None else view
    names = names or {situation.seat: "On roll", situation.seat.other(): "Opponent"}
    drawing = _Drawing(situation, view, names, home_left, colours or Colours())
    parts = [
        *drawing.frame(),
        *drawing.points(),
        *drawing.checkers(),
        *drawing.trays(),
        *drawing.cube(),
        *drawing.dice(),
        *drawing.captions(),
    ]
    words = decision_text(situation, names[situation.seat], names[situation.seat.other()])
    title = f"<title>Backgammon position: {escape(words)}</title>"
    described = f"{score_text(situation)}; cube {cube_text(situation)}; {format_xgid(situation)}"
    height = round(width * _HEIGHT / _WIDTH)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}" height="{height}" '
        f'viewBox="0 0 {_WIDTH:g} {_HEIGHT:g}" font-family="sans-serif">'
        f"{title}<desc>{escape(described)}</desc>{''.join(parts)}</svg>"
    )


@dataclass(frozen=True, slots=True)
class _Drawing:
    """Draws the parts of one board; every method returns SVG elements."""

    situation: Situation
    view: Seat
    names: Mapping[Seat, str]
    home_left: bool
    colours: Colours

    def frame(self) -> list[str]:
        c = self.colours
        field = [
            _rect(self._x(x, _HALF), _EDGE, _HALF, _HEIGHT - 2 * _EDGE, c.field)
            for x in (_EDGE, _EDGE + _HALF + _BAR)
        ]
        tray = _rect(
            self._x(_WIDTH - _EDGE - _TRAY + 6, _TRAY - 6), _EDGE, _TRAY - 6,
            _HEIGHT - 2 * _EDGE, c.dark,
        )  # fmt: skip
        return [_rect(0, 0, _WIDTH, _HEIGHT, c.frame, radius=6), *field, tray]

    def points(self) -> list[str]:
        parts = []
        for point in range(1, POINTS + 1):
            x, upper = self._column(point), point > 12
            foot, tip = (_EDGE, _MIDDLE - 0.7 * _UNIT) if upper else (
                _HEIGHT - _EDGE, _MIDDLE + 0.7 * _UNIT
            )  # fmt: skip
            half = _UNIT / 2
            fill = self.colours.dark if point % 2 else self.colours.light
            parts.append(
                f'<polygon points="{x - half:g},{foot:g} {x + half:g},{foot:g} {x:g},{tip:g}" '
                f'fill="{fill}"/>'
            )
            number = point if self.view is self.situation.seat else POINTS + 1 - point
            y = _EDGE * 0.7 if upper else _HEIGHT - _EDGE * 0.3
            parts.append(_text(x, y, str(number), 13, self.colours.text))
        return parts

    def checkers(self) -> list[str]:
        parts = []
        sides = seen_from(self.situation, self.view)
        for side, seat in enumerate((self.view, self.view.other())):
            for slot in range(1, POINTS + 1):
                point = slot if side == 0 else POINTS + 1 - slot
                parts += self._stack(seat, self._column(point), int(sides[side, slot]), point > 12)
            parts += self._on_bar(seat, int(sides[side, BAR]), side == 0)
        return parts

    def trays(self) -> list[str]:
        """Checkers borne off, as a pile of edges with their number."""
        parts = []
        sides = seen_from(self.situation, self.view)
        x = self._x(_WIDTH - _EDGE - _TRAY + 12, _TRAY - 18)
        for side, seat in enumerate((self.view, self.view.other())):
            fill = self.colours.checker(seat)[0]
            count = int(sides[side, OFF])
            for index in range(count):
                y = (
                    _HEIGHT - _EDGE - (index + 1) * _SLICE
                    if side == 0
                    else _EDGE + 2 + index * _SLICE
                )
                parts.append(_rect(x, y, _TRAY - 18, 5.5, fill, stroke=self.colours.line, radius=2))
            if count:
                y = (
                    _HEIGHT - _EDGE - count * _SLICE - 6
                    if side == 0
                    else _EDGE + count * _SLICE + 14
                )
                parts.append(_text(x + (_TRAY - 18) / 2, y, str(count), 13, self.colours.line))
        return parts

    def cube(self) -> list[str]:
        """The cube in the tray; a double on offer lies on the board with its new value."""
        if self.situation.offer:
            return self._cube_at(self._x(_EDGE + 1.5 * _UNIT, 0), _MIDDLE, self.situation.stake)
        owner = cube_seat(self.situation)
        y = _MIDDLE
        if owner is not None:
            y += 0.13 * _HEIGHT * (1 if owner is self.view else -1)
        x = self._x(_WIDTH - _EDGE - _TRAY / 2 + 3, 0)
        return self._cube_at(x, y, self.situation.cube.value)

    def dice(self) -> list[str]:
        if self.situation.roll is None:
            return []
        fill, ink = self.colours.checker(self.situation.seat)
        right = self.view is self.situation.seat
        start = _EDGE + (_HALF + _BAR if right else 0) + 2.2 * _UNIT
        parts = []
        for index, die in enumerate(self.situation.roll):
            x = self._x(start + index * 1.1 * _UNIT, 0.8 * _UNIT)
            y = _MIDDLE - 0.4 * _UNIT
            parts.append(
                _rect(x, y, 0.8 * _UNIT, 0.8 * _UNIT, fill, stroke=self.colours.line, radius=5)
            )
            parts += [
                f'<circle cx="{x + px * 0.8 * _UNIT:g}" cy="{y + py * 0.8 * _UNIT:g}" r="3.1" '
                f'fill="{ink}"/>'
                for px, py in _PIPS[die]
            ]
        return parts

    def captions(self) -> list[str]:
        """Names and pip counts in the frame over the bar."""
        situation, parts = self.situation, []
        pips = pip_counts(situation.position)
        for seat, count in zip((situation.seat, situation.seat.other()), pips, strict=True):
            below = seat is self.view
            y = _HEIGHT - _EDGE * 0.3 if below else _EDGE * 0.7
            x = self._x(_EDGE + _HALF + _BAR / 2, 0)
            parts.append(_text(x, y, str(count), 14, self.colours.text, bold=True))
        return parts

    def _x(self, x: float, width: float) -> float:
        return _WIDTH - x - width if self.home_left else x

    def _column(self, point: int) -> float:
        """Centre of a point numbered by the player at the bottom."""
        place = 12 - point if point <= 12 else point - 13
        x = _EDGE + (place + 0.5) * _UNIT + (_BAR if place >= 6 else 0)
        return self._x(x, 0)

    def _stack(self, seat: Seat, x: float, count: int, upper: bool) -> list[str]:
        parts = []
        for index in range(min(count, _FULL)):
            offset = _EDGE + _RADIUS + 2 * _RADIUS * index
            y = offset if upper else _HEIGHT - offset
            label = str(count) if count > _FULL and index == _FULL - 1 else ""
            parts += self._checker(seat, x, y, label)
        return parts

    def _on_bar(self, seat: Seat, count: int, upper: bool) -> list[str]:
        x = self._x(_EDGE + _HALF + _BAR / 2, 0)
        parts = []
        for index in range(min(count, 4)):
            offset = (1.1 + index) * 2 * _RADIUS
            label = str(count) if count > 4 and index == 3 else ""
            parts += self._checker(seat, x, _MIDDLE - offset if upper else _MIDDLE + offset, label)
        return parts

    def _checker(self, seat: Seat, x: float, y: float, label: str) -> list[str]:
        fill, ink = self.colours.checker(seat)
        circle = (
            f'<circle cx="{x:g}" cy="{y:g}" r="{_RADIUS - 0.8:g}" fill="{fill}" '
            f'stroke="{self.colours.line}" stroke-width="1.3"/>'
        )
        return [circle, _text(x, y + 5, label, 14, ink, bold=True)] if label else [circle]

    def _cube_at(self, x: float, y: float, value: int) -> list[str]:
        side = 0.85 * _UNIT
        size = 16 if value < 100 else 11
        fill, line = self.colours.text, self.colours.line
        return [
            _rect(x - side / 2, y - side / 2, side, side, fill, stroke=line, radius=4),
            _text(x, y + size * 0.36, str(value), size, line, bold=True),
        ]


_LOW, _MID, _HIGH = 0.25, 0.5, 0.75
_PIPS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((_MID, _MID),),
    2: ((_LOW, _LOW), (_HIGH, _HIGH)),
    3: ((_LOW, _LOW), (_MID, _MID), (_HIGH, _HIGH)),
    4: ((_LOW, _LOW), (_LOW, _HIGH), (_HIGH, _LOW), (_HIGH, _HIGH)),
    5: ((_LOW, _LOW), (_LOW, _HIGH), (_HIGH, _LOW), (_HIGH, _HIGH), (_MID, _MID)),
    6: tuple((x, y) for x in (_LOW, _HIGH) for y in (_LOW, _MID, _HIGH)),
}


def _rect(
    x: float, y: float, width: float, height: float, fill: str, *, stroke: str = "", radius: int = 0
) -> str:
    edge = f' stroke="{stroke}" stroke-width="1.2"' if stroke else ""
    round_ = f' rx="{radius}"' if radius else ""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" '
        f'fill="{fill}"{edge}{round_}/>'
    )


def _text(x: float, y: float, text: str, size: int, fill: str, *, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="middle" '
        f'fill="{fill}"{weight}>{escape(text)}</text>'
    )
