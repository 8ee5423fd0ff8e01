"""Levels of play by name, the weakest first. A new engine is one more row of ``LEVELS``.

Weak levels are a better one with noise: the winning chance of each position is shifted, in
logits, by a normal error of the standard deviation given, fixed by the position and the seed.
Levels of the trained network are there when a network is released with the program.
"""

from collections.abc import Callable
from dataclasses import dataclass

from bgai.errors import InputError
from bgai.evaluation.baseline import HandmadeEvaluator, NoisyEvaluator, RandomEvaluator
from bgai.evaluation.checkpoint import load_evaluator, released_checkpoints
from bgai.players.bot import Bot
from bgai.players.search_ranker import SearchRanker
from bgai.search.engine import EngineSettings, build_engine, default_network, plies_label


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


def _intermediate(seed: int) -> Bot:
    return Bot(NoisyEvaluator(load_evaluator(default_network()), 0.15, seed))


def _searching(plies: int) -> Callable[[int], Bot]:
    def make(seed: int) -> Bot:
        lookahead = build_engine(EngineSettings(plies=plies))
        return Bot(lookahead, ranker=SearchRanker(lookahead))

    return make


_HANDMADE: tuple[Level, ...] = (
    Level("random", "plays anything legal", _random),
    Level("beginner", "knows the aims of the game and often misjudges", _beginner),
    Level("casual", "misjudges less", _casual),
    Level("handmade", "counts the race, shots and points, without training", _handmade),
)
_TRAINED: tuple[Level, ...] = (
    Level("intermediate", "the trained network, misjudging a little", _intermediate),
    Level("advanced", f"the trained network, {plies_label(0)}", _searching(0)),
    Level("expert", f"the trained network looking ahead, {plies_label(1)}", _searching(1)),
    Level("master", f"the trained network looking further, {plies_label(2)}", _searching(2)),
)
LEVELS: tuple[Level, ...] = _HANDMADE + (_TRAINED if released_checkpoints() else ())
"""The levels there are, the weakest first."""
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
