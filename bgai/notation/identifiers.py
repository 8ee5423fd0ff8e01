"""Any identifier people paste: XGID, position ID, or ``position:match`` ID."""

from bgai.notation.match_id import format_match_id, parse_match_id
from bgai.notation.position_id import IdentifierError, format_position_id, parse_position_id
from bgai.notation.situation import Offer, Seat, Situation
from bgai.notation.xgid import PREFIX, format_xgid, parse_xgid

__all__ = [
    "IdentifierError",
    "Offer",
    "Seat",
    "Situation",
    "format_gnu_id",
    "format_match_id",
    "format_position_id",
    "format_xgid",
    "parse_identifier",
    "parse_match_id",
    "parse_position_id",
    "parse_xgid",
]

_XGID_COLONS = 9


def parse_identifier(text: str) -> Situation:
    """The situation of an XGID, a position ID or a ``position:match`` ID.

    A position ID alone stands for money play with the usual rules and a centred cube,
    before the roll. Raises ``InputError`` naming the field that is wrong.
    """
    body = text.strip()
    if not body:
        raise IdentifierError("no identifier: give an XGID, a position ID or position:match ID")
    if body.upper().startswith(PREFIX) or body.count(":") == _XGID_COLONS:
        return parse_xgid(body)
    if body.count(":") > 1:
        raise IdentifierError(f"'{body}' is neither an XGID, a position ID nor position:match ID")
    position_id, colon, match_id = body.partition(":")
    position = parse_position_id(position_id)
    return parse_match_id(match_id, position) if colon else Situation(position)


def format_gnu_id(situation: Situation) -> str:
    """``position:match`` as GNU Backgammon prints it."""
    return f"{format_position_id(situation.position)}:{format_match_id(situation)}"
