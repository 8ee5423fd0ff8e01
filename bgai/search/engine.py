"""Engines by name and depth: a network or the hand-made evaluator with a search around it."""

from dataclasses import dataclass

from bgai.evaluation.baseline import HandmadeEvaluator
from bgai.evaluation.checkpoint import (
    composite_of,
    find_checkpoint,
    load_checkpoint,
    read_card,
    released_checkpoints,
)
from bgai.evaluation.evaluator import Evaluator
from bgai.search.cache import CachedEvaluator
from bgai.search.lookahead import Lookahead
from bgai.search.move_filter import filters_named
from bgai.search.pruning import NetworkPruner

HANDMADE = "handmade"
"""Name of the evaluator that needs no network."""

_WINDOW = 0.3
"""Replies further behind are pruned."""


@dataclass(frozen=True)
class EngineSettings:
    """A search by name. ``network`` None is the best released one, or the hand-made evaluator.

    ``keep`` replies of each roll pass the pruner; 0 switches it off. ``cache`` is the number
    of evaluations remembered from 2-ply on, where positions come again: a power of two, 0 for
    none. It changes no result.
    """

    network: str | None = None
    plies: int = 0
    filters: str = "normal"
    keep: int = 5
    threads: int = 1
    cache: int = 2**17


def default_network() -> str:
    """The released network of least measured decision error, ``HANDMADE`` where there is none."""
    best: tuple[float, str] | None = None
    for name, folder in released_checkpoints().items():
        error = read_card(folder).get("decision_error_meq")
        rank = (float(error) if isinstance(error, int | float) else float("inf"), name)
        best = rank if best is None or rank < best else best
    return HANDMADE if best is None else best[1]


def build_engine(settings: EngineSettings) -> Lookahead:
    """The lookahead of those settings. Raises ``InputError`` for an unknown network or filter."""
    name = settings.network or default_network()
    filters = filters_named(settings.filters)
    if name == HANDMADE:
        return Lookahead(
            HandmadeEvaluator(), settings.plies, filters=filters, threads=settings.threads
        )
    checkpoint = load_checkpoint(name)
    evaluator: Evaluator = composite_of(checkpoint)
    if settings.cache and settings.plies >= 2:
        evaluator = CachedEvaluator(evaluator, settings.cache)
    pruner = None
    if settings.keep:
        pruner = NetworkPruner(checkpoint.pruner, settings.keep, _WINDOW)
    return Lookahead(
        evaluator, settings.plies, filters=filters, pruner=pruner, threads=settings.threads
    )


def engine_label(settings: EngineSettings) -> str:
    """Who judged, for people: ``expert 2-ply (XG 3-ply)``."""
    name = settings.network or default_network()
    if name not in (HANDMADE, *released_checkpoints()):
        name = find_checkpoint(name).name
    return f"{name} {plies_label(settings.plies)}"


def plies_label(plies: int) -> str:
    """``2-ply (XG 3-ply)``: GNU Backgammon's number first, eXtreme Gammon's in brackets."""
    return f"{plies}-ply (XG {plies + 1}-ply)"
