"""A situation: everything an identifier says about one moment of a game."""

from dataclasses import dataclass, replace
from enum import IntEnum

from bgai.errors import InputError
from bgai.rules.cube import Cube, CubeOwner, HouseRules
from bgai.rules.dice import Roll
from bgai.rules.match import MatchScore
from bgai.rules.position import Positions, check_position, swap_sides

CENTRED_CUBE = Cube()
USUAL_RULES = HouseRules()


class Seat(IntEnum):
    """Where a player sits in a diagram; the numbers are those of an XGID."""

    BOTTOM = 1
    TOP = -1

    def other(self) -> "Seat":
        return Seat(-self)


class Offer(IntEnum):
    """A double that waits for an answer.

    The player on roll doubled. A double and a raccoon wait for the opponent, a beaver for
    the player on roll. The number says how often the cube has been turned: accepted, the
    game is played at ``cube.value * 2**offer``.
    """

    NONE = 0
    DOUBLED = 1
    BEAVERED = 2
    RACCOONED = 3


@dataclass(frozen=True, slots=True, eq=False)
class Situation:
    """A position with the cube, score, rules, roll and pending offer.

    Everything is seen by the player on roll: the one about to roll, who has rolled
    (``roll``), or who has doubled and rolls if the game goes on (``offer``).

    ``position``: ``(2, 26)``, the player on roll first. ``cube``: as it was before a
    pending double. ``score``: None in money play. ``rules``: in a match only ``max_cube``
    counts. ``seat``: where the player on roll sits; only an XGID keeps it. ``session``:
    points won so far in a money session, the player on roll first; (0, 0) in a match.
    Raises ``InputError`` where these contradict each other.
    """

    position: Positions
    cube: Cube = CENTRED_CUBE
    score: MatchScore | None = None
    rules: HouseRules = USUAL_RULES
    roll: Roll | None = None
    offer: Offer = Offer.NONE
    seat: Seat = Seat.BOTTOM
    session: tuple[int, int] = (0, 0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "position", check_position(self.position))  # a copy
        if self.roll is not None and self.offer is not Offer.NONE:
            raise InputError("nobody can have rolled while a double waits for an answer")
        if self.offer is not Offer.NONE and self.cube.owner is CubeOwner.OPPONENT:
            raise InputError("the player on roll can't have doubled: the opponent owns the cube")
        if self.score is not None:
            if self.score.crawford and self.offer is not Offer.NONE:
                raise InputError("nobody may double in the Crawford game")
            if self.offer > Offer.DOUBLED:
                raise InputError("there are no beavers in a match")
            match_rules = HouseRules(False, 0, 0, self.rules.max_cube)
            object.__setattr__(self, "rules", match_rules)
            if self.session != (0, 0):
                raise InputError("a match has no money session points")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Situation) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        rest = (self.cube, self.score, self.rules, self.roll, self.offer, self.seat, self.session)
        return (self.position.tobytes(), *rest)

    @property
    def answers_on_roll(self) -> bool:
        """Whether a pending offer waits for the player on roll (a beaver does)."""
        return self.offer is Offer.BEAVERED

    @property
    def stake(self) -> int:
        """What the cube shows once a pending offer is accepted; its value without one."""
        return self.cube.value << self.offer

    def swapped(self) -> "Situation":
        """The same board with the other player on roll, nothing rolled or offered."""
        return replace(
            self,
            position=swap_sides(self.position),
            cube=self.cube.swapped(),
            score=None if self.score is None else self.score.swapped(),
            roll=None,
            offer=Offer.NONE,
            seat=self.seat.other(),
            session=self.session[::-1],
        )
