"""A match or money session: games one after another, with undo, saving and resuming.

A session is its terms, its seats, its dice and every act so far; the state of the current game
follows from them. Nothing here decides anything: acts come from the referee, a terminal or a
server, and each is checked by the rules.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from bgai.players.bot import Bot
from bgai.players.engines import engine, level_of_save
from bgai.rules.acts import Act, MakePlay, OpeningDice, RollDice
from bgai.rules.dice import roll_of
from bgai.rules.game import Game, IllegalAct, Phase
from bgai.rules.match import Standing, Terms
from bgai.sessions.dice import DiceSource
from bgai.sessions.game_series import GameSeries, replay_games


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits there: a person (``level`` None) or a program, by the name of its engine.

    ``seed`` makes the judgement of a weak level reproducible; it has nothing to do with dice.
    """

    name: str
    level: str | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if self.level is not None:
            object.__setattr__(self, "level", level_of_save(self.level))

    @property
    def is_person(self) -> bool:
        return self.level is None

    @property
    def bot(self) -> Bot:
        """The program that sits there. Raises ``InputError`` where there is none of its name."""
        assert self.level is not None
        return engine(self.level, seed=self.seed).bot


@dataclass(slots=True)
class GameRecord:
    """One game as played: the standing it started from and its acts, dice included.

    ``start`` is the state of a game that began from a position set up.
    """

    standing: Standing
    acts: list[Act] = field(default_factory=list)
    start: Game | None = None

    def begin(self, terms: Terms) -> Game:
        """The state before the first act."""
        return self.start or Game(standing=self.standing, rules=terms.rules)

    def states(self, terms: Terms) -> Iterable[tuple[Game, Act]]:
        """Each act with the state it was made in."""
        game = self.begin(terms)
        for act in self.acts:
            yield game, act
            game = game.after(act)


def is_decision(game: Game, act: Act, seat: int) -> bool:
    """Whether the seat chose this act: rolls and plays without a choice don't count."""
    if game.actor != seat or isinstance(act, RollDice):
        return False
    return not isinstance(act, MakePlay) or len(game.plays) > 1


class Session(GameSeries[GameRecord]):
    """The games of a match or money session, up to the present moment.

    ``starter`` None lets the opening dice decide who starts, as the rules say; a seat makes
    that one start every game (the same dice, the higher one given to that seat). The first game
    begins in the state ``start`` where there is one; terms and standing must be its own.
    """

    def __init__(
        self,
        terms: Terms,
        seats: tuple[Seat, Seat],
        dice: DiceSource,
        *,
        starter: int | None = None,
        start: Game | None = None,
    ) -> None:
        self.terms = terms
        self.seats = seats
        self.dice = dice
        self.starter = starter
        self.closed = False  # a money session the players have ended between games
        self.records: list[GameRecord] = [
            GameRecord(start.standing if start else Standing.start(terms.length), start=start)
        ]
        self._states: list[Game] = [self._new_game()]

    def _new_game(self) -> Game:
        return self.records[-1].begin(self.terms)

    @property
    def game(self) -> Game:
        """The state of the current game."""
        return self._states[-1]

    def history(self) -> list[tuple[Game, Act, Game]]:
        """Each act of the current game with the states before and after it."""
        acts = self.records[-1].acts
        return list(zip(self._states, acts, self._states[1:], strict=False))

    def roll(self) -> Act:
        """Roll the dice the current game waits for, and return that act. Raises ``IllegalAct``."""
        game = self.game
        act: Act
        if game.phase is Phase.OPENING:
            first, second = self.dice.opening()
            if self.starter is not None and (first > second) != (self.starter == 0):
                first, second = second, first
            act = OpeningDice((first, second))
        elif game.phase is Phase.TURN:
            act = RollDice(roll_of(*self.dice.roll(game.turn)))
        else:
            raise IllegalAct(f"nobody rolls now: {', '.join(game.legal_kinds()) or 'it is over'}")
        self.do(act)
        return act

    def do(self, act: Act) -> Game:
        """Make an act in the current game; the state after it. Raises ``IllegalAct``."""
        after = self.game.after(act)
        self.records[-1].acts.append(act)
        self._states.append(after)
        return after

    def next_game(self) -> Game:
        """Start the next game. Raises ``IllegalAct`` while one is on or after the last."""
        if not self.game.is_over:
            raise IllegalAct("the game isn't over")
        if self.is_over:
            raise IllegalAct("no game follows: the session is over")
        self.records.append(GameRecord(self.standing))
        self._states = [self._new_game()]
        return self.game

    def undo(self, seat: int) -> bool:
        """Take back the last decision of a seat in this game and everything after it.

        Rolls and plays without a choice are no decisions. Dice taken back come again from a
        seeded source. False, and nothing changes, where there is no decision to take back.
        """
        acts = self.records[-1].acts
        for index in range(len(acts) - 1, -1, -1):
            if is_decision(self._states[index], acts[index], seat):
                self._cut(index)
                self.closed = False
                return True
        return False

    def take_back_roll(self) -> bool:
        """Take back the dice just entered (a slip in typing); False if none were."""
        acts = self.records[-1].acts
        if not acts or not isinstance(acts[-1], RollDice | OpeningDice):
            return False
        self._cut(len(acts) - 1)
        return True

    def _cut(self, index: int) -> None:
        acts = self.records[-1].acts
        self.dice.take_back(sum(isinstance(act, RollDice | OpeningDice) for act in acts[index:]))
        del acts[index:]
        del self._states[index + 1 :]

    def replay(self, records: Iterable[Iterable[Act]]) -> None:
        """Make recorded acts again, game by game, on a new session.

        Dice come from the records and not from the source. Raises ``InputError`` naming game
        and act where the rules are broken.
        """
        replay_games(self, records)
