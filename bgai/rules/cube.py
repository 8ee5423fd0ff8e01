"""The doubling cube and the house rules of money play."""

from dataclasses import dataclass
from enum import IntEnum

from bgai.errors import InputError


class CubeOwner(IntEnum):
    """Who may turn the cube, seen by the player on roll."""

    OPPONENT = -1
    CENTRED = 0
    ON_ROLL = 1


@dataclass(frozen=True, slots=True)
class Cube:
    """Value (a power of two) and owner of the cube, seen by the player on roll."""

    value: int = 1
    owner: CubeOwner = CubeOwner.CENTRED

    def __post_init__(self) -> None:
        if self.value < 1 or self.value & (self.value - 1):
            raise InputError(f"cube value {self.value} is not a power of two")

    def swapped(self) -> "Cube":
        """The same cube seen by the other player."""
        return Cube(self.value, CubeOwner(-self.owner))


@dataclass(frozen=True, slots=True)
class HouseRules:
    """Agreements for money play; none applies in a match (except ``max_cube``).

    ``beaver_turns`` limits the immediate redoubles after one double: 0 none, 1 beavers,
    2 raccoons too, and so on. ``automatic_doubles`` limits how often equal opening dice
    turn the cube. ``max_cube`` is the highest value the cube may reach, None for no limit.
    """

    jacoby: bool = True
    beaver_turns: int = 1
    automatic_doubles: int = 0
    max_cube: int | None = None

    def __post_init__(self) -> None:
        for name in ("beaver_turns", "automatic_doubles"):
            if getattr(self, name) < 0:
                raise InputError(f"{name} must be 0 or more, not {getattr(self, name)}")
        if self.max_cube is not None and (self.max_cube < 1 or self.max_cube & (self.max_cube - 1)):
            raise InputError(f"max_cube {self.max_cube} is not a power of two")

    def counts_gammons(self, *, turned: bool) -> bool:
        """Whether gammons count more than single games: under Jacoby, once the cube is turned."""
        return turned or not self.jacoby
