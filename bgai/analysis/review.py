"""What an analysis finds in a match: decisions, rolls, and the figures of both players.

Equities are the decider's, in units of the cube as it was (normalised in a match). A *chance* is
the match-winning chance of the player it belongs to; in money play it is the expected points of
the game instead, with the cube.

Which decisions count
    As eXtreme Gammon counts, by what gammonview (MIT) found out from the PR that it shows. A
    forced play is no decision. A checker play counts unless its best and worst plays are within
    0.0001. Doubling or not counts where an error of 0.001 was made, and else unless both are
    worth the same, doubling is wrong or wasted by more than 0.2, or the game is as good as lost
    (``judging.is_double_counted``). Every take, pass or beaver counts.
Figures
    The error rate is the equity lost in thousandths over the decisions that count, PR half of it
    (500 times the equity lost divided by those decisions). Snowie's error rate is the equity lost
    in thousandths over all rolls of both players. Luck of a roll is its value over the average
    roll.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from bgai.analysis.plans import plays_back_game
from bgai.answers import Chances
from bgai.codec import Codec
from bgai.notation.record import MatchRecord, StoredVerdict
from bgai.rules.game import Game
from bgai.rules.position import has_contact

TRIVIAL = 0.001
SAME_PLAY = 0.0001
CLOSE_CUBE = 0.2
AS_GOOD_AS_LOST = -0.9
DOUBTFUL, ERROR, BLUNDER = 0.03, 0.06, 0.12
LUCKY, VERY_LUCKY = 0.3, 0.6
OPENING_TURNS = 6  # of both players together
VERSION = 2


class Kind(StrEnum):
    """Kinds of decisions."""

    PLAY = "play"
    DOUBLE = "double"  # to double or not
    ANSWER = "answer"  # to take, pass or beaver


class GamePhase(StrEnum):
    """Phases by which figures are split; cube decisions are one of their own."""

    OPENING = "opening"
    CONTACT = "contact"
    BACK_GAME = "back game"
    RACE = "race"
    CUBE = "cube"


@dataclass(frozen=True, slots=True)
class Option:
    """One act that was possible, and its equity. ``plies``: how deep it was judged."""

    text: str
    equity: float
    plies: int


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision. ``game`` and ``act`` count from 1 and 0; ``id`` is the XGID before it.

    ``chance`` is that after the best act, ``chance_lost`` what the act made gave up of it.
    ``options``: the best ones first, the act made always among them. ``chances`` are those of
    the decider after the act made (a play) or before rolling (the cube). ``cube``: the doubler's
    equities of no double, double and take, double and pass; only at a cube that can be turned.
    """

    game: int
    act: int
    turn: int
    seat: int
    kind: Kind
    phase: GamePhase
    id: str
    dice: str
    made: str
    best: str
    cost: float
    counts: bool
    chance: float
    chance_lost: float
    options: tuple[Option, ...]
    chances: tuple[float, ...]
    verdict: str = ""
    cube: tuple[float, ...] = ()

    @property
    def mark(self) -> str:
        return error_mark(self.cost)


@dataclass(frozen=True, slots=True)
class Rolled:
    """One roll: its luck in equity and in chance, and the roller's chance before it."""

    game: int
    act: int
    turn: int
    seat: int
    dice: str
    luck: float
    chance_luck: float
    chance_before: float


_DECISIONS: Codec[Decision] = Codec(Decision)
ROLLS: Codec[tuple[Rolled, ...]] = Codec(tuple[Rolled, ...])
"""Rolls as JSON objects."""


_RATINGS = (
    (2.5, "world champion"), (5.0, "world class"), (7.5, "expert"), (12.5, "advanced"),
    (17.5, "intermediate"), (22.5, "casual player"), (30.0, "beginner"),
)  # fmt: skip


def rating_words(rating: float | None) -> str:
    """What players call a PR, roughly; nothing without one."""
    if rating is None:
        return ""
    return next((words for most, words in _RATINGS if rating < most), "distracted")


def judged_plies(decisions: Iterable[Decision]) -> int:
    """How deep some decisions were judged: of two analyses of a match the deeper one counts."""
    return max((option.plies for each in decisions for option in each.options), default=0)


def error_mark(cost: float) -> str:
    """``?!`` doubtful, ``?`` error, ``??`` blunder, or nothing."""
    if cost >= BLUNDER:
        return "??"
    if cost >= ERROR:
        return "?"
    return "?!" if cost >= DOUBTFUL else ""


def luck_mark(luck: float) -> str:
    """``very lucky``, ``lucky``, ``unlucky``, ``very unlucky`` or nothing."""
    if abs(luck) <= LUCKY:
        return ""
    word = "lucky" if luck > 0 else "unlucky"
    return f"very {word}" if abs(luck) > VERY_LUCKY else word


def game_phase(game: Game, turn: int) -> GamePhase:
    """The phase of a checker play; ``turn`` counts the rolls of the game from 1."""
    if not has_contact(game.position):
        return GamePhase.RACE
    if any(plays_back_game(game.position, side) for side in (0, 1)):
        return GamePhase.BACK_GAME
    return GamePhase.OPENING if turn <= OPENING_TURNS else GamePhase.CONTACT


@dataclass(frozen=True, slots=True)
class Figures:
    """What a player's decisions of some kind cost. ``lost`` in equity, ``chance_lost`` too."""

    decisions: int = 0
    counted: int = 0
    lost: float = 0.0
    chance_lost: float = 0.0
    doubtful: int = 0
    errors: int = 0
    blunders: int = 0

    @property
    def rating(self) -> float | None:
        """Performance rating, None without decisions."""
        return 500 * self.lost / self.counted if self.counted else None

    @property
    def error_rate(self) -> float | None:
        """Equity lost per decision that counts, in thousandths; None without decisions."""
        return 1000 * self.lost / self.counted if self.counted else None


def figures(decisions: Sequence[Decision]) -> Figures:
    """The figures of some decisions."""
    marks = [decision.mark for decision in decisions]
    counted = [decision for decision in decisions if decision.counts]
    return Figures(
        decisions=len(decisions),
        counted=len(counted),
        lost=sum(decision.cost for decision in counted),
        chance_lost=sum(decision.chance_lost for decision in counted),
        doubtful=marks.count("?!"),
        errors=marks.count("?"),
        blunders=marks.count("??"),
    )


class ErrorKind(StrEnum):
    """What an error was."""

    PLAY = "checker plays"
    MISSED_DOUBLE = "missed doubles"
    WRONG_DOUBLE = "wrong doubles"
    WRONG_TAKE = "wrong takes"
    WRONG_PASS = "wrong passes"
    BEAVER = "beavers"  # missed, or wrong where a take was right


def error_kind(decision: Decision) -> ErrorKind:
    """What it is if it is an error."""
    match decision.kind:
        case Kind.PLAY:
            return ErrorKind.PLAY
        case Kind.DOUBLE if decision.made.startswith("no "):
            return ErrorKind.MISSED_DOUBLE
        case Kind.DOUBLE:
            return ErrorKind.WRONG_DOUBLE
    if decision.made == "pass":
        return ErrorKind.WRONG_PASS
    return ErrorKind.WRONG_TAKE if decision.best == "pass" else ErrorKind.BEAVER


@dataclass(frozen=True, slots=True)
class Errors:
    """Errors of one kind: how many, and the equity lost by them."""

    count: int
    lost: float


def errors_by_kind(decisions: Sequence[Decision]) -> dict[ErrorKind, Errors]:
    """The errors that cost at least ``TRIVIAL`` of some decisions, every kind named."""
    costs: dict[ErrorKind, list[float]] = {kind: [] for kind in ErrorKind}
    for each in decisions:
        if each.counts and each.cost >= TRIVIAL:
            costs[error_kind(each)].append(each.cost)
    return {kind: Errors(len(found), sum(found)) for kind, found in costs.items()}


@dataclass(frozen=True, slots=True)
class PlayerReview:
    """A player's figures: of all decisions, the checker plays, the cube, and by phase.

    ``errors`` splits the errors by what they were; ``snowie`` is Snowie's error rate.

    ``luck`` in equity, ``chance_luck`` in chance (points in money play). ``result`` is the
    match won (1) or lost (0), or the points won in money play; ``adjusted`` the same with the
    luck of both players taken out. None while nobody has won.
    """

    name: str
    all: Figures
    plays: Figures
    cube: Figures
    phases: dict[GamePhase, Figures]
    errors: dict[ErrorKind, Errors]
    snowie: float | None
    luck: float
    chance_luck: float
    result: float | None
    adjusted: float | None


@dataclass(frozen=True, slots=True)
class Review:
    """An analysed match. ``judge`` says who judged."""

    record: MatchRecord
    judge: str
    decisions: tuple[Decision, ...]
    rolls: tuple[Rolled, ...]
    problems: tuple[str, ...] = field(default_factory=tuple)

    def player(self, seat: int) -> PlayerReview:
        """The figures of one player."""
        mine = [decision for decision in self.decisions if decision.seat == seat]
        plays = [decision for decision in mine if decision.kind is Kind.PLAY]
        cube = [decision for decision in mine if decision.kind is not Kind.PLAY]
        luck = [sum(each.luck for each in self.rolls if each.seat == side) for side in (0, 1)]
        chance = [
            sum(each.chance_luck for each in self.rolls if each.seat == side) for side in (0, 1)
        ]
        result = self._result(seat)
        net = chance[seat] - chance[1 - seat]
        return PlayerReview(
            name=self.record.players[seat],
            all=figures(mine),
            plays=figures(plays),
            cube=figures(cube),
            phases={
                phase: figures([each for each in mine if each.phase is phase])
                for phase in GamePhase
            },
            errors=errors_by_kind(mine),
            snowie=1000 * sum(each.cost for each in mine) / len(self.rolls) if self.rolls else None,
            luck=luck[seat],
            chance_luck=chance[seat],
            result=result,
            adjusted=None if result is None else result - net,
        )

    def _result(self, seat: int) -> float | None:
        if self.record.terms.length is None:
            start = self.record.games[0].standing.points if self.record.games else (0, 0)
            return float(self.record.final_points[seat] - start[seat])
        winner = self.record.winner
        return None if winner is None else float(winner == seat)

    def stored(self, decision: Decision) -> StoredVerdict | None:
        """What the match's file says of a decision, if anything."""
        games = self.record.games
        verdict = games[decision.game - 1].verdicts.get(decision.act) if games else None
        return verdict if verdict is not None and (verdict.plays or verdict.cube) else None

    def worst(self, seat: int | None = None, count: int = 10) -> list[Decision]:
        """The most expensive decisions, of both players without ``seat``."""
        chosen = [d for d in self.decisions if d.cost >= TRIVIAL and seat in (None, d.seat)]
        return sorted(chosen, key=lambda d: (-d.cost, d.game, d.act))[:count]


def review_to_json(review: Review) -> dict[str, Any]:
    """The analysis as a JSON object: both players' figures, every decision and roll."""
    players = [review.player(seat) for seat in (0, 1)]
    return {
        "format": "bgai analysis",
        "version": VERSION,
        "judge": review.judge,
        "length": review.record.terms.length,
        "info": dict(review.record.info),
        "players": [_player_to_json(player) for player in players],
        "games": [
            {"points": list(game.standing.points), "crawford": game.standing.crawford}
            | {"result": None if game.result is None else asdict(game.result)}
            for game in review.record.games
        ],
        "decisions": [
            _exported(decision, review.stored(decision)) for decision in review.decisions
        ],
        "rolls": [asdict(rolled) | {"mark": luck_mark(rolled.luck)} for rolled in review.rolls],
        "problems": list(review.problems),
    }


def _exported(decision: Decision, stored: StoredVerdict | None) -> dict[str, Any]:
    """A decision with its chances as in every answer: by name, and whose they are."""
    names = [name for name in Chances.model_fields if name != "of"]
    chances = Chances(of=decision.seat, **dict(zip(names, decision.chances, strict=True)))
    return decision_to_json(decision) | {
        "chances": chances.to_dict(),
        "stored": None if stored is None else asdict(stored),
    }


def _player_to_json(player: PlayerReview) -> dict[str, Any]:
    fields: dict[str, Any] = {"name": player.name}
    named = {"all": player.all, "plays": player.plays, "cube": player.cube}
    for name, each in (named | {str(phase): player.phases[phase] for phase in GamePhase}).items():
        key = "cube" if name == "cube" else name
        fields[key] = asdict(each) | {"rating": each.rating, "error_rate": each.error_rate}
    return fields | {
        "errors": {str(kind): asdict(each) for kind, each in player.errors.items()},
        "snowie_error_rate": player.snowie,
        "luck": player.luck,
        "chance_luck": player.chance_luck,
        "result": player.result,
        "luck_adjusted_result": player.adjusted,
    }


def decision_to_json(decision: Decision) -> dict[str, Any]:
    """The decision as a JSON object of its fields, with its mark."""
    return asdict(decision) | {"mark": decision.mark}


def decision_from_json(data: dict[str, Any]) -> Decision:
    """Read :func:`decision_to_json`. Raises ``InputError``.

    In what 0.1 kept, some takes and passes don't count; now all do.
    """
    kept = {name: value for name, value in data.items() if name not in ("mark", "stored")}
    if kept.get("kind") == Kind.ANSWER:
        kept["counts"] = True
    return _DECISIONS.load(kept)
