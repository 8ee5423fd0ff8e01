"""Record files by extension: reading .mat, .sgf, .xg, .bgf and .json, writing three."""

import json
from dataclasses import replace
from pathlib import Path

from bgai.errors import FileError, InputError
from bgai.files import write_text
from bgai.notation.entries import Reading
from bgai.notation.record import RECORDS, MatchRecord, RecordError
from bgai.notation.texts import LARGEST_FILE

READABLE = (".mat", ".txt", ".sgf", ".xg", ".bgf", ".json")
WRITABLE = (".mat", ".sgf", ".json")


def read_record(path: Path) -> Reading:
    """The match of a file that holds only one. See :func:`read_records`."""
    readings = read_records(path)
    if len(readings) > 1:
        raise RecordError(f"{path}: {len(readings)} matches, where one is expected")
    return readings[0]


def read_records(path: Path) -> list[Reading]:
    """The matches of a file, and what was wrong in each; the extension tells the format.

    Raises ``RecordError`` naming the file where it is no record at all or too large, or
    ``FileError``.
    """
    suffix = path.suffix.lower()
    if suffix not in READABLE:
        raise RecordError(f"{path}: the extension is none of {', '.join(READABLE)}")
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise FileError(path, error) from None
    try:
        readings = parse_records(content, suffix)
    except InputError as error:
        raise RecordError(f"{path}: {error}") from None
    return [
        Reading(
            reading.record,
            tuple(replace(problem, file=str(path)) for problem in reading.problems),
        )
        for reading in readings
    ]


def parse_record(content: bytes, suffix: str) -> Reading:
    """The only match of a file's bytes, see :func:`parse_records`."""
    readings = parse_records(content, suffix)
    if len(readings) > 1:
        raise RecordError(f"{len(readings)} matches, where one is expected")
    return readings[0]


def parse_records(content: bytes, suffix: str) -> list[Reading]:
    """The matches of a file's bytes in the format of that extension. Raises ``InputError``."""
    from bgai.notation.bgf import read_bgf
    from bgai.notation.mat import read_mats
    from bgai.notation.sgf import read_sgf
    from bgai.notation.xg import read_xg

    if len(content) > LARGEST_FILE:
        raise RecordError(f"larger than {LARGEST_FILE >> 20} MB, and no record is")
    match suffix:
        case ".xg":
            return [read_xg(content)]
        case ".bgf":
            return [read_bgf(content)]
        case ".sgf":
            return [read_sgf(_text(content))]
        case ".json":
            try:
                data = json.loads(content)
            except (ValueError, RecursionError) as error:
                reason = str(error).partition(";")[0]
                raise RecordError(f"not JSON: {reason}") from None
            return [Reading(RECORDS.load(data))]
        case _:
            return read_mats(_text(content))


def _text(content: bytes) -> str:
    """UTF-8 with or without a byte-order mark; old programs write Latin-1."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def format_record(record: MatchRecord, suffix: str) -> str:
    """The text of a match in the format of that extension. Raises ``RecordError``."""
    from bgai.notation.mat_writing import write_mat
    from bgai.notation.sgf import write_sgf

    match suffix:
        case ".mat":
            return write_mat(record)
        case ".sgf":
            return write_sgf(record)
        case ".json":
            return json.dumps(RECORDS.dump(record), indent=1, ensure_ascii=False) + "\n"
        case _:
            raise RecordError(f"'{suffix}' can't be written, only {', '.join(WRITABLE)}")


def write_record(record: MatchRecord, path: Path) -> None:
    """Write a match, whole or not at all. Raises ``RecordError`` or ``FileError``."""
    write_text(path, format_record(record, path.suffix.lower()))
