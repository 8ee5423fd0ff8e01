"""The sheet of the Great Races: lengths, double lines and points, from a TOML file."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from bgai.dicegames.chance_game import StateError
from bgai.errors import FileError

NUMBERS: tuple[int, ...] = tuple(range(2, 13))
"""The races, one for each total of two dice."""
FIELDS = ("length", "line", "first", "second")
LONGEST = 99
MOST_POINTS = 999


@dataclass(frozen=True)
class Race:
    """Spaces of a track, the space after which the double line lies, points of the places."""

    length: int
    line: int
    first: int
    second: int


@dataclass(frozen=True)
class Sheet:
    """The races of 2 to 12, and where the figures come from."""

    races: tuple[Race, ...]
    origin: str


class SheetError(StateError):
    """A sheet that can't be played; the message names the race and the field."""


def read_text(path: Path | str) -> str:
    """The text of a sheet's file. Raises ``SheetError`` or ``FileError``."""
    try:
        return Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise SheetError(f"{path}: not UTF-8 text (byte {error.start})") from None
    except OSError as error:
        raise FileError(path, error) from None


@cache
def default_sheet() -> Sheet:
    """The sheet that comes with the program; its origin says that it is derived."""
    file = resources.files("bgai.dicegames.great_races") / "sheets" / "derived.toml"
    return parse_sheet(file.read_text(encoding="utf-8"), "derived.toml")


def parse_sheet(text: str, name: str) -> Sheet:
    """A sheet from TOML text; ``name`` goes into messages."""
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SheetError(f"{name}: not TOML: {error}") from None
    unknown = sorted(set(content) - {"races", "origin"})
    if unknown:
        raise SheetError(f"{name}: unknown entry '{unknown[0]}'")
    origin = content.get("origin", f"read from {name}")
    if not isinstance(origin, str):
        raise SheetError(f"{name}: origin must be text")
    races = content.get("races")
    if not isinstance(races, dict):
        raise SheetError(f"{name}: there is no table [races]")
    for key in races:
        if key not in map(str, NUMBERS):
            raise SheetError(f"{name}: race {key}: there are races 2 to 12 only")
    return Sheet(tuple(_race(races, number, name) for number in NUMBERS), origin)


def _race(races: dict[str, Any], number: int, name: str) -> Race:
    where = f"{name}: race {number}"
    entry = races.get(str(number))
    if not isinstance(entry, dict):
        raise SheetError(f"{where}: missing")
    unknown = sorted(set(entry) - set(FIELDS))
    if unknown:
        raise SheetError(f"{where}: unknown field '{unknown[0]}'")
    limits = {"length": (1, LONGEST), "first": (0, MOST_POINTS), "second": (0, MOST_POINTS)}
    values: dict[str, int] = {}
    for field in FIELDS:
        if field not in entry:
            raise SheetError(f"{where}: field '{field}' is missing")
        value = entry[field]
        if isinstance(value, bool) or not isinstance(value, int):
            raise SheetError(f"{where}: field '{field}' must be a whole number, not {value!r}")
        least, most = limits.get(field, (0, values.get("length", LONGEST)))
        if not least <= value <= most:
            raise SheetError(f"{where}: field '{field}' must be {least} to {most}, not {value}")
        values[field] = value
    if values["second"] > values["first"]:
        raise SheetError(f"{where}: field 'second' is more than 'first'")
    return Race(**values)
