"""GNU Backgammon match IDs: 12 characters for cube, score, dice and whose decision it is.

67 bits, the least significant bit of each byte first, in Base64. Players are numbered 0
and 1. Written IDs number the player on roll 1, as GNU Backgammon does for an XGID, so who
sits where is lost, and so are beavers, a maximum cube and automatic doubles.
"""

from typing import NamedTuple

from bgai.errors import InputError
from bgai.notation.position_id import IdentifierError, decode, encode
from bgai.notation.situation import Offer, Seat, Situation
from bgai.rules.cube import Cube, CubeOwner, HouseRules
from bgai.rules.dice import Roll, roll_of
from bgai.rules.match import MatchScore
from bgai.rules.position import Positions

LENGTH = 12
_BYTES = 9
_PLAYING = 1
_CENTRED = 3


class _Fields(NamedTuple):
    """The fields in the order of their bits; widths in ``_WIDTHS``."""

    cube: int
    owner: int
    on_roll: int
    crawford: int
    state: int
    turn: int
    doubled: int
    resigned: int
    die: int
    other_die: int
    length: int
    score0: int
    score1: int
    no_jacoby: int


_WIDTHS = _Fields(4, 2, 1, 1, 3, 1, 1, 2, 3, 3, 15, 15, 15, 1)


def _without_debts(points: tuple[int, int]) -> tuple[int, int]:
    """Points of a money session with the same difference and none below zero."""
    debt = min(0, *points)
    return points[0] - debt, points[1] - debt


def format_match_id(situation: Situation) -> str:
    """The match ID of a situation. Raises ``IdentifierError`` where a number is too large."""
    score, offer = situation.score, situation.offer
    value, owner = situation.cube.value, situation.cube.owner
    if offer >= Offer.BEAVERED:  # GNU Backgammon turns the cube with each beaver
        value, owner = value << (offer - 1), CubeOwner.OPPONENT
    own_points, opponent_points = (
        _without_debts(situation.session) if score is None else (score.on_roll, score.opponent)
    )
    fields = _Fields(
        cube=value.bit_length() - 1,
        owner={CubeOwner.OPPONENT: 0, CubeOwner.ON_ROLL: 1, CubeOwner.CENTRED: _CENTRED}[owner],
        on_roll=1,
        crawford=int(score is not None and score.crawford),
        state=_PLAYING,
        turn=int(offer in (Offer.NONE, Offer.BEAVERED)),
        doubled=int(offer is not Offer.NONE),
        resigned=0,
        die=situation.roll.high if situation.roll else 0,
        other_die=situation.roll.low if situation.roll else 0,
        length=score.length if score else 0,
        score0=opponent_points,
        score1=own_points,
        no_jacoby=int(not situation.rules.jacoby),
    )
    bits = at = 0
    for name, number, width in zip(_Fields._fields, fields, _WIDTHS, strict=True):
        if not 0 <= number < 1 << width:
            raise IdentifierError(f"match ID {name}: {number} does not fit into {width} bits")
        bits |= number << at
        at += width
    return encode(bits, _BYTES)


def parse_match_id(text: str, position: Positions) -> Situation:
    """The situation of a match ID and a ``(2, 26)`` position, the player on roll first.

    Player 1 sits at the bottom. A match ID says nothing of beavers: money play gets the
    usual rules with Jacoby on or off. Raises ``IdentifierError`` naming the field.
    """
    fields = _split(decode(text, LENGTH, "match ID"))
    _check(fields)
    money = fields.length == 0
    cube, offer = _cube_and_offer(fields)
    points = (fields.score1, fields.score0) if fields.on_roll else (fields.score0, fields.score1)
    roll: Roll | None = None
    try:
        if fields.die or fields.other_die:
            roll = roll_of(fields.die, fields.other_die)
        return Situation(
            position,
            cube=cube,
            score=None if money else MatchScore(fields.length, *points, bool(fields.crawford)),
            rules=HouseRules(jacoby=not fields.no_jacoby),
            roll=roll,
            offer=offer,
            seat=Seat.BOTTOM if fields.on_roll else Seat.TOP,
            session=points if money else (0, 0),
        )
    except InputError as error:
        raise IdentifierError(f"match ID '{text}': {error}") from None


def _split(bits: int) -> _Fields:
    numbers = []
    for width in _WIDTHS:
        numbers.append(bits & ((1 << width) - 1))
        bits >>= width
    if bits:
        raise IdentifierError("match ID: bits after the last field")
    return _Fields(*numbers)


def _check(fields: _Fields) -> None:
    """Refuse what no game in progress shows."""
    if fields.state != _PLAYING:
        raise IdentifierError(f"match ID game state: {fields.state} is not a game in progress")
    if fields.resigned:
        raise IdentifierError("match ID resignation: an offered resignation can't be read")
    if fields.owner == 2:
        raise IdentifierError("match ID cube owner: 2 is nobody (0, 1, or 3 for centred)")
    if not fields.doubled and fields.turn != fields.on_roll:
        raise IdentifierError("match ID turn: the other player's, though nobody doubled")
    if fields.crawford and not fields.length:
        raise IdentifierError("match ID Crawford: set in money play")


def _cube_and_offer(fields: _Fields) -> tuple[Cube, Offer]:
    """Cube before a pending double and the offer.

    Of a beavered cube GNU Backgammon keeps only that the opponent now owns it; before, it
    was the doubler's, or centred if it stood at 1.
    """
    owner = CubeOwner.CENTRED
    if fields.owner != _CENTRED:
        owner = CubeOwner.ON_ROLL if fields.owner == fields.on_roll else CubeOwner.OPPONENT
    if not fields.doubled:
        return Cube(1 << fields.cube, owner), Offer.NONE
    if owner is not CubeOwner.OPPONENT:
        if fields.turn == fields.on_roll:
            raise IdentifierError("match ID turn: the doubler's, but the cube was not beavered")
        return Cube(1 << fields.cube, owner), Offer.DOUBLED
    offer = Offer.BEAVERED if fields.turn == fields.on_roll else Offer.RACCOONED
    log = fields.cube - (offer - 1)
    if log < 0:
        raise IdentifierError(f"match ID cube: {1 << fields.cube} is too low after a beaver")
    return Cube(1 << log, CubeOwner.ON_ROLL if log else CubeOwner.CENTRED), offer
