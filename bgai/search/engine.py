"""What an engine is made of, and the one place where it is put together.

The names people type are read by :mod:`bgai.players.engines`.
"""

import warnings
from dataclasses import dataclass
from functools import lru_cache

from bgai.errors import InputError, needs
from bgai.evaluation.baseline import HandmadeEvaluator, NoisyEvaluator, RandomEvaluator
from bgai.evaluation.checkpoint import (
    composite_of,
    find_checkpoint,
    load_checkpoint,
    load_evaluator,
    read_card,
    released_checkpoints,
)
from bgai.evaluation.composite import Composite
from bgai.evaluation.evaluator import Evaluator
from bgai.evaluation.plugins import is_plugin, load_plugin, plugin_label
from bgai.search.cache import CachedEvaluator
from bgai.search.lookahead import Lookahead
from bgai.search.move_filter import filters_named
from bgai.search.pruning import NetworkPruner

HANDMADE = "handmade"
RANDOM = "random"
"""Names of the evaluators that need no network."""

_WINDOW = 0.3
"""Replies further behind are pruned."""


@dataclass(frozen=True)
class EngineSettings:
    """A search and the evaluator inside, as data: the same settings give the same numbers.

    ``network`` is a released network, a checkpoint's folder, an evaluator from outside
    (``bgai.evaluation.plugins``), ``HANDMADE`` or ``RANDOM``; None the best released network, or
    the hand-made evaluator where there is none. ``keep`` replies of each roll pass the pruner; 0
    switches it off. ``noise`` shifts the winning chance of each position, in logits, by a normal
    error of that standard deviation, fixed by the position and ``seed``. ``cache`` is the number
    of evaluations remembered from 2-ply on, where positions come again: a power of two, 0 for
    none. ``threads``, ``cache`` and ``device`` ("cpu", or a torch device) change no result beyond
    rounding. ``roller`` is a level of ``ROLLERS`` that rolls out the closest plays; ``plies`` and
    ``filters`` are then that level's.
    """

    network: str | None = None
    plies: int = 0
    filters: str = "normal"
    keep: int = 5
    noise: float = 0.0
    seed: int = 0
    threads: int = 1
    cache: int = 2**17
    device: str = "cpu"
    roller: str = ""

    @property
    def base(self) -> str:
        """The evaluator's name, the default one too."""
        return self.network or default_network()

    @property
    def label(self) -> str:
        """Who judges, for people: ``expert 2-ply (XG 3-ply)``."""
        name = self.base
        if name not in (HANDMADE, RANDOM, *released_checkpoints()):
            name = plugin_label(name) if is_plugin(name) else find_checkpoint(name).name
        noise = f" with noise {self.noise:g}" if self.noise else ""
        filters = "" if self.filters == "normal" or not self.plies else f", {self.filters} filters"
        depth = self.roller or plies_label(self.plies)
        return f"{name}{noise} {depth}{'' if self.roller else filters}"


class NoNetworkWarning(UserWarning):
    """No trained network is installed, and the hand-made player stands in for it."""


NO_NETWORK = (
    "no trained network is found: the hand-made player, which is far weaker, stands in for it; "
    "its judgements are not to be trusted. Networks are looked for in the folder checkpoints"
)


@lru_cache(maxsize=1)
def warn_without_network() -> None:
    """Say it, once in each process."""
    warnings.warn(NO_NETWORK, NoNetworkWarning, stacklevel=3)


def default_network() -> str:
    """The released network of least measured decision error.

    Where there is none ``HANDMADE``, with a ``NoNetworkWarning``.
    """
    best: tuple[float, str] | None = None
    for name, folder in released_checkpoints().items():
        error = read_card(folder).get("decision_error_meq")
        rank = (float(error) if isinstance(error, int | float) else float("inf"), name)
        best = rank if best is None or rank < best else best
    if best is None:
        warn_without_network()
        return HANDMADE
    return best[1]


def build_engine(settings: EngineSettings) -> Lookahead:
    """The lookahead of those settings. Raises ``InputError`` for what there isn't."""
    evaluator, pruner = _evaluator(settings)
    search = Lookahead(
        evaluator,
        settings.plies,
        filters=filters_named(settings.filters),
        pruner=pruner,
        threads=settings.threads,
        piece=16 if settings.device == "cpu" else 512,  # a GPU wants big batches
    )
    search.remade = (shared_engine, (settings,))
    if settings.roller:
        from bgai.search.roller import ROLLERS, Roller

        search.roller = Roller.around(search, ROLLERS[settings.roller])
    return search


@lru_cache(maxsize=16)
def shared_engine(settings: EngineSettings) -> Lookahead:
    """The same, built once in each process."""
    return build_engine(settings)


def _evaluator(settings: EngineSettings) -> tuple[Evaluator, NetworkPruner | None]:
    """The stack below the search, and the small network that looks at replies first."""
    name = settings.base
    if name in (HANDMADE, RANDOM) and settings.device != "cpu":
        raise InputError(f"--device {settings.device}: only networks run there, not {name}")
    if name == RANDOM:
        return Composite(RandomEvaluator(settings.seed), tables=False), None
    if name == HANDMADE or settings.noise:
        evaluator: Evaluator = HandmadeEvaluator() if name == HANDMADE else load_evaluator(name)
        if settings.noise:  # who misjudges does so in bear-offs too
            evaluator = NoisyEvaluator(evaluator, settings.noise, settings.seed)
        return Composite(evaluator, tables=not settings.noise), None
    if is_plugin(name):
        return _remembering(Composite(load_plugin(name, settings.device)), settings), None
    checkpoint = load_checkpoint(name)
    pruner = NetworkPruner(checkpoint.pruner, settings.keep, _WINDOW) if settings.keep else None
    if settings.device != "cpu":
        with needs("train", f"--device {settings.device}"):
            from bgai.evaluation.torch_evaluator import load_torch_evaluator

        return load_torch_evaluator(name, settings.device), pruner
    return _remembering(composite_of(checkpoint), settings), pruner


def _remembering(evaluator: Evaluator, settings: EngineSettings) -> Evaluator:
    if settings.cache and settings.plies >= 2:
        return CachedEvaluator(evaluator, settings.cache)
    return evaluator


def plies_label(plies: int) -> str:
    """``2-ply (XG 3-ply)``: GNU Backgammon's number first, eXtreme Gammon's in brackets."""
    return f"{plies}-ply (XG {plies + 1}-ply)"
