"""A chouette: three to eight players, game after game, with rotation and a score sheet.

The state follows from the terms, the players, the rolls for the order and every act, so a
saved chouette goes on exactly where it was.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from bgai.codec import Format
from bgai.errors import InputError
from bgai.rules.acts import OpeningDice, RollDice
from bgai.rules.cube import HouseRules
from bgai.rules.dice import roll_of
from bgai.rules.game import IllegalAct
from bgai.sessions.chouette_game import Ask, ChouetteAct, ChouetteGame, SavedAct
from bgai.sessions.dice import Dice, DiceSource, Pair
from bgai.sessions.game_series import replay_games
from bgai.sessions.seating import order_of, roll_for_order
from bgai.sessions.session import Seat

FEWEST, MOST = 3, 8


@dataclass(frozen=True, slots=True)
class ChouetteTerms:
    """What is agreed: house rules, one cube for all or one each, the number of games.

    ``games`` None goes on until the players stop.
    """

    rules: HouseRules = field(default_factory=HouseRules)
    one_cube: bool = False
    games: int | None = None

    def __post_init__(self) -> None:
        if self.games is not None and self.games < 1:
            raise InputError(f"games {self.games} must be 1 or more")


@dataclass(slots=True)
class ChouetteRecord:
    """One game as played: the line it began with (box, captain, others) and its acts."""

    line: tuple[int, ...]
    acts: list[ChouetteAct] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A finished game on the score sheet: who was box and captain, and everybody's points."""

    number: int
    box: int
    captain: int
    points: tuple[int, ...]


class Chouette:
    """The games of a chouette up to the present moment; ``seats`` in any order.

    ``order`` are the rolls that put the players in line; rolled here when not given.
    Raises ``InputError`` unless three to eight players sit down.
    """

    def __init__(
        self,
        terms: ChouetteTerms,
        seats: Sequence[Seat],
        dice: DiceSource,
        *,
        order: list[dict[int, Pair]] | None = None,
    ) -> None:
        if not FEWEST <= len(seats) <= MOST:
            names = ", ".join(seat.name for seat in seats)
            raise InputError(
                f"a chouette has {FEWEST} to {MOST} players, not {len(seats)} ({names})"
            )
        self.terms = terms
        self.seats = tuple(seats)
        self.dice = dice
        self.order = roll_for_order(dice, len(seats)) if order is None else order
        line = order_of(self.order)
        if sorted(line) != list(range(len(seats))):
            raise InputError("the rolls for the order are not those of these players")
        self.closed = False
        self.records = [ChouetteRecord(line)]
        self.sheet: list[SheetRow] = []
        self.game = self._start(line)

    def _start(self, line: tuple[int, ...]) -> ChouetteGame:
        return ChouetteGame.start(line, self.terms.rules, one_cube=self.terms.one_cube)

    @property
    def game_number(self) -> int:
        """The number of the current game, from 1."""
        return len(self.records)

    @property
    def is_over(self) -> bool:
        """Whether the current game is over and none follows."""
        games = self.terms.games
        return self.game.is_over and (self.closed or self.game_number == games)

    def totals(self) -> tuple[int, ...]:
        """Points of every seat over all finished games; they sum to zero."""
        rows = [row.points for row in self.sheet]
        return tuple(sum(column) for column in zip(*rows, strict=True)) or (0,) * len(self.seats)

    def close(self) -> None:
        """End the chouette after a finished game. Raises ``IllegalAct`` elsewhere."""
        if not self.game.is_over:
            raise IllegalAct("a chouette can be ended only between two games")
        self.closed = True

    def do(self, act: ChouetteAct) -> ChouetteGame:
        """Make an act; the state after it. Raises ``IllegalAct``."""
        self.game = self.game.after(act)
        self.records[-1].acts.append(act)
        if self.game.is_over:
            points = self.game.settlement()
            row = tuple(points[seat] for seat in range(len(self.seats)))
            self.sheet.append(SheetRow(self.game_number, self.game.box, self.game.captain, row))
        return self.game

    def roll(self) -> ChouetteAct:
        """Roll the dice the game waits for, and return that act. Raises ``IllegalAct``."""
        waiting = self.game.waiting
        if waiting is None or waiting.ask not in (Ask.OPENING, Ask.ROLL):
            raise IllegalAct("nobody rolls now")
        if waiting.seat is None:
            act = ChouetteAct(OpeningDice(self.dice.opening()))
        else:
            act = ChouetteAct(RollDice(roll_of(*self.dice.roll(waiting.seat))))
        self.do(act)
        return act

    def next_game(self) -> ChouetteGame:
        """Start the next game with the players moved on. Raises ``IllegalAct``."""
        if not self.game.is_over:
            raise IllegalAct("the game isn't over")
        if self.is_over:
            raise IllegalAct("no game follows: the chouette is over")
        line = self.game.next_line()
        self.records.append(ChouetteRecord(line))
        self.game = self._start(line)
        return self.game

    def replay(self, games: Iterable[Iterable[ChouetteAct]]) -> None:
        """Make recorded acts again. Raises ``InputError`` naming game and act."""
        replay_games(self, games)

    def history(self) -> Iterator[tuple[ChouetteGame, ChouetteAct, ChouetteGame]]:
        """The acts of the current game with the states before and after each."""
        record = self.records[-1]
        game = self._start(record.line)
        for act in record.acts:
            after = game.after(act)
            yield game, act, after
            game = after


@dataclass(frozen=True)
class _Game:
    line: tuple[int, ...]
    acts: list[SavedAct]


@dataclass(frozen=True)
class _Contents:
    rules: HouseRules
    one_cube: bool
    games_agreed: int | None
    seats: tuple[Seat, ...]
    order: list[list[tuple[int, int, int]]]
    dice: Dice
    over: bool
    totals: tuple[int, ...]
    games: list[_Game]


def _contents(chouette: Chouette) -> _Contents:
    terms = chouette.terms
    return _Contents(
        terms.rules,
        terms.one_cube,
        terms.games,
        chouette.seats,
        [[(seat, *pair) for seat, pair in rolled.items()] for rolled in chouette.order],
        chouette.dice,
        chouette.is_over,
        chouette.totals(),
        [_Game(record.line, record.acts) for record in chouette.records],
    )


def _build(saved: _Contents) -> Chouette:
    terms = ChouetteTerms(saved.rules, saved.one_cube, saved.games_agreed)
    order = [{seat: (first, second) for seat, first, second in rolled} for rolled in saved.order]
    chouette = Chouette(terms, saved.seats, saved.dice, order=order)
    chouette.replay(game.acts for game in saved.games)
    if saved.over and not chouette.is_over:
        chouette.close()
    return chouette


CHOUETTES = Format("bgai chouette", 1, _Contents, _contents, _build)
"""Saved chouettes; every act is checked on reading."""
