"""One evaluator out of several: game over, bear-off tables, race, contact.

Each position goes to the first part that covers it. The chances of a finished game are exact,
those of the two-sided bear-off table are exact (cubeless), those of the one-sided tables are
within a few thousandths (see :mod:`bgai.evaluation.bearoff`); races and contact are judged by
the evaluators given and held to what is possible (:mod:`bgai.evaluation.possible`). A search
stops at *settled* positions: over or in the bear-off.
"""

from enum import IntEnum
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from bgai.evaluation.bearoff import bearoff_chances, bearoff_chances_and_kinds
from bgai.evaluation.evaluator import Chances, Evaluator
from bgai.rules.position import Positions

SmallNetwork = tuple[NDArray[np.float32], ...]
"""Weights and biases of three dense layers, as ``bgai.equity.efficiency_kernels`` takes them."""


class PositionClass(IntEnum):
    """Which part of a :class:`Composite` judges a position."""

    OVER = 0
    BEAROFF = 1
    """Both sides home, the game not over."""
    RACE = 2
    """No contact any more, somebody not home yet."""
    CONTACT = 3


@runtime_checkable
class SearchEvaluator(Protocol):
    """An evaluator that knows where looking further ahead can't improve it."""

    def evaluate(self, positions: Positions) -> Chances: ...

    def settled(self, positions: Positions) -> NDArray[np.bool_]:
        """Mask ``(n,)`` of the positions whose chances come from rules or tables."""
        ...


def position_classes(positions: Positions) -> NDArray[np.int8]:
    """Class ``(n,)`` of each ``(n, 2, 26)`` position, values of :class:`PositionClass`."""
    return _sort(np.ascontiguousarray(positions, dtype=np.int8))[0]


def _sort(positions: Positions) -> tuple[NDArray[np.int8], NDArray[np.int64], Chances]:
    from bgai.evaluation.composite_kernels import classify_and_finish

    classes = np.empty(len(positions), dtype=np.int8)
    counts = np.empty(4, dtype=np.int64)
    chances = np.empty((len(positions), 5), dtype=np.float32)
    classify_and_finish(positions, classes, chances, counts)
    return classes, counts, chances


class Composite:
    """Over, then bear-off, then race, then contact.

    ``race`` defaults to the contact evaluator. ``bearoff`` replaces the tables;
    ``tables=False`` sends bear-offs to the race evaluator instead, for tests and comparisons.
    """

    def __init__(
        self,
        contact: Evaluator,
        race: Evaluator | None = None,
        *,
        bearoff: Evaluator | None = None,
        tables: bool = True,
        cube_network: SmallNetwork | None = None,
    ) -> None:
        """``cube_network`` judges no position; it is handed on to searches with the cube."""
        self.contact = contact
        self.race = contact if race is None else race
        self.bearoff = bearoff
        self.tables = tables
        self.cube_network = cube_network

    @property
    def _by_tables(self) -> bool:
        return self.tables and self.bearoff is None

    def evaluate(self, positions: Positions) -> Chances:
        """Chances ``(n, 5)`` of the player on roll."""
        return self.evaluate_with_classes(positions)[0]

    def evaluate_with_classes(self, positions: Positions) -> tuple[Chances, NDArray[np.int8]]:
        """Chances and the :class:`PositionClass` ``(n,)`` that each was judged as."""
        from bgai.evaluation import composite_kernels as kernels

        positions = np.ascontiguousarray(positions, dtype=np.int8)
        classes, counts, chances = _sort(positions)
        for kind in (PositionClass.BEAROFF, PositionClass.RACE, PositionClass.CONTACT):
            count = int(counts[kind])
            if count == len(positions):
                chances[:] = self._judge(kind, positions)
            elif count:
                rows = kernels.rows_of(classes, int(kind), count)
                judged = self._judge(kind, kernels.gather(positions, rows))
                kernels.scatter(judged, rows, chances)
        first = PositionClass.RACE if self._by_tables else PositionClass.BEAROFF
        kernels.hold_judged(positions.reshape(-1, 52), classes, int(first), chances)
        return chances, classes

    def _judge(self, kind: PositionClass, positions: Positions) -> Chances:
        if kind is PositionClass.CONTACT:
            return self.contact.evaluate(positions)
        if kind is PositionClass.RACE or not self.tables:
            return self.race.evaluate(positions)
        if self.bearoff is not None:
            return self.bearoff.evaluate(positions)
        return bearoff_chances(positions)

    def settled(self, positions: Positions) -> NDArray[np.bool_]:
        """Mask ``(n,)``: over, or in the bear-off while the tables are used."""
        last = PositionClass.BEAROFF if self.tables else PositionClass.OVER
        return np.asarray(position_classes(positions) <= int(last))

    def exact(self, positions: Positions) -> NDArray[np.bool_]:
        """Mask ``(n,)`` of the positions whose chances are exact for cubeless play."""
        exact = position_classes(positions) == PositionClass.OVER
        if self._by_tables:
            exact |= bearoff_chances_and_kinds(positions)[1] == 2
        return np.asarray(exact)


def for_search(evaluator: Any) -> SearchEvaluator:
    """The evaluator itself if it knows what is settled, else wrapped in a :class:`Composite`."""
    if isinstance(evaluator, SearchEvaluator):
        return evaluator
    return Composite(evaluator, cube_network=getattr(evaluator, "cube_network", None))
