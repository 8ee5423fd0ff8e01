"""Positions given by files: eXtreme Gammon's own, and texts of any program."""

from pathlib import Path

FILES = (".xgp", ".txt")


def identifier_given(given: str | None) -> str | None:
    """The XGID of a file of ``FILES``; what is given else. Raises ``InputError``."""
    if given is None or "\n" in given or Path(given).suffix.lower() not in FILES:
        return given
    from bgai.errors import FileError, InputError
    from bgai.notation.identifiers import LONGEST_TEXT, parse_identifier
    from bgai.notation.texts import LARGEST_FILE
    from bgai.notation.xg import read_xg_position
    from bgai.notation.xgid import format_xgid

    path = Path(given)
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
        if path.suffix.lower() == ".xgp":
            return format_xgid(read_xg_position(content))
        text = content[: 4 * LONGEST_TEXT].decode("utf-8-sig", "replace")
        return format_xgid(parse_identifier(text))
    except OSError as error:
        raise FileError(path, error) from None
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
