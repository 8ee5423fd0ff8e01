"""Where dice come from at a table: a seeded generator, or a person with real dice.

Every source gives pairs, first die first; an opening pair is the die of seat 0, that of seat 1.
"""

from collections.abc import Callable
from typing import Annotated, Any, Protocol

import numpy as np

from bgai.codec import Leaf
from bgai.errors import InputError
from bgai.rules.dice import roll_of

Pair = tuple[int, int]


class DiceSource(Protocol):
    """Dice for a session. ``take_back`` and ``to_json`` are what undo and saving need."""

    def opening(self) -> Pair:
        """One die each, that of seat 0 first; equal dice are possible."""
        ...

    def roll(self, seat: int) -> Pair:
        """Two dice for the seat on turn."""
        ...

    def take_back(self, rolls: int) -> None:
        """The last ``rolls`` pairs were undone."""
        ...

    def to_json(self) -> dict[str, Any]:
        """What :func:`dice_from_json` needs to go on with the very same dice."""
        ...


class SeededDice:
    """Fair dice from a seed; the seed and the number of pairs drawn fix what comes next.

    After an undo the same dice come again.
    """

    def __init__(self, seed: int, count: int = 0) -> None:
        if seed < 0:
            raise InputError(f"seed {seed} must be 0 or more")
        if count < 0:
            raise InputError(f"dice count {count} must be 0 or more")
        self.seed = seed
        self._move_to(count)

    def _move_to(self, count: int) -> None:
        self._rng = np.random.default_rng(self.seed)
        self._rng.integers(1, 7, size=2 * count)  # leaves it as the pairs one by one would
        self.count = count

    def _draw(self) -> Pair:
        first, second = self._rng.integers(1, 7, size=2)
        self.count += 1
        return int(first), int(second)

    def opening(self) -> Pair:
        return self._draw()

    def roll(self, seat: int) -> Pair:
        return self._draw()

    def take_back(self, rolls: int) -> None:
        self._move_to(self.count - rolls)

    def to_json(self) -> dict[str, Any]:
        return {"kind": "seeded", "seed": self.seed, "count": self.count}


class ManualDice:
    """Dice rolled on a real board: ``ask(seat)`` returns what they show.

    ``seat`` None asks for the opening dice, that of seat 0 first.
    """

    def __init__(self, ask: Callable[[int | None], Pair] | None = None) -> None:
        self.ask = ask

    def _pair(self, seat: int | None) -> Pair:
        if self.ask is None:
            raise InputError("nobody is there to say what the dice show")
        pair = self.ask(seat)
        roll_of(*pair)
        return pair

    def opening(self) -> Pair:
        return self._pair(None)

    def roll(self, seat: int) -> Pair:
        return self._pair(seat)

    def take_back(self, rolls: int) -> None:
        """Nothing to do: they are asked for again."""

    def to_json(self) -> dict[str, Any]:
        return {"kind": "manual"}


def dice_from_json(data: Any) -> SeededDice | ManualDice:
    """The dice source a session was saved with. Raises ``InputError``.

    Manual dice come back without anybody to ask; the caller sets ``ask``.
    """
    match data:
        case {"kind": "seeded", "seed": int(seed), "count": int(count)} if count <= 1_000_000:
            return SeededDice(seed, count)
        case {"kind": "manual"}:
            return ManualDice()
    raise InputError(f"dice {data!r}: a seed and a count, or manual, expected")


Dice = Annotated[DiceSource, Leaf(dice_from_json, lambda dice: dice.to_json())]
"""A dice source in a file."""
