"""JSON of frozen dataclasses: written field by field, read back strictly.

What is wrong is named by its place, such as ``games[0].acts[3].dice``. A :class:`Format` is a
kind of file: its name, its version and the dataclass of what it holds.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeVar

from bgai.errors import FileError, InputError
from bgai.files import write_text

_DEEPEST = 50
T = TypeVar("T")
S = TypeVar("S")


@dataclass(frozen=True)
class Leaf:
    """How a type with a JSON form of its own is read and written; for ``Annotated``.

    ``read`` raises ``InputError``.
    """

    read: Callable[[Any], Any]
    write: Callable[[Any], Any]

    def __get_pydantic_core_schema__(self, _source: Any, _handler: Any) -> Any:
        from pydantic_core import core_schema

        writing = core_schema.plain_serializer_function_ser_schema(self.write)
        return core_schema.no_info_plain_validator_function(self.read, serialization=writing)


class Codec(Generic[T]):
    """Reads and writes one type: a dataclass, or anything made of dataclasses."""

    def __init__(self, kind: Any) -> None:
        self.kind = kind

    @cached_property
    def _adapter(self) -> Any:
        from pydantic import TypeAdapter

        return TypeAdapter(self.kind)

    def dump(self, value: T) -> Any:
        """The value as JSON objects, lists, texts and numbers."""
        return self._adapter.dump_python(value, mode="json")

    def load(self, data: Any) -> T:
        """Read :meth:`dump`: no unknown fields, no numbers as texts. Raises ``InputError``."""
        from pydantic import ValidationError

        try:
            text = json.dumps(data, ensure_ascii=False).encode("utf-8", "replace")
            value: T = self._adapter.validate_json(text, strict=True, extra="forbid")
        except ValidationError as error:
            raise InputError(_first_of(error.errors()[0])) from None
        return value


def _step(inside: int | str) -> str:
    if isinstance(inside, int):
        return f"[{inside}]"
    return f".{inside}" if inside.isidentifier() else f".{inside[:60]!r}"


def _first_of(found: Mapping[str, Any]) -> str:
    place = "".join(map(_step, found["loc"])).lstrip(".")
    match found["type"]:
        case "value_error":
            words = str(found["ctx"]["error"])
        case "missing":
            words = "is missing"
        case "unexpected_keyword_argument":
            words = "there is no such field"
        case _:
            shown = repr(found["input"])
            shown = shown if len(shown) <= 60 else shown[:57] + "..."
            words = f"{found['msg'].replace('Input should be', 'must be')}, not {shown}"
    return f"{place}: {words}" if place else words


class Format(Generic[T, S]):
    """A kind of file: one JSON object with a name, a version and the fields of a dataclass.

    ``contents`` takes from a value what the file holds, an instance of the dataclass ``kind``;
    ``build`` makes the value from it and raises ``InputError`` where that is impossible.
    """

    def __init__(
        self, name: str, version: int, kind: type[S], contents: Callable[[T], S],
        build: Callable[[S], T],
    ) -> None:  # fmt: skip
        self.name = name
        self.version = version
        self.contents = contents
        self.build = build
        self._codec: Codec[S] = Codec(kind)

    def dump(self, value: T) -> dict[str, Any]:
        """The value as a JSON object; lossless."""
        head = {"format": self.name, "version": self.version}
        return head | self._codec.dump(self.contents(value))

    def load(self, data: Any) -> T:
        """Read :meth:`dump`. Raises ``InputError``."""
        if not isinstance(data, Mapping) or data.get("format") != self.name:
            raise InputError(f"the format must be '{self.name}'")
        if data.get("version") != self.version:
            raise InputError(f"version {data.get('version')!r}, not {self.version}")
        body = {key: value for key, value in data.items() if key not in ("format", "version")}
        return self.build(self._codec.load(_in_words_of_today(body)))

    @property
    def leaf(self) -> Leaf:
        """For a file of this kind inside another."""
        return Leaf(self.load, self.dump)

    def write(self, path: Path, value: T) -> None:
        """Write a file, whole or not at all. Raises ``FileError``."""
        write_text(path, json.dumps(self.dump(value)) + "\n")

    def read(self, path: Path) -> T:
        """Read a file. Raises ``InputError`` naming the file and what is wrong in it."""
        data = read_json(path)
        try:
            return self.load(data)
        except InputError as error:
            raise InputError(f"{path}: {error}") from None


def read_json(path: Path) -> Any:
    """What a JSON file holds. Raises ``InputError`` naming the file."""
    try:
        return json.loads(path.read_bytes())
    except OSError as error:
        raise FileError(path, error) from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not JSON: {error}") from None


def format_name(path: Path) -> str | None:
    """The name of the format a file says it has; None where it says nothing."""
    data = read_json(path)
    name = data.get("format") if isinstance(data, Mapping) else None
    return name if isinstance(name, str) else None


def _in_words_of_today(data: Any, depth: int = 0) -> Any:
    """Version 0.1 called rolls throws. Raises ``InputError`` for what is nested too deep."""
    if depth > _DEEPEST:
        raise InputError(f"nested more than {_DEEPEST} deep")
    match data:
        case {"act": "throw"}:
            return {**data, "act": "roll"}
        case {"event": "thrown"}:
            return {**data, "event": "rolled"}
        case {}:
            return {
                "rolls" if key == "throws" else key: _in_words_of_today(value, depth + 1)
                for key, value in data.items()
            }
        case [*items]:
            return [_in_words_of_today(item, depth + 1) for item in items]
    return data
