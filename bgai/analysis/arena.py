"""The arena: any player against any other, with the cube and the score, judged by one judge.

A *bout* is a match, or one game of money play. Each pair of bouts has the same dice with the
sides swapped. The luck of every roll, cube and score included, is taken out by the judge: it has
mean zero whatever the judge's errors, so it never favours anybody. What the cube brings by luck is
in it, since the worth of a roll is that with a cube which may be turned next.

A bout is played a game at a time. A game is a plain function of the contest, its place and the
standing before it (:func:`play_game`), so it can be played in any process and on any machine, and
an interrupted contest goes on from the games that are kept.
"""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple, TypeVar

import numpy as np

from bgai.analysis.judging import judge_game, judge_roll
from bgai.analysis.review import figures
from bgai.codec import Codec
from bgai.notation.record import RecordedGame, Result
from bgai.notation.xgid import parse_xgid
from bgai.players.opponents import player_named
from bgai.players.player import Player, decide
from bgai.players.situation import situation_game
from bgai.rules.acts import Act, Answer, CubeAct, MakePlay, OpeningDice, RollDice
from bgai.rules.dice import roll_of
from bgai.rules.game import Game, Phase
from bgai.rules.match import Standing, Terms
from bgai.rules.outcome import Result as Level
from bgai.search.engine import EngineSettings, shared_engine
from bgai.sessions.dice import SeededDice

T = TypeVar("T")
_WARMING = (
    "-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10",
    "-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10",
)


@dataclass(frozen=True)
class Contest:
    """Two players and what they play for. ``terms`` of money play are those of one game.

    ``seconds`` are those of a decision, None for the depth of a player's name. ``judge`` takes the
    luck out, None leaves it in; with ``reviewed`` it judges every decision too.
    """

    players: tuple[str, str]
    terms: Terms
    seed: int = 0
    seconds: float | None = None
    judge: EngineSettings | None = None
    reviewed: bool = False


class Bout(NamedTuple):
    """A match or money game: the number of its pair, and whether the sides are swapped."""

    pair: int
    swapped: bool


@dataclass(frozen=True, slots=True)
class Side:
    """What one player did in a game: decisions and their time, equity lost by the judge."""

    seconds: float
    decisions: int
    lost: float
    counted: int

    def __add__(self, other: "Side") -> "Side":
        return Side(
            self.seconds + other.seconds,
            self.decisions + other.decisions,
            self.lost + other.lost,
            self.counted + other.counted,
        )


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A finished game. ``luck`` is that of the contest's first player less that of the second.

    In a match it is in match-winning chance, in money play in points. ``sides`` are those of the
    contest's first and second player, whatever their seats in ``game``.
    """

    game: RecordedGame
    luck: float
    sides: tuple[Side, Side]

    @property
    def after(self) -> Standing:
        """The standing after it."""
        result = self.game.result
        assert result is not None
        return self.game.standing.after(result.winner, result.points)


PLAYED: Codec[PlayedGame] = Codec(PlayedGame)


class _Clocked:
    """A player whose thinking is timed, and who plays every game to its end."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.name = player.name
        self.seconds = 0.0
        self.decisions = 0

    def _timed(self, think: Callable[[Game], T], game: Game) -> T:
        begun = time.perf_counter()
        found = think(game)
        self.seconds += time.perf_counter() - begun
        self.decisions += 1
        return found

    def offers_resignation(self, game: Game) -> Level | None:
        return None

    def answer_resignation(self, game: Game) -> Answer:
        return Answer.REFUSE

    def doubles(self, game: Game) -> bool:
        return self._timed(self.player.doubles, game)

    def choose_play(self, game: Game) -> MakePlay:
        return self._timed(self.player.choose_play, game)

    def answer_double(self, game: Game) -> CubeAct:
        return self._timed(self.player.answer_double, game)


@lru_cache(maxsize=8)
def _player(name: str, number: int, seconds: float | None) -> Player:
    """The player, started once in each process; compiling and loading are no thinking.

    ``number`` is its place in the contest: two of one weak level mustn't make the same mistakes.
    """
    player = player_named(name, seed=number, seconds=seconds)
    for xgid in _WARMING:
        decide(_Clocked(player), situation_game(parse_xgid(xgid)))
    return player


def check_players(contest: Contest) -> None:
    """Raise ``InputError`` where a player can't be started."""
    for number, name in enumerate(contest.players):
        _player(name, number, contest.seconds)


def play_game(contest: Contest, bout: Bout, standing: Standing) -> PlayedGame:
    """The next game of a bout. Its dice depend on seed, pair and number of the game alone."""
    order = (1, 0) if bout.swapped else (0, 1)  # who sits in seats 0 and 1
    clocked = [
        _Clocked(_player(contest.players[number], number, contest.seconds)) for number in order
    ]
    rules = contest.terms.rules
    start = Game(standing=standing, rules=rules)
    acts, final = _acts(start, (clocked[0], clocked[1]), _dice(contest.seed, bout.pair, standing))
    won = final.outcome
    assert won is not None
    recorded = RecordedGame(standing, acts, Result(won.winner, won.points, won.ending))
    luck, lost = _judged(contest, recorded)
    sides = [Side(c.seconds, c.decisions, *lost[seat]) for seat, c in enumerate(clocked)]
    if bout.swapped:
        return PlayedGame(recorded, -luck, (sides[1], sides[0]))
    return PlayedGame(recorded, luck, (sides[0], sides[1]))


def _dice(seed: int, pair: int, standing: Standing) -> SeededDice:
    words = np.random.SeedSequence([seed, pair, standing.games]).generate_state(1, np.uint64)
    return SeededDice(int(words[0]))


def _acts(
    game: Game, players: tuple[Player, Player], dice: SeededDice
) -> tuple[tuple[Act, ...], Game]:
    acts: list[Act] = []
    while not game.is_over:
        seat = game.actor
        act: Act | None = None if seat is None else decide(players[seat], game)
        if game.phase is Phase.OPENING:
            act = OpeningDice(dice.opening())
        elif act is None:
            act = RollDice(roll_of(*dice.roll(game.turn)))
        acts.append(act)
        game = game.after(act)
    return tuple(acts), game


def _judged(contest: Contest, played: RecordedGame) -> tuple[float, list[tuple[float, int]]]:
    """Luck of seat 0 less that of seat 1, and what each seat lost in how many decisions."""
    if contest.judge is None:
        return 0.0, [(0.0, 0), (0.0, 0)]
    engine = shared_engine(contest.judge)
    states = list(played.states(contest.terms))
    if not contest.reviewed:
        rolled = [
            judge_roll(engine, game, act)
            for game, act in states
            if isinstance(act, OpeningDice | RollDice)
        ]
        decisions = []
    else:
        found = judge_game(engine, states)
        rolled, decisions = list(found.rolls), list(found.decisions)
    luck = sum((1 - 2 * each.seat) * each.chance_luck for each in rolled if each is not None)
    about = [figures([each for each in decisions if each.seat == seat]) for seat in (0, 1)]
    return luck, [(each.lost, each.counted) for each in about]


# --- what came of it ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BoutResult:
    """A finished bout as the contest's first player sees it: points, or 1 for a match won."""

    result: float
    luck: float
    sides: tuple[Side, Side]


def bout_result(contest: Contest, bout: Bout, games: list[PlayedGame]) -> BoutResult:
    """What came of the games of a finished bout."""
    seat = int(bout.swapped)
    end = games[-1].after
    result = float(end.winner == seat) if end.is_match else float(end.points[seat])
    first, second = (
        sum((game.sides[number] for game in games), Side(0.0, 0, 0.0, 0)) for number in (0, 1)
    )
    return BoutResult(result, sum(game.luck for game in games), (first, second))


class Estimate(NamedTuple):
    """A mean and its standard error, which is NaN where there are too few to tell."""

    mean: float
    error: float

    @classmethod
    def of(cls, values: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> "Estimate":
        """The mean of independent values."""
        many = len(values) > 1
        error = values.std(ddof=1) / len(values) ** 0.5 if many else np.nan
        return cls(float(values.mean()), float(error))


@dataclass(frozen=True, slots=True)
class ArenaResult:
    """A contest as its first player sees it, over ``bouts`` bouts in finished pairs.

    ``result`` is points a game, or the part of the matches won; ``adjusted`` the same without
    luck, None without a judge. Standard errors come from the pairs.
    """

    bouts: int
    result: Estimate
    adjusted: Estimate | None
    sides: tuple[Side, Side]


def arena_result(contest: Contest, pairs: list[tuple[BoutResult, BoutResult]]) -> ArenaResult:
    """What came of some pairs of bouts, at least one."""
    results = np.array([[each.result for each in pair] for pair in pairs])
    luck = np.array([[each.luck for each in pair] for pair in pairs])
    adjusted = Estimate.of((results - luck).mean(axis=1)) if contest.judge else None
    none = Side(0.0, 0, 0.0, 0)
    first, second = (
        sum((each.sides[number] for pair in pairs for each in pair), none) for number in (0, 1)
    )
    return ArenaResult(2 * len(pairs), Estimate.of(results.mean(axis=1)), adjusted, (first, second))


def session_of(games: Iterable[RecordedGame]) -> tuple[RecordedGame, ...]:
    """Money games one after another, each with the standing that the ones before left."""
    standing = Standing.start()
    found = []
    for game in games:
        found.append(replace(game, standing=standing))
        assert game.result is not None
        standing = standing.after(game.result.winner, game.result.points)
    return tuple(found)
