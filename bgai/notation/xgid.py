"""XGID, the identifier of eXtreme Gammon.

``XGID=<26 characters>:cube:owner:turn:dice:score1:score2:rules:length:maxcube``. The
characters are the top player's bar, the points 1-24 as the *bottom* player numbers them,
the bottom player's bar; upper case is the bottom player's. The turn names the player on
roll, also while a double (``D``), beaver (``B``) or raccoon (``R``) waits for an answer;
the cube is the one before that double. An XGID can't say how many raccoons or automatic
doubles are allowed. A maximum cube of 2**10 is what programs write for "no limit".
"""

import re

import numpy as np

from bgai.errors import InputError
from bgai.notation.position_id import IdentifierError
from bgai.notation.situation import Offer, Seat, Situation
from bgai.rules.cube import Cube, CubeOwner, HouseRules
from bgai.rules.dice import Roll, roll_of
from bgai.rules.match import MatchScore
from bgai.rules.position import (
    BAR,
    CHECKERS,
    OFF,
    POINTS,
    SLOTS,
    Positions,
    check_position,
    swap_sides,
)

PREFIX = "XGID="
_FIELDS = (
    "position", "cube", "owner", "turn", "dice", "score1", "score2", "rules", "length", "maxcube",
)  # fmt: skip
_OFFERS = {Offer.DOUBLED: "D", Offer.BEAVERED: "B", Offer.RACCOONED: "R"}
_NO_LIMIT = 10
_HIGHEST_LOG = 30
_JACOBY, _BEAVERS = 1, 2


def format_xgid(situation: Situation) -> str:
    """The XGID of a situation."""
    seat, score, rules = situation.seat, situation.score, situation.rules
    points = situation.session if score is None else (score.on_roll, score.opponent)
    score1, score2 = points if seat is Seat.BOTTOM else points[::-1]
    if score is None:
        flags = _JACOBY * rules.jacoby + _BEAVERS * (rules.beaver_turns > 0)
    else:
        flags = int(score.crawford)
    dice = str(situation.roll) if situation.roll else _OFFERS.get(situation.offer, "00")
    limit = _NO_LIMIT if rules.max_cube is None else rules.max_cube.bit_length() - 1
    fields: tuple[object, ...] = (
        _board_text(situation.position, seat),
        situation.cube.value.bit_length() - 1,
        situation.cube.owner * seat,
        int(seat),
        dice,
        score1,
        score2,
        flags,
        score.length if score else 0,
        limit,
    )
    return PREFIX + ":".join(map(str, fields))


def parse_xgid(text: str) -> Situation:
    """The situation of an XGID; the prefix may be left out.

    Raises ``IdentifierError`` (or ``PositionError``) naming the field.
    """
    body = text.strip()
    if body[: len(PREFIX)].upper() == PREFIX:
        body = body[len(PREFIX) :]
    parts = body.split(":")
    if len(parts) != len(_FIELDS):
        raise IdentifierError(f"an XGID has {len(_FIELDS)} fields, this one {len(parts)}: '{text}'")
    fields = dict(zip(_FIELDS, parts, strict=True))
    seat = Seat(_number(fields, "turn", (-1, 1)))
    cube_log = _number(fields, "cube", range(_HIGHEST_LOG + 1))
    owner = CubeOwner(_number(fields, "owner", (-1, 0, 1)) * seat)
    roll, offer = _dice(fields["dice"])
    score, session, rules = _score_and_rules(fields, seat)
    return Situation(
        _board(fields["position"], seat),
        cube=Cube(1 << cube_log, owner),
        score=score,
        rules=rules,
        roll=roll,
        offer=offer,
        seat=seat,
        session=session,
    )


def _number(fields: dict[str, str], name: str, allowed: range | tuple[int, ...]) -> int:
    text = fields[name]
    if not re.fullmatch(r"-?[0-9]{1,5}", text) or int(text) not in allowed:
        if isinstance(allowed, tuple):
            wanted = " or ".join(map(str, allowed))
        else:
            wanted = f"from {allowed[0]} to {allowed[-1]}"
        raise IdentifierError(f"XGID {name}: '{text}' must be {wanted}")
    return int(text)


def _dice(text: str) -> tuple[Roll | None, Offer]:
    for offer, letter in _OFFERS.items():
        if text == letter:
            return None, offer
    if text == "00":
        return None, Offer.NONE
    if not re.fullmatch("[1-6]{2}", text):
        raise IdentifierError(f"XGID dice: '{text}' must be 00, two dice, D, B or R")
    return roll_of(int(text[0]), int(text[1])), Offer.NONE


def _score_and_rules(
    fields: dict[str, str], seat: Seat
) -> tuple[MatchScore | None, tuple[int, int], HouseRules]:
    length = _number(fields, "length", range(100_000))
    limit = _number(fields, "maxcube", range(_HIGHEST_LOG + 1))
    max_cube = None if limit == _NO_LIMIT else 1 << limit
    highest = range(length if length else 100_000)
    points = tuple(_number(fields, name, highest) for name in ("score1", "score2"))
    own, opponent = points if seat is Seat.BOTTOM else points[::-1]
    if not length:
        flags = _number(fields, "rules", range(4))
        rules = HouseRules(bool(flags & _JACOBY), int(bool(flags & _BEAVERS)), max_cube=max_cube)
        return None, (own, opponent), rules
    crawford = bool(_number(fields, "rules", (0, 1)))
    try:
        score = MatchScore(length, own, opponent, crawford)
    except InputError as error:
        raise IdentifierError(f"XGID rules: {error}") from None
    return score, (0, 0), HouseRules(max_cube=max_cube)


def _board_text(position: Positions, seat: Seat) -> str:
    bottom, top = position if seat is Seat.BOTTOM else swap_sides(position)
    letters = []
    for slot in range(SLOTS):
        mine = int(bottom[slot]) if slot else 0  # slot 0 is the top player's bar
        theirs = int(top[BAR - slot]) if slot < BAR else 0
        letter = chr(ord("A") + mine - 1) if mine else chr(ord("a") + theirs - 1)
        letters.append(letter if mine or theirs else "-")
    return "".join(letters)


def _board(text: str, seat: Seat) -> Positions:
    if len(text) != SLOTS:
        raise IdentifierError(f"XGID position: '{text}' has {len(text)} characters, not {SLOTS}")
    position = np.zeros((2, SLOTS), dtype=np.int64)
    for slot, letter in enumerate(text):
        if letter == "-":
            continue
        if not re.fullmatch("[A-Pa-p]", letter):
            raise IdentifierError(
                f"XGID position: '{letter}' is none of -, A to P and a to p (character {slot})"
            )
        top = letter.islower()
        if slot == (BAR if top else OFF):
            raise IdentifierError(
                f"XGID position: character {slot} is the {'bottom' if top else 'top'} "
                f"player's bar, '{letter}' the other player's"
            )
        count = ord(letter.upper()) - ord("A") + 1
        position[int(top), POINTS + 1 - slot if top else slot] = count
    for side, name in enumerate(("bottom", "top")):
        total = int(position[side].sum())
        if total > CHECKERS:
            raise IdentifierError(
                f"XGID position: {total} checkers of the {name} player, at most {CHECKERS}"
            )
        position[side, OFF] = CHECKERS - total
    try:
        return check_position(position if seat is Seat.BOTTOM else position[::-1])
    except InputError as error:
        raise IdentifierError(f"XGID position: {error}") from None
