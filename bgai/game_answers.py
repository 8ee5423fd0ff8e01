"""Answers about games in progress: the table as its person sees it, the tutor, the summary."""

from typing import Any, Literal

from pydantic import ConfigDict, Field, RootModel

from bgai.answers import (
    Answer,
    BestAnswer,
    Chances,
    CubeAnswer,
    DiceText,
    LegalPlay,
    Move,
    Number,
)

Kind = Literal["play", "double", "answer"]


class RulesState(Answer):
    """House rules."""

    jacoby: bool
    beaver_turns: int
    automatic_doubles: int
    max_cube: int | None


class TermsState(Answer):
    """What is played; ``length`` null for money."""

    length: int | None
    games: int | None
    margin: int | None
    rules: RulesState


class SeatState(Answer):
    """Who sits there; ``level`` is the engine of a program."""

    name: str
    level: str | None


class StandingState(Answer):
    """Points by seat before this game, and whether it is the Crawford game."""

    length: int | None
    points: tuple[int, int]
    crawford: bool
    games: int


class CubeOnTable(Answer):
    """The cube; ``owner`` is a seat."""

    value: int
    owner: int | None


class OutcomeState(Answer):
    """How a game ended."""

    winner: int
    points: int
    result: Literal["single", "gammon", "backgammon"]
    ending: str


class Event(Answer):
    """An act of the game as the page shows it; ``n`` counts from 0, ``seat`` is who acted.

    ``dice`` of the opening are those of seats 0 and 1. ``value`` is what the cube shows if the
    offer is accepted, ``level`` that of a resignation.
    """

    n: int
    seat: int | None
    act: str
    dice: DiceText | None = None
    play: str | None = None
    moves: list[Move] | None = None
    level: int | None = None
    value: int | None = None


class VerdictAnswer(Answer):
    """A decision judged: ``made`` and ``best`` as text, ``cost`` in units of the cube.

    ``of`` is the seat it cost, ``counts`` says whether it enters the error rate; ``moves`` are
    those of the best play.
    """

    of: int
    kind: Kind
    cost: Number
    mark: Literal["", "?!", "?", "??"]
    word: Literal["", "doubtful", "error", "blunder"]
    made: str
    best: str
    is_best: bool
    counts: bool
    engine: str
    moves: list[Move] | None


class DecisionAnswer(VerdictAnswer):
    """The same with where it was: the number of the act, the seat, the position before it."""

    act: int
    seat: int
    id: str
    dice: DiceText | None


class GameAnswer(Answer):
    """The table as the person at seat ``person`` sees it.

    ``checkers`` and ``pips`` are by seat, each in its own numbering. ``acts`` counts those of
    the current game; ``events`` are its acts from the number asked for. ``legal`` and ``plays``
    are empty while the person is not to act.
    """

    id: str
    terms: TermsState
    seats: list[SeatState]
    person: int
    game_number: int
    standing: StandingState
    session_over: bool
    acts: int
    events: list[Event]
    phase: str
    turn: int
    actor: int | None
    dice: DiceText | None
    checkers: list[list[int]]
    pips: list[int]
    cube: CubeOnTable
    offered_value: int | None
    redoubles: int
    offer: int | None
    legal: list[str]
    why_no_double: str | None
    resignation_levels: list[int]
    must_pass: bool
    plays: list[LegalPlay]
    outcome: OutcomeState | None
    xgid: str
    gnu_id: str
    verdict: VerdictAnswer | None = None


class PlayHint(BestAnswer):
    """The best plays."""

    kind: Literal["play"] = "play"


class CubeHint(CubeAnswer):
    """Advice about the cube. ``chances`` are the person's, whoever is on roll."""

    kind: Literal["cube"] = "cube"
    advice: str


class ResignationHint(Answer):
    """Whether to accept a resignation."""

    kind: Literal["resignation"] = "resignation"
    engine: str
    advice: str
    chances: Chances


class HintAnswer(RootModel[PlayHint | CubeHint | ResignationHint]):
    """What an engine would do in the person's place."""

    root: PlayHint | CubeHint | ResignationHint = Field(discriminator="kind")


class CurvePointAnswer(Answer):
    """The winning chance and cubeless equity of the seat ``of`` before a turn."""

    of: int
    act: int
    turn: int
    win: Number
    equity: Number
    cube: int


class CurveAnswer(Answer):
    """How the game swung."""

    engine: str
    points: list[CurvePointAnswer]


class MarkCounts(Answer):
    """How many decisions have each mark."""

    doubtful: int
    error: int
    blunder: int


class SeatSummary(Answer):
    """A player's figures in a game, as ``bgai analyse`` gives them; null without decisions."""

    name: str
    engine: str
    luck: Number
    decisions: int
    counted: int
    lost: Number
    error_rate: Number | None
    rating: Number | None
    marks: MarkCounts


class SummaryAnswer(Answer):
    """Both sides' errors and luck in a game, and the person's worst decisions."""

    engine: str
    game_number: int
    seats: list[SeatSummary]
    worst: list[DecisionAnswer]
    curve: list[CurvePointAnswer]


class RecordAnswer(RootModel[dict[str, Any]]):
    """A saved game, in the form that ``bgai play`` and ``bgai analyse`` read."""


class SavedGameAnswer(Answer):
    """A saved game; ``points`` are those before its current or last game, ``saved`` is in UTC."""

    id: str
    saved: str
    length: int | None
    level: str | None
    points: tuple[int, int]
    game_number: int
    over: bool


class GamesAnswer(Answer):
    """The saved games, the one played last first; ``count`` of them in all.

    Finished ones beyond ``kept`` are removed, the oldest first; ``removed`` were since the start.
    """

    games: list[SavedGameAnswer]
    count: int
    kept: int
    removed: int


class RemovedAnswer(Answer):
    """The game that was forgotten."""

    removed: str


class WarmUpState(Answer):
    """How far the engine is got ready."""

    ready: bool
    stage: str
    done: int
    steps: int
    error: str | None


class LevelState(Answer):
    """A level of play."""

    name: str
    description: str


class LimitsState(Answer):
    """What one caller may ask for; ``ids`` by plies."""

    plies: int
    ids: list[int]
    trials: int
    rollout_plays: int
    rollout_plies: int
    match_length: int
    body: int
    rollouts: int


class StatusAnswer(Answer):
    """The server: its version, whether it is ready, levels and limits."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    version: str
    format: int
    warm_up: WarmUpState
    levels: list[LevelState]
    best: str
    trained: bool
    default_level: str
    limits: LimitsState
