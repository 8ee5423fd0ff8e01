"""Which values the settings of a recipe may have."""

import math
import re
from collections.abc import Mapping
from typing import Any, get_type_hints

from bgai.errors import InputError

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_WIDEST = 4096
_WHOLE = (1, 10**12)
_WHOLE_RANGES = {
    "seed": (0, 2**63 - 1),
    "games_at_once": (1, 2**20),
    "most_random_plies": (0, 10_000),
    "longest_game": (1, 100_000),
    "hidden": (1, _WIDEST),
    "batch": (1, 2**20),
    "passes": (0, 10_000),
    "labels": (0, 10**12),
    "cycles": (1, 100_000),
    "keep_shards": (1, 10_000),
}
_REAL = (0.0, 1e3)
_SHARES = ("varied", "rare", "hold", "decay", "average", "unpruned", "warm_up", "explore")
_RATES = ("rate", "warm_rate", "weight_decay")


def check_values(kind: type[Any], table: Mapping[str, Any], where: str) -> None:
    """Refuse values that no run can use, naming the setting. Raises ``InputError``.

    ``kind`` is the dataclass the table is for; settings it doesn't know are not looked at.
    """
    hints = get_type_hints(kind)
    for name, value in table.items():
        wanted = _wrong(name, hints.get(name), value)
        if wanted is not None:
            shown = repr(value)
            shown = shown if len(shown) <= 40 else f"{shown[:40]}…"
            raise InputError(f"{where}: {name} must be {wanted}, not {shown}")


def _wrong(name: str, hint: Any, value: Any) -> str | None:
    """What the value must be; None where it is that."""
    if name == "name":
        named = isinstance(value, str) and _NAME.fullmatch(value)
        return None if named else "letters, digits, -, _ and . only, and begin with none of these"
    if hint is int:
        low, high = _WHOLE_RANGES.get(name, _WHOLE)
        return None if _is_whole(value, low, high) else f"a whole number from {low} to {high:,}"
    if hint is float:
        least, most = (0.0, 1.0) if name in _SHARES + _RATES else _REAL
        return None if _is_real(value, least, most) else f"a number from {least:g} to {most:g}"
    if name in ("contact", "race"):
        three = isinstance(value, list | tuple) and len(value) == 3
        widths = three and all(_is_whole(width, 1, _WIDEST) for width in value)
        return None if widths else f"three widths from 1 to {_WIDEST}"
    if name == "decay":
        return None if _is_schedule(value) else "pairs of a share and a value, both from 0 to 1"
    return None


def _is_whole(value: Any, least: int, most: int) -> bool:
    return type(value) is int and least <= value <= most


def _is_real(value: Any, least: float, most: float) -> bool:
    return type(value) in (int, float) and math.isfinite(value) and least <= value <= most


def _is_schedule(value: Any) -> bool:
    """Shares of a stage in rising order, each with the value from there on."""
    if not isinstance(value, list | tuple) or not value:
        return False
    pairs = [pair for pair in value if isinstance(pair, list | tuple) and len(pair) == 2]
    real = all(_is_real(each, 0.0, 1.0) for pair in pairs for each in pair)
    return (
        len(pairs) == len(value) and real and list(pairs) == sorted(pairs, key=lambda pair: pair[0])
    )
