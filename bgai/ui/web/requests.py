"""What callers send: strict types, bounds, no unknown fields; names as in the Python API."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from bgai.notation.identifiers import LONGEST_TEXT
from bgai.ui.web.limits import Limits

LIMITS = Limits()
MOST_SEED = 2**53 - 1
"""The greatest seed: a number every JSON reader keeps whole."""

Identifier = Annotated[
    str,
    Field(
        max_length=LONGEST_TEXT,
        description="XGID, position ID, GNU ID or OGID; words or a diagram may stand around it",
    ),
]
PlayText = Annotated[str, Field(max_length=80, description="such as 8/5 6/5")]
DiceText = Annotated[str, Field(max_length=8, description="two dice, such as 31")]
EngineName = Annotated[
    str,
    Field(
        max_length=40, description="a level or network, see /api/status, with @N plies or @roller"
    ),
]
Plies = Annotated[int, Field(ge=0, le=LIMITS.plies, description="0 is the bare evaluation")]
Row = Annotated[list[Annotated[int, Field(ge=0, le=15)]], Field(min_length=26, max_length=26)]
CubeValue = Annotated[int, Field(ge=1, le=2**12)]


class Strict(BaseModel):
    """Base of all requests."""

    model_config = ConfigDict(extra="forbid", strict=True)


class CubeIn(Strict):
    """The cube, seen by the player on roll."""

    value: CubeValue = 1
    owner: Literal["centred", "on_roll", "opponent"] = "centred"


class MatchIn(Strict):
    """A match score, seen by the player on roll."""

    length: Annotated[int, Field(ge=1, le=LIMITS.match_length)]
    on_roll: Annotated[int, Field(ge=0)] = 0
    opponent: Annotated[int, Field(ge=0)] = 0
    crawford: bool = False


class SituationIn(Strict):
    """A situation in fields, the same as /api/position answers."""

    position: Annotated[list[Row], Field(min_length=2, max_length=2)]
    cube: CubeIn = CubeIn()
    dice: DiceText | None = None
    offer: Literal["none", "doubled", "beavered", "raccooned"] = "none"
    seat: Literal["bottom", "top"] = "bottom"
    match: MatchIn | None = None
    jacoby: bool = True
    beavers: bool = True
    max_cube: CubeValue | None = None


class PositionRequest(Strict):
    """A position by ``id`` or by its ``situation``, one of the two."""

    id: Identifier | None = None
    situation: SituationIn | None = None


class PlaysRequest(Strict):
    """The legal plays of a roll; without ``dice`` those of the ID."""

    id: Identifier
    dice: DiceText | None = None


class EvaluateRequest(Strict):
    """Positions to evaluate by an engine, or by the best one at a number of plies."""

    ids: Annotated[list[Identifier], Field(min_length=1, max_length=1024)]
    engine: EngineName | None = None
    plies: Plies | None = None


class BestRequest(PlaysRequest):
    """The best plays of a roll; ``count`` of them, all without it."""

    engine: EngineName | None = None
    plies: Plies | None = None
    count: Annotated[int, Field(ge=1, le=4096)] | None = None


class CubeRequest(Strict):
    """A cube decision: to double, or the answer to a double the ID carries."""

    id: Identifier
    engine: EngineName | None = None
    plies: Plies | None = None


class RolloutRequest(Strict):
    """A rollout of plays of the roll, or of the cube decision where none is rolled.

    The best ``plays``, or ``chosen`` ones as text. ``cubeless`` leaves the cube where it is.
    """

    id: Identifier
    dice: DiceText | None = None
    plays: Annotated[int, Field(ge=1, le=LIMITS.rollout_plays)] = 3
    trials: Annotated[int, Field(ge=36, le=LIMITS.trials)] = 1296
    plies: Annotated[int, Field(ge=0, le=LIMITS.rollout_plies)] = 0
    seed: Annotated[int, Field(ge=0, le=MOST_SEED)] = 1
    truncate: Annotated[int, Field(ge=1, le=2000)] | None = None
    leaf_plies: Annotated[int, Field(ge=0, le=LIMITS.rollout_plies)] = 0
    chosen: Annotated[list[PlayText], Field(max_length=LIMITS.rollout_plays)] = []
    cubeless: bool = False


class RulesIn(Strict):
    """House rules of money play; in a match only ``max_cube`` counts."""

    jacoby: bool = True
    beaver_turns: Annotated[int, Field(ge=0, le=8)] = 1
    automatic_doubles: Annotated[int, Field(ge=0, le=8)] = 0
    max_cube: CubeValue | None = None


class TermsIn(Strict):
    """What is played: a match to ``length`` points, or money (None)."""

    length: Annotated[int, Field(ge=1, le=LIMITS.match_length)] | None = None
    rules: RulesIn = RulesIn()
    games: Annotated[int, Field(ge=1, le=1000)] | None = None
    margin: Annotated[int, Field(ge=1, le=10_000)] | None = None


class NewGame(Strict):
    """A new match or money session against a level. Without ``seed`` the dice are random.

    From a ``position`` on, its score, length, house rules, cube and dice replace those of
    ``terms``. The person plays the side that is to decide in it, or with ``swap`` the other.
    """

    terms: TermsIn = TermsIn()
    position: Identifier | None = None
    swap: bool = False
    level: EngineName = "best"
    seed: Annotated[int, Field(ge=0, le=MOST_SEED)] | None = None
    starter: Annotated[int, Field(ge=0, le=1)] | None = None
    advance: bool = True


class ActRequest(Strict):
    """An act of the person.

    A play is named by the position ID ``after`` it or by its text in ``play``; a resignation has
    a ``level``, 1 to 3. Dice are rolled by the server. ``at`` is the number of acts the caller
    has seen: another number is refused. ``tutor`` asks what the act lost. With ``advance`` the
    program goes on until the person has to act.
    """

    act: Literal[
        "roll", "play", "double", "take", "pass", "beaver", "raccoon", "resign", "accept", "refuse"
    ]
    after: Annotated[str, Field(max_length=20)] | None = None
    play: Annotated[str, Field(max_length=80)] | None = None
    level: Annotated[int, Field(ge=1, le=3)] | None = None
    at: Annotated[int, Field(ge=0)] | None = None
    tutor: bool = False
    advance: bool = True
