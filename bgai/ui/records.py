"""Records from any file people have: match files, and saved games of ``bgai play``."""

import json
from pathlib import Path

from bgai.notation.entries import Reading
from bgai.notation.record_files import read_records
from bgai.notation.texts import LARGEST_FILE
from bgai.sessions.session_file import FORMAT as SESSION_FORMAT
from bgai.sessions.session_file import load_session
from bgai.sessions.session_record import session_record


def read_any(path: Path) -> list[Reading]:
    """The records of a file, and what was wrong in each. Raises ``InputError``."""
    if path.suffix.lower() == ".json" and _is_session(path):
        return [Reading(session_record(load_session(path)))]
    return read_records(path)


def _is_session(path: Path) -> bool:
    try:
        if path.stat().st_size > LARGEST_FILE:
            return False
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(data, dict) and data.get("format") == SESSION_FORMAT
