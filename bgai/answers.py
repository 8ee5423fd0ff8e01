"""What the program answers: one schema for ``--json``, ``--batch``, the HTTP API and Python.

Every answer is a pydantic model; :meth:`Answer.to_dict` and :meth:`Answer.to_json` give the same
fields everywhere, and the OpenAPI document is made of these models. Numbers are rounded once, to
six decimals. Equities are in units of the present cube, normalised at a match score. ``FORMAT`` is
raised when a name or a meaning changes (docs/answers.md says what did).
"""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

FORMAT = 2
DECIMALS = 6


def _rounded(number: float) -> float:
    return round(number, DECIMALS) + 0.0  # never -0.0


Number = Annotated[float, AfterValidator(_rounded)]
Whose = Literal["on_roll", "opponent"] | int
"""The player on roll in the position of the answer, the other one, or a seat of a game."""
DiceText = Annotated[str, Field(pattern=r"^[1-6]{2}$", description="two dice, such as 31")]
Move = tuple[int, int, bool]
"""Source and destination (25 the bar, 0 off), and whether it hits."""


class Answer(BaseModel):
    """Base of all answers."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain lists, dicts, numbers and texts."""
        return self.model_dump(mode="json")

    def to_json(self) -> str:
        """The same as one line of JSON."""
        return self.model_dump_json()


class ErrorAnswer(Answer):
    """What was wrong, and the field at fault if it was one."""

    error: str
    field: str | None = None


class BatchError(Answer):
    """A bad line of a batch."""

    line: int
    error: str


class FiveChances(Answer):
    """Winning, and winning and losing gammons and backgammons; gammons include backgammons."""

    win: Number
    win_gammon: Number
    win_backgammon: Number
    lose_gammon: Number
    lose_backgammon: Number

    @property
    def values(self) -> tuple[float, float, float, float, float]:
        """The five in their order."""
        return (
            self.win,
            self.win_gammon,
            self.win_backgammon,
            self.lose_gammon,
            self.lose_backgammon,
        )


class Chances(FiveChances):
    """The same with whose they are."""

    of: Whose = "on_roll"


# --- plays and positions ------------------------------------------------------------------------


class LegalPlay(Answer):
    """A play; ``after`` is the position ID after it, the opponent on roll."""

    play: str
    moves: list[Move]
    after: str


class PlaysAnswer(Answer):
    """The legal plays of a roll; none where the turn is lost."""

    id: str
    dice: DiceText
    plays: list[LegalPlay]


class RankedPlay(LegalPlay):
    """A play judged ``plies`` deep, for the player who makes it; ``difference`` to the best.

    ``trials`` games of a rollout stand behind it too, with a roller's engine.
    """

    equity: Number
    difference: Number
    plies: int
    trials: int = 0
    chances: Chances


class BestAnswer(Answer):
    """The plays of a roll, the best first.

    ``total`` counts the legal plays, ``equity`` and ``chances`` are those of the best one, or of
    the lost turn. Equity is cubeful, the opponent free to double next; all numbers are those of
    the mover, who is ``of``.
    """

    id: str
    of: Whose = "on_roll"
    dice: DiceText
    engine: str
    equity: Number
    chances: Chances
    total: int
    plays: list[RankedPlay]


class EvaluateAnswer(Answer):
    """Chances and cubeless equity of the player on roll, before the roll."""

    id: str
    engine: str
    equity: Number
    chances: Chances


class EvaluationsAnswer(Answer):
    """Positions evaluated, in the order asked."""

    engine: str
    positions: list[EvaluateAnswer]


class CubeState(Answer):
    """The cube, seen by the player on roll."""

    value: int
    owner: Literal["centred", "on_roll", "opponent"]


class ScoreState(Answer):
    """A match score, seen by the player on roll."""

    length: int
    on_roll: int
    opponent: int
    crawford: bool


class PositionAnswer(Answer):
    """Everything an identifier says, every other identifier, and words.

    ``position`` and ``pips`` are of the player on roll and the opponent, each side in its own
    numbering, index 0 borne off and 25 the bar.
    """

    xgid: str
    position_id: str
    match_id: str
    gnu_id: str
    position: list[list[int]]
    pips: list[int]
    cube: CubeState
    dice: DiceText | None
    offer: Literal["none", "doubled", "beavered", "raccooned"]
    seat: Literal["bottom", "top"]
    match: ScoreState | None
    jacoby: bool
    beavers: bool
    max_cube: int | None
    text: str
    score_text: str
    decision: str


class BearoffSide(Answer):
    """What the one-sided table says; ``distribution`` and ``first_checker`` by number of rolls."""

    pips: int
    effective_pips: Number
    wastage: Number
    mean_rolls: Number
    deviation: Number
    distribution: list[Number]
    first_checker: list[Number]


class BearoffAnswer(Answer):
    """A bear-off; chances and equity only where both sides are home."""

    id: str
    on_roll: BearoffSide
    opponent: BearoffSide | None = None
    equity: Number | None = None
    chances: Chances | None = None
    exact: bool | None = None


# --- the cube -----------------------------------------------------------------------------------


class CubePoints(Answer):
    """Winning chances at which the decision changes, with the gammons of this position."""

    double: Number | None
    take: Number | None
    cash: Number | None
    too_good: Number | None


class ByCubeAct(Answer):
    """A number for each way a cube decision can go."""

    no_double: Number
    double_take: Number | None
    double_pass: Number | None


Act = Literal["no_double", "double", "take", "pass", "beaver"]


class CubeVerdictAnswer(Answer):
    """A cube decision; equities of the doubler in units of the cube before the double.

    ``of`` is the doubler. Equities, match chances and cube points are the doubler's; ``take`` is
    the other's own winning chance, and each cost is that of the player who acts.
    ``verdict`` says it in words, ``action`` by name. ``double_take``, ``double_pass`` and
    ``beaver`` are null where the cube can't be turned; ``access`` says why. ``costs`` are what
    each act gives up against the best, for the one who makes it.
    """

    of: Whose = "on_roll"
    verdict: str
    action: str
    access: str
    redouble: bool
    no_double: Number
    double_take: Number | None
    double_pass: Number | None
    beaver: Number | None
    equity: Number
    cubeless: Number
    costs: dict[Act, Number]
    points: CubePoints
    match_chances: ByCubeAct | None
    exact: bool

    @property
    def word(self) -> str:
        """What turning this cube is called."""
        return "redouble" if self.redouble else "double"

    @property
    def too_late(self) -> bool:
        """Whether the opponent should pass a double now: the market is lost already."""
        return self.double_take is not None and self.double_take > 1


class RollOutlook(Answer):
    """One roll after a cube decision: its best play and the equities then.

    ``play_doubled`` is the best play after double and take where it is another one.
    """

    dice: DiceText
    play: str
    play_doubled: str | None = None
    no_double: Number
    double_take: Number | None
    loses_market: bool


class CubeAnswer(CubeVerdictAnswer):
    """A cube decision with the chances behind it and how many of the 36 rolls lose the market.

    ``stakes`` says what is played for; ``rolls`` is there only where it was asked for.
    """

    id: str
    engine: str
    plies: int
    stakes: str
    chances: Chances
    market_losers: int | None = None
    rolls: list[RollOutlook] | None = None


class ScoreCell(Answer):
    """The cube decision at one score; ``away`` the points both need, null for money."""

    away: tuple[int, int] | None
    verdict: str
    short: str
    no_double: Number
    double_take: Number | None


class ScoreTableAnswer(Answer):
    """The decision at every score: rows by points the player on roll needs, then the opponent's."""

    id: str
    engine: str
    stakes: str
    money: ScoreCell
    scores: list[list[ScoreCell]]


# --- rollouts -----------------------------------------------------------------------------------


class FigureAnswer(Answer):
    """A rolled-out mean, its standard error and its 95% interval."""

    mean: Number
    error: Number
    low: Number
    high: Number


class RolledOutRow(Answer):
    """A play, or the position where there is none; ``errors`` are those of the chances.

    ``difference`` is that to the best play, on the same dice; null for the best itself.
    """

    play: str | None = None
    moves: list[Move] = []
    after: str | None = None
    equity: FigureAnswer
    difference: FigureAnswer | None = None
    chances: Chances
    errors: FiveChances


class CubeFigures(Answer):
    """The equities behind a rolled-out verdict; ``gain`` is double/take less no double."""

    no_double: FigureAnswer
    double_take: FigureAnswer | None
    gain: FigureAnswer | None


class RolledOutCubeAnswer(CubeVerdictAnswer):
    """A rolled-out cube decision and the probability that its verdict is right."""

    figures: CubeFigures
    confidence: Number


class RolloutRules(Answer):
    """How it was rolled out. ``cubeless``: the cube was left where it is. ``leaf_plies``: how deep
    games that were cut off are judged."""

    trials: int
    plies: int
    seed: int
    truncate: int | None
    variance_reduction: Literal["none", "0-ply", "1-ply"]
    cubeless: bool
    leaf_plies: int


class RolloutAnswer(Answer):
    """A rollout of plays, of a position, or of a cube decision, as far as ``trials`` go.

    ``note``: what truncation may do to the figures.
    """

    id: str
    kind: Literal["plays", "position", "cube"]
    dice: DiceText | None
    engine: str
    ranked_by: str | None
    stakes: str
    settings: RolloutRules
    trials: int
    rows: list[RolledOutRow]
    cube: RolledOutCubeAnswer | None
    note: str | None


class CurveFigure(FigureAnswer):
    """The mean equity of the best after so many trials."""

    trials: int


class RolloutJob(RolloutAnswer):
    """A rollout in the background; ``job`` is its name."""

    job: str
    state: Literal["waiting", "running", "done", "cancelled", "failed"]
    error: str | None
    progress: Number
    seconds: Number
    curve: list[CurveFigure]


# --- matches ------------------------------------------------------------------------------------


class MetSide(Answer):
    """What a gammon is worth and the least winning chances to take with; null with a dead cube."""

    gammon_value: Number
    dead_take: Number | None
    live_take: Number | None


class MetCube(Answer):
    """Both players' figures at one value of the cube."""

    cube: int
    you: MetSide
    opponent: MetSide


class MetAnswer(Answer):
    """The chance to win a match from a score, and the cube's points there."""

    table: str
    away: tuple[int, int]
    game: Literal["normal", "Crawford", "post-Crawford", "double match point"]
    chance: Number
    cubes: list[MetCube]


class DuelAnswer(Answer):
    """A duel, in points a game of the first player."""

    first: str
    second: str
    seed: int
    judge: str
    games: int
    points: Number
    standard_error: Number | None
    adjusted: Number | None
    adjusted_error: Number | None
    results: dict[int, int]


class ArenaSide(Answer):
    """One player of a contest: its thinking in seconds, and its play by the judge's measure.

    ``performance_rating`` is None where no decisions were judged.
    """

    name: str
    seconds: Number
    decisions: int
    milliseconds_a_decision: Number
    equity_lost: Number | None
    judged_decisions: int | None
    performance_rating: Number | None


class ArenaAnswer(Answer):
    """A contest as the first player sees it, over finished pairs with the same dice.

    ``result`` is points a game, or the part of the matches won; ``adjusted`` the same without luck.
    """

    first: ArenaSide
    second: ArenaSide
    length: int
    cube: bool
    jacoby: bool
    beavers: int
    seconds_a_decision: Number | None
    seed: int
    judge: str | None
    bouts: int
    result: Number
    standard_error: Number | None
    adjusted: Number | None
    adjusted_error: Number | None


class RatedPlayer(Answer):
    """A place in a rating list; ``error`` is the standard error against the first of the list."""

    name: str
    rating: Number
    error: Number
    low: Number
    high: Number
    bouts: int


class RatingsAnswer(Answer):
    """A rating list, the best first; the mean of all ratings is 0.

    ``unit`` is Elo of whole matches of that ``length``, or points a game of money play.
    """

    unit: Literal["Elo", "points"]
    length: int
    players: list[RatedPlayer]


class SpeedRow(Answer):
    """The move generator on one workload with so many threads."""

    workload: str
    threads: int
    rolls: int
    positions_after: int
    rolls_per_second: int
    positions_per_second: int


class BenchAnswer(Answer):
    """Speeds of the move generator; ``signature`` counts its plays, alike on all machines."""

    signature: int
    speeds: list[SpeedRow]
