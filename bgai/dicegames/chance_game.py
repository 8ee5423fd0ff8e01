"""The protocol all dice games share, and playing one out.

A game is a walk over states. In each state either dice decide (``Phase.ROLL``), a seat
decides (``Phase.ACT``) or the game is over. Seats count from 0 in the order of play; values
are one number a seat, that seat's share of the win, and sum to 1.
"""

import enum
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Generic, Protocol, TypeVar

import numpy as np

from bgai.errors import InputError

Roll = tuple[int, ...]
"""Dice rolled together, in rising order."""
Values = tuple[float, ...]
"""One number a seat."""

S = TypeVar("S", bound=Hashable)
A = TypeVar("A", bound=Hashable)
_S = TypeVar("_S", contravariant=True)
_A = TypeVar("_A", covariant=True)


class Phase(enum.Enum):
    """What happens next in a state."""

    ROLL = "roll"
    ACT = "act"
    OVER = "over"


class StateError(InputError):
    """A state, act or option that a game does not have."""


class ChanceGame(Protocol[S, A]):
    """The rules of a game for a fixed number of seats and fixed options."""

    seats: int

    def start(self, first: int = 0) -> S:
        """The state before the first roll; ``first`` rolls first."""
        ...

    def phase(self, state: S) -> Phase: ...

    def seat(self, state: S) -> int:
        """Whose roll or act it is (not asked once the game is over)."""
        ...

    def rolls(self, state: S) -> Sequence[tuple[Roll, int]]:
        """The outcomes of the next roll, each with its number of equally likely ways."""
        ...

    def after_roll(self, state: S, roll: Roll) -> S: ...

    def acts(self, state: S) -> Sequence[A]:
        """Every legal act, at least one, none twice."""
        ...

    def after_act(self, state: S, act: A) -> S: ...

    def result(self, state: S) -> tuple[int, ...]:
        """Values of a finished game: 1 for the winner, 0 for the others."""
        ...


class Player(Protocol[_S, _A]):
    """Chooses among the legal acts. ``rng`` is for players that choose by chance."""

    def choose(self, state: _S, rng: np.random.Generator) -> _A: ...


@dataclass(frozen=True)
class Advice(Generic[A]):
    """What a best player thinks of a state.

    ``acts`` holds each act with the values per seat after it, the best for the seat to act
    first (empty where a roll is next); ``chances`` are the win chances per seat; ``exact``
    is false where the numbers come from an approximation. ``errors``: the standard error of
    each act's value for that seat, and ``behind`` that of its distance from the best, where
    they were sampled. ``turns``: for a seat alone, what counts instead: the expected turns
    after each act. ``notes`` say what the numbers assume.
    """

    acts: tuple[tuple[A, Values], ...]
    chances: Values
    exact: bool
    errors: tuple[float, ...] = ()
    behind: tuple[float, ...] = ()
    turns: tuple[float, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def best(self) -> A | None:
        return self.acts[0][0] if self.acts else None


class Advisor(Protocol[_S, A]):
    """A best player that shows its numbers."""

    def advise(self, state: _S) -> Advice[A]: ...


@cache
def rolls_of(dice: int) -> tuple[tuple[Roll, int], ...]:
    """Every distinct roll of ``dice`` dice with its ways out of ``6**dice``."""
    return tuple(
        (roll, factorial(dice) // prod(factorial(roll.count(face)) for face in set(roll)))
        for roll in combinations_with_replacement(range(1, 7), dice)
    )


def chance(ways: int, dice: int) -> Fraction:
    """Ways out of ``6**dice`` as a fraction."""
    return Fraction(ways, 6**dice)


def sample_roll(outcomes: Sequence[tuple[Roll, int]], rng: np.random.Generator) -> Roll:
    """One outcome drawn by its ways, from a single number of ``rng``."""
    left = int(rng.integers(sum(ways for _, ways in outcomes)))
    for roll, ways in outcomes:
        left -= ways
        if left < 0:
            return roll
    raise AssertionError("unreachable: the draw is below the sum of the ways")


def check_seats(seats: int, least: int, most: int | None) -> None:
    """Raise ``StateError`` unless ``seats`` can play."""
    if seats < least or (most is not None and seats > most):
        span = f"{least} or more" if most is None else f"{least} to {most}"
        raise StateError(f"the game is for {span} seats, not {seats}")


def play_out(
    game: ChanceGame[S, A],
    players: Sequence[Player[S, A]],
    dice: Sequence[np.random.Generator],
    *,
    first: int = 0,
    choices: np.random.Generator | None = None,
    watch: Callable[[S], None] | None = None,
) -> S:
    """Play a game to its end and return the last state.

    Each seat rolls from its own generator in ``dice``, so that another player in a seat
    meets the same dice there (mirrored games). ``watch`` sees every state.
    """
    choices = choices if choices is not None else np.random.default_rng(0)
    state = game.start(first)
    while True:
        if watch is not None:
            watch(state)
        phase = game.phase(state)
        if phase is Phase.OVER:
            return state
        seat = game.seat(state)
        if phase is Phase.ROLL:
            state = game.after_roll(state, sample_roll(game.rolls(state), dice[seat]))
        else:
            state = game.after_act(state, players[seat].choose(state, choices))
