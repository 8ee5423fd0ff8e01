"""Records of matches and money sessions: one model for every file format.

A record holds the acts of each game (:mod:`bgai.rules.acts`, dice included), so that the rules
can play it through again. What a file says about a result is kept beside the acts: real records
hold broken games, unfinished ones, and resignations out of turn that no act expresses.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from bgai.codec import Format, Leaf
from bgai.errors import InputError
from bgai.notation.texts import encodable, one_line
from bgai.rules.acts import Act, Answer, MakePlay, OpeningDice
from bgai.rules.game import Ending, Game
from bgai.rules.match import Standing, Terms


class RecordError(InputError):
    """A file that is no record of a match, or can't hold this one."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended. ``points`` are those counted; ``ending`` None where nobody knows."""

    winner: int
    points: int
    ending: Ending | None = None


def _read_numbers(data: Any) -> frozenset[int]:
    if not isinstance(data, list) or any(type(each) is not int for each in data):
        raise InputError("must be a list of acts' numbers")
    return frozenset(data)


_NUMBERS = Leaf(_read_numbers, sorted)


@dataclass(frozen=True, slots=True)
class StoredPlay:
    """A play that a file judges: its equity to the player who makes it, cubeful, in units of the
    present cube, normalised in a match. ``chances`` are that player's five, or none."""

    text: str
    equity: float
    level: str = ""
    chances: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class StoredVerdict:
    """What another program stored about an act: ``by`` whom, how deep.

    ``plays`` of a roll, the best first. ``cube``: the doubler's equities of no double, double and
    take, double and pass, in units of the cube before; ``chances`` are the doubler's. ``luck``
    of a roll is in equity.
    """

    by: str
    level: str = ""
    plays: tuple[StoredPlay, ...] = ()
    cube: tuple[float, ...] = ()
    chances: tuple[float, ...] = ()
    luck: float | None = None


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """One game: the standing before it, its acts, its result.

    ``result`` is None while the game is unfinished. ``broken`` says why the acts stop before
    the game did (a line nobody can read). ``comments`` go with the act of that index, -1 for the
    game as a whole. ``illegal`` are the indexes of plays against the rules, taken as made.
    ``verdicts`` are those that the file holds, by the index of the act.
    """

    standing: Standing
    acts: tuple[Act, ...] = ()
    result: Result | None = None
    broken: str | None = None
    comments: Mapping[int, str] = field(default_factory=dict)
    illegal: Annotated[frozenset[int], _NUMBERS] = frozenset()
    verdicts: Mapping[int, StoredVerdict] = field(default_factory=dict)

    def states(self, terms: Terms) -> Iterator[tuple[Game, Act]]:
        """Each act with the state it was made in. Raises ``IllegalAct``."""
        game = Game(standing=self.standing, rules=terms.rules)
        for index, act in enumerate(self.acts):
            yield game, act
            game = self._after(game, index, act)

    def final(self, terms: Terms) -> Game:
        """The state after all acts. Raises ``IllegalAct``."""
        game = Game(standing=self.standing, rules=terms.rules)
        for index, act in enumerate(self.acts):
            game = self._after(game, index, act)
        return game

    def _after(self, game: Game, index: int, act: Act) -> Game:
        if index in self.illegal and isinstance(act, MakePlay):
            return game.let_stand(act.after)
        return game.after(act)


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match or money session. ``players`` are seats 0 and 1.

    ``info`` are texts about it by the names in ``INFO``; a date is ``YYYY-MM-DD``. Names are cut to
    one line that every format can hold.
    """

    players: tuple[str, str]
    terms: Terms
    games: tuple[RecordedGame, ...]
    info: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        first, second = (one_line(name) for name in self.players)
        object.__setattr__(self, "players", (first or "Player 1", second or "Player 2"))
        info = {name: encodable(text) for name, text in self.info.items()}
        object.__setattr__(self, "info", info)

    def same_match(self, other: "MatchRecord") -> bool:
        """Whether players, rules and games agree, but for what not every format can carry.

        That is texts, comments, verdicts, refused resignations and equal opening dice (unless they
        double the cube). Of the house rules a match knows only the maximum cube.
        """
        return (
            self.players == other.players
            and _rules(self.terms) == _rules(other.terms)
            and [_played(game, self.terms) for game in self.games]
            == [_played(game, other.terms) for game in other.games]
        )

    @property
    def final_points(self) -> tuple[int, int]:
        """Points of both seats after the last game that has a result."""
        if not self.games:
            return 0, 0
        last = self.games[-1]
        if last.result is None:
            return last.standing.points
        return last.standing.after(last.result.winner, last.result.points).points

    @property
    def winner(self) -> int | None:
        """The seat that won the match; None in money play and while it goes on."""
        points = self.final_points
        length = self.terms.length
        if length is None or max(points) < length:
            return None
        return 0 if points[0] >= length else 1


INFO = ("event", "round", "place", "date", "annotator", "comment", "source")
"""Names of the texts in ``MatchRecord.info``."""


def _rules(terms: Terms) -> tuple[object, ...]:
    return terms.length, terms.rules if terms.length is None else terms.rules.max_cube


def _played(game: RecordedGame, terms: Terms) -> tuple[object, ...]:
    doubling = terms.length is None and terms.rules.automatic_doubles > 0
    acts: list[Act] = []
    illegal: list[int] = []
    for index, act in enumerate(game.acts):
        if isinstance(act, OpeningDice) and act.dice[0] == act.dice[1] and not doubling:
            continue
        if act is Answer.REFUSE:
            acts.pop()
            continue
        if index in game.illegal:
            illegal.append(len(acts))
        acts.append(act)
    return game.standing, acts, illegal, game.result, game.broken is None


def _build(record: MatchRecord) -> MatchRecord:
    for number, recorded in enumerate(record.games, 1):
        result = recorded.result
        if result is not None and (result.winner not in (0, 1) or result.points < 0):
            raise RecordError(f"games[{number - 1}].result: a winner 0 or 1 and points expected")
        made = 0
        try:
            for _ in recorded.states(record.terms):
                made += 1
        except InputError as error:
            raise RecordError(f"game {number}, act {made}: {error}") from None
    return record


RECORDS = Format("bgai match", 1, MatchRecord, lambda record: record, _build)
"""Match records as JSON; every act is checked on reading."""
