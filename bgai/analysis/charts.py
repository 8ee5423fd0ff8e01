"""Line charts as self-contained SVG: a few series over one another, no scripts or fonts."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 900, 240
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 12, 14, 28
COLOURS = ("#2f6db3", "#c2571a", "#3d8b4f", "#7d4fa3", "#a33b52", "#6b6b6b")


@dataclass(frozen=True, slots=True)
class Series:
    """Points ``(x, y)`` under a name."""

    name: str
    points: Sequence[tuple[float, float]]


def line_chart(
    series: Sequence[Series],
    *,
    label: str,
    marks: Sequence[tuple[float, str]] = (),
    low: float | None = None,
    high: float | None = None,
    percent: bool = False,
    dots: bool = False,
) -> str:
    """An ``<svg>`` element. ``marks`` are vertical lines with a text; ``low``/``high`` fix y."""
    xs = [x for each in series for x, _ in each.points]
    ys = [y for each in series for _, y in each.points]
    if not xs:
        return ""
    scale = _Scale(
        min(xs), max(xs), min(ys) if low is None else low, max(ys) if high is None else high
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(label, quote=True)}" font-family="sans-serif" font-size="11">',
        *_axis(scale, percent),
    ]
    for x, text in marks:
        at = scale.x(x)
        parts.append(
            f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{_TOP}" y2="{HEIGHT - _BOTTOM}" '
            'stroke="#999" stroke-dasharray="3 3"/>'
            f'<text x="{at + 3:.1f}" y="{HEIGHT - 10}" fill="#666">{escape(text)}</text>'
        )
    for index, each in enumerate(series):
        colour = COLOURS[index % len(COLOURS)]
        path = " ".join(f"{scale.x(x):.1f},{scale.y(y):.1f}" for x, y in each.points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        if dots:
            parts += [
                f'<circle cx="{scale.x(x):.1f}" cy="{scale.y(y):.1f}" r="3" fill="{colour}"/>'
                for x, y in each.points
            ]
        parts.append(
            f'<text x="{_LEFT + 8 + 150 * index}" y="{_TOP + 6}" fill="{colour}" '
            f'font-weight="bold">{escape(each.name)}</text>'
        )
    return "".join([*parts, "</svg>"])


@dataclass(frozen=True, slots=True)
class _Scale:
    left: float
    right: float
    low: float
    high: float

    def x(self, value: float) -> float:
        span = (self.right - self.left) or 1
        return _LEFT + (value - self.left) / span * (WIDTH - _LEFT - _RIGHT)

    def y(self, value: float) -> float:
        span = (self.high - self.low) or 1
        return HEIGHT - _BOTTOM - (value - self.low) / span * (HEIGHT - _TOP - _BOTTOM)


def _axis(scale: _Scale, percent: bool) -> list[str]:
    parts = []
    for step in range(5):
        value = scale.low + (scale.high - scale.low) * step / 4
        at = scale.y(value)
        text = f"{100 * value:.0f}%" if percent else f"{value:.2f}"
        parts.append(
            f'<line x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{at:.1f}" y2="{at:.1f}" '
            'stroke="#ddd"/>'
            f'<text x="{_LEFT - 6}" y="{at + 4:.1f}" text-anchor="end" fill="#666">{text}</text>'
        )
    return parts
