"""Match score: points, Crawford game, dead cube."""

from dataclasses import dataclass

from bgai.errors import InputError


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
