"""What sessions of two sides have in common: games one after another under the same terms."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Generic, Protocol, TypeVar

from bgai.errors import InputError
from bgai.rules.game import Game, IllegalAct
from bgai.rules.match import Standing, Terms


class Record(Protocol):
    """One game as kept, with the standing it began with."""

    standing: Standing


R = TypeVar("R", bound=Record)
E = TypeVar("E", contravariant=True)


class GameSeries(ABC, Generic[R]):
    """A match or money session up to the present moment; ``records`` are its games in order."""

    terms: Terms
    records: list[R]
    closed: bool
    """Whether the players have ended a money session between games."""

    @property
    @abstractmethod
    def game(self) -> Game:
        """The state of the current game."""

    @property
    def standing(self) -> Standing:
        """Points so far, those of the current game included once it is over."""
        outcome = self.game.outcome
        before = self.records[-1].standing
        return before if outcome is None else before.after(outcome.winner, outcome.points)

    @property
    def game_number(self) -> int:
        """The number of the current game, from 1."""
        return len(self.records)

    @property
    def is_over(self) -> bool:
        """Whether the last game is over and none follows."""
        return self.game.is_over and (self.closed or self.terms.is_over(self.standing))

    def close(self) -> None:
        """End a money session after a finished game. Raises ``IllegalAct`` elsewhere."""
        if self.terms.length is not None or not self.game.is_over:
            raise IllegalAct("only a money session between two games can be ended")
        self.closed = True


class Replayable(Protocol[E]):
    """Takes the acts or events of one game after another."""

    def do(self, act: E, /) -> object: ...

    def next_game(self) -> object: ...


def replay_games(
    series: Replayable[E], games: Iterable[Iterable[E]], *, each_is: str = "act"
) -> None:
    """Do recorded acts again, game by game, on a new session.

    Raises ``InputError`` naming the game and the act, or what ``each_is``, where the rules are
    broken.
    """
    for number, acts in enumerate(games, 1):
        if number > 1:
            series.next_game()
        for index, act in enumerate(acts, 1):
            try:
                series.do(act)
            except InputError as error:
                raise InputError(f"game {number}, {each_is} {index}: {error}") from None
