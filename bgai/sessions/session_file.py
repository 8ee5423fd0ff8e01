"""Sessions on disk: one versioned JSON file each, written whole or not at all."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bgai.errors import InputError
from bgai.rules.acts import act_from_json, act_to_json
from bgai.rules.game_json import terms_from_json, terms_to_json
from bgai.sessions.dice import dice_from_json
from bgai.sessions.json_files import read_object, write_json
from bgai.sessions.session import Seat, Session

FORMAT = "bgai session"
VERSION = 1


def session_to_json(session: Session) -> dict[str, Any]:
    """The session as a JSON object; lossless."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "terms": terms_to_json(session.terms),
        "seats": [seat_to_json(seat) for seat in session.seats],
        "starter": session.starter,
        "dice": session.dice.to_json(),
        "over": session.is_over,
        "games": [
            {
                "points": list(record.standing.points),
                "crawford": record.standing.crawford,
                "acts": [act_to_json(act) for act in record.acts],
            }
            for record in session.records
        ],
    }


def session_from_json(data: Any) -> Session:
    """Read :func:`session_to_json`; every act is checked. Raises ``InputError``."""
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        raise InputError(f"not a saved game: the format must be '{FORMAT}'")
    if data.get("version") != VERSION:
        raise InputError(f"a saved game of version {data.get('version')!r}, not {VERSION}")
    try:
        seats = tuple(Seat(str(s["name"]), s["level"], int(s["seed"])) for s in data["seats"])
        starter = data["starter"]
        games = [[act_from_json(act) for act in game["acts"]] for game in data["games"]]
    except (KeyError, TypeError) as error:
        raise InputError(f"not a saved game: {type(error).__name__} {error}") from None
    if len(seats) != 2 or starter not in (None, 0, 1) or not games:
        raise InputError("not a saved game: two seats, a starter and a game are needed")
    session = Session(
        terms_from_json(data.get("terms")), seats, dice_from_json(data.get("dice")), starter=starter
    )
    session.replay(games)
    if data.get("over") and not session.is_over:
        session.close()
    return session


def save_session(session: Session, path: Path) -> None:
    """Write the session to a temporary file beside ``path`` and rename it."""
    write_json(session_to_json(session), path)


def load_session(path: Path) -> Session:
    """Read a saved session. Raises ``InputError`` naming the file and what is wrong in it."""
    data = read_object(path)
    try:
        return session_from_json(data)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def seat_to_json(seat: Seat) -> dict[str, Any]:
    """A player as a JSON object."""
    return {"name": seat.name, "level": seat.level, "seed": seat.seed}


def seat_from_json(data: Any) -> Seat:
    """Read :func:`seat_to_json`. Raises ``InputError``."""
    match data:
        case {"name": str(name), "level": str() | None as level, "seed": int(seed)}:
            return Seat(name, level, seed)
    raise InputError(f"{data!r} is not a player: name, level and seed expected")
