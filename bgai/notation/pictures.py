"""Board pictures in files: SVG, and PNG by resvg (``pip install 'bgai[png]'``)."""

from bgai.errors import InputError
from bgai.notation.situation import Seat, Situation
from bgai.notation.svg import board_svg

_FAMILIES = "Arial, Helvetica, DejaVu Sans, Liberation Sans, Noto Sans, sans-serif"


def board_png(situation: Situation, *, view: Seat | None = None, width: int = 620) -> bytes:
    """The board of :func:`board_svg` as a PNG image ``width`` pixels wide.

    Its numbers need a font of the system. Raises ``InputError`` where resvg is missing.
    """
    try:
        import resvg_py
    except ImportError:
        raise InputError("PNG pictures need resvg: pip install 'bgai[png]'") from None
    # Generic families are unknown to resvg, which draws no text in a font that is not there.
    svg = board_svg(situation, view=view, width=width).replace(
        'font-family="sans-serif"', f'font-family="{_FAMILIES}"', 1
    )
    return bytes(resvg_py.svg_to_bytes(svg_string=svg))
