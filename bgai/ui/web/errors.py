"""Refusals, each with a status and a message that names the field."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from bgai.answers import ErrorAnswer
from bgai.errors import InputError

REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorAnswer, "description": words}
    for status, words in {
        400: "a value that can't be accepted",
        403: "a page of another origin may not change anything",
        404: "there is no such thing",
        409: "not possible in the present state",
        413: "the body is too long",
        421: "another host name than this machine's",
        422: "a field that is missing, unknown, of another type or out of bounds",
        429: "too many rollouts wait",
        503: "too much work waits",
    }.items()
}
"""What every route may answer instead, for the OpenAPI document."""


class Refusal(Exception):
    """A request that can't be answered: HTTP status, message, the field at fault if any."""

    def __init__(self, status: int, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.field = field

    @property
    def answer(self) -> ErrorAnswer:
        """What the caller is told."""
        return ErrorAnswer(error=self.message, field=self.field)


@contextmanager
def naming(field: str) -> Iterator[None]:
    """Turn an ``InputError`` inside into a refusal of this field."""
    try:
        yield
    except InputError as error:
        raise Refusal(400, f"{field}: {error}", field) from None


def describe(errors: Sequence[Mapping[str, Any]]) -> Refusal:
    """The refusal for what pydantic found wrong in a request."""
    places, messages = [], []
    for error in errors[:3]:
        place = ".".join(str(part) for part in error["loc"] if part not in ("body", "query"))
        places.append(place or "body")
        text = str(error["msg"])
        messages.append(f"{places[-1]}: {text[:1].lower()}{text[1:]}")
    return Refusal(422, "; ".join(messages), places[0])
