"""Levels of play by name, the weakest first. A new engine is one more row of ``LEVELS``."""

from collections.abc import Callable
from dataclasses import dataclass

from bgai.errors import InputError
from bgai.evaluation.baseline import HandmadeEvaluator, NoisyEvaluator, RandomEvaluator
from bgai.table.bot import Bot


@dataclass(frozen=True, slots=True)
class Level:
    """A strength people can choose. ``make(seed)`` builds its bot.

    The bot must be a function of the game and the seed alone, so that a resumed game goes on
    as it would have.
    """

    name: str
    description: str
    make: Callable[[int], Bot]


def _random(seed: int) -> Bot:
    return Bot(RandomEvaluator(seed))


def _beginner(seed: int) -> Bot:
    return Bot(NoisyEvaluator(HandmadeEvaluator(), 0.5, seed))


def _casual(seed: int) -> Bot:
    return Bot(NoisyEvaluator(HandmadeEvaluator(), 0.2, seed))


def _handmade(seed: int) -> Bot:
    return Bot(HandmadeEvaluator())


LEVELS: tuple[Level, ...] = (
    Level("random", "plays anything legal", _random),
    Level("beginner", "knows the aims of the game and often misjudges", _beginner),
    Level("casual", "misjudges less", _casual),
    Level("handmade", "counts the race, shots and points, without training", _handmade),
)
BEST = "best"
"""The name that always means the strongest level there is; the default."""


def find_level(name: str) -> Level:
    """The level of that name. Raises ``InputError`` with the names there are."""
    if name == BEST:
        return LEVELS[-1]
    for level in LEVELS:
        if level.name == name:
            return level
    names = ", ".join(level.name for level in LEVELS)
    raise InputError(f"there is no level '{name}', only: {names}, {BEST}")


def make_bot(name: str, seed: int = 0) -> Bot:
    """The bot of a level, named after it. Raises ``InputError``."""
    level = find_level(name)
    bot = level.make(seed)
    bot.name = level.name
    return bot
