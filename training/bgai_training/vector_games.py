"""Many games side by side: the way for an agent of one's own to learn from self-play.

    games = VectorGames(256, seed=1)
    while learning:
        after, offsets = games.plays          # every legal play of every game
        rows = ...                            # one row of `after` for each game
        ended = games.step(rows - offsets[:-1])

Both sides of every game are played through the same calls. Positions are always seen by
the player about to move (``bgai.rules.position``), and a play is the position it leads to,
seen by the opponent. A game that ends starts again at once.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bgai.errors import InputError
from bgai.rules.dice import roll_dice
from bgai.rules.legal_plays import legal_plays_batch
from bgai.rules.outcome import game_points
from bgai.rules.position import Positions, check_position, is_over, starting_position

LONGEST_LEAD = 100
"""Most turns played at random before a desynchronised game is handed over."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The games that ended in one step, ``k`` of them.

    ``games`` ``(k,)`` are their numbers, ``winners`` ``(k,)`` the players 0 or 1 who won,
    ``points`` ``(k,)`` 1 to 3 the cubeless points won, ``turns`` ``(k,)`` how many turns
    they took, and ``positions`` ``(k, 2, 26)`` how they ended, the loser on roll.
    """

    games: NDArray[np.int64]
    winners: NDArray[np.int8]
    points: NDArray[np.int8]
    turns: NDArray[np.int64]
    positions: Positions

    def __len__(self) -> int:
        return len(self.games)


class VectorGames:
    """``count`` cubeless games in lockstep, one turn of each a step.

    The same seed and the same plays give the same games. ``start`` is the position games
    start from, the usual one by default. With ``desynchronised`` every game is first led
    through a random number of random turns, so that the games aren't all in their opening
    at once. The roll that starts a game is never a double.
    """

    def __init__(
        self,
        count: int,
        *,
        seed: int | np.random.Generator = 0,
        desynchronised: bool = False,
        start: Positions | None = None,
    ) -> None:
        if count < 1:
            raise InputError(f"the number of games must be 1 or more, not {count}")
        self._rng = np.random.default_rng(seed)
        self._start = check_position(starting_position() if start is None else start)
        if is_over(self._start):
            raise InputError("games can't start from a position that is over")
        self._positions = np.repeat(self._start[None], count, axis=0)
        self._players = self._rng.integers(0, 2, size=count, dtype=np.int8)
        self._turns = np.zeros(count, dtype=np.int64)
        self._rolls = self._opening_rolls(count)
        self._plays: tuple[Positions, NDArray[np.int64]] | None = None
        if desynchronised:
            self._desynchronise()

    def __len__(self) -> int:
        return len(self._positions)

    @property
    def positions(self) -> Positions:
        """Positions ``(n, 2, 26)``, the player to move on roll; not to be changed."""
        return self._positions

    @property
    def rolls(self) -> NDArray[np.int8]:
        """The rolls ``(n, 2)`` to be played, the higher die first."""
        return self._rolls

    @property
    def players(self) -> NDArray[np.int8]:
        """Which player, 0 or 1, is to move in each game, shape ``(n,)``."""
        return self._players

    @property
    def turns(self) -> NDArray[np.int64]:
        """Turns already taken in each game, shape ``(n,)``."""
        return self._turns

    @property
    def plays(self) -> tuple[Positions, NDArray[np.int64]]:
        """Positions after every legal play, ``(m, 2, 26)``, and offsets ``(n + 1,)``.

        The plays of game ``i`` are rows ``offsets[i]:offsets[i + 1]``, the opponent on roll.
        Without a legal play the one row is the position itself, sides swapped.
        """
        if self._plays is None:
            self._plays = legal_plays_batch(self._positions, self._rolls)
        return self._plays

    def step(self, choices: ArrayLike) -> Ended:
        """Make play ``choices[i]`` (0 for the first) of each game ``i`` and roll again.

        Returns the games that ended; they have already started again. Raises ``InputError``
        for a choice that isn't there.
        """
        after, offsets = self.plays
        moved = after[self._rows(choices, offsets)]
        points = -game_points(moved)  # the mover is side 1 now
        over = np.flatnonzero(points)
        self._turns = self._turns + 1
        ended = Ended(
            over, self._players[over], points[over], self._turns[over], moved[over].copy()
        )
        self._positions = moved
        self._players = (1 - self._players).astype(np.int8)
        self._rolls = roll_dice(self._rng, len(self))
        self._plays = None
        if len(over):
            self._restart(over)
        return ended

    def _rows(self, choices: ArrayLike, offsets: NDArray[np.int64]) -> NDArray[np.int64]:
        chosen = np.asarray(choices)
        if chosen.shape != (len(self),) or not np.issubdtype(chosen.dtype, np.integer):
            raise InputError(
                f"choices must be {len(self)} whole numbers, one a game, "
                f"not {chosen.dtype} of shape {chosen.shape}"
            )
        counts = np.diff(offsets)
        wrong = np.flatnonzero((chosen < 0) | (chosen >= counts))
        if len(wrong):
            game = int(wrong[0])
            raise InputError(f"game {game} has {counts[game]} plays, there is no {chosen[game]}")
        return np.asarray(offsets[:-1] + chosen)

    def _restart(self, games: NDArray[np.int64]) -> None:
        self._positions[games] = self._start
        self._players[games] = self._rng.integers(0, 2, size=len(games), dtype=np.int8)
        self._turns[games] = 0
        self._rolls[games] = self._opening_rolls(len(games))

    def _opening_rolls(self, count: int) -> NDArray[np.int8]:
        rolls = roll_dice(self._rng, count)
        while (doubles := rolls[:, 0] == rolls[:, 1]).any():
            rolls[doubles] = roll_dice(self._rng, int(doubles.sum()))
        return rolls

    def _desynchronise(self) -> None:
        """Lead each game on by a number of random turns of its own."""
        lead = self._rng.integers(0, LONGEST_LEAD + 1, size=len(self))
        positions, players = self._positions.copy(), self._players.copy()
        turns, rolls = self._turns.copy(), self._rolls.copy()
        for turn in range(1, LONGEST_LEAD + 1):
            counts = np.diff(self.plays[1])
            self.step((self._rng.random(len(self)) * counts).astype(np.int64))
            reached = lead == turn
            positions[reached] = self._positions[reached]
            players[reached] = self._players[reached]
            turns[reached] = self._turns[reached]
            rolls[reached] = self._rolls[reached]
        self._positions, self._players = positions, players
        self._turns, self._rolls = turns, rolls
        self._plays = None
