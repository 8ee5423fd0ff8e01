"""The five games by name."""

from bgai.dicegames.centennial.text import CentennialKit
from bgai.dicegames.chance_game import StateError
from bgai.dicegames.cubilete.text import CubileteKit
from bgai.dicegames.everest.text import EverestKit
from bgai.dicegames.great_races.text import GreatRacesKit
from bgai.dicegames.kit import AnyKit, Options
from bgai.dicegames.ship_captain.text import ShipCaptainKit

KITS: dict[str, type[AnyKit]] = {
    kit.name: kit for kit in (CentennialKit, EverestKit, GreatRacesKit, ShipCaptainKit, CubileteKit)
}


def kit_named(name: str) -> type[AnyKit]:
    """The kit of a game. Raises ``StateError`` for a name that is none."""
    if name not in KITS:
        raise StateError(f"there is no dice game '{name}'; there are {', '.join(KITS)}")
    return KITS[name]


def make_kit(name: str, seats: int, options: Options) -> AnyKit:
    """A game for a number of seats. Raises ``StateError``."""
    return kit_named(name)(seats, options)
