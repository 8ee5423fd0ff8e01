"""What every game offers to people and programs: states and acts as text, players, games.

States are written as words ``key=value``; seats count from 1 in text.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
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


class Kit(ABC, Generic[S, A]):
    """One game with its options, for a number of seats."""

    name: ClassVar[str]
    title: ClassVar[str]
    least_seats: ClassVar[int]
    most_seats: ClassVar[int | None]
    option_help: ClassVar[Mapping[str, str]]
    """Options by name; a name ending in ``=`` takes a value."""
    state_help: ClassVar[str]
    players: ClassVar[tuple[str, ...]] = ("best", "greedy", "random")

    game: ChanceGame[S, A]

    @abstractmethod
    def __init__(self, seats: int, options: Options) -> None:
        """Raises ``StateError`` for seats or options that the game doesn't have."""

    @property
    @abstractmethod
    def advisor(self) -> Advisor[S, A]: ...

    @classmethod
    @abstractmethod
    def seats_in(cls, fields: Fields) -> int:
        """How many seats a state is for."""

    @abstractmethod
    def read_state(self, fields: Fields) -> S:
        """A state from its words. Raises ``StateError``, naming the word."""

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

    def first_seat(self, rng: np.random.Generator) -> tuple[int, str]:
        """Who starts, and what to say about it."""
        return 0, ""

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


def only_fields(fields: Fields, known: Sequence[str], needed: Sequence[str]) -> None:
    """Refuse unknown and missing words."""
    for key in fields:
        if key not in known:
            raise StateError(f"unknown word '{key}' in the state; known are {', '.join(known)}")
    for key in needed:
        if key not in fields:
            raise StateError(f"the state lacks '{key}='")


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
