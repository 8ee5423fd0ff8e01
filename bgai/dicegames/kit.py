"""What every game offers to people and programs: states and acts as text, players, games.

States are written as words ``key=value``; seats count from 1 in text.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from importlib import resources
from typing import Any, ClassVar, Generic

import numpy as np
from numpy.typing import NDArray

from bgai.dicegames.chance_game import (
    A,
    Advisor,
    ChanceGame,
    Player,
    Roll,
    S,
    StateError,
    play_out,
)
from bgai.dicegames.words import StateWords

LEVELS = {
    "random": "does anything the rules allow",
    "beginner": "sees roughly what is good",
    "casual": "misjudges what is close",
    "greedy": "takes the most that can be had at once",
    "best": "plays for the greatest chance to win; the default",
}
"""Who can sit at the table in every game, in words."""
SLIPS = {"casual": 1.0, "beginner": 4.0}
"""Levels that misjudge win chances: their standard deviation in units of the game's ``slip``."""
MOST_SEATS = 99
"""Seats that a state may name."""

Options = Mapping[str, str]
Fields = Mapping[str, str]


class ByRule(Generic[S, A]):
    """A player that follows a function of the state."""

    def __init__(self, rule: Callable[[S], A]) -> None:
        self.rule = rule

    def choose(self, state: S, rng: np.random.Generator) -> A:
        return self.rule(state)


class ByChance(Generic[S, A]):
    """A player that takes any legal act."""

    def __init__(self, game: ChanceGame[S, A]) -> None:
        self.game = game

    def choose(self, state: S, rng: np.random.Generator) -> A:
        acts = self.game.acts(state)
        return acts[int(rng.integers(len(acts)))]


class ByJudgement(Generic[S, A]):
    """A player that judges win chances as the advisor does, give or take ``slip`` (a standard
    deviation) for every act."""

    def __init__(self, kit: "Kit[S, A]", slip: float) -> None:
        self.kit = kit
        self.slip = slip

    def choose(self, state: S, rng: np.random.Generator) -> A:
        acts, worths = zip(*self.kit.worths(state), strict=True)
        seen: NDArray[np.float64] = np.array(worths) + rng.normal(0.0, self.slip, len(acts))
        chosen: A = acts[int(np.argmax(seen))]
        return chosen


class Kit(ABC, Generic[S, A]):
    """One game with its options, for a number of seats.

    ``options`` are those it was made with, files among them by their contents; ``names`` are
    the seats' in texts.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    least_seats: ClassVar[int]
    most_seats: ClassVar[int | None]
    option_help: ClassVar[Mapping[str, str]]
    """Options by name; a name ending in ``=`` takes a value."""
    words: ClassVar[StateWords]
    """The words that states are written in."""
    players: ClassVar[tuple[str, ...]] = ("best", "casual", "beginner", "greedy", "random")
    compiled: ClassVar[frozenset[str]] = frozenset()
    """The players that compiled games have."""
    high_die_starts: ClassVar[bool] = True
    """Whether the highest die of the preliminary roll starts, or the lowest (aces high)."""

    slip: ClassVar[float]
    """Standard deviation of a casual player's judgement of a win chance."""
    faces: ClassVar[str] = "123456"
    """How the faces of a die are written."""

    game: ChanceGame[S, A]
    options: Options
    names: Sequence[str]

    def __init__(self, seats: int, options: Options) -> None:
        """Raises ``StateError`` for seats or options that the game doesn't have."""
        check_options(options, type(self))
        self.options = options
        self.game = self.made(seats)
        self.names = [f"seat {seat + 1}" for seat in range(seats)]

    @abstractmethod
    def made(self, seats: int) -> ChanceGame[S, A]:
        """The rules with the kit's options. Raises ``StateError``."""

    @property
    @abstractmethod
    def advisor(self) -> Advisor[S, A]: ...

    @classmethod
    def seats_in(cls, text: str) -> int:
        """How many seats a state is for. Raises ``StateError``."""
        fields = read_fields(text)
        only_fields(fields, cls.words)
        first = cls.words.known[0]
        if cls.words.separator is None:
            return whole_number(fields[first], first, cls.least_seats, MOST_SEATS)
        return fields[first].count(cls.words.separator) + 1

    @abstractmethod
    def read_state(self, fields: Fields) -> S:
        """A state from its words, all of them known. Raises ``StateError``, naming the word."""

    @abstractmethod
    def state_text(self, state: S) -> str:
        """The words of a state, as ``read_state`` takes them."""

    @abstractmethod
    def board(self, state: S) -> str:
        """A state for people, one or more lines."""

    @abstractmethod
    def question(self, state: S) -> str:
        """What to ask a person who is to act."""

    @abstractmethod
    def act_text(self, state: S, act: A) -> str: ...

    @abstractmethod
    def read_act(self, state: S, text: str) -> A:
        """An act from a person's text. Raises ``StateError``."""

    @abstractmethod
    def rules(self) -> Mapping[str, Callable[[S], A]]:
        """The players that follow a function, by name."""

    @abstractmethod
    def reference_values(self) -> Sequence[tuple[str, Fraction | float]]:
        """Known figures of the game, computed."""

    def player(self, name: str) -> Player[S, A]:
        """A player by name. Raises ``StateError``."""
        self.check_player(name)
        if name in SLIPS:
            return ByJudgement(self, SLIPS[name] * self.slip)
        return ByChance(self.game) if name == "random" else ByRule(self.rules()[name])

    def check_player(self, name: str) -> None:
        if name not in self.players:
            raise StateError(
                f"{self.name} has no player '{name}'; there are {', '.join(self.players)}"
            )

    def check_players(self, names: Sequence[str]) -> None:
        for name in names:
            self.check_player(name)

    def advised(self, state: S) -> A:
        """What the advisor would do in a state where somebody is to act."""
        act = self.advisor.advise(state).best
        assert act is not None
        return act

    def worths(self, state: S) -> Sequence[tuple[A, float]]:
        """Each act with the win chance after it of the seat to act, quickly judged."""
        seat = self.game.seat(state)
        advice = self.advisor.advise(state)
        if advice.turns:  # a seat alone: a turn more is a slip like any other
            return [(a, -t / 20) for (a, _), t in zip(advice.acts, advice.turns, strict=True)]
        return [(act, values[seat]) for act, values in advice.acts]

    def next_first(self, last: S) -> int | None:
        """Who starts after the finished game ``last``; ``None``: a preliminary roll decides."""
        return None

    @classmethod
    def rules_text(cls) -> str:
        """The rules of the game, a page."""
        package = cls.__module__.rpartition(".")[0]
        return (resources.files(package) / "rules.txt").read_text(encoding="utf-8")

    def read_start(self, text: str, count: int) -> tuple[int, ...]:
        """Dice of a preliminary roll, one a seat in the order typed. Raises ``StateError``."""
        dice = tuple(
            self.faces.index(each) + 1 if each in self.faces else int(each)
            for each in "".join(text.upper().split())
            if each in self.faces or each in "123456"
        )
        if len(dice) != count or len("".join(text.split())) != count:
            raise StateError(f"'{text.strip()}' is not {count} dice ({' '.join(self.faces)})")
        return dice

    def read_roll(self, state: S, text: str) -> Roll:
        """The dice of a real roll. Raises ``StateError``."""
        dice = len(self.game.rolls(state)[0][0])
        return dice_in("".join(text.split()), "dice", (dice,))

    def warning(self, state: S, act: A) -> str:
        """What a person should know before doing what can hardly be meant."""
        return ""

    def prepare(self) -> None:
        """Solve, or load, what best play needs; seconds the first time, then kept."""
        _ = self.advisor

    def notes(self) -> Sequence[str]:
        """What people should know before they play."""
        return ()

    def roll_text(self, state: S, roll: Roll) -> str:
        """A roll for people."""
        return " ".join(map(str, roll))

    def turn_note(self, before: S, after: S) -> str:
        """What a roll or act has led to, where the board does not say it."""
        return ""

    def winners(
        self, seeds: NDArray[np.uint64], names: Sequence[str], streams: Sequence[int]
    ) -> NDArray[np.int64]:
        """The winning seat of one game a seed; ``streams`` names the dice of each seat."""
        self.check_players(names)
        if self.compiles(names):
            return self.play_compiled(seeds, names, streams)
        return self.play_slowly(seeds, names, streams)

    def compiles(self, names: Sequence[str]) -> bool:
        """Whether there are compiled games of these players."""
        return set(names) <= self.compiled

    def play_compiled(
        self, seeds: NDArray[np.uint64], names: Sequence[str], streams: Sequence[int]
    ) -> NDArray[np.int64]:
        """As :meth:`winners`, for players that :meth:`compiles`."""
        raise NotImplementedError

    def play_slowly(
        self, seeds: NDArray[np.uint64], names: Sequence[str], streams: Sequence[int]
    ) -> NDArray[np.int64]:
        """As :meth:`winners`, by the rules, one state after another; other dice."""
        players = [self.player(name) for name in names]
        winners = np.zeros(len(seeds), np.int64)
        for number, seed in enumerate(seeds.tolist()):
            dice = [np.random.default_rng([seed, stream]) for stream in streams]
            choices = np.random.default_rng([seed, len(streams)])
            last = play_out(self.game, players, dice, choices=choices)
            winners[number] = self.game.result(last).index(1)
        return winners

    def parse_state(self, text: str) -> S:
        """A state from text. Raises ``StateError``."""
        seats = self.seats_in(text)
        if seats != self.game.seats:
            word = self.words.known[0]
            raise StateError(f"{word}: {self.game.seats} seats expected, not {seats}")
        return self.read_state(read_fields(text))


AnyKit = Kit[Any, Any]


def read_fields(text: str) -> dict[str, str]:
    """The words ``key=value`` of a state."""
    fields: dict[str, str] = {}
    for word in text.split():
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise StateError(f"'{word}' in the state is not of the form key=value")
        if key in fields:
            raise StateError(f"'{key}' is given twice in the state")
        fields[key] = value
    return fields


def only_fields(fields: Fields, words: StateWords) -> None:
    """Refuse unknown words, and a state without the first one."""
    known = words.known
    for key in fields:
        if key not in known:
            raise StateError(f"unknown word '{key}' in the state; known are {', '.join(known)}")
    if known[0] not in fields:
        raise StateError(f"the state lacks '{known[0]}='")


def number_in(fields: Fields, key: str, least: int, most: int, default: int) -> int:
    """A whole number from a word."""
    if key not in fields:
        return default
    return whole_number(fields[key], key, least, most)


def whole_number(text: str, what: str, least: int, most: int) -> int:
    """A whole number within limits. Raises ``StateError`` naming ``what``."""
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise StateError(f"{what}: '{text}' is not a whole number")
    if not least <= int(text) <= most:
        raise StateError(f"{what}: {text} is not within {least} to {most}")
    return int(text)


def dice_in(text: str, what: str, counts: Sequence[int]) -> Roll:
    """Dice such as ``136``, in rising order."""
    if not text or any(character not in "123456" for character in text):
        raise StateError(f"{what}: '{text}' is not a row of dice 1 to 6")
    if len(text) not in counts:
        expected = " or ".join(map(str, counts))
        raise StateError(f"{what}: {expected} dice expected, not {len(text)}")
    return tuple(sorted(map(int, text)))


def dice_text(dice: Roll) -> str:
    return "".join(map(str, dice))


def check_options(options: Options, kit: type[AnyKit]) -> None:
    """Refuse options that a game doesn't have, or with a missing or needless value."""
    for key, value in options.items():
        flag, valued = key in kit.option_help, f"{key}=" in kit.option_help
        if not flag and not valued:
            known = ", ".join(kit.option_help) or "none"
            raise StateError(f"{kit.name} has no option '{key}'; there are: {known}")
        if flag and value:
            raise StateError(f"the option '{key}' takes no value")
        if valued and not value:
            raise StateError(f"the option '{key}' needs a value: {key}=...")
