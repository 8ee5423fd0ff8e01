"""Saves and records: what was written is read back, by today's program and from version 0.1."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import pytest

from bgai.codec import Codec, Format, Leaf, format_name, read_json
from bgai.errors import InputError
from bgai.notation.record import RECORDS
from bgai.rules.cube import HouseRules
from bgai.rules.match import Standing, Terms
from bgai.sessions.chouette import CHOUETTES
from bgai.sessions.consultation import CONSULTATIONS
from bgai.sessions.session_file import SESSIONS
from bgai.sessions.table_session import TABLES
from bgai.sessions.team import TEAM_MATCHES

SAVES = Path(__file__).parent / "golden" / "saves"
FORMATS: dict[str, Format[Any, Any]] = {
    "match": SESSIONS,
    "money": SESSIONS,
    "manual": SESSIONS,
    "chouette": CHOUETTES,
    "pairs": CONSULTATIONS,
    "team": TEAM_MATCHES,
    "table": TABLES,
    "record": RECORDS,
}


def in_words_of_today(text: str) -> Any:
    for old, new in (('"throw"', '"roll"'), ('"thrown"', '"rolled"'), ('"throws"', '"rolls"')):
        text = text.replace(old, new)
    text = text.replace("premature throw", "premature roll")
    return json.loads(text.replace('"level": "expert"', '"level": "strong"'))


def holds(new: Any, old: Any) -> bool:
    """Whether everything of the old is in the new, which may have fields of later versions."""
    if isinstance(old, dict):
        return all(key in new and holds(new[key], value) for key, value in old.items())
    if isinstance(old, list):
        return len(new) == len(old) and all(map(holds, new, old))
    return bool(new == old)


def test_every_format_has_a_file_of_version_0_1() -> None:
    assert {path.stem for path in SAVES.glob("*.json")} == set(FORMATS)
    used = "".join(path.read_text(encoding="utf-8") for path in SAVES.glob("*.json"))
    assert all(word in used for word in ('"throw"', '"thrown"', '"throws"', '"beaver"', '"hold"'))


@pytest.mark.parametrize("name", FORMATS)
def test_files_of_version_0_1_are_read_and_nothing_is_lost(name: str, tmp_path: Path) -> None:
    form, path = FORMATS[name], SAVES / f"{name}.json"
    assert format_name(path) == form.name
    value = form.read(path)
    assert holds(form.dump(value), in_words_of_today(path.read_text(encoding="utf-8")))
    again = tmp_path / "again.json"
    form.write(again, value)
    assert form.dump(form.read(again)) == form.dump(value)


def places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to everything inside some JSON."""
    items = (
        data.items()
        if isinstance(data, dict)
        else enumerate(data if isinstance(data, list) else ())
    )
    return [path, *(each for key, item in items for each in places(item, (*path, key)))]


def changed(data: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    copy = dict(data) if isinstance(data, dict) else list(data)
    copy[path[0]] = changed(data[path[0]], path[1:], value)
    return copy


@pytest.mark.parametrize("name", FORMATS)
def test_a_wrong_value_anywhere_is_refused_in_one_line(name: str) -> None:
    form, data = FORMATS[name], read_json(SAVES / f"{name}.json")
    everywhere = places(data)
    said = []
    tried = 0
    for path in everywhere[:: max(1, len(everywhere) // 100)]:
        for wrong in (None, -7, 1e30, "\ud800", [[]], {"a": 1}, True):
            tried += 1
            try:
                form.load(changed(data, path, wrong))
            except InputError as error:
                said.append(str(error))
    assert len(said) > tried / 2
    assert not [each for each in said if "\n" in each]


@dataclass(frozen=True)
class Box:
    terms: Terms
    upper: Annotated[str, Leaf(lambda text: text.upper(), lambda text: text.lower())]
    standings: tuple[Standing, ...] = ()


BOXES = Codec[Box](Box)


def test_dataclasses_survive() -> None:
    for terms in (Terms(), Terms(7, HouseRules(max_cube=64)), Terms(None, HouseRules(), 10, 20)):
        box = Box(terms, "ABC", (Standing(3, (1, 2), True, 2), Standing()))
        data = json.loads(json.dumps(BOXES.dump(box)))
        assert data["upper"] == "abc"
        assert BOXES.load(data) == box


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"terms": {"length": 0}}, "terms: match length 0 must be 1 or more"),
        ({"terms": {"length": "3"}}, "terms.length: must be a valid integer, not '3'"),
        ({"terms": {"rules": {"jacobi": True}}}, "terms.rules.jacobi: there is no such field"),
        ({"terms": None}, "terms: must be an object, not None"),
        ({"standings": [{}, {"points": [1]}]}, "standings[1].points[1]: is missing"),
        ({"standings": [{"points": [True, 1]}]}, "standings[0].points[0]: must be a valid integer"),
        ({"more": 1}, "more: there is no such field"),
        ({"mo\nre": 1}, "'mo\\nre': there is no such field"),
    ],
)
def test_the_field_is_named(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        BOXES.load({**BOXES.dump(Box(Terms(), "A")), **change})
    assert str(caught.value).startswith(message)


def test_what_is_no_json_is_named(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    for content in (b"", b"{", b"\xff\xfe\x00", b"[" * 100_000, b"1" * 5000):
        path.write_bytes(content)
        with pytest.raises(InputError, match=f"^{path} is not JSON"):
            read_json(path)
    with pytest.raises(InputError, match="No such file"):
        read_json(tmp_path / "none")
