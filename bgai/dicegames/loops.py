"""Loops of states: finding them, and solving the equations that close them."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from fractions import Fraction
from typing import TypeVar

S = TypeVar("S", bound=Hashable)
Number = Fraction | float


def components(
    root: S, following: Callable[[S], Iterable[S]], known: Callable[[S], bool]
) -> Iterator[list[S]]:
    """Groups of states that lead to one another, each after all groups it leads to.

    Tarjan's algorithm without recursion; ``known`` states are not entered. Within a group
    states found later come first, so that most of what a state leads to precedes it.
    """
    found = {root: 0}
    low = {root: 0}
    stack = [root]
    unfinished = {root}
    path = [(root, iter(following(root)))]
    while path:
        state, children = path[-1]
        for child in children:
            if child in unfinished:
                low[state] = min(low[state], found[child])
            elif child not in found and not known(child):
                found[child] = low[child] = len(found)
                stack.append(child)
                unfinished.add(child)
                path.append((child, iter(following(child))))
                break
        else:
            path.pop()
            if path:
                parent = path[-1][0]
                low[parent] = min(low[parent], low[state])
            if low[state] == found[state]:
                group: list[S] = []
                while not group or group[-1] != state:
                    group.append(stack.pop())
                    unfinished.discard(group[-1])
                yield group


class Equations:
    """Equations ``x[i] = constant[i] + sum of odds * x[j]``, vectors on the right.

    ``solve`` eliminates in the order of ``i``: with states in the order of
    :func:`components` each equation soon knows only the few states at a loop's start.
    """

    def __init__(self) -> None:
        self._terms: list[dict[int, Number]] = []
        self._constants: list[list[Number]] = []

    def add(self, terms: dict[int, Number], constant: list[Number]) -> None:
        """The equation of the next unknown."""
        self._terms.append(dict(terms))
        self._constants.append(list(constant))

    def solve(self) -> list[tuple[Number, ...]]:
        """The values of all unknowns."""
        for row in range(len(self._terms)):
            while (other := min(self._terms[row], default=row)) < row:
                self._substitute(row, other)
            itself = self._terms[row].pop(row, 0)
            if itself:
                scale = 1 / (1 - itself)
                self._terms[row] = {key: odds * scale for key, odds in self._terms[row].items()}
                self._constants[row] = [number * scale for number in self._constants[row]]
        for row in reversed(range(len(self._terms))):
            for other in list(self._terms[row]):
                self._substitute(row, other)
        return [tuple(constant) for constant in self._constants]

    def _substitute(self, row: int, other: int) -> None:
        """Put the equation of ``other`` (which no longer names itself) into that of ``row``."""
        terms, constant = self._terms[row], self._constants[row]
        odds = terms.pop(other)
        for key, inner in self._terms[other].items():
            terms[key] = terms.get(key, 0) + odds * inner
        for position, number in enumerate(self._constants[other]):
            constant[position] += odds * number
