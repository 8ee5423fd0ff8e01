"""Any identifier people paste: XGID, position ID, ``position:match`` ID, OGID, words around it.

Programs print a position as a diagram with its identifiers above or below, and people copy
all of it: :func:`parse_identifier` takes the identifier out.
"""

import re
from collections.abc import Callable

from bgai.errors import InputError
from bgai.notation.match_id import format_match_id, parse_match_id
from bgai.notation.ogid import SHAPE, parse_ogid
from bgai.notation.position_id import IdentifierError, format_position_id, parse_position_id
from bgai.notation.situation import Situation
from bgai.notation.texts import excerpt
from bgai.notation.xgid import PREFIX, parse_xgid

LONGEST_TEXT = 20_000
_XGID_COLONS = 9
_AROUND = ".,;()[]<>'\"`"
# Pasted into a field of one line, what followed on the next line is joined to the last number.
_XGID = re.compile(
    r"XGID=\s?([-A-Pa-p]{26}(?::-?[0-9]{1,2}){3}:(?:[0-6]{2}|[DBR])(?::-?[0-9]{1,5}){4}"
    r":[0-9]{1,2})",
    re.IGNORECASE,
)
_ANY_XGID = re.compile(r"XGID=\s?(\S+)", re.IGNORECASE)
_BASE64 = "[A-Za-z0-9+/]"
_GNU_ID = re.compile(rf"(?<![\w+/])({_BASE64}{{14}}):({_BASE64}{{12}})(?![\w+/=])")
_POSITION = re.compile(rf"position[- ]ID ?: ?({_BASE64}{{14}})(?![\w+/])", re.IGNORECASE)
_MATCH = re.compile(rf"match[- ]ID ?: ?({_BASE64}{{12}})(?![\w+/])", re.IGNORECASE)
_BARE = re.compile(rf"(?<![\w+/]){_BASE64}{{14}}(?![\w+/])")


def parse_identifier(text: str) -> Situation:
    """The situation of an XGID, a position ID, a ``position:match`` ID or an OGID.

    Words, a diagram or an analysis may stand around it. A position ID alone stands for money
    play with the usual rules and a centred cube, before the roll. Raises ``InputError`` naming
    the field that is wrong, or the identifiers where there are several.
    """
    body = text.strip()
    if not body:
        raise IdentifierError("no identifier: give an XGID, a position ID or position:match ID")
    if len(body) > LONGEST_TEXT:
        raise IdentifierError(f"{len(body)} characters; at most {LONGEST_TEXT} are looked through")
    if len(body.split()) > 1:
        return _pasted(" ".join(body.split()))
    body = body.strip(_AROUND) or body
    ogid = SHAPE.fullmatch(body)
    if ogid:
        return parse_ogid(ogid[1])
    if body.upper().startswith(PREFIX) or body.count(":") == _XGID_COLONS:
        return parse_xgid(body)
    if body.count(":") > 1:
        raise IdentifierError(
            f"{excerpt(body)} is neither an XGID, a position ID nor position:match ID"
        )
    position_id, colon, match_id = body.partition(":")
    return _gnu(position_id, match_id if colon else None)


def _gnu(position_id: str, match_id: str | None = None) -> Situation:
    position = parse_position_id(position_id)
    return Situation(position) if match_id is None else parse_match_id(match_id, position)


_KINDS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Situation]], ...] = (
    (_XGID, lambda found: parse_xgid(found[1])),
    (_ANY_XGID, lambda found: parse_xgid(found[1].strip(_AROUND))),
    (SHAPE, lambda found: parse_ogid(found[1])),
    (_GNU_ID, lambda found: _gnu(found[1], found[2])),
)
"""Identifiers in texts, the most telling kind first."""


def _pasted(text: str) -> Situation:
    """The situation of the identifier in a text of single blanks."""
    for pattern, read in _KINDS:
        texts = {found[0]: found for found in pattern.finditer(text)}
        if len(texts) > 1:
            listed = ", ".join(excerpt(each) for each in list(texts)[:3])
            raise IdentifierError(f"{len(texts)} positions where one is expected: {listed}")
        for found in texts.values():
            return read(found)
    labelled = _POSITION.search(text)
    if labelled:
        match = _MATCH.search(text, labelled.end())
        return _gnu(labelled[1], match[1] if match else None)
    bare = [each for each in dict.fromkeys(_BARE.findall(text)) if _is_position(each)]
    if len(bare) == 1:
        return _gnu(bare[0])
    if bare:
        raise IdentifierError(f"{len(bare)} positions where one is expected: {', '.join(bare[:3])}")
    raise IdentifierError(f"no identifier in {excerpt(text)}")


def _is_position(text: str) -> bool:
    try:
        parse_position_id(text)
    except InputError:
        return False
    return True


def format_gnu_id(situation: Situation) -> str:
    """``position:match`` as GNU Backgammon prints it."""
    return f"{format_position_id(situation.position)}:{format_match_id(situation)}"
