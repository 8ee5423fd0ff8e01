"""Match score, and the standing of a match or money session from game to game.

A ``MatchScore`` is seen by the player on roll; a ``Standing`` names the two seats, 0 and 1.
"""

from dataclasses import dataclass, field
from typing import Self

from bgai.errors import InputError
from bgai.rules.cube import HouseRules


@dataclass(frozen=True, slots=True)
class MatchScore:
    """Score of a match to ``length`` points before or during a game.

    ``on_roll`` and ``opponent`` are points already won. ``crawford`` says that this game
    is the Crawford game. Money play has no ``MatchScore`` (None stands for it).
    """

    length: int
    on_roll: int = 0
    opponent: int = 0
    crawford: bool = False

    def __post_init__(self) -> None:
        if self.length < 1:
            raise InputError(f"match length {self.length} must be 1 or more")
        for name, points in (("player on roll", self.on_roll), ("opponent", self.opponent)):
            if not 0 <= points < self.length:
                raise InputError(
                    f"score {points} of the {name} must be from 0 to {self.length - 1} "
                    f"in a match to {self.length}"
                )
        if self.crawford and 1 not in (self.away_on_roll, self.away_opponent):
            raise InputError("in the Crawford game one player needs exactly one point")

    @property
    def away_on_roll(self) -> int:
        """Points the player on roll still needs."""
        return self.length - self.on_roll

    @property
    def away_opponent(self) -> int:
        """Points the opponent still needs."""
        return self.length - self.opponent

    @property
    def is_post_crawford(self) -> bool:
        """Whether a player needs one point and the Crawford game is over."""
        return 1 in (self.away_on_roll, self.away_opponent) and not self.crawford

    def swapped(self) -> "MatchScore":
        """The same score seen by the other player."""
        return MatchScore(self.length, self.opponent, self.on_roll, self.crawford)


@dataclass(frozen=True, slots=True)
class Standing:
    """Points of both seats before a game of a match or of a money session.

    ``length`` is the points a match is played to, None for money. ``crawford`` says that the
    coming (or current) game is the Crawford game; a match to 1 starts with it. ``games`` counts
    the finished games. After the last game of a match the winner's points may exceed ``length``.
    """

    length: int | None = None
    points: tuple[int, int] = (0, 0)
    crawford: bool = False
    games: int = 0

    def __post_init__(self) -> None:
        if self.length is not None and self.length < 1:
            raise InputError(f"match length {self.length} must be 1 or more")
        if self.games < 0:
            raise InputError(f"games {self.games} must be 0 or more")
        if self.length is not None and min(self.points) < 0:
            raise InputError(f"points {min(self.points)} must be 0 or more in a match")
        if self.crawford and not self._one_away:
            raise InputError("in the Crawford game one player needs exactly one point")

    @classmethod
    def start(cls, length: int | None = None) -> Self:
        """The standing before the first game; None for a money session."""
        return cls(length, crawford=length == 1)

    @property
    def _one_away(self) -> bool:
        return self.length is not None and self.length - 1 in self.points

    @property
    def is_match(self) -> bool:
        return self.length is not None

    @property
    def winner(self) -> int | None:
        """The seat that has won the match; None while it goes on and in money play."""
        if self.length is None or max(self.points) < self.length:
            return None
        return 0 if self.points[0] >= self.length else 1

    def away(self, seat: int) -> int | None:
        """Points the seat still needs in a match; None in money play."""
        return None if self.length is None else self.length - self.points[seat]

    def score(self, seat: int) -> MatchScore | None:
        """The score seen by a seat; None in money play."""
        if self.length is None:
            return None
        return MatchScore(self.length, self.points[seat], self.points[1 - seat], self.crawford)

    def after(self, winner: int, points: int) -> "Standing":
        """The standing after a game. The money points of the loser fall: the sum stays zero."""
        won = [0, 0]
        won[winner] = points
        if self.length is None:
            won[1 - winner] = -points
        total = (self.points[0] + won[0], self.points[1] + won[1])
        # The Crawford game is the first one in which a player needs exactly one point.
        reached = self.length is not None and self.length - 1 in total
        over = self.length is not None and max(total) >= self.length
        return Standing(
            self.length, total, reached and not over and not self._one_away, self.games + 1
        )


@dataclass(frozen=True, slots=True)
class Terms:
    """What two players agree on before the first game.

    ``length`` None is a money session; it ends after ``games`` games, or when one player is
    ``margin`` points ahead, or when a player leaves (both None).
    """

    length: int | None = None
    rules: HouseRules = field(default_factory=HouseRules)
    games: int | None = None
    margin: int | None = None

    def __post_init__(self) -> None:
        for name in ("length", "games", "margin"):
            value = getattr(self, name)
            if value is not None and value < 1:
                label = "match length" if name == "length" else name
                raise InputError(f"{label} {value} must be 1 or more")
        if self.length is not None and (self.games is not None or self.margin is not None):
            raise InputError("a match ends by its length: no number of games or margin")

    def is_over(self, standing: Standing) -> bool:
        """Whether no further game follows."""
        if self.length is not None:
            return standing.winner is not None
        if self.games is not None and standing.games >= self.games:
            return True
        return self.margin is not None and max(standing.points) >= self.margin
