"""Engines by name: the one grammar of names, and the levels of play.

A name is a level (``casual``, ``best``), a released network (``expert``), ``handmade``, the folder
of a checkpoint, or an evaluator from outside: one that a package offers, ``module:object``,
``model.onnx`` (``bgai.evaluation.plugins``); ``level:casual`` is the level for certain. ``@N``
behind it makes it look N plies ahead, in GNU Backgammon's numbering: ``expert@2``,
``runs/mine/checkpoint@1``; ``@roller``, ``@roller+`` and ``@roller++`` roll out the closest plays
too. Without it a level has its own depth and a network the depth the asker is used to.

What a name means is an :class:`Engine`: the bot that plays like it, the search that judges like
it, and its label for people.
"""

import re
import threading
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

from bgai.errors import InputError
from bgai.evaluation.checkpoint import find_checkpoint, released_checkpoints
from bgai.evaluation.plugins import is_plugin, plugin_names
from bgai.players.bot import Bot
from bgai.players.ladder import rungs
from bgai.players.rated import RatedBot, Slips
from bgai.search.engine import (
    HANDMADE,
    RANDOM,
    EngineSettings,
    default_network,
    plies_label,
    shared_engine,
    warn_without_network,
)
from bgai.search.lookahead import Lookahead
from bgai.search.roller import ROLLERS
from bgai.search.tree import MOST_PLIES

BEST = "best"
"""The name of the strongest level there is; the default."""
PLAY_PLIES = 2
"""Depth of a network that plays or judges, where no other is asked for."""
_LEVEL = "level:"
_NAME = re.compile(r"(.+?)(?:@(\d+|roller\+{0,2}))?")


@dataclass(frozen=True, slots=True)
class Level:
    """A strength people can choose; ``slips`` make a level by performance rating err."""

    name: str
    description: str
    settings: EngineSettings
    slips: Slips | None = None


def _levels() -> tuple[Level, ...]:
    levels = (
        Level("random", "plays anything legal", EngineSettings(RANDOM)),
        Level(
            "beginner",
            "knows the aims of the game and often misjudges",
            EngineSettings(HANDMADE, noise=0.5),
        ),
        Level("casual", "misjudges less", EngineSettings(HANDMADE, noise=0.2)),
        Level(
            HANDMADE,
            "counts the race, shots and points, without training",
            EngineSettings(HANDMADE),
        ),
    )
    if not released_checkpoints():
        return levels
    return (
        *levels,
        *(
            Level(rung.name, rung.words, EngineSettings(plies=rung.plies), rung.slips)
            for rung in rungs()
        ),
        Level(
            "intermediate",
            "the trained network, misjudging a little",
            EngineSettings(noise=0.15),
        ),
        Level("advanced", f"the trained network, {plies_label(0)}", EngineSettings(plies=0)),
        Level(
            "strong",
            f"the trained network looking ahead, {plies_label(1)}",
            EngineSettings(plies=1),
        ),
        Level(
            "master",
            f"the trained network looking further, {plies_label(2)}",
            EngineSettings(plies=2),
        ),
    )


LEVELS: tuple[Level, ...] = _levels()
"""The levels there are, the best last. Those by rating stand together, the weakest first."""

_RENAMED = {"expert": "strong"}  # in games saved by version 0.1


def level_of_save(name: str) -> str:
    """The present name of a seat's engine; version 0.1 had a level called like a network.

    Networks are saved with their depth (``expert@0``), so a bare ``expert`` is the level.
    """
    return _RENAMED.get(name, name)


@dataclass(frozen=True, eq=False)
class Engine:
    """A player and judge. ``name`` is one that :func:`engine` reads back as the same engine.

    The search is built when it is first asked for. Whoever shares an engine between threads
    holds its ``lock`` while asking.
    """

    name: str
    settings: EngineSettings
    seed: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    @cached_property
    def lookahead(self) -> Lookahead:
        """The search that judges like this engine."""
        return shared_engine(self.settings)

    @cached_property
    def bot(self) -> Bot:
        """The program that plays like this engine; a rated level errs where its search doesn't."""
        level = _find_level(self.name)
        if level is not None and level.slips is not None:
            return RatedBot(self.lookahead, level.slips, name=self.name, seed=self.seed)
        return Bot(self.lookahead, name=self.name)

    @property
    def plies(self) -> int:
        """How far it looks ahead."""
        return self.settings.plies

    @cached_property
    def label(self) -> str:
        """Its name for people, with the depth: ``expert 2-ply (XG 3-ply)``."""
        return self.settings.label

    def at(self, plies: int) -> "Engine":
        """The same looking so many plies ahead."""
        base = _NAME.fullmatch(self.name)
        assert base is not None
        filters = "normal" if self.settings.roller else self.settings.filters
        settings = replace(self.settings, plies=plies, roller="", filters=filters)
        return _made(f"{base[1]}@{plies}", settings)

    def __repr__(self) -> str:
        return f"bgai.engine({self.name!r})  # {self.label}"


def engine(
    name: str | None = None,
    *,
    plies: int = PLAY_PLIES,
    seed: int = 0,
    filters: str = "normal",
    threads: int = 1,
    device: str = "cpu",
) -> Engine:
    """The engine of a name; None is the best network there is.

    ``plies`` is the depth of a network whose name says none. ``seed`` fixes the misjudgements
    of weak levels, ``filters`` chooses the plays looked at deeper (narrow, normal, wide, all).
    The same arguments give the same object. Raises ``InputError`` for what there isn't.
    """
    if seed < 0:
        raise InputError(f"a seed is 0 or more, not {seed}")
    called, settings = _parsed(default_network() if name is None else name, plies)
    if settings.noise or settings.network == RANDOM:
        settings = replace(settings, seed=seed)
    if not settings.roller:
        settings = replace(settings, filters=filters)
    level = _find_level(called)
    own = seed if level is not None and level.slips is not None else 0
    return _made(called, replace(settings, threads=threads, device=device), own)


@lru_cache(maxsize=64)
def _made(name: str, settings: EngineSettings, seed: int = 0) -> Engine:
    made = Engine(name, settings, seed)
    _ = made.lookahead  # what can't be built is told now
    return made


def _parsed(text: str, plies: int) -> tuple[str, EngineSettings]:
    """Name and settings; the name read again gives the same settings whatever ``plies`` is."""
    match = _NAME.fullmatch(text)
    if match is None:
        raise InputError(_unknown(text))
    name, depth = match[1], match[2]
    roller = ROLLERS.get(depth or "")
    if depth is not None and roller is None and int(depth) > MOST_PLIES:
        raise InputError(f"'{text}': an engine looks 0 to {MOST_PLIES} plies ahead")
    level = _find_level(name)
    if level is not None and level.slips is not None and depth is not None:
        raise InputError(f"'{text}': a level by rating has its own depth")
    if level is not None:
        settings, called = replace(level.settings, network=level.settings.base), level.name
        if depth is None or depth == str(settings.plies):
            return called, settings
    else:
        try:
            if not is_plugin(name):
                find_checkpoint(name)
        except InputError:
            raise InputError(_unknown(text)) from None
        settings, called = EngineSettings(name), name
        depth = str(plies) if depth is None else depth
    if roller is None:
        return f"{called}@{depth}", replace(settings, plies=int(depth))
    if settings.base in (HANDMADE, RANDOM) or settings.noise:
        raise InputError(f"'{text}': only networks roll out")
    return f"{called}@{depth}", replace(
        settings, plies=roller.plies, filters=roller.filters, roller=depth
    )


def _find_level(name: str) -> Level | None:
    asked = name.removeprefix(_LEVEL)
    if asked == BEST:
        if LEVELS[-1].name == HANDMADE:
            warn_without_network()
        return LEVELS[-1]
    found = next((level for level in LEVELS if level.name == asked), None)
    if found is None and name.startswith(_LEVEL):
        names = ", ".join(level.name for level in LEVELS)
        raise InputError(f"there is no level '{asked}', only: {names}, {BEST}")
    return found


def _unknown(text: str) -> str:
    levels = ", ".join(level.name for level in LEVELS)
    networks = ", ".join(released_checkpoints()) or "none"
    plugins = plugin_names()
    offered = f" one of a package ({', '.join(plugins)})," if plugins else ""
    return (
        f"there is no engine '{text}': give a level ({levels}, {BEST}), a released network "
        f"({networks}),{offered} a checkpoint's folder, an ONNX file or module:object, each with "
        "@N to look N plies ahead "
        f"(@{', @'.join(ROLLERS)}: rollouts of the closest plays)"
    )
