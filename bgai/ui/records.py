"""Records from any file people have: match files, and saved games of ``bgai play``."""

from pathlib import Path

from bgai.codec import format_name
from bgai.notation.entries import Reading
from bgai.notation.record_files import read_records
from bgai.sessions.session_file import SESSIONS
from bgai.sessions.session_record import session_record


def read_any(path: Path) -> list[Reading]:
    """The records of a file, and what was wrong in each. Raises ``InputError``."""
    if path.suffix.lower() == ".json" and format_name(path) == SESSIONS.name:
        return [Reading(session_record(SESSIONS.read(path)))]
    return read_records(path)
