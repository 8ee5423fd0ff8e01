"""The picture of scripts/bench_search.py: decision error against time, log axis, as SVG."""

from dataclasses import dataclass
from math import ceil, floor, log10
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 720, 440
LEFT, RIGHT, TOP, BOTTOM = 70, 30, 20, 60
COLOURS = ("#0b6e4f", "#b3541e", "#3b5b92", "#777777")


@dataclass(frozen=True)
class Curve:
    """Points ``(milliseconds, error, label)`` of one engine, joined in their order."""

    name: str
    points: list[tuple[float, float, str]]


def draw(
    curves: list[Curve],
    across: str = "CPU time a decision, one core",
    up: str = "decision error, mEq",
) -> str:
    """The whole SVG document; ``across`` and ``up`` name the axes."""
    times = [point[0] for curve in curves for point in curve.points]
    low, high = floor(log10(min(times))), ceil(log10(max(times)))
    most = ceil(max(point[1] for curve in curves for point in curve.points))

    def x(ms: float) -> float:
        return LEFT + (log10(ms) - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    def y(error: float) -> float:
        return HEIGHT - BOTTOM - error / most * (HEIGHT - TOP - BOTTOM)

    parts = [f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    for power in range(low, high + 1):
        at = x(10.0**power)
        parts.append(_line(at, TOP, at, HEIGHT - BOTTOM, "#dddddd"))
        parts.append(_text(at, HEIGHT - BOTTOM + 18, f"{10.0**power:g} ms"))
    for step in range(most + 1):
        parts.append(_line(LEFT, y(step), WIDTH - RIGHT, y(step), "#dddddd"))
        parts.append(_text(LEFT - 14, y(step) + 4, str(step)))
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(_text(middle, HEIGHT - 12, across))
    parts.append(
        f'<g transform="translate(18 {HEIGHT / 2}) rotate(-90)">' + _text(0, 0, up) + "</g>"
    )
    for number, curve in enumerate(curves):
        colour = COLOURS[number % len(COLOURS)]
        path = " ".join(f"{x(ms):.1f},{y(error):.1f}" for ms, error, _ in curve.points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for ms, error, label in curve.points:
            parts.append(f'<circle cx="{x(ms):.1f}" cy="{y(error):.1f}" r="4" fill="{colour}"/>')
            parts.append(_text(x(ms) + 10, y(error) - 8, label, colour))
        parts.append(_text(WIDTH - RIGHT - 60, TOP + 18 + 18 * number, curve.name, colour))
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="sans-serif" font-size="13">\n{body}\n</svg>\n'
    )


def _line(x1: float, y1: float, x2: float, y2: float, colour: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"/>'


def _text(x: float, y: float, text: str, colour: str = "#222222") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle" fill="{colour}">{escape(text)}</text>'
    )
