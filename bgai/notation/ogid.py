"""OGIDs, the identifiers of OpenGammon, read through ``gvformat`` (package gammonview).

An OGID names who acted last; here, as everywhere, the player on roll comes first, and the
doubler while a double waits. It says nothing of Jacoby and beavers.
"""

import re

import numpy as np

from bgai.errors import InputError
from bgai.notation.position_id import IdentifierError
from bgai.notation.situation import Offer, Seat, Situation
from bgai.notation.texts import excerpt
from bgai.rules.cube import Cube, CubeOwner
from bgai.rules.dice import roll_of
from bgai.rules.match import MatchScore
from bgai.rules.position import BAR, CHECKERS, OFF, POINTS, SLOTS

SHAPE = re.compile(
    r"(?<![\w:])(?:OGID[=:] ?)?([0-9a-p]{0,15}:[0-9a-p]{0,15}:[BWND?][0-9][OTPN]:(?:[1-6]{2})?:[WB]"
    r"(?::[A-Za-z]{1,3}(?::[0-9]{1,4}){0,2}(?::[0-9]{1,4}[CLG]?[0-9]{0,4}(?::[0-9]{0,5}){0,2})?)?)"
)
"""An OGID anywhere in a text, its label left out."""
_OWNERS = {"player": CubeOwner.ON_ROLL, "opponent": CubeOwner.OPPONENT}


def parse_ogid(text: str) -> Situation:
    """The situation of an OGID without its label. Raises ``IdentifierError``."""
    white, black = text.split(":")[:2]
    if set(white) & set(black):
        raise IdentifierError(f"OGID {excerpt(text)}: both sides on one point")
    try:
        from gvformat import ogid
    except ImportError:
        raise IdentifierError(
            "reading OGIDs needs the package gammonview: pip install 'bgai[xg]'"
        ) from None
    try:
        state = ogid.parse_ogid(text)
    except ValueError as error:
        raise IdentifierError(f"OGID: {error}") from None
    if state.nrof_checkers != CHECKERS:
        raise IdentifierError(f"OGID {excerpt(text)}: {state.nrof_checkers} checkers a side")
    doubled = state.cube_action == "O"
    if doubled:
        state = state.flipped()
    position = np.zeros((2, SLOTS), dtype=np.int8)
    for point in range(1, BAR):
        position[0, point] = max(state.board[point], 0)
        position[1, POINTS + 1 - point] = max(-state.board[point], 0)
    position[:, BAR] = state.board[BAR], state.board[0]
    position[:, OFF] = CHECKERS - position.sum(axis=1, dtype=np.int8)
    points = (state.score_white, state.score_black)
    mine, theirs = points if state.mover_is_white else points[::-1]
    try:
        return Situation(
            position,
            cube=Cube(state.cube_value, _OWNERS.get(state.cube_owner, CubeOwner.CENTRED)),
            score=None
            if state.is_money
            else MatchScore(state.match_length, mine, theirs, state.crawford),
            roll=roll_of(state.die1, state.die2) if state.die1 and not doubled else None,
            offer=Offer.DOUBLED if doubled else Offer.NONE,
            seat=Seat.BOTTOM if state.mover_is_white else Seat.TOP,
            session=(mine, theirs) if state.is_money else (0, 0),
        )
    except InputError as error:
        raise IdentifierError(f"OGID {excerpt(text)}: {error}") from None
