"""Records of matches and money sessions: one model for every file format.

A record holds the acts of each game (:mod:`bgai.rules.acts`, dice included), so that the rules
can play it through again. What a file says about a result is kept beside the acts: real records
hold broken games, unfinished ones, and resignations out of turn that no act expresses.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from bgai.errors import InputError
from bgai.notation.texts import encodable, one_line
from bgai.rules.acts import Act, Answer, MakePlay, OpeningDice, act_from_json, act_to_json
from bgai.rules.game import Ending, Game
from bgai.rules.game_json import (
    standing_from_json,
    standing_to_json,
    terms_from_json,
    terms_to_json,
)
from bgai.rules.match import Standing, Terms

FORMAT = "bgai match"
VERSION = 1


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
    the game did (a line nobody can read). ``comments`` go with the act of that index, -1 for the
    game as a whole. ``illegal`` are the indexes of plays against the rules, taken as made.
    """

    standing: Standing
    acts: tuple[Act, ...] = ()
    result: Result | None = None
    broken: str | None = None
    comments: Mapping[int, str] = field(default_factory=dict)
    illegal: frozenset[int] = frozenset()

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
            return game.as_made(act.after)
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


def record_to_json(record: MatchRecord) -> dict[str, Any]:
    """The record as a JSON object; lossless."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "players": list(record.players),
        "terms": terms_to_json(record.terms),
        "info": dict(record.info),
        "games": [
            {
                "standing": standing_to_json(game.standing),
                "acts": [act_to_json(act) for act in game.acts],
                "result": None if game.result is None else asdict(game.result),
                "broken": game.broken,
                "comments": {str(index): text for index, text in game.comments.items()},
            }
            | ({"illegal": sorted(game.illegal)} if game.illegal else {})
            for game in record.games
        ],
    }


def record_from_json(data: Any) -> MatchRecord:
    """Read :func:`record_to_json`; every act is checked. Raises ``InputError``."""
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        raise RecordError(f"not a match record: the format must be '{FORMAT}'")
    if data.get("version") != VERSION:
        raise RecordError(f"a match record of version {data.get('version')!r}, not {VERSION}")
    terms = terms_from_json(data.get("terms"))
    try:
        first, second = map(str, data["players"])
        info = {str(name): str(text) for name, text in data["info"].items()}
        games = tuple(
            _game_from_json(number, game, terms) for number, game in enumerate(data["games"], 1)
        )
    except InputError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise RecordError(f"not a match record: {type(error).__name__} {error}") from None
    return MatchRecord((first, second), terms, games, info)


def _game_from_json(number: int, data: Mapping[str, Any], terms: Terms) -> RecordedGame:
    game = Game(standing=standing_from_json(data["standing"]), rules=terms.rules)
    start = game.standing
    acts: list[Act] = []
    illegal = data.get("illegal", [])
    if not isinstance(illegal, list) or any(type(each) is not int for each in illegal):
        raise RecordError(f"game {number}: illegal must be a list of acts' numbers")
    for index, fields in enumerate(data["acts"]):
        try:
            act = act_from_json(fields)
            if index in illegal and isinstance(act, MakePlay):
                game = game.as_made(act.after)
            else:
                game = game.after(act)
        except InputError as error:
            raise RecordError(f"game {number}, act {index + 1}: {error}") from None
        acts.append(act)
    comments = {int(index): encodable(str(text)) for index, text in data["comments"].items()}
    broken = None if data["broken"] is None else encodable(str(data["broken"]))
    result = _result_from_json(data["result"])
    return RecordedGame(start, tuple(acts), result, broken, comments, frozenset(illegal))


def _result_from_json(data: Any) -> Result | None:
    if data is None:
        return None
    winner, points = data["winner"], data["points"]
    if winner not in (0, 1) or type(points) is not int or points < 0:
        raise RecordError(f"result {data!r}: a winner 0 or 1 and points expected")
    return Result(winner, points, None if data["ending"] is None else Ending(data["ending"]))
