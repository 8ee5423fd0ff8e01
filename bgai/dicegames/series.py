"""An evening at the table: games of one kind one after another, their dice, who starts, who won.

Everything that happened is kept as events, rolls and acts, from which the state follows; saves
hold these and are checked on reading. With a seed the dice of a roll follow from the number of
the game and of the roll in it, so that after taking back a choice the same dice come again.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, ParamSpec

import numpy as np

from bgai.codec import Format
from bgai.dicegames.catalogue import make_kit
from bgai.dicegames.chance_game import Phase, Roll, StateError, rolls_of
from bgai.dicegames.kit import AnyKit
from bgai.errors import InputError

P = ParamSpec("P")

ROLLS, START_DICE, CHOICES = range(3)
"""Uses of chance: rolls of the game, preliminary rolls, players that waver."""


@dataclass(frozen=True)
class Seat:
    """Who sits there; ``player`` is the program's name, ``None`` a person."""

    name: str
    player: str | None = None


@dataclass(frozen=True)
class Rolled:
    """Dice rolled, or in a roll-off the seat that won it."""

    roll: Roll


@dataclass(frozen=True)
class Acted:
    """A choice as the game has it: a number, dice, or groups of dice."""

    act: int | tuple[int, ...] | tuple[tuple[int, ...], ...]


Event = Rolled | Acted
Round = dict[int, int]
"""A preliminary roll: a die by seat."""


@dataclass
class GameRecord:
    """One game: its preliminary rolls and what happened in it, with the state after each."""

    rounds: list[Round] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    states: list[Any] = field(default_factory=list)
    """The start, then the state after each event; empty before it is clear who starts."""


@dataclass(frozen=True)
class Terms:
    """``first``: the seat that starts the first game, by agreement; ``games``: how many are
    played (``None``: until the players stop); ``stake``: what each loser pays the winner."""

    first: int | None = None
    games: int | None = None
    stake: int = 0


class Series:
    """Games up to the present moment. Raises ``InputError`` for terms that can't be."""

    def __init__(
        self, kit: AnyKit, seats: Sequence[Seat], seed: int | None, terms: Terms | None = None
    ) -> None:
        terms = terms or Terms()
        if len(seats) != kit.game.seats:
            raise InputError(f"seats: {len(seats)} players for {kit.game.seats} seats")
        if terms.first is not None and not 0 <= terms.first < len(seats):
            raise InputError(f"first: there is no seat {terms.first + 1}")
        if (terms.games is not None and terms.games < 1) or terms.stake < 0:
            raise InputError("games must be 1 or more, the stake 0 or more")
        self.kit = kit
        self.seats = tuple(seats)
        self.seed = seed
        self.terms = terms
        self.closed = False
        self.records = [GameRecord()]
        kit.names = [seat.name for seat in seats]
        self._settle_start()

    # where the series stands

    @property
    def record(self) -> GameRecord:
        """The game that is on."""
        return self.records[-1]

    @property
    def state(self) -> Any:
        """The state of the game, or ``None`` before it is clear who starts."""
        return self.record.states[-1] if self.record.states else None

    @property
    def starters(self) -> tuple[int, ...]:
        """The seats that have to roll a die for the start; none once that is settled."""
        if self.record.states:
            return ()
        rounds = self.record.rounds
        return self._foremost(rounds[-1]) if rounds else tuple(range(len(self.seats)))

    @property
    def game_over(self) -> bool:
        return bool(self.record.states) and self.kit.game.phase(self.state) is Phase.OVER

    @property
    def is_over(self) -> bool:
        """Whether the last game is over and none follows."""
        return self.game_over and (self.closed or len(self.records) == self.terms.games)

    def winners(self) -> list[int]:
        """The winning seats of the finished games."""
        finished = [record for record in self.records if record.states]
        last = [record.states[-1] for record in finished]
        game = self.kit.game
        return [game.result(s).index(1) for s in last if game.phase(s) is Phase.OVER]

    def sheet(self) -> list[tuple[str, int, int]]:
        """Each seat's name, games won and points of the stakes."""
        won = self.winners()
        stake, seats = self.terms.stake, len(self.seats)
        return [
            (seat.name, won.count(n), stake * (seats * won.count(n) - len(won)))
            for n, seat in enumerate(self.seats)
        ]

    # dice

    def dice_of(self, use: int, count: int) -> Roll:
        """Fair dice of the seed for what comes next."""
        rng = self.chance(use)
        return tuple(int(die) for die in rng.integers(1, 7, size=count))

    def chance(self, use: int) -> np.random.Generator:
        """Chance for what comes next; always the same at the same moment of a series."""
        number = len(self.record.rounds) if use == START_DICE else len(self.record.events)
        return np.random.default_rng([self.seed or 0, use, len(self.records), number])

    def next_roll(self) -> Roll:
        """What the seed rolls next in the game."""
        outcomes = self.kit.game.rolls(self.state)
        count = len(outcomes[0][0])
        if outcomes == rolls_of(count):
            return tuple(sorted(self.dice_of(ROLLS, count)))
        return outcomes[int(self.chance(ROLLS).integers(len(outcomes)))][0]

    # what happens

    def roll_start(self, dice: Sequence[int]) -> None:
        """A die each of the seats that roll for the start. Raises ``StateError``."""
        rolling = self.starters
        if not rolling or len(dice) != len(rolling) or not all(1 <= die <= 6 for die in dice):
            raise StateError(f"{len(rolling)} dice 1 to 6 for the start, not {list(dice)}")
        self.record.rounds.append(dict(zip(rolling, dice, strict=True)))
        foremost = self._foremost(self.record.rounds[-1])
        if len(foremost) == 1:
            self._begin(foremost[0])

    def do(self, event: Event) -> None:
        """A roll or an act. Raises ``StateError`` for what the rules don't allow."""
        game = self.kit.game
        phase = game.phase(self.state) if self.record.states else None
        if isinstance(event, Rolled) and phase is Phase.ROLL:
            if event.roll not in {roll for roll, _ in game.rolls(self.state)}:
                raise StateError(f"{list(event.roll)} can't be rolled here")
            after = game.after_roll(self.state, event.roll)
        elif isinstance(event, Acted) and phase is Phase.ACT:
            if event.act not in game.acts(self.state):
                raise StateError(f"{event.act} is not allowed here")
            after = game.after_act(self.state, event.act)
        else:
            raise StateError(f"'{type(event).__name__.lower()}' is out of turn")
        self.record.events.append(event)
        self.record.states.append(after)

    def next_game(self) -> None:
        """Begin the next game. Raises ``StateError`` while one is on, or none follows."""
        if not self.game_over or self.is_over:
            raise StateError("there is no next game now")
        self.records.append(GameRecord())
        self._settle_start()

    def close(self) -> None:
        """End the series after a finished game."""
        if not self.game_over:
            raise StateError("the game is not over")
        self.closed = True

    def undo(self, seats: Collection[int]) -> bool:
        """Take back the last real choice of one of the seats in this game; whether there was."""
        record = self.record
        for number in reversed(range(len(record.events))):
            if self.chose(record, number) in seats:
                self._back_to(number)
                return True
        return False

    def take_back_roll(self) -> bool:
        """Take back the dice just entered, those for the start too; whether there were any."""
        record = self.record
        if record.events and isinstance(record.events[-1], Rolled):
            self._back_to(len(record.events) - 1)
        elif record.rounds and not record.events:
            record.rounds.pop()
            record.states.clear()
        else:
            return False
        return True

    def chose(self, record: GameRecord, number: int) -> int | None:
        """The seat whose choice between several acts an event was, or ``None``."""
        before = record.states[number]
        if isinstance(record.events[number], Rolled) or len(self.kit.game.acts(before)) < 2:
            return None
        return self.kit.game.seat(before)

    def _back_to(self, number: int) -> None:
        del self.record.events[number:], self.record.states[number + 1 :]

    def _foremost(self, rolled: Round) -> tuple[int, ...]:
        best = (max if self.kit.high_die_starts else min)(rolled.values())
        return tuple(seat for seat, die in rolled.items() if die == best)

    def _settle_start(self) -> None:
        """Begin at once where agreement or the last game says who starts."""
        if len(self.records) == 1:
            first = self.terms.first if len(self.seats) > 1 else 0
        else:
            first = self.kit.next_first(self.records[-2].states[-1])
            first = 0 if len(self.seats) == 1 else first
        if first is not None:
            self._begin(first)

    def _begin(self, first: int) -> None:
        self.record.states.append(self.kit.game.start(first))


# --- files ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Game:
    rounds: list[dict[int, int]]
    events: list[Rolled | Acted]


@dataclass(frozen=True)
class _Contents:
    game: str
    options: dict[str, str]
    seats: list[Seat]
    seed: int | None
    terms: Terms
    over: bool
    games: list[_Game]


def _contents(series: Series) -> _Contents:
    games = [_Game(record.rounds, record.events) for record in series.records]
    kit = series.kit
    return _Contents(
        kit.name, dict(kit.options), list(series.seats), series.seed, series.terms,
        series.is_over, games,
    )  # fmt: skip


def _build(saved: _Contents) -> Series:
    kit = make_kit(saved.game, len(saved.seats), saved.options)
    for number, seat in enumerate(saved.seats):
        if seat.player is not None:
            _named(f"seats[{number}]", kit.check_player, seat.player)
    series = Series(kit, saved.seats, saved.seed, saved.terms)
    for number, game in enumerate(saved.games):
        if number:
            _named(f"games[{number}]", series.next_game)
        for place, rolled in enumerate(game.rounds):
            where = f"games[{number}].rounds[{place}]"
            if tuple(rolled) != series.starters:
                raise InputError(f"{where}: these seats don't roll for the start")
            _named(where, series.roll_start, list(rolled.values()))
        for place, event in enumerate(game.events):
            _named(f"games[{number}].events[{place}]", series.do, event)
    if not saved.games:
        raise InputError("games: there is none")
    if saved.over and not series.is_over:
        series.close()
    return series


def _named(where: str, do: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> None:
    """Do something; where that is refused say where it was."""
    try:
        do(*args, **kwargs)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


SERIES: Format[Series, _Contents] = Format("bgai dice games", 1, _Contents, _contents, _build)
"""Saved dice games; every roll and act is checked on reading."""
