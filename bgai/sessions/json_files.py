"""Files at the table: one JSON object with a format and a version, written whole or not at all."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from bgai.errors import FileError, InputError
from bgai.files import write_text

_T = TypeVar("_T")


def write_json(data: Mapping[str, Any], path: Path) -> None:
    """Write the object, whole or not at all. Raises ``FileError``."""
    write_text(path, json.dumps(data) + "\n")


def read_object(path: Path) -> Any:
    """What a JSON file holds. Raises ``InputError`` naming the file."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise FileError(path, error) from None
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is not JSON: {error}") from None


def read_json(path: Path, format_name: str, version: int, build: Callable[[Any], _T]) -> _T:
    """Read a file of this format with ``build``.

    Raises ``InputError`` naming the file and what is wrong in it.
    """
    data = read_object(path)
    try:
        if not isinstance(data, Mapping) or data.get("format") != format_name:
            raise InputError(f"the format must be '{format_name}'")
        if data.get("version") != version:
            raise InputError(f"version {data.get('version')!r}, not {version}")
        return build(data)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def saved_format(path: Path) -> str | None:
    """The name of the format a file says it has; None where it says nothing."""
    data = read_object(path)
    name = data.get("format") if isinstance(data, Mapping) else None
    return name if isinstance(name, str) else None
