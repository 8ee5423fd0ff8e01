"""Records of matches and money sessions: one model for every file format.

A record holds the acts of each game (:mod:`bgai.rules.acts`, dice included), so that the rules
can play it through again. What a file says about a result is kept beside the acts: real records
hold broken games, unfinished ones, and resignations out of turn that no act expresses.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from bgai.codec import Format
from bgai.errors import InputError
from bgai.rules.acts import Act, Answer, OpeningDice
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


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """One game: the standing before it, its acts, its result.

    ``result`` is None while the game is unfinished. ``broken`` says why the acts stop before
    the game did (an illegal play, a line nobody can read). ``comments`` go with the act of that
    index, -1 for the game as a whole.
    """

    standing: Standing
    acts: tuple[Act, ...] = ()
    result: Result | None = None
    broken: str | None = None
    comments: Mapping[int, str] = field(default_factory=dict)

    def states(self, terms: Terms) -> Iterator[tuple[Game, Act]]:
        """Each act with the state it was made in. Raises ``IllegalAct``."""
        game = Game(standing=self.standing, rules=terms.rules)
        for act in self.acts:
            yield game, act
            game = game.after(act)

    def final(self, terms: Terms) -> Game:
        """The state after all acts. Raises ``IllegalAct``."""
        game = Game(standing=self.standing, rules=terms.rules)
        for act in self.acts:
            game = game.after(act)
        return game


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match or money session. ``players`` are seats 0 and 1.

    ``info`` are texts about it by the names in ``INFO``; a date is ``YYYY-MM-DD``.
    """

    players: tuple[str, str]
    terms: Terms
    games: tuple[RecordedGame, ...]
    info: Mapping[str, str] = field(default_factory=dict)

    def same_match(self, other: "MatchRecord") -> bool:
        """Whether players, rules and games agree, but for what not every format can carry.

        That is texts, comments, refused resignations and equal opening dice (unless they
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
    for act in game.acts:
        if isinstance(act, OpeningDice) and act.dice[0] == act.dice[1] and not doubling:
            continue
        if act is Answer.REFUSE:
            acts.pop()
            continue
        acts.append(act)
    return game.standing, acts, game.result, game.broken is None


def _build(record: MatchRecord) -> MatchRecord:
    for number, recorded in enumerate(record.games, 1):
        result = recorded.result
        if result is not None and (result.winner not in (0, 1) or result.points < 0):
            raise RecordError(f"games[{number - 1}].result: a winner 0 or 1 and points expected")
        game = Game(standing=recorded.standing, rules=record.terms.rules)
        for index, act in enumerate(recorded.acts, 1):
            try:
                game = game.after(act)
            except InputError as error:
                raise RecordError(f"game {number}, act {index}: {error}") from None
    return record


RECORDS = Format("bgai match", 1, MatchRecord, lambda record: record, _build)
"""Match records as JSON; every act is checked on reading."""
